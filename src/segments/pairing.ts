/**
 * Pairs the paragraphs of a source with those of a translation that we never saw, by structure and likeness: an alignment of
 * least cost, in the manner of Gale and Church, with marks that a translation keeps (links, numbers, code) beside length. Pure.
 */
import type { Pair } from './subsequence.ts';

/** What can be compared across languages. */
export interface Features {
  readonly text: string;
  /** 1-based. */
  readonly line: number;
  /** Where it stands: what precedes it on its line (`## `, `- `, `title: `, `<p`). */
  readonly place: string;
  /** What a translation keeps: ends of links, numbers, code, names. Each once. */
  readonly marks: ReadonlySet<string>;
}

export interface Sides {
  readonly source: readonly Features[];
  readonly target: readonly Features[];
}

export interface Pairing {
  readonly pairs: readonly Pair[];
  /** Paragraphs of the source that stand in the translation together with the one before them, or in two pieces. */
  readonly joined: ReadonlySet<number>;
  readonly split: ReadonlySet<number>;
  /** What can be paired in several ways. */
  readonly doubts: readonly Doubt[];
  /** Paragraphs that stand on one side only. */
  readonly added: { readonly source: readonly number[]; readonly target: readonly number[] };
}

export interface Doubt {
  readonly source: readonly number[];
  readonly target: readonly number[];
}

/**
 * Pairs whole pages: as many paragraphs on both sides that speak against nothing are taken in their order.
 * @returns undefined when the two have too little in common to be a page and its translation
 */
export function pairByLikeness(
  source: readonly Features[],
  target: readonly Features[],
): Pairing | undefined {
  const costs = costsBetween({ source, target }, lengthRatio({ source, target }));
  const beads = cheapestBeads(costs) ?? inOrder({ source, target });
  if (beads === undefined) return undefined;
  const isDiagonal = beads.every(({ kind }) => kind === 'pair');
  const sorted = sortOut(isDiagonal ? beads.map((bead) => [bead]) : runsOf(beads, costs));
  const moved = pairMoved(sorted.doubts, sorted.added, { source, target });
  const pairing = { ...sorted, ...moved, pairs: [...sorted.pairs, ...moved.pairs] };
  const fewest = Math.min(source.length, target.length);
  const whole = pairing.pairs.length - pairing.joined.size - pairing.split.size;
  const isAlike = source.length === target.length || fewest === 0 || whole * 2 > fewest;
  return isAlike ? pairing : undefined;
}

/** What is too long to be compared is paired by place, where both sides have as many. */
function inOrder({ source, target }: Sides): Bead[] | undefined {
  if (source.length !== target.length) return undefined;
  return source.map((_, at) => ({ kind: 'pair', a: at, b: at, cost: 0 }));
}

/** Pairs of a stretch that are likely by themselves. @param ratio of the lengths in the whole page */
export function likelyPairs(sides: Sides, ratio: number): Pair[] {
  const costs = costsBetween(sides, ratio);
  const beads = cheapestBeads(costs) ?? [];
  return sortOut(runsOf(beads, costs)).pairs.filter(({ a, b }) => costs.pair(a, b) <= LIKELY);
}

/** Costs are negative logarithms of likelihoods: 4.5 stands for one paragraph in ninety. */
const SKIP = 4.5;
const SPLIT = 4;
/** A pair that costs more is none when something beside it has no partner. */
const WEAK = 5;
/** A new paragraph and an unknown one beside each other that cost more are two. */
const LIKELY = 2;
/** Two ways to pair are told apart when their costs differ by that much. */
const CLEAR = 1;
/** More comparisons than this cost more than they tell. */
const MAX_CELLS = 2_000_000;
/** Paragraphs that one side may run ahead of the other, beside the difference of their numbers. */
const BAND = 40;

interface Costs {
  readonly lengths: { readonly source: readonly number[]; readonly target: readonly number[] };
  pair(a: number, b: number): number;
  split(a: number, b: number): number;
  join(a: number, b: number): number;
}

function costsBetween({ source, target }: Sides, ratio: number): Costs {
  const lengths = {
    source: source.map(({ text }) => letters(text)),
    target: target.map(({ text }) => letters(text)),
  };
  return {
    lengths,
    pair: (a, b) => costOf(source[a], target[b], ratio),
    split: (a, b) => halvesCost(target, b) + costOf(source[a], bothOf(target, b), ratio),
    join: (a, b) => halvesCost(source, a) + costOf(bothOf(source, a), target[b], ratio),
  };
}

function costOf(s: Features | undefined, t: Features | undefined, ratio: number): number {
  if (s === undefined || t === undefined) return Number.POSITIVE_INFINITY;
  const length = lengthCost(letters(s.text) * ratio, letters(t.text));
  return length + placeCost(s.place, t.place) + markCost(s, t);
}

/** A paragraph and the one behind it, as one. */
function bothOf(features: readonly Features[], at: number): Features | undefined {
  const [first, second] = [features[at], features[at + 1]];
  if (first === undefined || second === undefined) return undefined;
  return {
    ...first,
    text: `${first.text} ${second.text}`,
    marks: first.marks.union(second.marks),
  };
}

/** Two halves of one paragraph are paragraphs both, with nothing before them on their line. */
function halvesCost(features: readonly Features[], at: number): number {
  const [first, second] = [features[at], features[at + 1]];
  return first?.place === '' && second?.place === '' ? SPLIT : Number.POSITIVE_INFINITY;
}

function letters(text: string): number {
  return text.replace(/\s+/g, ' ').length;
}

/**
 * How much longer a translation is than its source: 1.1 for German, 0.4 for Chinese. Measured where nearly all of a page is
 * there; a page that lacks its longest paragraph would mislead, so its scripts decide.
 */
export function lengthRatio({ source, target }: Sides): number {
  const missing = Math.abs(source.length - target.length);
  if (missing * 10 > Math.max(source.length, target.length))
    return ratioOfScripts({ source, target });
  const mean = (features: readonly Features[]) =>
    features.reduce((all, { text }) => all + letters(text), 1) / Math.max(1, features.length);
  return Math.min(5, Math.max(0.15, mean(target) / mean(source)));
}

/** One character of these scripts says as much as two or three letters. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

function ratioOfScripts({ source, target }: Sides): number {
  const isDense = (features: readonly Features[]) => {
    const text = features.map((each) => each.text).join('');
    return (text.match(DENSE)?.length ?? 0) * 4 > text.length;
  };
  if (isDense(source) === isDense(target)) return 1.1;
  return isDense(target) ? 0.45 : 2.2;
}

/** Short texts vary more: a word of four letters may be one of ten. */
function lengthCost(expected: number, found: number): number {
  const difference = Math.log((found + 12) / (expected + 12));
  return Math.min(8, (difference * difference) / (2 * 0.3 * 0.3));
}

function placeCost(a: string, b: string): number {
  if (a === b) return 0;
  return kindOf(a) === kindOf(b) ? 1.5 : 4;
}

function kindOf(place: string): string {
  return place.replace(/[\s\d]/g, '').slice(0, 1);
}

/** Marks of the paragraph itself speak for and against a pair; lines before it (code) only for one. */
function markCost(a: Features, b: Features): number {
  if (a.text === b.text) return -3;
  const shared = a.marks.intersection(b.marks).size;
  const most = Math.max(ownMarks(a), ownMarks(b), shared);
  return most === 0 ? 0 : (1 - (2 * shared) / most) * Math.min(3, 1 + most);
}

/** How marks begin that stand before the paragraph. */
export const BEFORE = '¶';

function ownMarks({ marks }: Features): number {
  return [...marks].filter((mark) => !mark.startsWith(BEFORE)).length;
}

type BeadKind = 'pair' | 'source' | 'target' | 'split' | 'join';

/** One step of the alignment: a pair, a paragraph without partner, one in two pieces, two in one. */
interface Bead extends Pair {
  readonly kind: BeadKind;
  readonly cost: number;
}

const STEPS: Readonly<Record<BeadKind, readonly [number, number]>> = {
  pair: [1, 1],
  source: [1, 0],
  target: [0, 1],
  split: [1, 2],
  join: [2, 1],
};

function cheapestBeads(costs: Costs): Bead[] | undefined {
  const { source, target } = costs.lengths;
  const [rows, columns] = [source.length, target.length];
  const reach = BAND + Math.abs(rows - columns);
  const width = Math.min(columns, 2 * reach) + 1;
  if ((rows + 1) * width > MAX_CELLS) return undefined;
  const from = (row: number) =>
    Math.max(
      0,
      Math.min(columns + 1 - width, Math.round((row * columns) / Math.max(1, rows)) - reach),
    );
  const totals = new Float64Array((rows + 1) * width).fill(Number.POSITIVE_INFINITY);
  const steps: (BeadKind | undefined)[] = new Array((rows + 1) * width);
  const at = (row: number, column: number) =>
    column < from(row) || column >= from(row) + width ? -1 : row * width + column - from(row);
  totals[at(0, 0)] = 0;
  const relax = (kind: BeadKind, row: number, column: number, cost: number) => {
    const [down, right] = STEPS[kind];
    const before = row < down || column < right ? -1 : at(row - down, column - right);
    const here = at(row, column);
    if (before < 0 || here < 0) return;
    const total = (totals[before] ?? 0) + cost;
    if (total < (totals[here] ?? 0)) {
      totals[here] = total;
      steps[here] = kind;
    }
  };
  for (let row = 0; row <= rows; row++) {
    for (let column = from(row); column < from(row) + width && column <= columns; column++) {
      if (row > 0 && column > 0) relax('pair', row, column, costs.pair(row - 1, column - 1));
      relax('source', row, column, SKIP);
      relax('target', row, column, SKIP);
      if (row > 0 && column > 1) relax('split', row, column, costs.split(row - 1, column - 2));
      if (row > 1 && column > 0) relax('join', row, column, costs.join(row - 2, column - 1));
    }
  }
  return walkBack(costs, (row, column) => steps[at(row, column)]);
}

function walkBack(
  costs: Costs,
  stepAt: (row: number, column: number) => BeadKind | undefined,
): Bead[] | undefined {
  const beads: Bead[] = [];
  let [row, column] = [costs.lengths.source.length, costs.lengths.target.length];
  while (row > 0 || column > 0) {
    const kind = stepAt(row, column);
    if (kind === undefined) return undefined;
    const [down, right] = STEPS[kind];
    row -= down;
    column -= right;
    const cost = kind === 'pair' ? costs.pair(row, column) : SKIP;
    beads.push({ kind, a: row, b: column, cost });
  }
  return beads.reverse();
}

/** Says what is sure and what is in doubt. */
function sortOut(runs: readonly (readonly Bead[])[]): Pairing {
  const isOpen = (run: readonly Bead[]) => isDoubtful(run);
  const sure = runs.filter((run) => !isOpen(run)).flat();
  const of = (...kinds: BeadKind[]) => sure.filter(({ kind }) => kinds.includes(kind));
  return {
    pairs: of('pair', 'split', 'join').map(({ a, b }) => ({ a, b })),
    doubts: runs.filter(isOpen).map(doubtOf),
    added: {
      source: of('source').map(({ a }) => a),
      target: of('target', 'split').map(({ kind, b }) => (kind === 'split' ? b + 1 : b)),
    },
    joined: new Set(of('join').map(({ a }) => a + 1)),
    split: new Set(of('split').map(({ a }) => a)),
  };
}

/** Sure pairs stand alone; what has no partner and weak pairs beside it belong together. */
function runsOf(beads: readonly Bead[], costs: Costs): Bead[][] {
  const runs: Bead[][] = [];
  let open: Bead[] | undefined;
  for (const [index, bead] of beads.entries()) {
    const isLoose = bead.kind === 'source' || bead.kind === 'target';
    const besides = [beads[index - 1], beads[index + 1]].filter((each) => each !== undefined);
    if (!isLoose && !isShaky(bead, besides, costs)) {
      open = undefined;
      runs.push([bead]);
    } else if (open === undefined) {
      open = [bead];
      runs.push(open);
    } else {
      open.push(bead);
    }
  }
  return runs;
}

/** A weak pair, or one whose neighbour without partner would do as well in its place. */
function isShaky(bead: Bead, besides: readonly Bead[], costs: Costs): boolean {
  if (bead.kind !== 'pair') return false;
  return (
    bead.cost > WEAK ||
    besides.some(({ kind, a, b }) => {
      if (kind === 'source') return costs.pair(a, bead.b) - bead.cost < CLEAR;
      return kind === 'target' && costs.pair(bead.a, b) - bead.cost < CLEAR;
    })
  );
}

function isDoubtful(run: readonly Bead[]): boolean {
  const kinds = new Set(run.map(({ kind }) => kind));
  return kinds.size > 1;
}

function doubtOf(run: readonly Bead[]): Doubt {
  return {
    source: run.flatMap(({ kind, a }) => (kind === 'target' ? [] : [a])),
    target: run.flatMap(({ kind, b }) => (kind === 'source' ? [] : [b])),
  };
}

/** Two marks or more that only one paragraph has on each side: it was moved. */
function pairMoved(
  doubts: readonly Doubt[],
  added: Pairing['added'],
  sides: Sides,
): Pick<Pairing, 'pairs' | 'doubts' | 'added'> {
  const left = [...added.source, ...doubts.flatMap(({ source }) => source)];
  const right = [...added.target, ...doubts.flatMap(({ target }) => target)];
  const [a, b] = [signatures(sides.source, left), signatures(sides.target, right)];
  const pairs = [...a].flatMap(([signature, [source, ...others]]) => {
    const [target, ...more] = b.get(signature) ?? [];
    const isUnique =
      source !== undefined && target !== undefined && others.length + more.length === 0;
    return isUnique ? [{ a: source, b: target }] : [];
  });
  const taken = { source: new Set(pairs.map((p) => p.a)), target: new Set(pairs.map((p) => p.b)) };
  const rest = (side: 'source' | 'target', list: readonly number[]) =>
    list.filter((index) => !taken[side].has(index));
  const open = doubts.map(({ source, target }) => ({
    source: rest('source', source),
    target: rest('target', target),
  }));
  return {
    pairs,
    doubts: open.filter(({ source, target }) => source.length > 0 && target.length > 0),
    added: {
      source: [
        ...rest('source', added.source),
        ...open.flatMap(({ source, target }) => (target.length === 0 ? source : [])),
      ],
      target: [
        ...rest('target', added.target),
        ...open.flatMap(({ source, target }) => (source.length === 0 ? target : [])),
      ],
    },
  };
}

function signatures(features: readonly Features[], indices: readonly number[]) {
  const known = indices.filter((index) => (features[index]?.marks.size ?? 0) >= 2);
  return Map.groupBy(known, (index) => [...(features[index]?.marks ?? [])].sort().join('\n'));
}
