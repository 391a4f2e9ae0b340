/** Looks at translations as they stand on the disk: damaged placeholders, empty texts, files that cannot be read. Pays nothing. */
import { join } from 'node:path';
import type { SegmentBase } from '../base.ts';
import { convertsInto } from '../capabilities.ts';
import type { Project, Route } from '../config.ts';
import { type Examination, examine, type TextCase } from '../examine.ts';
import { describeFailure, type Failure, failureOf, type Location } from '../failure.ts';
import { type Part, partsText, sourceParts } from '../format.ts';
import { describeFinding, missingTerms } from '../glossary/occurrence.ts';
import { jobId } from '../job.ts';
import { type LanguageTag, sameLanguage } from '../language.ts';
import type { Memory } from '../memory.ts';
import { fingerprint, recipeFor } from '../recipe.ts';
import { checkTranslation } from '../segments/check.ts';
import { maxLengthOf } from '../segments/key-pattern.ts';
import type { Words } from '../wording.ts';

/** One thing that is wrong with a file that stands on the disk. */
export interface TargetFinding extends Required<Location> {
  /** `hold`: dragoman would not write it so. */
  readonly severity: 'hold' | 'warn';
  readonly message: string;
}

export interface SourceToInspect {
  readonly project: Project;
  readonly route: Route;
  /** Relative to the root. */
  readonly source: string;
  readonly target: string;
  readonly language: LanguageTag;
  /** Terms of the project in this language. */
  readonly words: Words;
}

/** @returns findings in the order of the file; one finding when source or target cannot be read */
export async function inspectTarget(inspected: SourceToInspect): Promise<TargetFinding[]> {
  const file = join(inspected.project.root, inspected.target);
  try {
    return findings(await examine(caseOf(inspected)), { ...inspected, file });
  } catch (error) {
    return [unreadable(failureOf(error), file)];
  }
}

/** Whether the language of a target is written at all: variants of the source are, where they can be converted. */
export function isTranslated(project: Project, language: LanguageTag): boolean {
  const { source } = project;
  return source === 'auto' || !sameLanguage(source, language) || convertsInto(project, language);
}

const NO_MEMORY: Memory = {
  lookup: () => undefined,
  remember: async () => {},
  holdsAnswerTo: () => false,
  entries: async function* () {},
  size: 0,
};

const NO_BASE: SegmentBase = { read: async () => new Map(), prepare: async () => {} };

// The look that a job gets, with nothing remembered: what stands is all that counts.
function caseOf({ project, route, source, target, language, words }: SourceToInspect): TextCase {
  const recipe = recipeFor(project, language);
  return {
    job: {
      id: jobId(project.name, language, source),
      project: project.name,
      lane: 'text',
      source,
      language,
      targets: { file: target },
      fingerprint: fingerprint('' as Parameters<typeof fingerprint>[0], recipe.key),
    },
    route,
    recipe,
    sourceLanguage: project.source === 'auto' ? undefined : project.source,
    root: project.root,
    sourcePath: join(project.root, source),
    targetPath: target,
    memory: NO_MEMORY,
    base: NO_BASE,
    wrote: undefined,
    words,
    word: {},
  };
}

function findings(
  { segments, target, inPlace, reader }: Examination,
  { route, file, words }: { route: Route; file: string; words: Words },
): TargetFinding[] {
  if (target === undefined) return [];
  const standing = target.doc.segments;
  const places = new Map(standing.map(({ id, start }) => [id, start]));
  return segments.flatMap((segment, index) => {
    const parts = inPlace.get(segment.id);
    if (parts === undefined) return [];
    const start = reader.format.shape === 'keyed' ? places.get(segment.id) : standing[index]?.start;
    const maxLength = segment.maxLength ?? maxLengthOf(route.keys.maxLength, segment.id);
    const found = checkTranslation(
      {
        source: { parts: sourceParts(segment), syntax: segment.syntax },
        target: parts as readonly Part[],
        ...(maxLength === undefined ? {} : { maxLength }),
        ...(segment.plural === undefined ? {} : { isPluralForm: true }),
      },
      route.policies.checks,
    );
    const position = positionOf(target.text, start ?? 0);
    const terms = termFindings(partsText(sourceParts(segment)), partsText(parts), words);
    return [...found, ...terms].map(({ severity, message }) => ({
      file,
      ...position,
      severity,
      message: `${segment.id}: ${message}`,
    }));
  });
}

function termFindings(source: string, target: string, { terms }: Words) {
  if (terms === undefined) return [];
  return missingTerms(source, target, terms.index).map((finding) => ({
    severity: 'warn' as const,
    message: describeFinding(finding),
  }));
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function unreadable(failure: Failure, file: string): TargetFinding {
  if (failure.kind === 'malformed') {
    const { line = 1, column = 1 } = failure.where;
    return { file: failure.where.file, line, column, severity: 'hold', message: failure.message };
  }
  return { file, line: 1, column: 1, severity: 'hold', message: describeFailure(failure) };
}
