/**
 * A file without keys as a list of pieces: its segments and, line by line, everything between them (the frame: code, links, attributes,
 * comments, indentation). Only a short hash of each frame line is remembered. Pure.
 */

import { hash } from 'node:crypto';
import { append } from '../../parsing/append.ts';

/** A whole line of the frame with its line end, the part of a line beside a segment, or a segment. */
export type FramePiece =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'segment'; readonly id: string };

/** A page in its versions. */
export interface PageFrames {
  /** Keys of the source that was last seen; undefined at first contact. */
  readonly before: readonly string[] | undefined;
  readonly source: readonly FramePiece[];
  readonly target: readonly FramePiece[];
}

/** Corresponding ranges of a page. */
export interface ParagraphSides extends PageFrames {
  readonly before: readonly string[];
  /** The piece before the target's range. */
  readonly previous: FramePiece;
}

/** Begins the id of a piece that stands for a table row while frames are merged. */
export const ROW = 'row:';

export function isRowId(id: string): boolean {
  return id.startsWith(ROW);
}

/** The range of a segment in a text. UTF-16 offsets. */
export interface FrameSpan {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** @param places in order, without overlaps */
export function framePieces(text: string, places: readonly FrameSpan[]): FramePiece[] {
  const pieces: FramePiece[] = [];
  let position = 0;
  for (const { id, start, end } of places) {
    append(pieces, linePieces(text.slice(position, start)));
    pieces.push({ kind: 'segment', id });
    position = end;
  }
  return [...pieces, ...linePieces(text.slice(position))];
}

function linePieces(text: string): FramePiece[] {
  return frameLines(text).map((line) => ({ kind: 'line', text: line }));
}

/** With their line ends; the last one may have none. */
export function frameLines(text: string): readonly string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
}

export function endsLine(piece: FramePiece): boolean {
  return piece.kind === 'line' && /[\r\n]$/.test(piece.text);
}

export function isBlankPiece(piece: FramePiece | undefined): boolean {
  return piece?.kind === 'line' && piece.text.trim() === '';
}

/** Equal for pieces with the same content; the kind of line end does not matter. */
export function pieceKey(piece: FramePiece): string {
  return piece.kind === 'segment' ? `#${piece.id}` : lineKey(piece.text);
}

export function areSameKeys(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index]);
}

const KEY_LENGTH = 6;

/** @param line with or without its line end */
export function lineKey(line: string): string {
  const ending = line.replace(/\r\n?$/, '\n');
  return ending === '\n' ? EMPTY_LINE : textKey(ending);
}

function textKey(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, KEY_LENGTH);
}

// Half of the lines of a page.
const EMPTY_LINE = textKey('\n');

export function isSegmentKey(key: string): boolean {
  return key.startsWith('#');
}

/** The keys of the lines of a packed frame. */
export function packedLines(packed: string): ReadonlySet<string> {
  return new Set(packedWords(packed).flat());
}

/** The keys of the lines before each segment, and behind the last one. */
export function packedWords(packed: string): string[][] {
  return packed.split(' ').map((word) => word.match(new RegExp(`.{${KEY_LENGTH}}`, 'g')) ?? []);
}

/**
 * The keys as one string: the lines between two segments are one word. The ids of the segments are left out, since the records beside it
 * have them.
 */
export function packFrame(keys: readonly string[]): string {
  return keys.map((key) => (isSegmentKey(key) ? ' ' : key)).join('');
}

/** @param ids of the segments, in order; @returns undefined when their number is not the one that was packed */
export function unpackFrame(packed: string, ids: readonly string[]): string[] | undefined {
  const words = packedWords(packed);
  if (words.length !== ids.length + 1) return undefined;
  return words.flatMap((keys, index) => {
    const id = ids[index];
    return id === undefined ? keys : [...keys, `#${id}`];
  });
}
