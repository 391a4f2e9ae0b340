/** Looks at one text job without paying: reads source, target and segment base, and says what stands and what is to be bought. */

import type { Route } from '../config.ts';
import type { Part, Segment } from '../format.ts';
import { partsText, sourceParts } from '../format.ts';
import { expectedSegments } from '../formats/text/expect.ts';
import type { OpenFile, Reader } from '../formats/text/open.ts';
import type { Hash, Job } from '../job.ts';
import type { LanguageTag } from '../language.ts';
import { memoryKey, type Recipe } from '../plan/recipe.ts';
import { align } from '../segments/align.ts';
import type { MergeRules, WantedSegment } from '../segments/decide.ts';
import { matchesKey } from '../segments/key-pattern.ts';
import { type Merge, merge } from '../segments/merge.ts';
import { worthSending } from '../segments/protect.ts';
import type { Choice, SegmentRecord } from '../segments/record.ts';
import {
  inputsScope,
  isOutdated,
  type TranslationInputs,
  translationInputsOf,
} from '../segments/translation-inputs.ts';
import type { SegmentBaseline } from '../state/baseline.ts';
import type { Memory } from '../state/memory.ts';
import type { ProjectTerms } from '../terminology/project-terms.ts';
import { openSource, openTarget, optionsFor, type TextFile } from './text-files.ts';

/** One text job with everything around it. */
export interface TextCase {
  readonly job: Job;
  readonly route: Route;
  readonly recipe: Recipe;
  readonly sourceLanguage: LanguageTag | undefined;
  /** Absolute root of the project. */
  readonly root: string;
  /** Absolute. */
  readonly sourcePath: string;
  /** Relative to the root. */
  readonly targetPath: string;
  readonly memory: Memory;
  /** Improved texts of the source's own language, where config wants them. */
  readonly improvements?: Memory;
  readonly baseline: SegmentBaseline;
  /** Of the target that the ledger says we left. */
  readonly wrote: Hash | undefined;
  /** Of the source that the target was last made from; absent before the first delivery. */
  readonly deliveredSource?: Hash;
  /** Terms and style of the project in this language, as their files are now. */
  readonly projectTerms: ProjectTerms;
  readonly word: PersonsWord;
}

/** What a person said about this content, as data. */
export interface PersonsWord {
  /** Held segments are to be tried again. */
  readonly retryHeld?: boolean;
  /** By segment id: which text ends its conflict. */
  readonly choices?: ReadonlyMap<string, Choice>;
}

/** What a text of this job is bought with now. */
export function inputsFor(
  { recipe, projectTerms }: TextCase,
  source: readonly Part[],
): TranslationInputs {
  const { terms, style } = projectTerms;
  return translationInputsOf(partsText(source), {
    options: recipe.options,
    ...(terms === undefined ? {} : { terms: terms.index }),
    ...(style === undefined ? {} : { style }),
  });
}

/** Under which scope the memory holds a text of this job. */
export function scopeFor(text: TextCase, source: readonly Part[]): { scope?: string } {
  const { retranslateOn } = text.route.policies;
  if (!retranslateOn.has('glossary') && !retranslateOn.has('style')) return {};
  const scope = inputsScope(inputsFor(text, source), retranslateOn);
  return scope === undefined ? {} : { scope };
}

export interface Inspection {
  readonly reader: Reader;
  readonly source: TextFile;
  readonly target: TextFile | undefined;
  /** What a target in this language needs, in the source's order. */
  readonly segments: readonly Segment[];
  readonly merge: Merge;
  /** By id: what stands at the very place where the segment belongs; it can stay there byte for byte. */
  readonly inPlace: ReadonlyMap<string, readonly Part[]>;
  /** Why the target cannot be merged: it would lose what stands there. */
  readonly blocker: Blocker | undefined;
}

/**
 * `unlike`: an existing target is not built like its source, so its texts belong to no segments.
 * `unplaced`: it holds texts that belong to no segment; writing from the source would drop them.
 */
export type Blocker = 'unlike' | 'unplaced';

/** What stands on the disk and in the base, before anything is decided. */
export interface Findings extends Omit<Inspection, 'merge'> {
  readonly wanted: readonly WantedSegment[];
  readonly base: ReadonlyMap<string, SegmentRecord>;
  readonly found: ReadonlyMap<string, readonly Part[]>;
}

/** @throws JobFailure `malformed`, `unreadable`, `unsupported`, `changed-meanwhile` */
export async function look(text: TextCase): Promise<Findings> {
  const { source, format } = await openSource(text);
  const reader: Reader = { format, options: optionsFor(text, 'target') };
  const target = await openTarget(text, reader);
  const segments = expectedSegments(format, source, {
    language: text.job.language,
    ...(target === undefined ? {} : { file: target }),
  });
  const final = finalIds(target?.doc.segments ?? segments);
  const wanted = segments.map((segment) =>
    final.has(segment.id) ? leftAlone(segment) : wantedSegment(segment, text.route),
  );
  const records = [...(await text.baseline.read(target?.hash ?? null)).values()];
  const relation = relate({ reader, target, wanted, records });
  return { reader, source, target, segments, wanted, ...relation };
}

/** Decides segment by segment; asks the memory and nothing else. */
export function decide(text: TextCase, findings: Findings): Inspection {
  const { wanted, found, base } = findings;
  return { ...findings, merge: merge({ wanted, found, base, rules: mergeRules(text) }) };
}

/** How a person's word bears on a merge. */
export function wordRules({
  retryHeld = false,
  choices,
}: PersonsWord): Pick<MergeRules, 'retryHeld' | 'resolution'> {
  return { retryHeld, resolution: (id) => choices?.get(id) };
}

function mergeRules(text: TextCase): MergeRules {
  const { word, route, memory, recipe } = text;
  const { retranslateOn } = route.policies;
  return {
    ...wordRules(word),
    policies: route.policies,
    remembered: ({ source }) =>
      memory.lookup(memoryKey({ recipe, ...scopeFor(text, source) }), source),
    recipeChanged: ({ source }, { made }) =>
      made !== undefined && isOutdated(made, inputsFor(text, source), retranslateOn),
  };
}

interface Standing {
  readonly reader: Reader;
  readonly target: OpenFile | undefined;
  readonly wanted: readonly WantedSegment[];
  readonly records: readonly SegmentRecord[];
}

interface Relation {
  readonly base: ReadonlyMap<string, SegmentRecord>;
  readonly found: ReadonlyMap<string, readonly Part[]>;
  readonly inPlace: ReadonlyMap<string, readonly Part[]>;
  readonly blocker: Blocker | undefined;
}

/** Keys say what belongs together; in a sequence neighbours and contents do. */
function relate({ reader, target, wanted, records }: Standing): Relation {
  const standing = target?.doc.segments ?? [];
  if (reader.format.shape === 'keyed') {
    const found = new Map(standing.map(({ id, parts }) => [id, parts]));
    const base = new Map(records.map((record) => [record.id, record]));
    return { base, found, inPlace: found, blocker: undefined };
  }
  const texts = standing.map(({ parts }) => parts);
  const { base, found, fit, unplaced } = align({ wanted, records, found: texts });
  const isParallel = texts.length === wanted.length;
  const inPlace = new Map(isParallel ? wanted.map(({ id }, at) => [id, texts[at] ?? []]) : []);
  return { base, found, inPlace, blocker: blockerOf(fit, unplaced.length) };
}

function blockerOf(fit: 'exact' | 'realigned' | 'unknown', unplaced: number): Blocker | undefined {
  if (fit === 'unknown') return 'unlike';
  return unplaced > 0 ? 'unplaced' : undefined;
}

/** Locked keys and texts without a letter go over as they are; ignored keys are none of our business (product.md). */
function wantedSegment(segment: Segment, { keys }: Route): WantedSegment {
  if (matchesKey(keys.ignore, segment.id)) return leftAlone(segment);
  const treatment = isCopied(segment, keys.lock) ? 'copy' : 'translate';
  return { id: segment.id, source: sourceParts(segment), treatment };
}

function leftAlone(segment: Segment): WantedSegment {
  return { id: segment.id, source: sourceParts(segment), treatment: 'omit' };
}

/** What a file calls final or approved stays as it is (XLIFF, "approved" and "state"). */
function finalIds(segments: readonly Segment[]): ReadonlySet<string> {
  return new Set(segments.filter(({ state }) => state === 'final').map(({ id }) => id));
}

function isCopied(segment: Segment, lock: readonly string[]): boolean {
  return (
    segment.state === 'do-not-translate' ||
    matchesKey(lock, segment.id) ||
    !worthSending({ parts: sourceParts(segment), syntax: segment.syntax })
  );
}
