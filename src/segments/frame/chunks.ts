/** Compares the last source, the source and the target of a frame: which ranges of the three correspond. Pure. */

import { commonSubsequence, type IndexPair } from '../subsequence.ts';
import { isSegmentKey } from './frame.ts';

/** The keys of the pieces. */
export interface FrameKeys {
  readonly source: readonly string[];
  readonly target: readonly string[];
}

/** Half-open: `from` belongs to it, `to` does not. */
export type FrameRange = readonly [from: number, to: number];
/** The corresponding ranges of the last source, the source and the target. */
export type Chunk = readonly [before: FrameRange, source: FrameRange, target: FrameRange];

/**
 * Cuts around the pieces that all three have: each run of such pieces is a chunk, and so is each range between two runs.
 * @param inSource where the pieces of `before` are in the source, if that is known
 */
export function chunksOf(
  before: readonly string[],
  { source, target }: FrameKeys,
  inSource: readonly IndexPair[] = commonSubsequence(before, source),
): Chunk[] {
  const inTarget = new Map(commonPieces(before, target).map(({ a, b }) => [a, b]));
  const chunks: Chunk[] = [];
  let done: Ends = [0, 0, 0];
  let run: { from: Ends; to: Ends } = { from: done, to: done };
  for (const pair of inSource) {
    const place = inTarget.get(pair.a);
    if (place === undefined) continue;
    const from: Ends = [pair.a, pair.b, place];
    if (!isAt(run.to, from)) {
      chunks.push(chunk(done, run.from), chunk(run.from, run.to));
      done = run.to;
      run = { from, to: from };
    }
    run.to = [pair.a + 1, pair.b + 1, place + 1];
  }
  const end: Ends = [before.length, source.length, target.length];
  return [...chunks, chunk(done, run.from), chunk(run.from, run.to), chunk(run.to, end)];
}

/** Pairs the segments first, then the lines between two of them: a line that occurs elsewhere, too, takes no segment out of its pair. */
function commonPieces(a: readonly string[], b: readonly string[]): IndexPair[] {
  const [inA, inB] = [segmentIndices(a), segmentIndices(b)];
  const keysAt = (keys: readonly string[], at: readonly number[]) => at.map((i) => keys[i] ?? '');
  const pairs: IndexPair[] = [];
  let [aFrom, bFrom] = [0, 0];
  const pairLines = (aTo: number, bTo: number) => {
    for (const pair of commonSubsequence(a.slice(aFrom, aTo), b.slice(bFrom, bTo)))
      pairs.push({ a: aFrom + pair.a, b: bFrom + pair.b });
  };
  for (const pair of commonSubsequence(keysAt(a, inA), keysAt(b, inB))) {
    const segment = { a: inA[pair.a] ?? 0, b: inB[pair.b] ?? 0 };
    pairLines(segment.a, segment.b);
    pairs.push(segment);
    [aFrom, bFrom] = [segment.a + 1, segment.b + 1];
  }
  pairLines(a.length, b.length);
  return pairs;
}

function segmentIndices(keys: readonly string[]): number[] {
  return keys.flatMap((key, at) => (isSegmentKey(key) ? [at] : []));
}

/** A position in the last source, the source and the target. */
type Ends = readonly [before: number, source: number, target: number];

function isAt(a: Ends, b: Ends): boolean {
  return a.every((end, index) => end === b[index]);
}

function chunk(from: Ends, to: Ends): Chunk {
  return [
    [from[0], to[0]],
    [from[1], to[1]],
    [from[2], to[2]],
  ];
}
