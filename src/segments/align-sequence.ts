/** Finds in a target without keys what belongs to each segment of its source, and what only a person put there. Pure. */
import type { SegmentRecord } from '../baseline.ts';
import { type Part, partsText } from '../format.ts';
import { describeUnclear } from '../job.ts';
import { align } from './align.ts';
import type { WantedSegment } from './decide.ts';
import { CONTAINED, joinedRecords, joinedTo, partsDecided, withoutGoneHolders } from './joined.ts';
import { type Features, lengthRatio, type PairingDoubt, type Sides } from './likeness.ts';
import { likelyPairs, pairByLikeness, placesByName } from './pairing.ts';
import type { Choice } from './record.ts';
import { alikeness, containment } from './similarity.ts';

export interface SequenceInput {
  readonly wanted: readonly WantedSegment[];
  /** What we last saw and wrote, in the order of the source then; empty at first contact. */
  readonly records: readonly SegmentRecord[];
  /** The segments of the target as it stands, in order. */
  readonly found: readonly (readonly Part[])[];
  /** Whether a text of the target was a person's own when it was last seen. */
  isOwn(parts: readonly Part[]): boolean;
  /** A person's words on conflicts, by the ids that are wanted now. */
  readonly choices?: ReadonlyMap<string, Choice> | undefined;
  /** Of `wanted` and of `found`. Asked for only where there is something to pair. */
  features(): Sides;
}

/** Under the ids that are wanted now; records of vanished segments have ids of their own. */
export interface SequenceAlignment {
  readonly base: ReadonlyMap<string, SegmentRecord>;
  readonly found: ReadonlyMap<string, readonly Part[]>;
  /** By id: which segment of the target it is. */
  readonly placed: ReadonlyMap<string, number>;
  /** Of the records, as they are called now, in their order: also of those that are missing. */
  readonly ids: readonly string[];
  /** At first contact the two have too little in common: nothing is said of any segment. */
  readonly isUnlike: boolean;
}

export function alignSequence(input: SequenceInput): SequenceAlignment {
  if (input.records.length === 0) return meet(input);
  return meetAgain({ ...input, records: twinsInOrder(input) });
}

/** Texts with one source are told apart by their order alone: where two of them changed places, neither was moved. */
function twinsInOrder({ records, found }: SequenceInput): readonly SegmentRecord[] {
  const twins = [...Map.groupBy(records.entries(), ([, { source }]) => source).values()].filter(
    (group) => group.length > 1,
  );
  if (twins.length === 0) return records;
  const free = Map.groupBy(found.keys(), (at) => partsText(found[at] ?? []));
  const ordered = [...records];
  for (const group of twins) {
    const standing = group.flatMap(([nth, record]) => {
      const at = record.target === null ? undefined : free.get(partsText(record.target))?.shift();
      return at === undefined ? [] : [{ nth, at, record }];
    });
    const byPlace = standing.toSorted((a, b) => a.at - b.at);
    for (const [index, { nth, record }] of standing.entries()) {
      ordered[nth] = { ...(byPlace[index]?.record ?? record), id: record.id };
    }
  }
  return ordered;
}

/** First contact: what is alike is the translation; what can be paired in several ways is held, and nothing is bought for it. */
function meet({ wanted, found, features }: SequenceInput): SequenceAlignment {
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
    // What stands in two pieces, or with another text in one, is nothing that a machine's text may replace by itself.
    if (pairing.split.has(a) || shared.has(b))
      base.set(segment.id, theirs(segment, found[b] ?? null));
  }
  for (const at of pairing.joined.keys()) {
    const segment = wanted[at];
    if (segment === undefined) continue;
    base.set(
      segment.id,
      joinedTo(theirs(segment, null), found[pairing.joined.get(at) ?? -1] ?? []),
    );
  }
  for (const record of doubtful(pairing.doubts, { wanted, ...sides })) base.set(record.id, record);
  return { base, found: textsAt(placed, found), placed, ids: [], isUnlike: false };
}

function theirs({ id, source }: WantedSegment, target: readonly Part[] | null): SegmentRecord {
  return { id, source: partsText(source), target, origin: 'human', state: 'ok' };
}

function textsAt(placed: ReadonlyMap<string, number>, found: readonly (readonly Part[])[]) {
  return new Map([...placed].map(([id, at]) => [id, found[at] ?? []]));
}

function doubtful(
  doubts: readonly PairingDoubt[],
  { wanted, source, target }: Sides & Pick<SequenceInput, 'wanted'>,
): SegmentRecord[] {
  return doubts.flatMap((doubt) => {
    const unclear = placesOf(doubt, { source, target });
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

function placesOf(doubt: PairingDoubt, { source, target }: Sides): string {
  const lines = (side: readonly Features[], indices: readonly number[]) =>
    `${indices.length === 1 ? 'line' : 'lines'} ${indices.map((at) => side[at]?.line ?? 0).join(', ')}`;
  return `${lines(source, doubt.source)} of the source, ${lines(target, doubt.target)} of the target`;
}

/** Share of letter pairs from which on a text of the target counts as the one that was written, edited. */
const ALIKE = 0.5;
/** Characters from which on a piece of a text is told from words that any text may have. */
const PIECE = 20;
/** Comparing more pairs than this costs more than it tells. */
const MAX_COMPARISONS = 10_000;

function meetAgain(input: SequenceInput): SequenceAlignment {
  const { wanted, records, found } = input;
  const aligned = align({ wanted, records, found });
  const positions = new Map(found.map((parts, at) => [parts, at]));
  const placed = new Map<string, number>();
  for (const [id, parts] of aligned.found) placed.set(id, positions.get(parts) ?? -1);
  const base = new Map(aligned.base);
  for (const { id, at } of editedAndMoved(aligned.base, { placed, found })) placed.set(id, at);
  for (const [id, record] of joinedRecords([...base.values()], { placed, found })) {
    if (record === undefined) base.delete(id);
    else base.set(id, record);
  }
  const taken = new Set(placed.values());
  const free = found.flatMap((parts, at) => (taken.has(at) || input.isOwn(parts) ? [] : [at]));
  const open = wanted.flatMap(({ id, treatment }, at) =>
    base.has(id) || treatment === 'omit' ? [] : [at],
  );
  for (const [id, at] of pairNamed(input, { placed, open })) placed.set(id, at);
  const takenNow = new Set(placed.values());
  const stillFree = free.filter((at) => !takenNow.has(at));
  const stillOpen = open.filter((at) => !placed.has(wanted[at]?.id ?? ''));
  if (stillFree.length > 0 && stillOpen.length > 0) {
    const rest = { placed, free: stillFree, open: stillOpen };
    for (const [id, at] of pairNew(input, rest)) placed.set(id, at);
  }
  const ids = [...aligned.base.keys()];
  const whole = withoutGoneHolders({ base, placed, found }, new Set(wanted.map(({ id }) => id)));
  const decided = partsDecided(whole, input.choices ?? new Map());
  return { ...decided, found: textsAt(decided.placed, found), ids, isUnlike: false };
}

/** Texts of ours that are not found where they were: a person edited them beside others that they took out or put in. */
function editedAndMoved(
  base: ReadonlyMap<string, SegmentRecord>,
  { placed, found }: Pick<SequenceAlignment, 'placed'> & Pick<SequenceInput, 'found'>,
): { readonly id: string; readonly at: number }[] {
  const taken = new Set(placed.values());
  const free = found.flatMap((parts, at) =>
    taken.has(at) ? [] : [{ at, text: partsText(parts) }],
  );
  const missing = [...base.values()].flatMap(({ id, target }) =>
    target === null || placed.has(id) ? [] : [{ id, text: partsText(target) }],
  );
  if (free.length * missing.length > MAX_COMPARISONS) return [];
  const candidates = missing
    .flatMap(({ id, text }) =>
      free.map((each) => ({ id, at: each.at, alike: likenessOf(text, each.text) })),
    )
    .filter(({ alike }) => alike >= ALIKE)
    .sort((x, y) => y.alike - x.alike);
  const done = { ids: new Set<string>(), places: new Set<number>() };
  return candidates.filter(({ id, at }) => {
    if (done.ids.has(id) || done.places.has(at)) return false;
    done.ids.add(id);
    done.places.add(at);
    return true;
  });
}

/** Of a text in three pieces, none is half of it: a piece counts as the text, and so does a paragraph that has three texts. */
function likenessOf(before: string, now: string): number {
  const [short, long] = before.length < now.length ? [before, now] : [now, before];
  const asPiece = short.length < PIECE ? 0 : containment(short, long);
  return Math.max(alikeness(before, now), asPiece < CONTAINED ? 0 : asPiece);
}

interface Open {
  readonly placed: ReadonlyMap<string, number>;
  /** Positions in the target without a segment, and in the source without a record. */
  readonly free: readonly number[];
  readonly open: readonly number[];
}

/** A key of front matter stands once, whoever put it there: also what was a person's own until the source got it. A name that stands twice tells nothing. */
function pairNamed(
  { wanted, found, features }: SequenceInput,
  { placed, open }: Omit<Open, 'free'>,
): [string, number][] {
  if (open.length === 0 || placed.size === found.length) return [];
  const { source, target } = features();
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

/** Somebody brought source and target at once (a colleague's commit): what stands behind the same paragraph and is alike belongs together. */
function pairNew(
  { wanted, features }: SequenceInput,
  { placed, free, open }: Open,
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
