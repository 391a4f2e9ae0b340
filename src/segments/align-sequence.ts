/**
 * Pairs the segments of a target without keys with those of the source, and finds segments that a person added to the target alone.
 * Pure.
 */
import type { SegmentRecord } from '../baseline.ts';
import { type Part, partsText } from '../format.ts';
import { describeUnclear } from '../job.ts';
import { type AlignInput, align, type TextRows } from './align.ts';
import { type RecutRecords, recutRecords, withPieces } from './cut-texts.ts';
import type { WantedSegment } from './decision.ts';
import {
  CONTAINED,
  joinedRecord,
  joinedRecords,
  withChosenParts,
  withoutGoneHolders,
} from './joined.ts';
import {
  areContrary,
  type FeatureSides,
  type Features,
  lengthRatio,
  type PairingDoubt,
} from './likeness.ts';
import { likelyPairs, pairByLikeness } from './pairing.ts';
import type { Choice } from './record.ts';
import { alikeness, containment } from './similarity.ts';
import { commonSubsequence } from './subsequence.ts';
import { placesByName, withLabels } from './text-names.ts';
import { cellPairs, rowAlikeness, rowUnitsOf, type TextUnit } from './text-units.ts';

export interface SequenceInput extends Pick<AlignInput, 'signs'> {
  readonly wanted: readonly WantedSegment[];
  /** The records of the last run, in the order that the source had then; empty at first contact. */
  readonly records: readonly SegmentRecord[];
  /** The segments of the target file, in order. */
  readonly found: readonly (readonly Part[])[];
  /** Whether a text of the target was a person's own text in the last run. */
  isOwn(parts: readonly Part[]): boolean;
  /** Texts that the lock calls held, without a text of the target. A checkout may have no records of them. */
  readonly held?: ReadonlySet<string>;
  /** Whether the lock calls a text of the target a translation of some text. */
  isStated?(parts: readonly Part[]): boolean;
  /** How a person resolved conflicts, by the ids of `wanted`. */
  readonly choices?: ReadonlyMap<string, Choice> | undefined;
  /** The rows of tables; absent: no row is known. */
  readonly rows?: TextRows | undefined;
  /** The features of the texts in `wanted` and in `found`. Called only when there is something to pair, since it costs time. */
  features(): FeatureSides;
}

/** All ids are those of `wanted`; records of segments that left the source get ids of their own. */
export interface SequenceAlignment {
  readonly base: ReadonlyMap<string, SegmentRecord>;
  readonly found: ReadonlyMap<string, readonly Part[]>;
  /** By id: the position of its segment in the target. */
  readonly placed: ReadonlyMap<string, number>;
  /** The ids of all records in their order, also of records without a segment in the target. */
  readonly ids: readonly string[];
  /** First contact, and source and target have too little in common: no segment is paired. */
  readonly isUnlike: boolean;
}

export function alignSequence(input: SequenceInput): SequenceAlignment {
  if (input.records.length === 0) return alignAtFirstContact(input);
  const recut = recutRecords(input);
  if (recut === undefined) {
    const whole = { ...input, records: withPieces(input) };
    return alignKnown({ ...whole, records: equalSourcesInOrder(whole) });
  }
  const known = { ...input, ...byPieces(input, recut) };
  const aligned = alignKnown({ ...known, records: equalSourcesInOrder(known) });
  const ids = input.records.map((_, at) => aligned.ids[recut.from.indexOf(at)] ?? `joined:${at}`);
  return { ...aligned, ids };
}

function byPieces(
  { rows, signs }: SequenceInput,
  { records, from }: RecutRecords,
): Pick<SequenceInput, 'records' | 'rows' | 'signs'> {
  const ofRecords = <T>(list: readonly T[]) => from.map((at) => list[at] as T);
  return {
    records,
    rows: rows && { ...rows, records: ofRecords(rows.records) },
    signs:
      signs &&
      (() => {
        const known = signs();
        return { ...known, records: ofRecords(known.records) };
      }),
  };
}

/**
 * Several records with the same source text are distinguished by their order alone: if two of them changed places, they count as not moved.
 * Cells are distinguished by their rows.
 */
function equalSourcesInOrder({ records, found, rows }: SequenceInput): readonly SegmentRecord[] {
  const loose = [...records.entries()].filter(([nth]) => rows?.records[nth] === undefined);
  const twins = [...Map.groupBy(loose, ([, { source }]) => source).values()].filter(
    (group) => group.length > 1,
  );
  if (twins.length === 0) return records;
  const texts = found.map((parts) => partsText(parts));
  const written = records.map(({ target }) => partsText(target ?? []));
  // Another source may have the same translation: only texts that moved are looked for in the whole page.
  const places = new Map(commonSubsequence(written, texts).map(({ a, b }) => [a, b]));
  const taken = new Set(places.values());
  const free = Map.groupBy(
    texts.keys().filter((at) => !taken.has(at)),
    (at) => texts[at] ?? '',
  );
  const ordered = [...records];
  for (const group of twins) {
    const current = group.flatMap(([nth, record]) => {
      const own = places.get(nth) ?? free.get(written[nth] ?? '')?.shift();
      const at = record.target === null ? undefined : own;
      return at === undefined ? [] : [{ nth, at, record }];
    });
    const byPlace = current.toSorted((a, b) => a.at - b.at);
    for (const [index, { nth, record }] of current.entries()) {
      ordered[nth] = { ...(byPlace[index]?.record ?? record), id: record.id };
    }
  }
  return ordered;
}

/** First contact: similar paragraphs are paired. A paragraph that can be paired in several ways is held, and nothing is bought for it. */
function alignAtFirstContact({ wanted, found, features }: SequenceInput): SequenceAlignment {
  const base = new Map<string, SegmentRecord>();
  const none = { base, found: new Map(), placed: new Map(), ids: [] };
  if (found.length === 0) return { ...none, isUnlike: false };
  const sides = features();
  const pairing = pairByLikeness(sides.source, sides.target);
  if (pairing === undefined) return { ...none, isUnlike: true };
  const placed = new Map<string, number>();
  const shared = new Set(pairing.joined.values());
  for (const { a, b } of pairing.pairs) {
    const segment = wanted[a];
    if (segment === undefined || segment.treatment === 'omit') continue;
    placed.set(segment.id, b);
    // The target has this segment in two pieces, or joined with another segment: the machine's text must not replace it without a
    // person.
    if (pairing.split.has(a) || shared.has(b))
      base.set(segment.id, personsRecord(segment, found[b] ?? null));
  }
  for (const at of pairing.joined.keys()) {
    const segment = wanted[at];
    if (segment === undefined) continue;
    base.set(
      segment.id,
      joinedRecord(personsRecord(segment, null), found[pairing.joined.get(at) ?? -1] ?? []),
    );
  }
  for (const record of heldForDoubt(pairing.doubts, { wanted, ...sides }))
    base.set(record.id, record);
  return { base, found: textsAt(placed, found), placed, ids: [], isUnlike: false };
}

function personsRecord(
  { id, source }: WantedSegment,
  target: readonly Part[] | null,
): SegmentRecord {
  return { id, source: partsText(source), target, origin: 'human', state: 'ok' };
}

function textsAt(placed: ReadonlyMap<string, number>, found: readonly (readonly Part[])[]) {
  return new Map([...placed].map(([id, at]) => [id, found[at] ?? []]));
}

function heldForDoubt(
  doubts: readonly PairingDoubt[],
  { wanted, source, target }: FeatureSides & Pick<SequenceInput, 'wanted'>,
): SegmentRecord[] {
  return doubts.flatMap((doubt) => {
    const unclear = linesInDoubt(doubt, { source, target });
    const why = { problem: describeUnclear(unclear), unclear };
    return doubt.source.flatMap((at): SegmentRecord[] => {
      const segment = wanted[at];
      if (segment === undefined || segment.treatment === 'omit') return [];
      const text = partsText(segment.source);
      return [
        { id: segment.id, source: text, target: null, origin: 'machine', state: 'held', ...why },
      ];
    });
  });
}

function linesInDoubt(doubt: PairingDoubt, { source, target }: FeatureSides): string {
  const lines = (side: readonly Features[], indices: readonly number[]) =>
    `${indices.length === 1 ? 'line' : 'lines'} ${indices.map((at) => side[at]?.line ?? 0).join(', ')}`;
  return `${lines(source, doubt.source)} of the source, ${lines(target, doubt.target)} of the target`;
}

/** From this share of common letter pairs on, a text of the target counts as our text, edited by a person. */
const ALIKE = 0.5;
/** Characters. A shorter piece may occur in any text, so it proves nothing. */
const SHORTEST_PIECE = 20;
/** Comparing more pairs than this takes too long for what it finds. */
const MAX_COMPARISONS = 10_000;

function alignKnown(input: SequenceInput): SequenceAlignment {
  const { wanted, found } = input;
  const aligned = align(input);
  const positions = new Map(found.map((parts, at) => [parts, at]));
  const placed = new Map<string, number>();
  for (const [id, parts] of aligned.found) placed.set(id, positions.get(parts) ?? -1);
  for (const id of placedAgainstDoubt(input, aligned.base, placed)) placed.delete(id);
  const base = new Map(aligned.base);
  for (const { id, at } of editedAndMoved(aligned.base, { placed, found, rows: input.rows }))
    placed.set(id, at);
  for (const [id, record] of joinedRecords([...base.values()], { placed, found })) {
    if (record === undefined) base.delete(id);
    else base.set(id, record);
  }
  const taken = new Set(placed.values());
  const free = found.flatMap((parts, at) => (taken.has(at) || input.isOwn(parts) ? [] : [at]));
  const open = wanted.flatMap(({ id, treatment }, at) =>
    base.has(id) || treatment === 'omit' || input.held?.has(id) ? [] : [at],
  );
  for (const [id, at] of pairNamed(input, { placed, open })) placed.set(id, at);
  const takenNow = new Set(placed.values());
  const stillFree = free.filter((at) => !takenNow.has(at));
  const stillOpen = open.filter((at) => !placed.has(wanted[at]?.id ?? ''));
  if (stillFree.length > 0 && stillOpen.length > 0) {
    const rest = { placed, free: stillFree, open: stillOpen };
    for (const [id, at] of pairNew(input, rest)) placed.set(id, at);
  }
  for (const [id, at] of pairHeld(input, { base, placed })) placed.set(id, at);
  const ids = [...aligned.base.keys()];
  const whole = withoutGoneHolders({ base, placed, found }, new Set(wanted.map(({ id }) => id)));
  const decided = withChosenParts(whole, input.choices ?? new Map());
  return { ...decided, found: textsAt(decided.placed, found), ids, isUnlike: false };
}

/**
 * Texts that were held because no text of the target was surely their translation. In their place is now a text that can hardly be their
 * translation, so a person edited a text of their own.
 */
function placedAgainstDoubt(
  { wanted, features }: SequenceInput,
  base: ReadonlyMap<string, SegmentRecord>,
  placed: ReadonlyMap<string, number>,
): string[] {
  const held = wanted.flatMap(({ id }, at) => {
    const record = base.get(id);
    return record?.unclear !== undefined && record.target === null && placed.has(id)
      ? [{ id, at }]
      : [];
  });
  if (held.length === 0) return [];
  const sides = features();
  const ratio = lengthRatio(sides);
  return held.flatMap(({ id, at }) =>
    areContrary(sides.source[at], sides.target[placed.get(id) ?? -1], ratio) ? [id] : [],
  );
}

/** Finds our texts that are no longer at their positions: a person edited them and also added or removed texts beside them. */
function editedAndMoved(
  base: ReadonlyMap<string, SegmentRecord>,
  {
    placed,
    found,
    rows,
  }: Pick<SequenceAlignment, 'placed'> & Pick<SequenceInput, 'found' | 'rows'>,
): { readonly id: string; readonly at: number }[] {
  const taken = new Set(placed.values());
  const records = [...base.values()];
  const texts = {
    before: records.map(({ target }) => partsText(target ?? [])),
    now: found.map((parts) => partsText(parts)),
  };
  // Of a row, all cells are found together, or none.
  const free = rowUnitsOf(texts.now, rows?.found).filter(
    ({ members }) => !members.some((at) => taken.has(at)),
  );
  const isMissing = ({ id, target }: SegmentRecord) => target !== null && !placed.has(id);
  const missing = rowUnitsOf(texts.before, rows?.records).filter(({ members }) =>
    members.every((at) => records[at] !== undefined && isMissing(records[at])),
  );
  if (free.length * missing.length > MAX_COMPARISONS) return [];
  const candidates = missing
    .flatMap((unit) => free.map((at) => ({ unit, at, alike: unitLikeness(unit, at) })))
    .filter(({ alike }) => alike >= ALIKE)
    .sort((x, y) => y.alike - x.alike);
  const done = new Set<TextUnit>();
  return candidates.flatMap(({ unit, at }) => {
    if (done.has(unit) || done.has(at)) return [];
    done.add(unit).add(at);
    return cellPairs(texts, unit, at).map(({ a, b }) => ({ id: records[a]?.id ?? '', at: b }));
  });
}

function unitLikeness(before: TextUnit, now: TextUnit): number {
  const isText = before.row === undefined && now.row === undefined;
  return isText ? likenessOf(before.text, now.text) : rowAlikeness(before, now);
}

/**
 * A text cut into three pieces is not half of any piece. So a long piece counts as the text, and so does a paragraph that joins three
 * texts.
 */
function likenessOf(before: string, now: string): number {
  const [short, long] = before.length < now.length ? [before, now] : [now, before];
  const asPiece = short.length < SHORTEST_PIECE ? 0 : containment(short, long);
  return Math.max(alikeness(before, now), asPiece < CONTAINED ? 0 : asPiece);
}

interface Unpaired {
  readonly placed: ReadonlyMap<string, number>;
  /** `free`: positions in the target without a segment; `open`: positions in the source without a record. */
  readonly free: readonly number[];
  readonly open: readonly number[];
}

/** Pairs new keys of front matter by name, also a key that only the person's target had until now. A name that occurs twice is not used. */
function pairNamed(
  { wanted, found, features }: SequenceInput,
  { placed, open }: Omit<Unpaired, 'free'>,
): [string, number][] {
  if (open.length === 0 || placed.size === found.length) return [];
  const { source, target } = withLabels(features());
  const [ours, theirs] = [placesByName(source), placesByName(target)];
  const taken = new Set(placed.values());
  return open.flatMap((at): [string, number][] => {
    const [segment, name] = [wanted[at], source[at]?.name];
    const there = name !== undefined && ours.get(name) === at ? theirs.get(name) : undefined;
    return segment === undefined || there === undefined || taken.has(there)
      ? []
      : [[segment.id, there]];
  });
}

/** Source and target got new paragraphs at once (a colleague's commit): similar ones behind the same known paragraph are paired. */
function pairNew(
  { wanted, features }: SequenceInput,
  { placed, free, open }: Unpaired,
): [string, number][] {
  const idAt = new Map([...placed].map(([id, at]) => [at, id]));
  const newIn = Map.groupBy(open, (at) =>
    lastKnown(at, (index) => placedId(wanted[index], placed)),
  );
  const sides = features();
  const ratio = lengthRatio(sides);
  const foundIn = Map.groupBy(free, (at) => lastKnown(at, (index) => idAt.get(index)));
  return [...newIn].flatMap(([behind, source]) => {
    const target = foundIn.get(behind) ?? [];
    const stretch = {
      source: source.flatMap((at) => sides.source[at] ?? []),
      target: target.flatMap((at) => sides.target[at] ?? []),
    };
    return likelyPairs(stretch, ratio).flatMap(({ a, b }): [string, number][] => {
      const [segment, at] = [wanted[source[a] ?? -1], target[b]];
      return segment === undefined || at === undefined ? [] : [[segment.id, at]];
    });
  });
}

/** A held text has a translation only if the first contact would pair the two now, and a person wrote that text since. */
function pairHeld(
  { wanted, found, held = new Set(), isOwn, isStated, features }: SequenceInput,
  { base, placed }: Pick<SequenceAlignment, 'base' | 'placed'>,
): [string, number][] {
  if (!held.values().some((id) => !base.has(id))) return [];
  const taken = new Set(placed.values());
  const isNew = (at: number) => {
    const parts = found[at] ?? [];
    return !taken.has(at) && !isOwn(parts) && !isStated?.(parts);
  };
  if (!found.keys().some(isNew)) return [];
  const { source, target } = features();
  const pairs = pairByLikeness(source, target)?.pairs ?? [];
  return pairs.flatMap(({ a, b }): [string, number][] => {
    const id = wanted[a]?.id ?? '';
    return held.has(id) && !base.has(id) && isNew(b) ? [[id, b]] : [];
  });
}

function placedId(segment: WantedSegment | undefined, placed: ReadonlyMap<string, number>) {
  return segment !== undefined && placed.has(segment.id) ? segment.id : undefined;
}

function lastKnown(at: number, idOf: (index: number) => string | undefined): string {
  for (let index = at - 1; index >= 0; index--) {
    const id = idOf(index);
    if (id !== undefined) return id;
  }
  return '';
}
