/** Which lines of a person leave a page together with their paragraphs. Pure. */
import {
  areSameKeys,
  endsLine,
  type FramePiece,
  isBlankPiece,
  isSegmentKey,
  type ParagraphSides,
  pieceKey,
} from './frame.ts';
import { commonSubsequence } from './subsequence.ts';

/**
 * Whether the source removed all these paragraphs, and a person changed only lines that hold one of them: such a line goes with its
 * paragraph. Without this, `</Card>` would stay behind without its `<Card>`.
 */
export function isLeaving(
  { before, source, target, previous }: ParagraphSides,
  isGone: (key: string) => boolean,
): boolean {
  const texts = before.filter(isSegmentKey);
  const keys = target.map(pieceKey);
  if (texts.length === 0 || !texts.every(isGone)) return false;
  if (!areSameKeys(keys.filter(isSegmentKey), texts)) return false;
  // The beginning of the line of the next paragraph.
  const tail = keys.slice(target.findLastIndex((piece) => !isInLine(piece)) + 1);
  const isTail = (all: readonly string[]) =>
    tail.length === 0 || areSameKeys(all.slice(-tail.length), tail);
  if (!isTail(before) || !(source.length === 0 || isTail(source.map(pieceKey)))) return false;
  const lines = target.filter((piece, at) => {
    const isWhole = endsLine(target[at - 1] ?? previous) && endsLine(piece);
    return isWhole && !isBlankPiece(piece);
  });
  const known = commonSubsequence(before, lines.map(pieceKey));
  return lines.length > 0 && known.length === lines.length;
}

/** A piece of a line before its end. */
function isInLine(piece: FramePiece): boolean {
  return piece.kind === 'line' && !endsLine(piece);
}
