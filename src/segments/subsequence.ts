/** The common subsequence of two lists of texts, equal or related: patience diff, near linear in length. Pure. */

/** Positions of one text in both lists. */
export interface IndexPair {
  readonly a: number;
  readonly b: number;
}

/** Between anchors, an exact table of at most so many cells is filled. A larger block without an anchor counts as different. */
const MAX_CELLS = 250_000;

/**
 * Pairs equal texts so that the positions rise on both sides. Texts that occur once on each side are the anchors; the blocks between two
 * anchors are compared exactly. Texts out of order are left out.
 */
export function commonSubsequence(a: readonly string[], b: readonly string[]): IndexPair[] {
  return match(
    { a, b, uniquePairs: uniqueEqualPairs, isPair: (x, y) => a[x] === b[y] },
    { aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length },
  );
}

export interface RelatedTexts {
  /** For a text of `a`: the texts of `b` that it is related to. */
  readonly related: ReadonlyMap<string, ReadonlySet<string>>;
  /** A text of `b` that is related to none may stand for any text of `a`. Of several results, the one with most of such texts counts. */
  isUnknown(b: number): boolean;
}

/** The same for texts that are related without being equal. */
export function relatedSubsequence(
  a: readonly string[],
  b: readonly string[],
  { related, isUnknown }: RelatedTexts,
): IndexPair[] {
  const isPair = (x: number, y: number) => related.get(a[x] ?? '')?.has(b[y] ?? '') === true;
  const uniquePairs = (texts: TextLists, block: UnmatchedBlock) =>
    uniqueRelatedPairs(texts, block, related);
  return match(
    { a, b, isPair, isUnknown, uniquePairs },
    { aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length },
  );
}

interface TextLists {
  readonly a: readonly string[];
  readonly b: readonly string[];
  isPair(a: number, b: number): boolean;
  isUnknown?(b: number): boolean;
  /** Pairs of a block that have no other candidate in it, in the order of `a`. */
  uniquePairs(texts: TextLists, block: UnmatchedBlock): IndexPair[];
}

/** Half-open ranges of both lists. */
interface UnmatchedBlock {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

function match(texts: TextLists, block: UnmatchedBlock): IndexPair[] {
  const head: IndexPair[] = [];
  const tail: IndexPair[] = [];
  let { aFrom, aTo, bFrom, bTo } = block;
  while (aFrom < aTo && bFrom < bTo && texts.isPair(aFrom, bFrom)) {
    head.push({ a: aFrom++, b: bFrom++ });
  }
  while (aFrom < aTo && bFrom < bTo && texts.isPair(aTo - 1, bTo - 1)) {
    tail.push({ a: --aTo, b: --bTo });
  }
  const middle = matchMiddle(texts, { aFrom, aTo, bFrom, bTo });
  return head.concat(middle, tail.reverse());
}

function matchMiddle(texts: TextLists, block: UnmatchedBlock): IndexPair[] {
  if (block.aFrom === block.aTo || block.bFrom === block.bTo) return [];
  const anchors = rising(texts.uniquePairs(texts, block));
  if (anchors.length === 0) return matchExactly(texts, block);
  const pairs: IndexPair[] = [];
  let { aFrom, bFrom } = block;
  for (const anchor of anchors) {
    for (const pair of match(texts, { aFrom, aTo: anchor.a, bFrom, bTo: anchor.b }))
      pairs.push(pair);
    pairs.push(anchor);
    aFrom = anchor.a + 1;
    bFrom = anchor.b + 1;
  }
  return pairs.concat(match(texts, { aFrom, aTo: block.aTo, bFrom, bTo: block.bTo }));
}

/** Texts that occur exactly once on both sides of a block. */
function uniqueEqualPairs(
  texts: TextLists,
  { aFrom, aTo, bFrom, bTo }: UnmatchedBlock,
): IndexPair[] {
  const once = positionsOfUnique(texts.b, bFrom, bTo);
  return [...positionsOfUnique(texts.a, aFrom, aTo)].flatMap(([text, a]) => {
    const b = once.get(text);
    return b === undefined ? [] : [{ a, b }];
  });
}

/** Texts that occur exactly once in a block, and are related to no other text of the other side. */
function uniqueRelatedPairs(
  texts: TextLists,
  { aFrom, aTo, bFrom, bTo }: UnmatchedBlock,
  related: ReadonlyMap<string, ReadonlySet<string>>,
): IndexPair[] {
  const present = new Set(texts.b.slice(bFrom, bTo));
  const candidates = new Map(
    [...new Set(texts.a.slice(aFrom, aTo))].map((text) => [
      text,
      [...(related.get(text) ?? [])].filter((other) => present.has(other)),
    ]),
  );
  const claims = new Map<string, number>();
  for (const other of [...candidates.values()].flat()) {
    claims.set(other, (claims.get(other) ?? 0) + 1);
  }
  const once = positionsOfUnique(texts.b, bFrom, bTo);
  return [...positionsOfUnique(texts.a, aFrom, aTo)].flatMap(([text, a]) => {
    const [other = '', ...more] = candidates.get(text) ?? [];
    const b = more.length > 0 || claims.get(other) !== 1 ? undefined : once.get(other);
    return b === undefined ? [] : [{ a, b }];
  });
}

function positionsOfUnique(
  texts: readonly string[],
  from: number,
  to: number,
): Map<string, number> {
  const positions = new Map<string, number>();
  const repeated = new Set<string>();
  for (let at = from; at < to; at++) {
    const text = texts[at] ?? '';
    if (positions.has(text)) repeated.add(text);
    positions.set(text, at);
  }
  for (const text of repeated) positions.delete(text);
  return positions;
}

/** The longest run of pairs whose `b` also rises (patience sorting). */
function rising(pairs: readonly IndexPair[]): IndexPair[] {
  const tops: number[] = []; // per pile, the index of its top pair
  const before: (number | undefined)[] = [];
  for (const [index, { b }] of pairs.entries()) {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tops[middle] ?? 0]?.b ?? 0) < b) low = middle + 1;
      else high = middle;
    }
    before[index] = tops[low - 1];
    tops[low] = index;
  }
  const longest: IndexPair[] = [];
  for (let at = tops.at(-1); at !== undefined; at = before[at]) {
    const pair = pairs[at];
    if (pair !== undefined) longest.push(pair);
  }
  return longest.reverse();
}

/** Of a pair in the table, beside 1 for a place of an unknown text: no number of those outweighs a pair. */
const PAIR = 1000;

/** The usual table, for short blocks of repeated texts. */
function matchExactly(
  { isPair, isUnknown }: TextLists,
  { aFrom, aTo, bFrom, bTo }: UnmatchedBlock,
): IndexPair[] {
  const width = bTo - bFrom + 1;
  const height = aTo - aFrom + 1;
  if (width * height > MAX_CELLS) return [];
  const weights = new Uint32Array(width * height);
  const weight = (x: number, y: number) => weights[(x - aFrom) * width + (y - bFrom)] ?? 0;
  const isFree = Array.from({ length: width }, (_, y) => isUnknown?.(bFrom + y) === true);
  for (let x = aTo - 1; x >= aFrom; x--) {
    for (let y = bTo - 1; y >= bFrom; y--) {
      const apart = Math.max(weight(x + 1, y), weight(x, y + 1));
      const together = weight(x + 1, y + 1) + (isPair(x, y) ? PAIR : isFree[y - bFrom] ? 1 : 0);
      weights[(x - aFrom) * width + (y - bFrom)] = Math.max(apart, together);
    }
  }
  const pairs: IndexPair[] = [];
  for (let x = aFrom, y = bFrom; x < aTo && y < bTo; ) {
    if (isPair(x, y)) pairs.push({ a: x++, b: y++ });
    else if (weight(x, y) > Math.max(weight(x + 1, y), weight(x, y + 1))) [x, y] = [x + 1, y + 1];
    else if (weight(x + 1, y) >= weight(x, y + 1)) x++;
    else y++;
  }
  return pairs;
}
