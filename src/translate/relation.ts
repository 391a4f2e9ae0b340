/** Relates a target to its source and to what is known of both: by keys, or in a page by neighbours and contents. Pure. */

import type { BaselineRecord, SegmentRecord } from '../baseline.ts';
import type { Doc, Part, Segment } from '../format.ts';
import { partsText } from '../format.ts';
import {
  framesOf,
  ourKeys,
  ownKey,
  sourcePieces,
  targetPieces,
} from '../formats/text/compose-sequence.ts';
import type { SequenceFrame } from '../formats/text/composition.ts';
import { lacksValue } from '../formats/text/expect.ts';
import type { Reader } from '../formats/text/open.ts';
import { foldParts } from '../formats/text/parts.ts';
import { pageReaderVersion } from '../plan/reader-version.ts';
import { idsNow } from '../segments/align.ts';
import { alignSequence, type SequenceAlignment } from '../segments/align-sequence.ts';
import { withOwnTitles } from '../segments/box-titles.ts';
import { withCodeAlone } from '../segments/code-alone.ts';
import type { WantedSegment } from '../segments/decision.ts';
import { asReadNow } from '../segments/earlier-reading.ts';
import { featuresOf } from '../segments/features.ts';
import { framePieces, pieceKey, unpackFrame } from '../segments/frame.ts';
import { frameId } from '../segments/frame-merge.ts';
import { followLists, type ListOrder, type ShortenedList } from '../segments/lists.ts';
import { FRAME, hashesOfFrame, hashesOfOwn, OWN } from '../segments/lock-section.ts';
import { withVanished } from '../segments/lock-vanished.ts';
import { statedRecords } from '../segments/stated-records.ts';
import { NO_TARGET, type Statement, sourceHash, targetHash } from '../segments/statements.ts';
import { rowsOfPage } from '../segments/table-rows.ts';
import { type LockIndex, statementsAt } from '../state/lock-file.ts';
import { withContainersRead } from './container-records.ts';
import type { EarlierPage } from './earlier-page.ts';
import { modulesOf, withModuleLines } from './module-lines.ts';
import { asReadBefore } from './read-before.ts';
import { lockedSourceOf, type TextCase } from './text-case.ts';
import type { TextFile } from './text-files.ts';
import { withUnseen, withUnseenKeys } from './unseen.ts';

/** The inputs: both files, and what is known of them. */
export interface RelationInput {
  readonly text: TextCase;
  readonly reader: Reader;
  readonly source: TextFile;
  readonly target: TextFile | undefined;
  readonly segments: readonly Segment[];
  readonly wanted: readonly WantedSegment[];
  readonly known: BaselineRecord | undefined;
  /** The statements of the lock about a segment's unit; undefined: there is no lock. */
  readonly statements: ((id: string) => readonly Statement[]) | undefined;
  readonly lock: LockIndex | undefined;
  readonly earlier: EarlierPage | undefined;
  readonly earlierFrame: EarlierPage | undefined;
}

/** Which texts of a target belong to which segments of its source, and what is known of each. */
export interface Relation {
  /** The records of the last run, by id. */
  readonly base: ReadonlyMap<string, SegmentRecord>;
  /** The texts of the target, by id. */
  readonly found: ReadonlyMap<string, readonly Part[]>;
  /** Keyed formats: ids of `found` with an empty value. */
  readonly vacant?: ReadonlySet<string>;
  /** By id: texts that are at the position of their segment, so that they can stay byte for byte. */
  readonly inPlace: ReadonlyMap<string, readonly Part[]>;
  /** Why the target cannot be merged: a merge would lose texts of it. */
  readonly blocker: RelationBlocker | undefined;
  /** Keyed formats: lists whose elements moved. */
  readonly orders?: readonly ListOrder[];
  /** The texts that leave these lists. */
  readonly shortened?: readonly ShortenedList[];
  /** Sequences: how the frame is merged. */
  readonly frame?: SequenceFrame;
  /** Sequences: identifies the rules by which texts are found in a page now. */
  readonly reading?: string;
  /** Frame conflicts that were open when the target was last written. */
  readonly openFrame: readonly SegmentRecord[];
}

/** The target is built differently from its source, so its texts belong to no segments. */
export type RelationBlocker = 'unlike';

/** `wanted` and `statements` are set when the relation changes them, for lists that a person made longer. */
type Related = Relation & Partial<Pick<RelationInput, 'wanted' | 'statements'>>;

/** Keyed formats are related by keys, sequences by neighbours and contents. */
export function relate(input: RelationInput): Related {
  const { reader, target, wanted, statements } = input;
  if (reader.format.shape === 'sequence') return relateSequence(input);
  const ids = new Set(wanted.map(({ id }) => id));
  const present =
    target?.doc.segments.filter(
      (segment) => segment.gap !== 'waiting' && (ids.has(segment.id) || !lacksValue(segment)),
    ) ?? [];
  const found = new Map(present.map(({ id, parts }) => [id, parts]));
  const recorded = recordsOf(asFormatReads(input), input.source.doc);
  // What the target had when it was last written, before its source had a text: it was copied from the source.
  const isStated = (id: string) => (statements?.(id) ?? []).length > 0;
  const isCopied = ({ id, isReference }: Segment) =>
    isReference === true &&
    !recorded.has(id) &&
    !isStated(id) &&
    (input.known === undefined
      ? wanted.some((each) => isStated(each.id))
      : input.known.targetHash === target?.hash);
  const isVacant = (segment: Segment) =>
    segment.gap !== undefined || partsText(segment.parts) === '' || isCopied(segment);
  const vacantTexts = new Set(present.filter(isVacant).map(({ parts }) => parts));
  const remembered = withUnseenKeys(recorded, { segments: input.segments, wanted, found });
  const base = statements ? withVanished(remembered, { wanted, found, statements }) : remembered;
  const { deletedSource } = input.text.route.policies;
  const isOneSided = !reader.format.bilingual && !reader.format.multiLocale;
  const known = { base, found, statements, left: new Set<string>(), orders: [] };
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

/** Version 0.1.0 kept a record for every entry of a repeated key; now the key has the record of the entry that is read. */
function recordsOf(known: readonly SegmentRecord[], { duplicates = [] }: Doc) {
  const base = new Map(known.map((record) => [record.id, record]));
  for (const { id, lines, read } of duplicates) {
    if (read === undefined) continue;
    const own = lines.lastIndexOf(read);
    const record = own === 0 ? undefined : base.get(`${id}#${own}`);
    for (let number = 1; number < lines.length; number++) base.delete(`${id}#${number}`);
    if (record !== undefined) base.set(id, { ...record, id });
  }
  return base;
}

/**
 * Earlier versions recorded a text with the white space of its answer, which these formats cannot hold: the text looked edited by a
 * person. In a target that nobody touched since, it is ours.
 */
function asFormatReads({ reader, known, target }: RelationInput): readonly SegmentRecord[] {
  const records = known?.segments ?? [];
  const isOurs = target !== undefined && known?.targetHash === target.hash;
  if (reader.format.foldsWhitespace !== true || !isOurs) return records;
  const texts = target.doc.segments.map(({ parts }) => parts);
  const exact = new Set(texts.map(partsText));
  const isThere = ({ target }: SegmentRecord) => target === null || exact.has(partsText(target));
  if (records.every(isThere)) return records;
  const folded = new Map(texts.map((parts) => [partsText(foldParts(parts)), parts]));
  return records.map((record) => {
    if (record.target === null || isThere(record)) return record;
    const target = folded.get(partsText(foldParts(record.target)));
    return target === undefined ? record : { ...record, target };
  });
}

function relateSequence(given: RelationInput): Related {
  const reading = pageReaderVersion(given.text.route);
  const isReadAgain = given.known !== undefined && given.known.frame?.reading !== reading;
  const input = isReadAgain ? withReadRecords(given) : given;
  const { text, source, target, segments, wanted, known, statements } = input;
  const texts = target?.doc.segments.map(({ parts }) => parts) ?? [];
  const [openFrame, segmentsBefore] = partition(asFormatReads(input));
  const remembered = isReadAgain ? asReadNow(segmentsBefore, wanted, texts) : segmentsBefore;
  const { earlier } = input;
  const stated = statements?.('') ?? [];
  const records =
    earlier?.records ??
    statedRecords({ wanted, found: texts, records: remembered, statements: stated });
  const frameOfRecords =
    earlier?.frame ?? (records === remembered ? known?.frame?.lines : undefined);
  const whole = alignSequence({
    wanted,
    records,
    found: texts,
    isOwn: isOwnText(input),
    isStated: (parts) => stated.some(({ target: text }) => text === targetHash(partsText(parts))),
    choices: text.instructions.choices,
    rows: tableRows(input, records, frameOfRecords),
    held: earlier === undefined ? heldIds(wanted, stated) : new Set(),
    features: () => ({
      source: featuresOf(source.text, segments),
      target: target === undefined ? [] : featuresOf(target.text, target.doc.segments),
    }),
  });
  const aligned = withTitles(whole, input, stated);
  const { found, isUnlike } = aligned;
  const page = { text: source.text, segments, known };
  const seen = isReadAgain ? withUnseen(aligned, wanted, page) : aligned.base;
  const base =
    target === undefined ? seen : withCodeAloneRecords(seen, aligned.placed, { ...input, target });
  const relation = { base, found, inPlace: found, openFrame, reading };
  if (isUnlike) return { ...relation, blocker: 'unlike' };
  const placed = withoutKept(aligned, wanted, text);
  const ignored = new Set(wanted.flatMap((w) => (w.treatment === 'omit' ? [w.id] : [])));
  const isRemembered = records === remembered;
  const { ids } = whole;
  const isStated = earlier === undefined && !(isRemembered && known !== undefined);
  const seenFrame = frameSeen(input, { placed, ignored, ids, isStated });
  const isOpen = isStated && seenFrame === undefined;
  const before = isOpen ? frameFromHistory(input) : seenFrame;
  const unexplained = isOpen && before === undefined ? unexplainedFrame(input) : undefined;
  const decide = framePolicy(text, openFrame);
  const frame = { placed, before, ignored, decide, ...(unexplained && { unexplained }) };
  return { ...relation, blocker: undefined, frame };
}

function withReadRecords(input: RelationInput): RelationInput {
  const { known, source, target, wanted } = input;
  if (known === undefined) return input;
  const pages = {
    source: wanted.map((each) => partsText(each.source)),
    target: target?.doc.segments.map(({ parts }) => partsText(parts)) ?? [],
    lines: () =>
      [source, target].flatMap((page) => {
        const pieces = page && framePieces(page.text, page.doc.segments);
        return pieces?.flatMap((piece) => (piece.kind === 'line' ? piece.text : [])) ?? [];
      }),
  };
  return { ...input, known: withContainersRead(known, pages) };
}

function withTitles(
  whole: SequenceAlignment,
  { source, target, wanted, earlier, reader: { options } }: RelationInput,
  stated: readonly Statement[],
): SequenceAlignment {
  const own = earlier === undefined ? whole : withoutPersonsTexts(whole, wanted, stated);
  if (target === undefined) return own;
  const texts = target.doc.segments.map(({ parts }) => parts);
  const all = new Map(texts.map((_, at) => [String(at), at]));
  const pieces = () => ({
    source: sourcePieces({ source, options }, new Set()),
    target: targetPieces(target, all),
  });
  return withOwnTitles(own, { wanted, texts, pieces });
}

/** The table rows, so that cells are compared with those of their row. Undefined: there are none, or the records have no frame. */
function tableRows(
  { source, target, wanted, reader: { options } }: RelationInput,
  records: readonly SegmentRecord[],
  frame: string | undefined,
) {
  const ids = records.map((_, at) => String(at));
  const keys = frame === undefined ? undefined : unpackFrame(frame, ids);
  if (target === undefined || keys === undefined) return undefined;
  const ignored = new Set(wanted.flatMap((w) => (w.treatment === 'omit' ? [w.id] : [])));
  const all = new Map(target.doc.segments.map((_, at) => [String(at), at]));
  const pages = {
    source: sourcePieces({ source, options }, ignored),
    target: targetPieces(target, all),
  };
  return rowsOfPage(pages, keys, wanted);
}

/** The texts that the lock calls held, without a text of the target. */
function heldIds(
  wanted: readonly WantedSegment[],
  statements: readonly Statement[],
): ReadonlySet<string> {
  const held = new Set(
    statements.flatMap(({ source, target, mark }) =>
      mark === 'held' && target === NO_TARGET ? [source] : [],
    ),
  );
  if (held.size === 0) return new Set();
  return new Set(
    wanted.flatMap(({ id, source }) => (held.has(sourceHash(partsText(source))) ? [id] : [])),
  );
}

/** Texts of the target that belonged to no segment when it was last written. */
function isOwnText({ known, text, lock }: RelationInput): (parts: readonly Part[]) => boolean {
  if (known !== undefined || lock === undefined) {
    const own = new Set(known?.frame?.own);
    return (parts) => own.has(ownKey(parts));
  }
  const stated = new Set(statementsAt(lock, lockedSourceOf(text), OWN).map(({ target }) => target));
  return (parts) => stated.size > 0 && stated.has(hashesOfOwn(ownKey(parts)).target);
}

interface FrameMaterial extends Pick<StatedFrame, 'placed' | 'ignored'> {
  readonly ids: readonly string[];
  readonly isStated: boolean;
}

/** The frame of the source that the target was made from; undefined: not known. */
function frameSeen(
  input: RelationInput,
  { placed, ignored, ids, isStated }: FrameMaterial,
): readonly string[] | undefined {
  const { target, earlier, known } = input;
  if (target === undefined) return undefined;
  if (earlier !== undefined) return unpackFrame(earlier.frame, ids);
  return isStated
    ? statedFrame({ input, target, placed, ignored })
    : frameBefore({ target, known, placed, ids });
}

/** From the history: the source frame that a person's frame belongs to. */
function frameFromHistory({ earlierFrame, wanted }: RelationInput): readonly string[] | undefined {
  if (earlierFrame === undefined) return undefined;
  return unpackFrame(earlierFrame.frame, idsNow(earlierFrame.records, wanted));
}

/** The packed source frame now, when the lock says that a person changed the target's frame but not for which source. */
function unexplainedFrame({
  text,
  reader,
  source,
  target,
  lock,
}: RelationInput): string | undefined {
  if (target === undefined || lock === undefined) return undefined;
  if (statementsAt(lock, lockedSourceOf(text), FRAME).length === 0) return undefined;
  return framesOf({ source, target, options: reader.options }).source;
}

/** Adds records for paragraphs that the target has only as code: they are not missing. */
function withCodeAloneRecords(
  base: SequenceAlignment['base'],
  placed: SequenceAlignment['placed'],
  { wanted, segments, source, target }: RelationInput & { readonly target: TextFile },
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

/** Machine texts whose sources are gone are removed; those of people stay. */
function withoutPersonsTexts(
  { base, placed, found, ids: names, isUnlike }: SequenceAlignment,
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
  const texts = { base: without(base), placed: without(placed), found: without(found) };
  return { ...texts, ids: names, isUnlike };
}

function partition(records: readonly SegmentRecord[]): [SegmentRecord[], SegmentRecord[]] {
  const { open = [], segments = [] } = Object.groupBy(records, ({ isFrame }) =>
    isFrame ? 'open' : 'segments',
  );
  return [open, segments];
}

/** With `deleted_source: keep`, texts that left the source count as a person's from then on. */
function withoutKept(
  { placed }: SequenceAlignment,
  wanted: readonly WantedSegment[],
  { route }: TextCase,
): ReadonlyMap<string, number> {
  if (route.policies.deletedSource !== 'keep') return placed;
  const ids = new Set(wanted.map(({ id }) => id));
  return new Map([...placed].filter(([id]) => ids.has(id)));
}

interface EarlierTarget {
  readonly target: TextFile;
  readonly known: BaselineRecord | undefined;
  readonly placed: ReadonlyMap<string, number>;
  /** The ids of the records now. */
  readonly ids: readonly string[];
}

/**
 * The frame of the source in the last run. Version 0.1.0 did not record it, but wrote the source's frame, so the target it left shows it.
 */
function frameBefore({ target, known, placed, ids }: EarlierTarget): readonly string[] | undefined {
  if (known === undefined) return undefined;
  if (known.frame !== undefined) {
    return withModuleLines(unpackFrame(known.frame.lines, ids), modulesOf(known, ids));
  }
  return known.targetHash === target.hash
    ? targetPieces(target, placed).map((piece) => pieceKey(piece))
    : undefined;
}

interface StatedFrame {
  readonly input: RelationInput;
  readonly target: TextFile;
  readonly placed: ReadonlyMap<string, number>;
  readonly ignored: ReadonlySet<string>;
}

/**
 * The frame by the statements of the lock. One that is up to date stays, and one that nobody changed follows the source. Undefined: a
 * person changed it.
 */
function statedFrame({ input, target, placed, ignored }: StatedFrame) {
  const { text, reader, source, lock } = input;
  const { options } = reader;
  const statements = lock === undefined ? [] : statementsAt(lock, lockedSourceOf(text), FRAME);
  const now = statedHashes(statements, { source, target, options });
  const ofTarget = statements.filter((each) => each.target === now.target);
  const isEdited = ofTarget.length === 0 && statements.some((each) => each.source === now.source);
  if (isEdited || ofTarget.some((each) => each.source === now.source)) {
    return sourcePieces({ source, options }, ignored).map((piece) => pieceKey(piece));
  }
  return ofTarget.some(({ mark }) => mark === 'machine') ? ourKeys(target, placed) : undefined;
}

/** The hashes of both frames, as an earlier version read them where the lock has its lines. */
function statedHashes(statements: readonly Statement[], pages: Parameters<typeof framesOf>[0]) {
  const now = hashesOfFrame(framesOf(pages));
  const isStated = (each: typeof now) =>
    statements.some(({ source, target }) => source === each.source || target === each.target);
  const [source, target] = [asReadBefore(pages.source), asReadBefore(pages.target)];
  if (isStated(now) || (source ?? target) === undefined) return now;
  const before = hashesOfFrame(
    framesOf({ ...pages, source: source ?? pages.source, target: target ?? pages.target }),
  );
  return isStated(before) ? before : now;
}

/** A line that a person and the source both changed is a conflict, like a text. An edit of the line afterwards resolves it. */
function framePolicy(
  { route, instructions }: TextCase,
  open: readonly SegmentRecord[],
): SequenceFrame['decide'] {
  return (conflict) => {
    const id = frameId(conflict);
    const choice = instructions.choices?.get(id);
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
