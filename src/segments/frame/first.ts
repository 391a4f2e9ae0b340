/** The source that counts as last seen when a target is merged for the first time. Pure. */

import { commonSubsequence } from '../subsequence.ts';
import { blockIn } from './block-syntax.ts';
import { type FramePiece, isBlankPiece, isSegmentKey, pieceKey } from './frame.ts';
import { frontMatterOf } from './front-matter-lines.ts';

/**
 * The source that counts as "last seen" at first contact: the present source, without the paragraphs that the target lacks and the
 * lines beside them. Beside such paragraphs, only lines that the target also has count as seen. So a code block that is new with its
 * paragraph is written; a code block that the target has in its own words is not. The line end of such a paragraph is new, too: it does
 * not belong to the target's empty lines.
 * @param absent keys of the paragraphs of the source that are not written to the target
 * @returns the positions of its pieces in the source: most lines are there several times, and an end of a line is no empty line
 */
export function firstFrame(
  pieces: readonly FramePiece[],
  target: readonly string[],
  absent: ReadonlySet<string>,
): number[] {
  const source = pieces.map(pieceKey);
  const markers = new Set(pieces.filter(hasWords).map(pieceKey));
  const blank = new Set(pieces.filter(isBlankPiece).map(pieceKey));
  const places = new Map(target.map((key, index) => [key, index]));
  const isNew = (id: string) => !absent.has(`#${id}`) && !places.has(`#${id}`);
  const matter = frontMatterOf(pieces, isNew);
  const frame: number[] = [];
  let stretch: number[] = [];
  let hasNew = false;
  let from = -1;
  const close = (to: number) => {
    const theirs = target.slice(from + 1, Math.max(from + 1, to));
    const keys = stretch.map((at) => source[at] ?? '');
    const shared = new Set(hasNew ? sharedLines(theirs, keys, markers) : stretch.keys());
    const isBeside = (at: number) => matter && at <= matter.end && !matter.ofNew.has(at);
    for (const [index, piece] of stretch.entries())
      if (shared.has(index) || isBeside(piece)) frame.push(piece);
    [stretch, hasNew, from] = [[], false, to];
  };
  let isBehindNew = false;
  for (const [at, key] of source.entries()) {
    const place = isSegmentKey(key) ? places.get(key) : undefined;
    const isItsEnd = isBehindNew && blank.has(key);
    isBehindNew = false;
    if (isItsEnd) continue;
    if (at === matter?.end && target[0] === source[0]) {
      close(target.indexOf(key, 1));
      frame.push(at);
      continue;
    }
    if (!isSegmentKey(key) || absent.has(key)) stretch.push(at);
    else if (place === undefined) [hasNew, isBehindNew] = [true, true];
    else {
      close(place);
      frame.push(at);
    }
  }
  close(target.length);
  return frame;
}

/** The positions of lines that the target also has. Between two paragraphs, if it has most of the lines with words, all lines there count. */
function sharedLines(
  target: readonly string[],
  stretch: readonly string[],
  markers: ReadonlySet<string>,
): number[] {
  const known = new Set(commonSubsequence(stretch, target).map(({ a }) => a));
  const runs: number[][] = [[]];
  for (const [index, key] of stretch.entries()) {
    if (isSegmentKey(key)) runs.push([]);
    else runs.at(-1)?.push(index);
  }
  for (const run of runs) {
    const marked = run.filter((index) => markers.has(stretch[index] ?? ''));
    const have = marked.filter((index) => known.has(index));
    if (have.length * 2 > marked.length) for (const index of run) known.add(index);
  }
  return stretch.flatMap((key, index) => (known.has(index) || isSegmentKey(key) ? [index] : []));
}

/** A line with words. A code fence does not count: many code blocks have the same one. */
function hasWords(piece: FramePiece): boolean {
  return (
    piece.kind === 'line' && /\p{L}{2}/u.test(piece.text) && blockIn(piece.text).kind !== 'fence'
  );
}
