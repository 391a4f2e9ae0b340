/** Looks at translations as they stand on the disk, and at the sources behind them. Pays nothing, changes nothing. */
import { join } from 'node:path';
import type { BaselineReader } from '../../baseline.ts';
import { convertsInto } from '../../capabilities.ts';
import type { Project, Route } from '../../config.ts';
import { describeFailure, failureOf, type Location } from '../../failure.ts';
import { describeDuplicate } from '../../formats/text/duplicates.ts';
import { jobId } from '../../job.ts';
import { type LanguageTag, sameLanguage } from '../../language.ts';
import { fingerprint, recipeFor } from '../../plan/recipe.ts';
import type { Memory } from '../../state/memory.ts';
import type { ProjectTerms } from '../../terminology/project-terms.ts';
import { decide, look } from '../../translate/inspection.ts';
import type { TextCase } from '../../translate/text-case.ts';
import { openSource } from '../../translate/text-files.ts';
import { findingsIn } from './findings.ts';

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
}

export interface TargetToInspect extends SourceToInspect {
  readonly target: string;
  readonly language: LanguageTag;
  /** Terms of the project in this language. */
  readonly projectTerms: ProjectTerms;
  /** What was seen and written last. */
  readonly baselines: Pick<BaselineReader, 'of'>;
}

/**
 * @returns what of a source is not translated, as warnings; a fault when it cannot be read: none of its translations can be
 * looked at then
 */
export async function inspectSource(inspected: SourceToInspect): Promise<TargetFinding[]> {
  const { project, source } = inspected;
  const [language] = project.targets;
  if (language === undefined) return [];
  const file = join(project.root, source);
  try {
    const opened = await openSource(sourceCase({ ...inspected, language, target: '' }));
    const { warnings, duplicates = [] } = opened.source.doc;
    const repeated = duplicates.map((duplicate) => ({
      line: duplicate.lines[1] ?? 1,
      message: describeDuplicate(duplicate),
    }));
    return [...warnings, ...repeated].map(({ line, message }) => ({
      file,
      line,
      column: 1,
      severity: 'warn',
      message,
    }));
  } catch (error) {
    return [unreadable(error, file)];
  }
}

/** @returns findings in the order of the file; one finding when source or target cannot be read */
export async function inspectTarget(inspected: TargetToInspect): Promise<TargetFinding[]> {
  const file = join(inspected.project.root, inspected.target);
  try {
    const text = caseOf(inspected);
    const findings = await look(text);
    return findingsIn({ ...findings, ...decide(text, findings) }, text).map((finding) => ({
      file,
      ...finding,
    }));
  } catch (error) {
    return [unreadable(error, file)];
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

/** The look that a job gets, but for the memory: `check` reads beside a daemon that writes it. */
function caseOf(inspected: TargetToInspect): TextCase {
  const { project, source: path, language, projectTerms, baselines } = inspected;
  const key = { project: project.name, language, path };
  return {
    ...sourceCase(inspected),
    memory: NO_MEMORY,
    baseline: baselines.of(key, undefined),
    projectTerms,
  };
}

function sourceCase({
  project,
  route,
  source,
  target,
  language,
}: Omit<TargetToInspect, 'projectTerms' | 'baselines'>): Omit<
  TextCase,
  'memory' | 'baseline' | 'projectTerms'
> {
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
    wrote: undefined,
    word: {},
  };
}

function unreadable(error: unknown, file: string): TargetFinding {
  const failure = failureOf(error);
  if (failure.kind === 'malformed') {
    const { line = 1, column = 1 } = failure.where;
    return { file: failure.where.file, line, column, severity: 'hold', message: failure.message };
  }
  return { file, line: 1, column: 1, severity: 'hold', message: describeFailure(failure) };
}
