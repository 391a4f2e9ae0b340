/** Looks at one text job without paying: reads source, target and segment base, and says what stands and what is to be bought. */

import type { BaselineRecord, SegmentRecord } from '../baseline.ts';
import type { Doc, ExpectedTarget, Part, Returning, Segment } from '../format.ts';
import { partsText } from '../format.ts';
import {
  framesOf,
  ourKeys,
  ownKey,
  sourcePieces,
  targetPieces,
} from '../formats/text/compose-sequence.ts';
import type { SequenceFrame } from '../formats/text/composition.ts';
import { expectedSegments, isMute } from '../formats/text/expect.ts';
import type { Reader } from '../formats/text/open.ts';
import type { Limited } from '../parsing/within.ts';
import { readingOf } from '../plan/reading.ts';
import { memoryKey } from '../plan/recipe.ts';
import { idsNow } from '../segments/align.ts';
import { alignSequence, type SequenceAlignment } from '../segments/align-sequence.ts';
import { withCodeAlone } from '../segments/code-alone.ts';
import type { Elsewhere, MergeRules, WantedSegment } from '../segments/decide.ts';
import { asReadNow } from '../segments/earlier-reading.ts';
import { featuresOf } from '../segments/features.ts';
import { keyOf, unpackFrame } from '../segments/frame.ts';
import { frameId } from '../segments/frame-merge.ts';
import { followLists } from '../segments/lists.ts';
import { FRAME, hashesOfFrame } from '../segments/lock-section.ts';
import { withVanished } from '../segments/lock-vanished.ts';
import { type Merge, merge } from '../segments/merge.ts';
import { sameText } from '../segments/record.ts';
import { statedRecords } from '../segments/stated-records.ts';
import { type Statement, sourceHash, targetHash } from '../segments/statements.ts';
import { isOutdated } from '../segments/translation-inputs.ts';
import { type LockIndex, statementsAt } from '../state/lock-file.ts';
import { originOfPair } from '../state/lock-pairs.ts';
import type { EarlierPage } from './earlier-page.ts';
import { type Past, rulesOfPast } from './past.ts';
import { PORTION, Recall } from './recall.ts';
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
import { withUnseen } from './unseen.ts';
import { leftAlone, wantedSegment } from './wanted-segment.ts';

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
  /** Sequences: how what is no segment is merged. */
  readonly frame?: SequenceFrame;
  /** Sequences: names what is seen as a text now. */
  readonly reading?: string;
  /** Changes of the frame that waited for a person when the target was last written. */
  readonly openFrame: readonly SegmentRecord[];
}

/** An existing target is not built like its source, so its texts belong to no segments. */
export type Blocker = 'unlike';

/** What stands on the disk and in the base, before anything is decided. */
export interface Findings extends Omit<Inspection, 'merge'> {
  readonly wanted: readonly WantedSegment[];
  readonly base: ReadonlyMap<string, SegmentRecord>;
  readonly found: ReadonlyMap<string, readonly Part[]>;
  /** Keyed formats: what of `found` has no text. */
  readonly vacant?: ReadonlySet<string>;
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
export function look(text: TextCase, material: Material): Findings {
  const { format, known, lock } = material;
  const source = openSource(text, material);
  const reader: Reader = { format, options: optionsFor(text, 'target') };
  const target = openTarget(material, reader);
  const segments = expectedSegments(format, source, {
    language: text.job.language,
    ...(target === undefined ? {} : { file: target, ...untouched(target, known) }),
  });
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
  findings: Findings,
  limited: Limited,
): Promise<Inspection> {
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
export function decide(text: TextCase, sight: Findings, recall: Recall): Inspection {
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
function returned({ wanted, target }: Findings): (id: string) => Elsewhere | undefined {
  const kept = target?.doc.returning?.() ?? new Map<string, Returning>();
  const sources = new Map(kept.size === 0 ? [] : wanted.map((w) => [w.id, partsText(w.source)]));
  return (id) => {
    const text = kept.get(id);
    if (text === undefined || !text.sources.includes(sources.get(id) ?? '')) return undefined;
    return { parts: text.parts, origin: 'adopted' };
  };
}

/** Whether a target stands there that neither this machine nor the team has seen before. */
function isPersonsFile({ target, base, wanted, statements }: Findings): boolean {
  if (target === undefined || base.size > 0) return false;
  return !wanted.some(({ id }) => (statements?.(id).length ?? 0) > 0);
}

/** Whether all that the lock states of a file without keys is there: what it does not know was added then, and not changed. */
function isWholeFile({ wanted, target, statements }: Findings): boolean {
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

interface Standing {
  readonly text: TextCase;
  readonly reader: Reader;
  readonly source: TextFile;
  readonly target: TextFile | undefined;
  readonly segments: readonly Segment[];
  readonly wanted: readonly WantedSegment[];
  readonly known: BaselineRecord | undefined;
  readonly statements: Findings['statements'];
  readonly lock: LockIndex | undefined;
  readonly earlier: EarlierPage | undefined;
  readonly earlierFrame: EarlierPage | undefined;
}

type Relation = Pick<
  Findings,
  'base' | 'found' | 'vacant' | 'inPlace' | 'blocker' | 'frame' | 'openFrame' | 'reading'
> &
  Partial<Pick<Findings, 'statements' | 'wanted'>>;

/** Keys say what belongs together; in a sequence neighbours and contents do. */
function relate(standing: Standing): Relation {
  const { reader, target, wanted, statements } = standing;
  if (reader.format.shape === 'sequence') return relateSequence(standing);
  const ids = new Set(wanted.map(({ id }) => id));
  const standsThere =
    target?.doc.segments.filter(
      (segment) => segment.gap !== 'waiting' && (ids.has(segment.id) || !isMute(segment)),
    ) ?? [];
  const found = new Map(standsThere.map(({ id, parts }) => [id, parts]));
  const isVacant = ({ gap, parts }: Segment) => gap !== undefined || partsText(parts) === '';
  const vacantTexts = new Set(standsThere.filter(isVacant).map(({ parts }) => parts));
  const remembered = recordsOf(standing.known, standing.source.doc);
  const base = statements ? withVanished(remembered, { wanted, found, statements }) : remembered;
  const { deletedSource } = standing.text.route.policies;
  const isOneSided = !reader.format.bilingual && !reader.format.multiLocale;
  const known = { base, found, statements, left: new Set<string>() };
  const followed = isOneSided ? followLists(wanted, known, deletedSource) : known;
  const { left, ...texts } = followed;
  const vacant = new Set(
    [...followed.found].flatMap(([id, parts]) => (vacantTexts.has(parts) ? [id] : [])),
  );
  const relation = { ...texts, vacant, inPlace: found, blocker: undefined, openFrame: [] };
  if (left.size === 0) return relation;
  const withPlace = wanted.map((each) =>
    left.has(each.id) ? { ...each, treatment: 'omit' as const } : each,
  );
  return { ...relation, wanted: withPlace };
}

/** Version 0.1.0 kept a record of every entry of a key; the one that is read is the key's now. */
function recordsOf(known: BaselineRecord | undefined, { duplicates = [] }: Doc) {
  const base = new Map(known?.segments.map((record) => [record.id, record]));
  for (const { id, lines, read } of duplicates) {
    const own = lines.lastIndexOf(read);
    const record = own === 0 ? undefined : base.get(`${id}#${own}`);
    for (let number = 1; number < lines.length; number++) base.delete(`${id}#${number}`);
    if (record !== undefined) base.set(id, { ...record, id });
  }
  return base;
}

function relateSequence(standing: Standing): Relation {
  const { text, source, target, segments, wanted, known, statements } = standing;
  const [openFrame, segmentsBefore] = partition(known?.segments ?? []);
  const texts = target?.doc.segments.map(({ parts }) => parts) ?? [];
  const isOfOldVersion = known !== undefined && known.frame === undefined;
  const own = new Set(known?.frame?.own);
  const remembered = isOfOldVersion ? asReadNow(segmentsBefore, wanted, texts) : segmentsBefore;
  const { earlier } = standing;
  const stated = statements?.('') ?? [];
  const records =
    earlier?.records ??
    statedRecords({ wanted, found: texts, records: remembered, statements: stated });
  const whole = alignSequence({
    wanted,
    records,
    found: texts,
    isOwn: (parts) => own.has(ownKey(parts)),
    choices: text.word.choices,
    features: () => ({
      source: featuresOf(source.text, segments),
      target: target === undefined ? [] : featuresOf(target.text, target.doc.segments),
    }),
  });
  const aligned = earlier === undefined ? whole : withoutTheirs(whole, wanted, stated);
  const { found, isUnlike } = aligned;
  const reading = readingOf(text.route);
  const isReadAnew = known !== undefined && known.frame?.reading !== reading;
  const seen = isReadAnew ? withUnseen(aligned, wanted) : aligned.base;
  const base =
    target === undefined ? seen : withoutWords(seen, aligned.placed, { ...standing, target });
  const relation = { base, found, inPlace: found, openFrame, reading };
  if (isUnlike) return { ...relation, blocker: 'unlike' };
  const placed = withoutKept(aligned, wanted, text);
  const ignored = new Set(wanted.flatMap((w) => (w.treatment === 'omit' ? [w.id] : [])));
  const isRemembered = records === remembered;
  const ids = [...whole.base.keys()];
  const isStated = earlier === undefined && !(isRemembered && known !== undefined);
  const seenFrame =
    target === undefined
      ? undefined
      : earlier !== undefined
        ? unpackFrame(earlier.frame, ids)
        : isStated
          ? statedFrame({ standing, target, placed, ignored })
          : frameBefore({ target, known, placed, ids });
  const isOpen = isStated && seenFrame === undefined;
  const before = isOpen ? frameThen(standing) : seenFrame;
  const unexplained = isOpen && before === undefined ? unexplainedFrame(standing) : undefined;
  const decide = frameRules(text, openFrame);
  const frame = { placed, before, ignored, decide, ...(unexplained && { unexplained }) };
  return { ...relation, blocker: undefined, frame };
}

/** The source's frame that a person's belongs to, as the history tells. */
function frameThen({ earlierFrame, wanted }: Standing): readonly string[] | undefined {
  if (earlierFrame === undefined) return undefined;
  return unpackFrame(earlierFrame.frame, idsNow(earlierFrame.records, wanted));
}

/** The source's frame now, where the lock knows that the target's is a person's, and not of which source. */
function unexplainedFrame({ text, reader, source, target, lock }: Standing): string | undefined {
  if (target === undefined || lock === undefined) return undefined;
  if (statementsAt(lock, placeOf(text), FRAME).length === 0) return undefined;
  return framesOf({ source, target, options: reader.options }).source;
}

/** What stands in the target as its code alone is no gap there. */
function withoutWords(
  base: SequenceAlignment['base'],
  placed: SequenceAlignment['placed'],
  { wanted, segments, source, target }: Standing & { readonly target: TextFile },
): SequenceAlignment['base'] {
  const pages = {
    wanted,
    source: { text: source.text, segments },
    target: { text: target.text, segments: target.doc.segments },
  };
  const records = withCodeAlone({ base, placed }, pages);
  if (records.length === 0) return base;
  return new Map([...base, ...records.map((record) => [record.id, record] as const)]);
}

/** Of the texts whose sources are gone, only the machine's leave. */
function withoutTheirs(
  { base, placed, found, isUnlike }: SequenceAlignment,
  wanted: readonly WantedSegment[],
  statements: readonly Statement[],
): SequenceAlignment {
  const ids = new Set(wanted.map(({ id }) => id));
  const ours = new Set(
    statements.flatMap(({ target, mark }) => (mark === 'human' ? [] : [target])),
  );
  const stays = ({ id }: SegmentRecord) => {
    const text = found.get(id);
    return !ids.has(id) && text !== undefined && !ours.has(targetHash(partsText(text)));
  };
  const left = new Set([...base.values()].filter(stays).map(({ id }) => id));
  const without = <T>(map: ReadonlyMap<string, T>) =>
    new Map([...map].filter(([id]) => !left.has(id)));
  return { base: without(base), placed: without(placed), found: without(found), isUnlike };
}

function partition(records: readonly SegmentRecord[]): [SegmentRecord[], SegmentRecord[]] {
  const { open = [], segments = [] } = Object.groupBy(records, ({ isFrame }) =>
    isFrame ? 'open' : 'segments',
  );
  return [open, segments];
}

/** What left the source and stays by policy is a person's from then on. */
function withoutKept(
  { placed }: SequenceAlignment,
  wanted: readonly WantedSegment[],
  { route }: TextCase,
): ReadonlyMap<string, number> {
  if (route.policies.deletedSource !== 'keep') return placed;
  const ids = new Set(wanted.map(({ id }) => id));
  return new Map([...placed].filter(([id]) => ids.has(id)));
}

interface Earlier {
  readonly target: TextFile;
  readonly known: BaselineRecord | undefined;
  readonly placed: ReadonlyMap<string, number>;
  /** Of the records, as they are called now. */
  readonly ids: readonly string[];
}

/** The source's frame when it was last seen. Version 0.1.0 noted none, but wrote the source's: it stands in what it left. */
function frameBefore({ target, known, placed, ids }: Earlier): readonly string[] | undefined {
  if (known === undefined) return undefined;
  if (known.frame !== undefined) return unpackFrame(known.frame.lines, ids);
  return known.targetHash === target.hash
    ? targetPieces(target, placed).map((piece) => keyOf(piece))
    : undefined;
}

interface StatedFrame {
  readonly standing: Standing;
  readonly target: TextFile;
  readonly placed: ReadonlyMap<string, number>;
  readonly ignored: ReadonlySet<string>;
}

/** What the lock says of the frame: one that is in step stays, one that nobody touched follows the source; undefined: a person's. */
function statedFrame({ standing, target, placed, ignored }: StatedFrame) {
  const { text, reader, source, lock } = standing;
  const { options } = reader;
  const statements = lock === undefined ? [] : statementsAt(lock, placeOf(text), FRAME);
  const now = hashesOfFrame(framesOf({ source, target, options }));
  const ofTarget = statements.filter((each) => each.target === now.target);
  const isEdited = ofTarget.length === 0 && statements.some((each) => each.source === now.source);
  if (isEdited || ofTarget.some((each) => each.source === now.source)) {
    return sourcePieces({ source, options }, ignored).map((piece) => keyOf(piece));
  }
  return ofTarget.some(({ mark }) => mark === 'machine') ? ourKeys(target, placed) : undefined;
}

/** A line that a person and the source both changed is a conflict as a text is; who edits it afterwards has decided. */
function frameRules(
  { route, word }: TextCase,
  open: readonly SegmentRecord[],
): SequenceFrame['decide'] {
  return (conflict) => {
    const id = frameId(conflict);
    const choice = word.choices?.get(id);
    if (choice !== undefined) {
      return typeof choice === 'object' ? { text: partsText(choice.parts) } : choice;
    }
    switch (route.policies.humanEdits) {
      case 'keep':
        return 'human';
      case 'overwrite':
        return 'machine';
      case 'conflict': {
        const same = open.filter(({ source }) => source === conflict.source);
        return same.length > 0 && same.every((record) => record.id !== id) ? 'human' : 'open';
      }
    }
  };
}

/** What a file calls final or approved stays as it is (XLIFF, "approved" and "state"). */
function finalIds(segments: readonly Segment[]): ReadonlySet<string> {
  return new Set(segments.filter(({ state }) => state === 'final').map(({ id }) => id));
}
