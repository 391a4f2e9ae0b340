/** Pairs texts that were edited, by likeness and position. Pure. */
import { alikeness } from './similarity.ts';
import type { IndexPair } from './subsequence.ts';
import { rowAlikeness, type TextUnit } from './text-units.ts';

export interface UnitSides {
  readonly before: readonly TextUnit[];
  readonly now: readonly TextUnit[];
  readonly texts: SourceKeys;
  /** Whether their signs differ, by the positions of their texts: `-` and `1.`, or headings of two levels. */
  isOtherKind(before: readonly number[], now: readonly number[]): boolean;
  /** Whether one is a heading, and the other an item, a quote, a paragraph or the title of a box. */
  isOtherBlock(before: readonly number[], now: readonly number[]): boolean;
}

export interface SourceKeys {
  readonly before: readonly string[];
  readonly now: readonly string[];
}

/** Positions on both sides between two matches. */
export interface Gap {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/** Comparing more pairs than this takes too long for what it finds. */
const MAX_COMPARISONS = 10_000;
/** A paragraph that shares at least this part of its letter pairs with an old one counts as an edit of it. */
const ALIKE = 0.3;

/** From this share of common letter pairs on, a text at the same position counts as the old one, with any neighbours. */
const SAME = 0.5;

/** From this share on, a text at any other place of the page counts as the old one: it moved and was edited at once. */
const MOVED = 0.7;

/** If more texts than this changed in one gap, they are paired by position only: comparing all would exceed the time limit of a page. */
const MOST_IN_STEP = 30;

/** Pairs edited texts: the most similar ones first. If the gap has as many texts as before, the others are paired by position. */
export function pairEdited(units: UnitSides, gap: Gap): IndexPair[] {
  return gap.a.length === gap.b.length ? pairInStep(units, gap) : pairAlike(units, gap);
}

/** Pairs what is left in all gaps. Only texts of one kind: each takes its signs and lines along. */
export function pairFar(units: UnitSides, gaps: readonly Gap[]): IndexPair[] {
  const left = { a: gaps.flatMap(({ a }) => a), b: gaps.flatMap(({ b }) => b) };
  return pairAlike(units, left, { alike: MOVED, ofOtherKind: 1 });
}

/** Both sides have the same number of texts. Some may also have moved. A text that was removed is not paired with a new text beside it. */
export function pairInStep(units: UnitSides, { a, b }: Gap): IndexPair[] {
  const inPlace = a.map((index, nth) => ({ a: index, b: b[nth] ?? 0 }));
  if (inPlace.length < 2) return inPlace.filter((pair) => mayReplace(units, pair));
  const { before, now } = units;
  const same = inPlace.filter((pair) => unitAlikeness(before[pair.a], now[pair.b]) >= SAME);
  const taken = { a: new Set(same.map((pair) => pair.a)), b: new Set(same.map((pair) => pair.b)) };
  const open = inPlace.filter((pair) => !taken.a.has(pair.a));
  const left = { a: open.map((pair) => pair.a), b: open.map((pair) => pair.b) };
  const moved = open.length > MOST_IN_STEP ? [] : pairAlike(units, left);
  for (const pair of moved) {
    taken.a.add(pair.a);
    taken.b.add(pair.b);
  }
  const rest = open.filter((pair) => !taken.a.has(pair.a) && !taken.b.has(pair.b));
  return [...same, ...moved, ...rest.filter((pair) => mayReplace(units, pair))];
}

interface LeastAlikeness {
  readonly alike: number;
  /** A heading and an item of a list must have more in common: else a heading would get the mark of the item. */
  readonly ofOtherKind: number;
}

function pairAlike(
  units: UnitSides,
  { a, b }: Gap,
  least: LeastAlikeness = { alike: ALIKE, ofOtherKind: MOVED },
): IndexPair[] {
  const { before, now } = units;
  if (a.length * b.length > MAX_COMPARISONS) return [];
  const isLikely = (pair: IndexPair & { readonly alike: number }) => {
    const isRow = before[pair.a]?.row !== undefined;
    if (pair.alike < (isRow ? Math.max(SAME, least.alike) : least.alike)) return false;
    if (pair.alike >= least.ofOtherKind) return true;
    return !units.isOtherKind(before[pair.a]?.members ?? [], now[pair.b]?.members ?? []);
  };
  const candidates = a
    .flatMap((x) => b.map((y) => ({ a: x, b: y, alike: unitAlikeness(before[x], now[y]) })))
    .filter(isLikely)
    .sort((x, y) => y.alike - x.alike);
  const taken = { a: new Set<number>(), b: new Set<number>() };
  return candidates.filter((pair) => {
    if (taken.a.has(pair.a) || taken.b.has(pair.b)) return false;
    taken.a.add(pair.a);
    taken.b.add(pair.b);
    return true;
  });
}

/** Whether a text at the same position may be an edit. Texts that are not alike, in blocks of other kinds, are two texts. */
function mayReplace({ before, now, isOtherBlock }: UnitSides, pair: IndexPair): boolean {
  const [then, current] = [before[pair.a], now[pair.b]];
  return (
    !isOtherBlock(then?.members ?? [], current?.members ?? []) ||
    unitAlikeness(then, current) >= SAME
  );
}

function unitAlikeness(a: TextUnit | undefined, b: TextUnit | undefined): number {
  if (a === undefined || b === undefined) return 0;
  return a.row === undefined && b.row === undefined
    ? alikeness(a.text, b.text)
    : rowAlikeness(a, b);
}
