/** A place between the lines of a person that lies in none of their elements: a new paragraph does not belong into these. Pure. */
import { endsLine, type FramePiece } from './frame.ts';
import { LINE_END } from './lines.ts';
import { containerSigns } from './unit-lines.ts';

/**
 * Moves a place out of the elements that begin and end between these pieces.
 * @param at number of pieces before the place
 * @param isAbove whether the place goes above the element, and not below it
 */
export function outsideElements(
  pieces: readonly FramePiece[],
  at: number,
  isAbove: boolean,
): number {
  const around = elementsIn(pieces).filter(([from, to]) => from < at && at <= to);
  if (around.length === 0) return at;
  const place = isAbove
    ? Math.min(...around.map(([from]) => from))
    : Math.max(...around.map(([, to]) => to)) + 1;
  const isWhole = place === 0 || endsLine(pieces[place - 1] ?? LINE_END);
  return isWhole ? place : at;
}

/** The elements whose tags are both here, with the indices of the pieces that have them. */
function elementsIn(pieces: readonly FramePiece[]): (readonly [from: number, to: number])[] {
  const open: { readonly name: string; readonly at: number }[] = [];
  const elements: (readonly [number, number])[] = [];
  for (const [at, piece] of pieces.entries()) {
    for (const { name, isEnd } of piece.kind === 'line' ? containerSigns(piece.text) : []) {
      if (!isEnd) {
        open.push({ name, at });
        continue;
      }
      const own = open.findLastIndex((each) => each.name === name);
      const [start] = own < 0 ? [] : open.splice(own);
      if (start !== undefined) elements.push([start.at, at]);
    }
  }
  return elements;
}
