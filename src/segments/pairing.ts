/**
 * Pairs the paragraphs of a source with those of an unknown translation, by structure and likeness. It is an alignment of least cost, after
 * Gale and Church; beside lengths it uses anchors that a translation keeps (links, numbers, code). Pure.
 */
import { type Bead, type BeadKind, type BeadRun, cheapestBeads, from, STEPS } from './beads.ts';
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
import { orderByIds, withSharedIds } from './shared-ids.ts';
import { withoutShifts } from './shifted-pairs.ts';
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
  const sides = withSharedIds({ source: ours, target: theirs });
  const order = orderByIds(sides);
  if (order === undefined) return pairInOrder(sides);
  const target = order.flatMap((at) => sides.target[at] ?? []);
  const pairing = pairInOrder({ source: sides.source, target });
  return pairing && inWholePage({ source: [], target: order }, pairing);
}

function pairInOrder(sides: FeatureSides): TextPairing | undefined {
  const { source, target } = withNamesOnce(withLabels(sides));
  const named = namedPairs({ source, target });
  const others = { source: unnamed(source), target: unnamed(target) };
  const found = pairOthers({
    source: others.source.flatMap((at) => source[at] ?? []),
    target: others.target.flatMap((at) => target[at] ?? []),
  });
  if (found === undefined) return undefined;
  const pairing = merged(named, inWholePage(others, found));
  const fewest = Math.min(source.length, target.length);
  const whole = pairing.pairs.length - pairing.joined.size - pairing.split.size + shifted(pairing);
  const isAlike = source.length === target.length || fewest === 0 || whole * 2 > fewest;
  return isAlike ? pairing : undefined;
}

/** How many paragraphs stand between certain pairs, as many on each side. */
function shifted({ doubts }: TextPairing): number {
  const sizes = doubts.filter(({ source, target }) => source.length === target.length);
  return sizes.reduce((all, { source }) => all + (source.length > 1 ? source.length : 0), 0);
}

function pairOthers({ source, target }: FeatureSides): TextPairing | undefined {
  const costs = costsBetween({ source, target }, lengthRatio({ source, target }));
  const beads = cheapestBeads(costs) ?? inOrder({ source, target });
  if (beads === undefined) return undefined;
  const sorted = sortOut(withoutShifts(runsOf(beads, costs), { source, target }));
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
function inWholePage(
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

/**
 * A sure pair is a run of its own. Paragraphs without partner and the weak pairs beside them are one run. A pair that something speaks
 * against was made only by position, so it is never sure: the text there may be a person's own.
 */
function runsOf(beads: readonly Bead[], costs: Costs): BeadRun[] {
  const runs: BeadRun[] = [];
  let open: Bead[] | undefined;
  for (const [index, bead] of beads.entries()) {
    const isLoose = isWithoutPartner(bead);
    const besides = [
      ...[beads[index - 1], beads[index + 1]].filter((each) => each !== undefined),
      ...aboveLoneHeading(beads, index, costs),
    ];
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

/** For a pair below a heading without partner: the paragraphs without partner above this heading. One of them may be meant. */
function aboveLoneHeading(beads: readonly Bead[], index: number, costs: Costs): readonly Bead[] {
  const { kind, a = 0, b = 0 } = beads[index - 1] ?? {};
  if (kind !== 'source' && kind !== 'target') return [];
  if (!costs.isHeading(kind, kind === 'source' ? a : b)) return [];
  const first = beads.findLastIndex((each, at) => at < index && each.kind !== kind) + 1;
  return beads.slice(first, index - 1);
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
  const isBeside = Math.abs(kind === 'source' ? a - bead.a : b - bead.b) === 1;
  const asPart = isBeside ? costAsPart({ kind, a, b }, bead, costs) : Number.POSITIVE_INFINITY;
  if (kind === 'source')
    return Math.min(costs.pair(a, bead.b), asPart) - bead.cost < CLEAR_DISTANCE;
  if (kind !== 'target') return false;
  return Math.min(costs.pair(bead.a, b), asPart) - bead.cost < CLEAR_DISTANCE;
}

/** The cost if a neighbour without partner is the other part of a paragraph. */
function costAsPart(
  { kind, a, b }: Pick<Bead, 'kind' | 'a' | 'b'>,
  bead: Bead,
  costs: Costs,
): number {
  return kind === 'source'
    ? costs.join(Math.min(a, bead.a), bead.b) - SKIP
    : costs.split(bead.a, Math.min(b, bead.b)) - SKIP;
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
