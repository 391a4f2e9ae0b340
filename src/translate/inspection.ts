/** Looks at one text job without paying: reads source, target and segment base, and says what stands and what is to be bought. */

import type { BaselineRecord } from '../baseline.ts';
import type { ExpectedTarget, Returning, Segment } from '../format.ts';
import { partsText } from '../format.ts';
import { expectedSegments } from '../formats/text/expect.ts';
import type { Reader } from '../formats/text/open.ts';
import type { Limited } from '../parsing/within.ts';
import { memoryKey } from '../plan/recipe.ts';
import type { MergeRules, TranslationElsewhere, WantedSegment } from '../segments/decide.ts';
import { type Merge, merge } from '../segments/merge.ts';
import { sameText } from '../segments/record.ts';
import { type Statement, sourceHash, targetHash } from '../segments/statements.ts';
import { isOutdated } from '../segments/translation-inputs.ts';
import { type LockIndex, statementsAt } from '../state/lock-file.ts';
import { originOfPair } from '../state/lock-pairs.ts';
import type { EarlierPage } from './earlier-page.ts';
import { type Past, rulesOfPast } from './past.ts';
import { PORTION, Recall } from './recall.ts';
import { type Relation, type RelationInput, relate } from './relation.ts';
import { placeOf, type TextCase } from './text-case.ts';
import {
  type FilesOfJob,
  openSource,
  openTarget,
  optionsFor,
  readFiles,
  type TextFile,
} from './text-files.ts';
import { inputsFor, scopeFor, wordRules } from './text-inputs.ts';
import { leftAlone, wantedSegment } from './wanted-segment.ts';

export interface TextInspection extends Omit<Relation, 'base' | 'found' | 'vacant'> {
  readonly reader: Reader;
  readonly source: TextFile;
  readonly target: TextFile | undefined;
  /** What a target in this language needs, in the source's order. */
  readonly segments: readonly Segment[];
  readonly merge: Merge;
}

/** What stands on the disk and in the base, before anything is decided. */
export interface TextFindings extends Omit<TextInspection, 'merge'>, Relation {
  readonly wanted: readonly WantedSegment[];
  /** What the lock states of a segment's place; undefined: there is no lock. */
  readonly statements: ((id: string) => readonly Statement[]) | undefined;
  readonly lock: LockIndex | undefined;
  /** What git says of texts that no statement explains; absent where it was not asked. */
  readonly past?: Past;
}

/** What a job is made from, as it stands on the disk: bytes, what we last saw and wrote, and what the team stated. */
export interface Material extends FilesOfJob {
  readonly known: BaselineRecord | undefined;
  readonly lock: LockIndex | undefined;
  /** What the history tells of a page that this machine never saw. */
  readonly earlier?: EarlierPage;
  /** The same, for what it had between its texts alone. */
  readonly earlierFrame?: EarlierPage;
}

/** @throws JobFailure `unreadable`, `unsupported`, `changed-meanwhile` */
export async function gather(text: TextCase): Promise<Material> {
  const files = await readFiles(text);
  const known = await text.baseline.record(files.target?.hash ?? null);
  return { ...files, known, lock: await text.lock?.index(text.job) };
}

/** Parses and compares: what grows with the files, and has a time limit. @throws JobFailure `malformed` */
export function look(text: TextCase, material: Material): TextFindings {
  const { format, known, lock } = material;
  const source = openSource(text, material);
  const reader: Reader = { format, options: optionsFor(text, 'target') };
  const target = openTarget(material, reader);
  const segments = expectedIn({ text, reader, source, target, known });
  const final = finalIds(target?.doc.segments ?? segments);
  const wanted = segments.map((segment) =>
    final.has(segment.id) ? leftAlone(segment) : wantedSegment(segment, text.route),
  );
  const isKeyed = format.shape === 'keyed';
  const place = placeOf(text);
  const statements = lock && ((id: string) => statementsAt(lock, place, isKeyed ? id : undefined));
  const relation = relate({
    text,
    reader,
    source,
    target,
    segments,
    wanted,
    known,
    lock,
    statements,
    earlier: material.earlier,
    earlierFrame: material.earlierFrame,
  });
  return { reader, source, target, segments, wanted, statements, lock, ...relation };
}

/** What the target needs, with what is known of the one that stands there. */
export function expectedIn({
  text,
  reader: { format },
  source,
  target,
  known,
}: Pick<RelationInput, 'text' | 'reader' | 'source' | 'target' | 'known'>): readonly Segment[] {
  const ours =
    target === undefined || format.expectsByMaker === undefined ? {} : untouched(target, known);
  return expectedSegments(format, source, {
    language: text.job.language,
    ...(target === undefined ? {} : { file: target, ...ours }),
  });
}

/** What of a target nobody touched: texts that we wrote, and what we hold; texts that stood there at first contact. */
function untouched(
  { doc }: TextFile,
  known: BaselineRecord | undefined,
): Required<Pick<ExpectedTarget, 'ours' | 'adopted'>> {
  const found = new Map(doc.segments.map(({ id, parts }) => [id, parts]));
  const standing = (known?.segments ?? []).filter(
    ({ id, target, state }) => state === 'held' || sameText(found.get(id), target),
  );
  const ours = standing.filter(({ origin }) => origin === 'machine').map(({ id }) => id);
  const adopted = standing.filter(({ origin }) => origin === 'adopted');
  return {
    ours: new Set(ours),
    adopted: new Map(adopted.map(({ id, source }) => [id, source])),
  };
}

/** Decides segment by segment, with what the memory says of the texts that it is asked for on the way. */
export async function decideWithMemory(
  text: TextCase,
  findings: TextFindings,
  limited: Limited,
): Promise<TextInspection> {
  const recall = new Recall();
  const first = await limited(() => decide(text, findings, recall));
  let asked = recall.ask(PORTION);
  if (asked.length === 0) return first;
  while (asked.length > 0) {
    recall.learn(await text.memory.find(asked));
    asked = recall.ask(PORTION);
  }
  return await limited(() => decide(text, findings, recall));
}

/** Decides segment by segment. What `recall` does not know yet is taken for unknown, and noted there. */
export function decide(text: TextCase, sight: TextFindings, recall: Recall): TextInspection {
  const { wanted, found, base, reader, target, vacant } = sight;
  const isPage = reader.format.shape === 'sequence' && target !== undefined;
  const { statements, past, lock } = sight;
  const fromTarget = returned(sight);
  const rules: MergeRules = {
    ...mergeRules(text, recall),
    ...(past === undefined ? {} : rulesOfPast(past)),
    elsewhere: (id) => past?.elsewhere.get(id) ?? fromTarget(id),
    missing: isPage ? 'leave' : 'restore',
    ...(isPersonsFile(sight) ? { wordless: 'leave' as const } : {}),
    ...(statements === undefined ? {} : { statements }),
    ...(lock && { statedElsewhere: (...pair) => originOfPair(lock, ...pair) }),
    ...(statements !== undefined && isPage && isWholeFile(sight)
      ? { unknown: 'new' as const }
      : {}),
  };
  return { ...sight, merge: merge({ wanted, found, base, rules, ...(vacant && { vacant }) }) };
}

/** A text that left the source, and whose translation the target kept, is not bought when it comes back. */
function returned({
  wanted,
  target,
}: TextFindings): (id: string) => TranslationElsewhere | undefined {
  const kept = target?.doc.returning?.() ?? new Map<string, Returning>();
  const sources = new Map(kept.size === 0 ? [] : wanted.map((w) => [w.id, partsText(w.source)]));
  return (id) => {
    const text = kept.get(id);
    if (text === undefined || !text.sources.includes(sources.get(id) ?? '')) return undefined;
    return { parts: text.parts, origin: 'adopted' };
  };
}

/** Whether a target stands there that neither this machine nor the team has seen before. */
function isPersonsFile({ target, base, wanted, statements }: TextFindings): boolean {
  if (target === undefined || base.size > 0) return false;
  return !wanted.some(({ id }) => (statements?.(id).length ?? 0) > 0);
}

/** Whether all that the lock states of a file without keys is there: what it does not know was added then, and not changed. */
function isWholeFile({ wanted, target, statements }: TextFindings): boolean {
  const sources = new Set(wanted.map(({ source }) => sourceHash(partsText(source))));
  const targets = new Set(target?.doc.segments.map(({ parts }) => targetHash(partsText(parts))));
  const known = statements?.('') ?? [];
  return !known.some((each) => !sources.has(each.source) && !targets.has(each.target));
}

function mergeRules(text: TextCase, recall: Recall): MergeRules {
  const { word, route, recipe } = text;
  const { retranslateOn } = route.policies;
  return {
    ...wordRules(word),
    policies: route.policies,
    ...(text.buyConflicts === undefined ? {} : { buyConflicts: text.buyConflicts }),
    remembered: ({ id, source }) =>
      recall.lookup(memoryKey({ recipe, ...scopeFor(text, source, id) }), source),
    recipeChanged: ({ id, source }, { made }) =>
      made !== undefined && isOutdated(made, inputsFor(text, source, id), retranslateOn),
  };
}

/** What a file calls final or approved stays as it is (XLIFF, "approved" and "state"). */
function finalIds(segments: readonly Segment[]): ReadonlySet<string> {
  return new Set(segments.filter(({ state }) => state === 'final').map(({ id }) => id));
}
