/**
 * A file without keys as a row of pieces: the places of its segments and, line by line, what stands between them (its frame:
 * code, links, attributes, comments, indentation). What is remembered of a frame is a short hash for each line. Pure.
 */
import { hash } from 'node:crypto';

/** A line of the frame, with its line end, or the part of one beside a segment; or the place of a segment. */
export type FramePiece =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'segment'; readonly id: string };

/** A place of a text. UTF-16 offsets. */
export interface FrameSpan {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** @param places in order, without overlaps */
export function piecesOf(text: string, places: readonly FrameSpan[]): FramePiece[] {
  const pieces: FramePiece[] = [];
  let position = 0;
  for (const { id, start, end } of places) {
    pieces.push(...linesOf(text.slice(position, start)), { kind: 'segment', id });
    position = end;
  }
  return [...pieces, ...linesOf(text.slice(position))];
}

function linesOf(text: string): FramePiece[] {
  const lines = text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
  return lines.map((line) => ({ kind: 'line', text: line }));
}

/** Equal for pieces that say the same: how a line ends is the file's own business. */
export function keyOf(piece: FramePiece): string {
  return piece.kind === 'segment' ? `#${piece.id}` : lineKey(piece.text);
}

const KEY_LENGTH = 6;

/** @param line with or without its line end */
export function lineKey(line: string): string {
  const ending = line.replace(/\r\n?$/, '\n');
  return hash('sha256', ending, 'base64url').slice(0, KEY_LENGTH);
}

export function isSegmentKey(key: string): boolean {
  return key.startsWith('#');
}

/** A row of keys as it is kept: the lines between two segments are one word; their ids are those of the records beside it. */
export function packFrame(keys: readonly string[]): string {
  return keys.map((key) => (isSegmentKey(key) ? ' ' : key)).join('');
}

/** @param ids of the segments, in order; @returns undefined when they are not as many as were packed */
export function unpackFrame(packed: string, ids: readonly string[]): string[] | undefined {
  const words = packed.split(' ');
  if (words.length !== ids.length + 1) return undefined;
  return words.flatMap((word, index) => {
    const keys = word.match(new RegExp(`.{${KEY_LENGTH}}`, 'g')) ?? [];
    const id = ids[index];
    return id === undefined ? keys : [...keys, `#${id}`];
  });
}
