/** The common subsequence of two lists of texts: patience diff, near linear in length. Pure. */

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
  return match({ a, b }, { aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length });
}

interface TextLists {
  readonly a: readonly string[];
  readonly b: readonly string[];
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
  while (aFrom < aTo && bFrom < bTo && texts.a[aFrom] === texts.b[bFrom]) {
    head.push({ a: aFrom++, b: bFrom++ });
  }
  while (aFrom < aTo && bFrom < bTo && texts.a[aTo - 1] === texts.b[bTo - 1]) {
    tail.push({ a: --aTo, b: --bTo });
  }
  const middle = matchMiddle(texts, { aFrom, aTo, bFrom, bTo });
  return head.concat(middle, tail.reverse());
}

function matchMiddle(texts: TextLists, block: UnmatchedBlock): IndexPair[] {
  if (block.aFrom === block.aTo || block.bFrom === block.bTo) return [];
  const anchors = rising(uniquePairs(texts, block));
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

/** Texts that occur exactly once on both sides of a block, in the order of `a`. */
function uniquePairs(texts: TextLists, { aFrom, aTo, bFrom, bTo }: UnmatchedBlock): IndexPair[] {
  const once = positionsOfUnique(texts.b, bFrom, bTo);
  return [...positionsOfUnique(texts.a, aFrom, aTo)].flatMap(([text, a]) => {
    const b = once.get(text);
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

/** The usual table, for short blocks of repeated texts. */
function matchExactly(
  { a, b }: TextLists,
  { aFrom, aTo, bFrom, bTo }: UnmatchedBlock,
): IndexPair[] {
  const width = bTo - bFrom + 1;
  const height = aTo - aFrom + 1;
  if (width * height > MAX_CELLS) return [];
  const lengths = new Uint32Array(width * height);
  const length = (x: number, y: number) => lengths[(x - aFrom) * width + (y - bFrom)] ?? 0;
  for (let x = aTo - 1; x >= aFrom; x--) {
    for (let y = bTo - 1; y >= bFrom; y--) {
      lengths[(x - aFrom) * width + (y - bFrom)] =
        a[x] === b[y] ? length(x + 1, y + 1) + 1 : Math.max(length(x + 1, y), length(x, y + 1));
    }
  }
  const pairs: IndexPair[] = [];
  for (let x = aFrom, y = bFrom; x < aTo && y < bTo; ) {
    if (a[x] === b[y]) pairs.push({ a: x++, b: y++ });
    else if (length(x + 1, y) >= length(x, y + 1)) x++;
    else y++;
  }
  return pairs;
}
