/** Finds the paragraphs of a page that stand at another place in its translation, at first contact. Pure. */
import {
  type Costs,
  type FeatureSides,
  type Features,
  isHeading,
  ownAnchors,
  type PairingDoubt,
  type TextPairing,
} from './likeness.ts';
import type { IndexPair } from './subsequence.ts';

interface PairedSides extends FeatureSides {
  readonly costs: Costs;
}

/** If a moved pair costs more, the two do not belong together. */
const MOST_COST = 2;
/** The same for the other paragraphs of its section. */
const MOST_COST_BESIDE = 5;

/**
 * Pairs moved paragraphs by what only they have, with their sections. A section without such signs is in doubt: it may be the
 * section of the same shape that the translation has elsewhere.
 */
export function withMoved(pairing: TextPairing, page: PairedSides): TextPairing {
  const known = without(pairing, pairsByAnchors(pairing, page));
  const isWhole = known.joined.size + known.split.size === 0;
  return withMovedSections(isWhole ? withSignedSections(known, page) : known, page);
}

/** The pairing with more pairs, whose paragraphs are in no doubt any more. */
function without(pairing: TextPairing, pairs: readonly IndexPair[]): TextPairing {
  if (pairs.length === 0) return pairing;
  const taken = { source: new Set(pairs.map((p) => p.a)), target: new Set(pairs.map((p) => p.b)) };
  const rest = (side: 'source' | 'target', list: readonly number[]) =>
    list.filter((index) => !taken[side].has(index));
  const open = pairing.doubts.map(({ source, target }) => ({
    source: rest('source', source),
    target: rest('target', target),
  }));
  const { added } = pairing;
  return {
    ...pairing,
    pairs: [...pairing.pairs, ...pairs],
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

function unpairedIn({ added, doubts }: TextPairing): PairingDoubt {
  return {
    source: [...added.source, ...doubts.flatMap(({ source }) => source)],
    target: [...added.target, ...doubts.flatMap(({ target }) => target)],
  };
}

/** Paragraphs with at least two anchors in common that no other unpaired paragraph of their side has. */
function pairsByAnchors(pairing: TextPairing, { source, target }: PairedSides): IndexPair[] {
  const left = unpairedIn(pairing);
  const several = ({ anchors }: Features) => anchors.size >= 2;
  return uniquePairs(
    signatures(source, left.source, several),
    signatures(target, left.target, several),
  );
}

/**
 * Paragraphs that both sides have once in the whole page with this code, or with a link to this address, each with its section. Sections of
 * one shape are paired in order, so a pair by order alone gives way. The lines above say nothing: with another order of words, another text
 * is below the same code.
 */
function withSignedSections(pairing: TextPairing, page: PairedSides): TextPairing {
  const { source, target, costs } = page;
  const signed = ({ anchors }: Features) => [...anchors].some((anchor) => /^[`…]/.test(anchor));
  const everywhere = (features: readonly Features[]) =>
    signatures(features.map(withOwnAnchors), [...features.keys()], signed);
  let now = pairing;
  for (const { a, b } of uniquePairs(everywhere(source), everywhere(target))) {
    const isPaired = now.pairs.some((pair) => pair.a === a && pair.b === b);
    if (isPaired || costs.pair(a, b) > MOST_COST) continue;
    const [mine, theirs] = [sectionAround(a, source), sectionAround(b, target)];
    const pairs = mine.map((at, nth) => ({ a: at, b: theirs[nth] ?? -1 }));
    const isOne = mine.length === theirs.length && mine.indexOf(a) === theirs.indexOf(b);
    if (isOne && pairs.every((pair) => isLikely(pair, page)))
      now = without(freed(now, pairs), pairs);
  }
  return now;
}

function withOwnAnchors(features: Features): Features {
  return { ...features, anchors: new Set(ownAnchors(features)) };
}

/** A heading, and the texts up to the next one. A paragraph above all headings is alone. */
function sectionAround(at: number, features: readonly Features[]): number[] {
  const start = features.findLastIndex((each, index) => index <= at && isHeading(each));
  if (start < 0) return [at];
  const end = features.findIndex((each, index) => index > at && isHeading(each));
  const length = (end < 0 ? features.length : end) - start;
  return Array.from({ length }, (_, nth) => start + nth);
}

/** The pairing without the pairs of these paragraphs: their other sides are without partner. */
function freed(pairing: TextPairing, pairs: readonly IndexPair[]): TextPairing {
  const [ours, theirs] = [new Set(pairs.map(({ a }) => a)), new Set(pairs.map(({ b }) => b))];
  const isFreed = ({ a, b }: IndexPair) => ours.has(a) || theirs.has(b);
  const free = pairing.pairs.filter(isFreed);
  return {
    ...pairing,
    pairs: pairing.pairs.filter((pair) => !isFreed(pair)),
    added: {
      source: [...pairing.added.source, ...free.map(({ a }) => a)],
      target: [...pairing.added.target, ...free.map(({ b }) => b)],
    },
  };
}

function signatures(
  features: readonly Features[],
  indices: readonly number[],
  isKnown: (features: Features) => boolean,
) {
  const known = indices.filter((index) => features[index] && isKnown(features[index]));
  return Map.groupBy(known, (index) => [...(features[index]?.anchors ?? [])].sort().join('\n'));
}

function uniquePairs(
  a: ReadonlyMap<string, readonly number[]>,
  b: ReadonlyMap<string, readonly number[]>,
): IndexPair[] {
  return [...a].flatMap(([signature, [source, ...others]]) => {
    const [target, ...more] = b.get(signature) ?? [];
    const isUnique =
      source !== undefined && target !== undefined && others.length + more.length === 0;
    return isUnique ? [{ a: source, b: target }] : [];
  });
}

function isLikely(pair: IndexPair, page: PairedSides): boolean {
  return isAlike(pair, page) && page.costs.pair(pair.a, pair.b) <= MOST_COST_BESIDE;
}

function isAlike({ a, b }: IndexPair, { source, target, costs }: PairedSides): boolean {
  return source[a]?.place === target[b]?.place && !costs.isContradicted(a, b);
}

/** Sections that only one side has, where the other side has one of the same shape at another place. */
function withMovedSections(pairing: TextPairing, page: PairedSides): TextPairing {
  const ours = sectionsOf(pairing.added.source, page.source);
  const theirs = sectionsOf(pairing.added.target, page.target);
  const mayBe = (mine: readonly number[], other: readonly number[]) =>
    mine.length === other.length &&
    mine.every((a, at) => isLikely({ a, b: other[at] ?? -1 }, page));
  const doubts = ours.flatMap((source): PairingDoubt[] => {
    const target = theirs.filter((each) => mayBe(source, each)).flat();
    return target.length === 0 ? [] : [{ source, target }];
  });
  if (doubts.length === 0) return pairing;
  const inDoubt = {
    source: new Set(doubts.flatMap(({ source }) => source)),
    target: new Set(doubts.flatMap(({ target }) => target)),
  };
  return {
    ...pairing,
    doubts: [...pairing.doubts, ...doubts],
    added: {
      source: pairing.added.source.filter((at) => !inDoubt.source.has(at)),
      target: pairing.added.target.filter((at) => !inDoubt.target.has(at)),
    },
  };
}

/** Headings with the texts below them. */
function sectionsOf(indices: readonly number[], features: readonly Features[]): number[][] {
  const sections: number[][] = [];
  for (const index of indices.toSorted((a, b) => a - b)) {
    const last = sections.at(-1);
    if (isHeading(features[index])) sections.push([index]);
    else if (last !== undefined && last.at(-1) === index - 1) last.push(index);
  }
  return sections.filter((section) => section.length > 1);
}
