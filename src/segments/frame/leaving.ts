/** Which lines of a person leave a page together with their paragraphs. Pure. */

import { commonSubsequence } from '../subsequence.ts';
import { underlineLevel } from './block-syntax.ts';
import {
  areSameKeys,
  endsLine,
  type FramePiece,
  isBlankPiece,
  isSegmentKey,
  type ParagraphSides,
  pieceKey,
} from './frame.ts';
import { type MergedPiece, piecesFrom } from './lines.ts';

/**
 * What is left where the source removed all these paragraphs, and a person changed only lines that hold one of them. Such a line goes with
 * its paragraph, else `</Card>` would stay without its `<Card>`. Undefined: something of a person stays.
 */
export function withoutLeaving(
  { before, source, target, previous }: ParagraphSides,
  isGone: (key: string) => boolean,
): readonly MergedPiece[] | undefined {
  const texts = before.filter(isSegmentKey);
  if (texts.length === 0 || !texts.every(isGone)) return undefined;
  if (!areSameKeys(target.map(pieceKey).filter(isSegmentKey), texts)) return undefined;
  const lines = target.filter((piece, at) => {
    const isWhole = endsLine(target[at - 1] ?? previous) && endsLine(piece);
    return isWhole && !isBlankPiece(piece) && !isUnderline(target, at);
  });
  const known = commonSubsequence(before, lines.map(pieceKey));
  if (lines.length === 0 || known.length < lines.length) return undefined;
  const [tail, theirs] = [tailOf(target), tailOf(source)];
  const then = tail.length === 0 ? [] : before.slice(-tail.length);
  const isOf = (pieces: readonly FramePiece[]) => areSameKeys(pieces.map(pieceKey), then);
  const isKnown =
    isOf(tail) && (source.length === 0 || isOf(source.slice(source.length - tail.length)));
  if (!isKnown && !isOf(theirs)) return undefined;
  const left = source.slice(0, isKnown ? undefined : source.length - theirs.length);
  return [...piecesFrom('source', left), ...piecesFrom('target', isKnown ? [] : tail)];
}

/** The beginning of the line of the next paragraph. */
function tailOf(pieces: readonly FramePiece[]): readonly FramePiece[] {
  return pieces.slice(
    pieces.findLastIndex((piece) => piece.kind === 'segment' || endsLine(piece)) + 1,
  );
}

/** Below the line of a text: that text is a heading. */
function isUnderline(pieces: readonly (FramePiece | undefined)[], at: number): boolean {
  const [text, rest, line] = [pieces[at - 2], pieces[at - 1], pieces[at]];
  if (text?.kind !== 'segment' || rest?.kind !== 'line' || line?.kind !== 'line') return false;
  return endsLine(rest) && underlineLevel(line.text) > 0;
}
