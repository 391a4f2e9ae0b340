/**
 * Pairs the paragraphs of a source with those of an unknown translation, by structure and likeness. It is an alignment of least cost, after
 * Gale and Church; beside lengths it uses anchors that a translation keeps (links, numbers, code). Pure.
 */
import {
  type Costs,
  costsBetween,
  type FeatureSides,
  type Features,
  lengthRatio,
  type PairingDoubt,
  SKIP,
  type TextPairing,
} from './likeness.ts';
import { withMoved } from './moved-paragraphs.ts';
import type { IndexPair } from './subsequence.ts';
import { settleCells } from './table-cells.ts';
import { placesByName, withLabels, withNamesOnce } from './text-names.ts';

/**
 * Pairs whole pages. Front matter is paired by keys. A pair in order that something speaks against is a doubt, also where both sides
 * have as many paragraphs.
 * @returns undefined when the two have too little in common to be a page and its translation
 */
export function pairByLikeness(
  ours: readonly Features[],
  theirs: readonly Features[],
): TextPairing | undefined {
  const { source, target } = withNamesOnce(withLabels({ source: ours, target: theirs }));
  const named = namedPairs({ source, target });
  const others = { source: unnamed(source), target: unnamed(target) };
  const found = pairOthers({
    source: others.source.flatMap((at) => source[at] ?? []),
    target: others.target.flatMap((at) => target[at] ?? []),
  });
  if (found === undefined) return undefined;
  const pairing = merged(named, placedIn(others, found));
  const fewest = Math.min(source.length, target.length);
  const whole = pairing.pairs.length - pairing.joined.size - pairing.split.size;
  const isAlike = source.length === target.length || fewest === 0 || whole * 2 > fewest;
  return isAlike ? pairing : undefined;
}

function pairOthers({ source, target }: FeatureSides): TextPairing | undefined {
  const costs = costsBetween({ source, target }, lengthRatio({ source, target }));
  const beads = cheapestBeads(costs) ?? inOrder({ source, target });
  if (beads === undefined) return undefined;
  const sorted = sortOut(runsOf(beads, costs));
  return settleCells(withMoved(sorted, { source, target, costs }), { source, target });
}

/** Pairs keys of front matter: they may be in any order, and each occurs once. */
function namedPairs({ source, target }: FeatureSides): Pick<TextPairing, 'pairs' | 'added'> {
  const [ours, theirs] = [placesByName(source), placesByName(target)];
  const without = (places: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>) =>
    [...places].flatMap(([name, at]) => (other.has(name) ? [] : [at]));
  return {
    pairs: [...ours].flatMap(([name, a]) => {
      const b = theirs.get(name);
      return b === undefined ? [] : [{ a, b }];
    }),
    added: { source: without(ours, theirs), target: without(theirs, ours) },
  };
}

function unnamed(features: readonly Features[]): number[] {
  return features.flatMap(({ name }, at) => (name === undefined ? [at] : []));
}

/** Turns a pairing of some paragraphs into one with the indices of the whole page. */
function placedIn(
  places: { source: readonly number[]; target: readonly number[] },
  of: TextPairing,
) {
  const source = (at: number) => places.source[at] ?? at;
  const target = (at: number) => places.target[at] ?? at;
  const both = (sides: PairingDoubt): PairingDoubt => ({
    source: sides.source.map(source),
    target: sides.target.map(target),
  });
  return {
    pairs: of.pairs.map(({ a, b }) => ({ a: source(a), b: target(b) })),
    joined: new Map([...of.joined].map(([a, b]) => [source(a), target(b)])),
    split: new Set([...of.split].map(source)),
    doubts: of.doubts.map(both),
    added: both(of.added),
  };
}

function merged(named: Pick<TextPairing, 'pairs' | 'added'>, others: TextPairing): TextPairing {
  return {
    ...others,
    pairs: [...named.pairs, ...others.pairs],
    added: {
      source: [...named.added.source, ...others.added.source],
      target: [...named.added.target, ...others.added.target],
    },
  };
}

/** Pages that are too long to be compared are paired in order, if both sides have as many paragraphs. */
function inOrder({ source, target }: FeatureSides): Bead[] | undefined {
  if (source.length !== target.length) return undefined;
  return source.map((_, at) => ({ kind: 'pair', a: at, b: at, cost: 0 }));
}

/** The likely pairs of a part of a page. @param ratio of the lengths in the whole page */
export function likelyPairs(sides: FeatureSides, ratio: number): IndexPair[] {
  const costs = costsBetween(sides, ratio);
  const beads = cheapestBeads(costs) ?? [];
  return sortOut(runsOf(beads, costs)).pairs.filter(({ a, b }) => costs.pair(a, b) <= LIKELY);
}

/** A pair that costs more is in doubt when a paragraph beside it has no partner. */
const WEAK = 5;
/** If a pair of new paragraphs costs more, the two do not belong together. */
const LIKELY = 2;
/** The second best way to pair must cost at least this much more; otherwise there is a doubt. */
const CLEAR_DISTANCE = 1;
/** Two paragraphs for one must cost at least this much less than a pair and a paragraph without partner. */
const SURE = 1.5;
/** Comparing more pairs than this takes too long for what it finds. */
const MAX_CELLS = 2_000_000;
/** The most paragraphs that one side may be ahead of the other, beside the difference of their numbers. */
const BAND = 40;

type BeadKind = 'pair' | 'source' | 'target' | 'split' | 'join';

/** One step of the alignment: a pair, a paragraph without partner, one paragraph for two, or two paragraphs for one. */
interface Bead extends IndexPair {
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
    const cost = costOfBead(kind, { a: row, b: column }, costs);
    beads.push({ kind, a: row, b: column, cost });
  }
  return beads.reverse();
}

function costOfBead(kind: BeadKind, { a, b }: IndexPair, costs: Costs): number {
  return kind === 'source' || kind === 'target' ? SKIP : costs[kind](a, b);
}

/** Separates the pairs that are sure from the doubts. */
function sortOut(runs: readonly BeadRun[]): TextPairing {
  const sure = runs.flatMap((run) => (isDoubtful(run) ? [] : run.beads));
  const of = (...kinds: BeadKind[]) => sure.filter(({ kind }) => kinds.includes(kind));
  return {
    pairs: of('pair', 'split', 'join').map(({ a, b }) => ({ a, b })),
    doubts: runs.filter(isDoubtful).map(doubtOf),
    added: {
      source: of('source').map(({ a }) => a),
      target: of('target', 'split').map(({ kind, b }) => (kind === 'split' ? b + 1 : b)),
    },
    joined: new Map(of('join').map(({ a, b }) => [a + 1, b])),
    split: new Set(of('split').map(({ a }) => a)),
  };
}

interface BeadRun {
  readonly is: 'sure' | 'open' | 'contradicted';
  readonly beads: readonly Bead[];
}

/**
 * A sure pair is a run of its own. Paragraphs without partner and the weak pairs beside them are one run. A pair that something speaks
 * against was made only by position, so it is never sure: the text there may be a person's own.
 */
function runsOf(beads: readonly Bead[], costs: Costs): BeadRun[] {
  const runs: BeadRun[] = [];
  let open: Bead[] | undefined;
  for (const [index, bead] of beads.entries()) {
    const isLoose = isWithoutPartner(bead);
    const besides = [beads[index - 1], beads[index + 1]].filter((each) => each !== undefined);
    const isContradicted = bead.kind === 'pair' && costs.isContradicted(bead.a, bead.b);
    if (isContradicted && !besides.some(isWithoutPartner)) {
      open = undefined;
      runs.push({ is: 'contradicted', beads: [bead] });
    } else if (!isLoose && !isContradicted && !isShaky(bead, besides, costs)) {
      open = undefined;
      runs.push({ is: 'sure', beads: [bead] });
    } else if (open === undefined) {
      open = [bead];
      runs.push({ is: 'open', beads: open });
    } else {
      open.push(bead);
    }
  }
  return runs;
}

function isWithoutPartner({ kind }: Bead): boolean {
  return kind === 'source' || kind === 'target';
}

/** A weak pair, or a pair whose neighbour without partner fits nearly as well in its place or as a part of it. */
function isShaky(bead: Bead, besides: readonly Bead[], costs: Costs): boolean {
  if (bead.kind === 'pair') {
    return bead.cost > WEAK || besides.some((each) => isRival(each, bead, costs));
  }
  return aloneCost(bead, costs) - bead.cost < SURE;
}

function isRival({ kind, a, b }: Bead, bead: Bead, costs: Costs): boolean {
  if (kind === 'source') {
    const instead = costs.pair(a, bead.b);
    const asPart = costs.join(Math.min(a, bead.a), bead.b) - SKIP;
    return Math.min(instead, asPart) - bead.cost < CLEAR_DISTANCE;
  }
  if (kind !== 'target') return false;
  const instead = costs.pair(bead.a, b);
  const asPart = costs.split(bead.a, Math.min(b, bead.b)) - SKIP;
  return Math.min(instead, asPart) - bead.cost < CLEAR_DISTANCE;
}

/** The cost of a split or join if only one of the two paragraphs is paired. */
function aloneCost({ kind, a, b }: Bead, costs: Costs): number {
  const [x, y] = kind === 'join' ? [a + 1, b] : [a, b + 1];
  return SKIP + Math.min(costs.pair(a, b), costs.pair(x, y));
}

/** Paragraphs that only one side has are not a doubt. */
function isDoubtful({ is, beads }: BeadRun): boolean {
  const kinds = new Set(beads.map(({ kind }) => kind));
  return (
    is === 'contradicted' ||
    (is === 'open' && (kinds.size > 1 || kinds.has('join') || kinds.has('split')))
  );
}

function doubtOf({ beads }: BeadRun): PairingDoubt {
  return {
    source: beads.flatMap(({ kind, a }) => from(a, STEPS[kind][0])),
    target: beads.flatMap(({ kind, b }) => from(b, STEPS[kind][1])),
  };
}

function from(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, nth) => first + nth);
}
