/** Inspects one text job without paying: reads source, target and baseline, and decides which texts stay and which are bought. */

import type { BaselineRecord } from '../baseline.ts';
import { formatLocation } from '../failure.ts';
import type { ReadFile } from '../files/disk.ts';
import type { ExpectedTarget, Returning, Segment } from '../format.ts';
import { entrySource, excerptOf, isValue, partsText } from '../format.ts';
import { markupChange } from '../formats/grammar/markup-change.ts';
import { expectedSegments } from '../formats/text/expect.ts';
import type { Reader } from '../formats/text/open.ts';
import { withUsedDefinitions } from '../formats/text/used-definitions.ts';
import type { Limited } from '../parsing/within.ts';
import { memoryKey } from '../plan/recipe.ts';
import type { MergePolicy, TranslationElsewhere, WantedSegment } from '../segments/decision.ts';
import type { Merge } from '../segments/merge.ts';
import { recordInPlace, sameText } from '../segments/record.ts';
import { type Statement, sourceHash, targetHash } from '../segments/statements.ts';
import { changedInputs } from '../segments/translation-inputs.ts';
import { type LockIndex, statementsAt } from '../state/lock-file.ts';
import { originOfPair } from '../state/lock-pairs.ts';
import type { EarlierPage } from './earlier-page.ts';
import { finalTexts, mergeWithFinals } from './final-texts.ts';
import { knownOfOwnTexts } from './own-texts.ts';
import { type Past, policyOfPast } from './past.ts';
import { withStatedParts } from './read-before.ts';
import { RECALL_PORTION, Recall } from './recall.ts';
import { relate } from './relation.ts';
import type { Relation, RelationInput } from './relation-model.ts';
import { isOfEarlierSource, lockedSourceOf, type TextCase } from './text-case.ts';
import {
  type FilesOfJob,
  openSource,
  openTarget,
  optionsFor,
  readFiles,
  type TextFile,
} from './text-files.ts';
import { inputsFor, instructionRules, scopeFor } from './text-inputs.ts';
import { ignoredSegment, wantedSegment } from './wanted-segment.ts';

export interface TextInspection extends Omit<Relation, 'base' | 'found' | 'vacant'> {
  readonly reader: Reader;
  readonly source: TextFile;
  readonly target: TextFile | undefined;
  /** The file that the new target replaces: also an empty one, which is no target. */
  readonly replaced: Pick<ReadFile, 'hash' | 'stat'> | undefined;
  /** The segments that a target in this language needs, in the order of the source. */
  readonly segments: readonly Segment[];
  readonly merge: Merge;
  /** Earlier versions took other parts of this source for its texts: what changed in them before is not known. */
  readonly isReadAnew?: true;
}

/** The state of the disk and of the baseline, before any decision. */
export interface TextFindings extends Omit<TextInspection, 'merge'>, Relation {
  readonly wanted: readonly WantedSegment[];
  /** The statements of the lock about a segment's unit; undefined: there is no lock. */
  readonly statements: ((id: string) => readonly Statement[]) | undefined;
  readonly lock: LockIndex | undefined;
  /** Final texts whose file says that they translate another source text (XLIFF). They stay, and people see that they are stale. */
  readonly outdated: ReadonlySet<string>;
  /** See `MergePolicy`. */
  readonly areRecordsLost?: true;
  /** What git knows of texts that no statement explains; absent: it was not asked. */
  readonly past?: Past;
  /** By id: translations of people for texts that came from other files. */
  readonly moved?: ReadonlyMap<string, TranslationElsewhere>;
}

/** The inputs of a job: the bytes on the disk, the baseline, and the lock of the team. */
export interface Material extends FilesOfJob {
  /** See `SegmentBaseline.candidates`. */
  readonly candidates: readonly BaselineRecord[];
  readonly lock: LockIndex | undefined;
  /** See `MergePolicy`. */
  readonly areRecordsLost?: true;
  /** From the history: the page at an earlier commit, when this machine has no record of it. */
  readonly earlier?: EarlierPage;
  /** The same, only for the frame. */
  readonly earlierFrame?: EarlierPage;
}

/** @throws JobFailure `unreadable`, `unsupported`, `changed-meanwhile` */
export async function gather(text: TextCase): Promise<Material> {
  const files = await readFiles(text);
  const candidates = await text.baseline.candidates(files.target?.hash ?? null);
  const lock = await text.lock?.index(text.job);
  const material = { ...files, candidates, lock };
  return areRecordsLost(text, material) ? { ...material, areRecordsLost: true } : material;
}

/** A file with both languages says itself which source a text was made from. */
function areRecordsLost(
  text: TextCase,
  { candidates, lock, format, source }: Omit<Material, 'areRecordsLost'>,
): boolean {
  if (candidates.length > 0 || lock !== undefined || format.bilingual) return false;
  return isOfEarlierSource(text, source.hash);
}

/** Parses and compares. This work grows with the files and has a time limit. @throws JobFailure `malformed` */
export function findingsOf(text: TextCase, material: Material): TextFindings {
  const { format, lock } = material;
  const source = openSource(text, material);
  const reader: Reader = { format, options: optionsFor(text, 'target') };
  const target = openTarget(material, reader);
  const recorded = recordInPlace(material.candidates, target?.doc.segments);
  const isRecorded = recorded !== undefined;
  const stated = lock && statedIn(lock, { text, format, source, target, isRecorded });
  const before = { known: recorded, statements: stated };
  const segments = expectedIn({ text, reader, source, target, ...before });
  const { known, statements, isReadAnew } = knownOfOwnTexts(segments, before);
  const final = finalTexts(target?.doc.segments ?? segments, statements);
  const wanted = segments.map((segment) =>
    final.has(segment.id) ? ignoredSegment(segment) : wantedSegment(segment, text.route),
  );
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
  const outdated = target === undefined ? new Set<string>() : outdatedFinals(segments, final);
  const replaced = material.target;
  return {
    ...{ reader, source, target, replaced, segments, wanted, statements, lock, outdated },
    ...(material.areRecordsLost && { areRecordsLost: true as const }),
    ...(isReadAnew && { isReadAnew }),
    ...relation,
  };
}

/** What the lock states of each text; in formats without keys, of all texts of the file at once. */
function statedIn(
  lock: LockIndex,
  {
    text,
    format,
    source,
    target,
    isRecorded,
  }: Pick<RelationInput, 'text' | 'source' | 'target'> &
    Pick<Material, 'format'> & { readonly isRecorded: boolean },
): (id: string) => readonly Statement[] {
  const place = lockedSourceOf(text);
  if (format.shape === 'keyed') return (id) => statementsAt(lock, place, id);
  const pages = { source: source.doc.segments, target: target?.doc.segments ?? [], isRecorded };
  const ofPage = withStatedParts(statementsAt(lock, place), pages);
  return () => ofPage;
}

/** Final texts that translate another source text than the present one. */
function outdatedFinals(
  segments: readonly Segment[],
  final: ReturnType<typeof finalTexts>,
): ReadonlySet<string> {
  const outdated = segments.filter((segment) => {
    const own = final.get(segment.id)?.source;
    return own !== undefined && !sameText(own, entrySource(segment) ?? []);
  });
  return new Set(outdated.map(({ id }) => id));
}

/** The segments that the target needs, with regard to the existing target. */
export function expectedIn({
  text,
  reader: { format },
  source,
  target,
  known,
  statements,
}: Pick<
  RelationInput,
  'text' | 'reader' | 'source' | 'target' | 'known' | 'statements'
>): readonly Segment[] {
  const ours =
    target === undefined || format.expectsByMaker === undefined
      ? {}
      : untouched(target, { known, statements });
  return expectedSegments(format, source, {
    language: text.job.language,
    ...(target === undefined ? {} : { file: target, ...ours }),
  });
}

/** Texts of the target that nobody has changed: our own, held ones, and those that were there at first contact. */
function untouched(
  { doc }: TextFile,
  { known, statements }: Pick<RelationInput, 'known' | 'statements'>,
): Required<Pick<ExpectedTarget, 'ours' | 'isOutdated'>> {
  const found = new Map(doc.segments.map(({ id, parts }) => [id, parts]));
  const current = (known?.segments ?? []).filter(
    ({ id, target, state }) => state === 'held' || sameText(found.get(id), target),
  );
  const ours = current.filter(({ origin }) => origin === 'machine').map(({ id }) => id);
  const adopted = new Map(
    current.flatMap(({ id, origin, source }) => (origin === 'adopted' ? [[id, source]] : [])),
  );
  // In a checkout without records, the lock says which source the text translates.
  const isOutdatedByLock = (id: string, source: string) => {
    const text = targetHash(partsText(found.get(id) ?? []));
    const own = statements?.(id).filter(({ target }) => target === text) ?? [];
    const isOfSource = own.some((each) => each.source === sourceHash(source));
    return !isOfSource && own.some(({ mark }) => mark === 'adopted');
  };
  return {
    ours: new Set(ours),
    isOutdated: (id, source) =>
      known === undefined
        ? isOutdatedByLock(id, source)
        : adopted.has(id) && adopted.get(id) !== source,
  };
}

/** Decides segment by segment, and asks the memory for the texts that the decisions need. */
export async function decideWithMemory(
  text: TextCase,
  findings: TextFindings,
  limited: Limited,
): Promise<TextInspection> {
  const recall = new Recall();
  const first = await limited(() => decideSegments(text, findings, recall));
  for (let asked = recall.ask(RECALL_PORTION); asked.length > 0; ) {
    recall.learn(await text.memory.find(asked));
    asked = recall.ask(RECALL_PORTION);
  }
  return recall.hasFound ? await limited(() => decideSegments(text, findings, recall)) : first;
}

/** Decides segment by segment. A text that `recall` does not know yet counts as unknown, and is kept there as a question. */
export function decideSegments(
  text: TextCase,
  facts: TextFindings,
  recall: Recall,
): TextInspection {
  const { wanted, found, base, reader, target, vacant } = facts;
  const isPage = reader.format.shape === 'sequence' && target !== undefined;
  const { statements, past, lock, moved } = facts;
  const fromTarget = returned(facts);
  const code = new Set(target?.doc.segments.flatMap(({ id, isCode }) => (isCode ? [id] : [])));
  const policy: MergePolicy = {
    ...mergePolicy(text, recall),
    ...(past === undefined ? {} : policyOfPast(past)),
    elsewhere: (id) => past?.elsewhere.get(id) ?? fromTarget(id) ?? moved?.get(id),
    ...(isPage && { markup: markupChange }),
    ...(facts.areRecordsLost && { areRecordsLost: true as const }),
    ...(code.size > 0 && { isCode: (id: string) => code.has(id) }),
    notText: valuesInPlace(text, target),
    missing: isPage ? 'leave' : 'restore',
    keepsEdited: reader.format.shape === 'sequence' || target?.doc.replace !== undefined,
    ...(isPersonsFile(facts) ? { wordless: 'leave' as const } : {}),
    ...(statements === undefined ? {} : { statements }),
    ...(lock && { statedElsewhere: (...pair) => originOfPair(lock, ...pair) }),
    ...(statements !== undefined && isPage && isWholeFile(facts)
      ? { unknown: 'new' as const }
      : {}),
  };
  const isShared = reader.format.multiLocale;
  const all = { wanted, found, base, policy };
  const input = { ...all, ...(vacant && { vacant }), ...(isShared && { isShared }) };
  const seen = { ...facts, merge: mergeWithFinals(input, target?.doc.segments ?? []) };
  return { ...seen, ...withUsedDefinitions(seen) };
}

/** What a person can do where the target has a value in place of a text. A relation returns the parts that it was given. */
function valuesInPlace(
  { targetPath: file }: TextCase,
  target: TextFile | undefined,
): Required<MergePolicy>['notText'] {
  const values = new Map(
    target?.doc.segments.flatMap((segment) =>
      isValue(segment) && segment.gap === undefined && !segment.isReference
        ? [[segment.parts, segment.line] as const]
        : [],
    ),
  );
  return (parts) => {
    const line = values.get(parts);
    if (line === undefined) return undefined;
    const value = excerptOf(partsText(parts), LONGEST_VALUE);
    return `the target cannot take it: ${formatLocation({ file, line })} has ${value}, which is not a text; write the translation there, or "" to have it translated`;
  };
}

/** UTF-16 units of a value in a message. */
const LONGEST_VALUE = 40;

/** A text that left the source, while its translation stayed in the target, is not bought when it comes back. */
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

/** Whether the target exists but neither this machine nor the team has seen it before. */
function isPersonsFile({ target, base, wanted, statements }: TextFindings): boolean {
  if (target === undefined || base.size > 0) return false;
  return !wanted.some(({ id }) => (statements?.(id).length ?? 0) > 0);
}

/**
 * Whether everything that the lock states of a file without keys is there. Then a text that the lock does not know was added, not changed.
 */
function isWholeFile({ wanted, target, statements }: TextFindings): boolean {
  const sources = new Set(wanted.map(({ source }) => sourceHash(partsText(source))));
  const targets = new Set(target?.doc.segments.map(({ parts }) => targetHash(partsText(parts))));
  const known = statements?.('') ?? [];
  return !known.some((each) => !sources.has(each.source) && !targets.has(each.target));
}

function mergePolicy(text: TextCase, recall: Recall): MergePolicy {
  const { instructions: word, route, recipe } = text;
  const { retranslateOn } = route.policies;
  return {
    ...instructionRules(word),
    policies: route.policies,
    ...(text.buyConflicts === undefined ? {} : { buyConflicts: text.buyConflicts }),
    remembered: ({ id, source }) =>
      recall.lookup(memoryKey({ recipe, ...scopeFor(text, source, id) }), source),
    rememberedByOthers: ({ id, source }) =>
      recall.lookupInOthers(memoryKey({ recipe, ...scopeFor(text, source, id) }), source),
    changedInputs: ({ id, source }, { made }) =>
      made === undefined ? [] : changedInputs(made, inputsFor(text, source, id), retranslateOn),
  };
}
