/**
 * Makes records of a file without keys from the lock: they pair the texts of the target with the texts of the source. So a new checkout
 * pairs the texts in the same way as the machine that bought them. Pure.
 */
import type { SegmentRecord } from '../baseline.ts';
import { type Part, partsText } from '../format.ts';
import type { WantedSegment } from './decision.ts';
import { exactPairs, type HashSides, type PositionPairs, type Side } from './stated-pairs.ts';
import {
  type Assertion,
  NO_TARGET,
  type SourceHash,
  sourceHash,
  statementsOf,
  type TargetHash,
  targetHash,
} from './statements.ts';

export interface StatedTexts {
  readonly wanted: readonly WantedSegment[];
  /** The texts of the target, in order. */
  readonly found: readonly (readonly Part[])[];
  /** The statements of the lock about the file. */
  readonly statements: readonly Assertion[];
  /** The records of this machine, in the order that the source had then. */
  readonly records: readonly SegmentRecord[];
}

/** @returns `records` unchanged when the lock has no further pair */
export function statedRecords(texts: StatedTexts): readonly SegmentRecord[] {
  const { wanted, found, statements, records } = texts;
  if (statements.length === 0) return records;
  const known = [...statements, ...records.flatMap(statementsOf)];
  const sources = wanted.flatMap(({ source, treatment }, at) =>
    treatment === 'translate' ? [{ at, hash: sourceHash(partsText(source)) }] : [],
  );
  const targets = found.map((parts, at) => ({ at, hash: targetHash(partsText(parts)) }));
  const exact = exactPairs({ sources, targets }, known);
  if (records.length > 0 && !hasNewPairs(exact, texts)) return records;
  const pairs = new Map([...exact, ...pairsBetween({ sources, targets }, { exact, known })]);
  return recordsFor(texts, pairs, known);
}

/** Whether the lock has a pair that this machine has not: a colleague changed both files. */
function hasNewPairs(exact: PositionPairs, { wanted, found, records }: StatedTexts): boolean {
  const own = new Set(
    records.map(({ source, target }) => `${source}\0${target === null ? '' : partsText(target)}`),
  );
  return exact
    .entries()
    .some(([s, t]) => !own.has(`${textAt(wanted, s)}\0${partsText(found[t] ?? [])}`));
}

function textAt(wanted: readonly WantedSegment[], at: number): string {
  return partsText(wanted[at]?.source ?? []);
}

interface PairEvidence {
  readonly exact: PositionPairs;
  readonly known: readonly Assertion[];
}

/** Between two stated pairs, a changed source is paired with its known translation, and an edited translation with its known source. */
function pairsBetween(
  { sources, targets }: HashSides,
  { exact, known }: PairEvidence,
): [number, number][] {
  const knownSources = new Set(known.map(({ source }) => source));
  const knownTargets = new Set(known.map(({ target }) => target));
  const without = known.filter(({ target }) => target === NO_TARGET);
  const takenOut = new Set(without.map(({ source }) => source));
  const held = new Set(without.flatMap(({ source, mark }) => (mark === 'held' ? [source] : [])));
  const taken = new Set(exact.values());
  const gapOfTarget = gapNumbers(targets.length, taken);
  const gapOfSource = gapsOfSources(sources, exact, gapOfTarget);
  const open = sources.filter(
    ({ at, hash }) => !exact.has(at) && (!takenOut.has(hash) || held.has(hash)),
  );
  const free = targets.filter(({ at }) => !taken.has(at));
  const inGap = Map.groupBy(free, ({ at }) => gapOfTarget[at] ?? 0);
  return [...Map.groupBy(open, ({ at }) => gapOfSource.get(at) ?? 0)].flatMap(([gap, all]) => {
    const t = inGap.get(gap) ?? [];
    const isHeld = ({ hash }: Side<SourceHash>) => held.has(hash);
    const s = all.filter((each) => !isHeld(each));
    const isKnown = ({ hash }: Side<SourceHash>) => knownSources.has(hash);
    const isOurs = ({ hash }: Side<TargetHash>) => knownTargets.has(hash);
    // Held texts have places, too: those of the texts that nothing is known of.
    if (isInStep(all.map(isKnown), t.map(isOurs))) return inOrder(all, t, isHeld);
    if (isInStep(s.map(isKnown), t.map(isOurs))) return inOrder(s, t);
    const stale = inOrder(
      s.filter((each) => !isKnown(each)),
      t.filter(isOurs),
    );
    const [kept, own] = [s.filter(isKnown), t.filter((each) => !isOurs(each))];
    // A person rewrote the page and added or removed paragraphs: likeness decides later which belong together.
    const isUnclear = exact.size === 0 && kept.length !== own.length;
    const edited = isUnclear ? [] : inOrder(kept, own);
    const rest = [
      new Set([...stale, ...edited].map(([a]) => a)),
      new Set([...stale, ...edited].map(([, b]) => b)),
    ] as const;
    const left = {
      s: s.filter(({ at }) => !rest[0].has(at)),
      t: t.filter(({ at }) => !rest[1].has(at)),
    };
    const alike = left.s.length === left.t.length ? inOrder(left.s, left.t) : [];
    return [...stale, ...edited, ...alike];
  });
}

/**
 * Whether both sides have the same number of texts, and each pair is possible. A changed source may have any translation, an unchanged
 * source only a translation that a person changed.
 */
function isInStep(known: readonly boolean[], ours: readonly boolean[]): boolean {
  return known.length === ours.length && known.every((isKnown, at) => !(isKnown && ours[at]));
}

function inOrder(
  a: readonly Side<SourceHash>[],
  b: readonly Side<TargetHash>[],
  isLeftOut: (side: Side<SourceHash>) => boolean = () => false,
): [number, number][] {
  return a.flatMap((side, nth): [number, number][] => {
    const other = b[nth];
    return other === undefined || isLeftOut(side) ? [] : [[side.at, other.at]];
  });
}

/** For each position of the target, the number of stated texts up to it. */
function gapNumbers(length: number, taken: ReadonlySet<number>): number[] {
  let gap = 0;
  return Array.from({ length }, (_, at) => (taken.has(at) ? ++gap : gap));
}

function gapsOfSources(
  sources: HashSides['sources'],
  exact: PositionPairs,
  gapOfTarget: readonly number[],
): ReadonlyMap<number, number> {
  let gap = 0;
  return new Map(
    sources.map(({ at }) => {
      const place = exact.get(at);
      if (place !== undefined) gap = gapOfTarget[place] ?? gap;
      return [at, gap];
    }),
  );
}

/**
 * One record for each pair, in the order of the source. Texts of the machine whose source is gone get a record that removes them; a
 * person's own texts get none.
 */
function recordsFor(
  { wanted, found, records }: StatedTexts,
  pairs: PositionPairs,
  known: readonly Assertion[],
): SegmentRecord[] {
  const remembered = new Map(
    records.map((record) => [pairKey(record.source, record.target), record]),
  );
  const bySource = new Map(records.map((record) => [record.source, record]));
  const sources = new Set(wanted.map(({ source }) => partsText(source)));
  // Texts that this machine wrote for a source that changed since. The lock may not have them yet, so only these records show who wrote them.
  const stale = new Map(
    records.flatMap((record) =>
      record.target === null || sources.has(record.source)
        ? []
        : [[partsText(record.target), record] as const],
    ),
  );
  const paired = wanted.flatMap(({ id, source }, at): PlacedRecord[] => {
    const text = partsText(source);
    const place = pairs.get(at);
    const target = place === undefined ? undefined : found[place];
    if (place === undefined || target === undefined) {
      const own = bySource.get(text);
      return own === undefined ? [] : [{ record: own }];
    }
    const same = remembered.get(pairKey(text, target)) ?? stale.get(partsText(target));
    return [{ record: same ?? { id, source: text, target, ...PAIRING }, place }];
  });
  const taken = new Set(pairs.values());
  const ours = textsThatLeave({ wanted, found }, { taken, known });
  const gone = found.flatMap((target, at): Required<PlacedRecord>[] => {
    if (taken.has(at) || !ours.has(targetHash(partsText(target)))) return [];
    return [
      { record: { id: `gone-${at}`, source: NO_SOURCE_TEXT, target, ...PAIRING }, place: at },
    ];
  });
  return inTheirPlaces(paired, gone);
}

/** A person's text may be the same as a translation that is in its place. Then it leaves only if a source left that had it, too. */
function textsThatLeave(
  { wanted, found }: Pick<StatedTexts, 'wanted' | 'found'>,
  { taken, known }: { readonly taken: ReadonlySet<number>; readonly known: readonly Assertion[] },
): ReadonlySet<TargetHash> {
  const sources = new Set(wanted.map(({ source }) => sourceHash(partsText(source))));
  const inPlace = new Set([...taken].map((at) => targetHash(partsText(found[at] ?? []))));
  return new Set(
    known.flatMap(({ source, target, mark }) => {
      const isPersons = mark === 'human' || (inPlace.has(target) && sources.has(source));
      return isPersons ? [] : [target];
    }),
  );
}

interface PlacedRecord {
  readonly record: SegmentRecord;
  /** Position in the target. */
  readonly place?: number;
}

/** Inserts the records of texts whose source is gone at their positions in the target: equal texts are distinguished by their order. */
function inTheirPlaces(
  paired: readonly PlacedRecord[],
  gone: readonly Required<PlacedRecord>[],
): SegmentRecord[] {
  const records: SegmentRecord[] = [];
  let next = 0;
  for (const { record, place = -1 } of paired) {
    for (let own = gone[next]; own !== undefined && own.place < place; own = gone[next]) {
      records.push(own.record);
      next += 1;
    }
    records.push(record);
  }
  return [...records, ...gone.slice(next).map(({ record }) => record)];
}

/** Such a record says only which texts belong together. */
export const PAIRING = { origin: 'adopted', state: 'ok', isPairing: true } as const;

/** A source text that no file has. */
const NO_SOURCE_TEXT = '\0';

function pairKey(source: string, target: readonly Part[] | null): string {
  return `${source}\0${target === null ? '' : partsText(target)}`;
}
