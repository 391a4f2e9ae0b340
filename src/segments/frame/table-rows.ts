/** Finds the rows of tables among the pieces of a page. A row comes, goes and moves as a whole, with all its cells. Pure. */

import { TAG } from '../../parsing/markup.ts';
import { usualSigns } from './block-syntax.ts';
import { type FramePiece, isSegmentKey, lineKey, pieceKey } from './frame.ts';

/** A row; the same object for all its cells. */
export interface CellRow {
  /** What is no text in it, without the signs of the table: code, numbers. */
  readonly code: string;
}

/** For each text, its row; undefined: it is in no table. */
export type RowList = readonly (CellRow | undefined)[];

/**
 * The pieces of a row, from the beginning of its first line to the end of its last line. Half-open. The row of dashes belongs to the header
 * above it.
 */
export interface RowSpan {
  readonly from: number;
  readonly to: number;
}

/** In the order of the page. Only rows that have texts. */
export function rowSpans(pieces: readonly FramePiece[]): RowSpan[] {
  const spans: RowSpan[] = [];
  let above = -1;
  for (let from = 0; from < pieces.length; from++) {
    const piece = pieces[from];
    if (piece?.kind !== 'line' || !beginsLine(pieces[from - 1])) continue;
    const to = TAG_START.test(piece.text)
      ? endOfTagRow(pieces, from)
      : PIPE_START.test(piece.text) || (isUnknown(piece) && !isUnknownLine(pieces, from))
        ? endOfPipeRow(pieces, from)
        : undefined;
    if (to === undefined) continue;
    const next = pieces[to];
    const isHeader = above !== from && !TAG_START.test(piece.text) && isUnknownLine(pieces, to);
    const hasDashes = isHeader || (next?.kind === 'line' && isDelimiter(next.text));
    above = hasDashes ? to + 1 : to;
    if (pieces.slice(from, to).some(({ kind }) => kind === 'segment'))
      spans.push({ from, to: above });
    from = above - 1;
  }
  return spans;
}

/** Below the first row of a table, it is the row of dashes. */
function isUnknownLine(pieces: readonly FramePiece[], at: number): boolean {
  const [piece, next] = [pieces[at], pieces[at + 1]];
  return piece !== undefined && isUnknown(piece) && next?.kind === 'line';
}

const PIPE_START = /^[\s>]*\|[^\r\n]*$/;
const TAG_START = /^\s*<tr\b/i;

/** The row of dashes under the header, with or without its line end. */
export function isDelimiter(line: string): boolean {
  return /^[\s>|:-]+$/.test(line) && line.includes('|') && line.includes('-');
}

function beginsLine(previous: FramePiece | undefined): boolean {
  if (previous === undefined) return true;
  return previous.kind === 'line' && (/[\r\n]$/.test(previous.text) || isUnknown(previous));
}

/** A row of which one end is not known any more is recognized by the other one. */
function endOfPipeRow(pieces: readonly FramePiece[], from: number): number | undefined {
  const first = pieces[from];
  for (let at = from + 1; at < pieces.length; at++) {
    const piece = pieces[at];
    if (piece?.kind !== 'line') continue;
    if (pieces[at + 1]?.kind !== 'segment' || /[\r\n]$/.test(piece.text)) {
      return isPipe(piece) || isPipe(first) ? at + 1 : undefined;
    }
    if (!piece.text.includes('|') && !isUnknown(piece)) return undefined;
  }
  return isPipe(first) ? pieces.length : undefined;
}

function isPipe(piece: FramePiece | undefined): boolean {
  return piece?.kind === 'line' && /^[\s>]*\|/.test(piece.text);
}

function endOfTagRow(pieces: readonly FramePiece[], from: number): number | undefined {
  for (let at = from; at < pieces.length; at++) {
    const piece = pieces[at];
    if (piece?.kind !== 'line') continue;
    const inner = at === from ? piece.text.replace(TAG_START, '') : piece.text;
    if (/<(?:tr|table)\b|<\/table/i.test(inner)) return undefined;
    if (/<\/tr\s*>/i.test(inner)) return /<\/tr\s*>\s*$/i.test(inner) ? at + 1 : undefined;
  }
  return undefined;
}

/**
 * Source lines of which only the keys are remembered, as pieces. The text of a key is known if source or target have the line, also with
 * other blanks. So are usual signs.
 */
export function rememberedPieces(
  keys: readonly string[],
  pages: readonly (readonly FramePiece[])[],
): FramePiece[] {
  const texts = new Map(commonSigns());
  for (const piece of pages.flat()) {
    if (piece.kind === 'segment') continue;
    const plain = evenBlanks(piece.text);
    texts.set(lineKey(plain), plain).set(pieceKey(piece), piece.text);
  }
  return keys.map((key) =>
    isSegmentKey(key)
      ? { kind: 'segment', id: key.slice(1) }
      : { kind: 'line', text: texts.get(key) ?? `${UNKNOWN}${key}` },
  );
}

const UNKNOWN = '\0';

/** A piece of which only the key is remembered. */
export function isUnknown(piece: FramePiece): boolean {
  return piece.kind === 'line' && piece.text.startsWith(UNKNOWN);
}

/** Widest column whose blanks are recognized when the source changed them. */
const WIDEST = 120;

let signsByKey: ReadonlyMap<string, string> | undefined;

/** By their keys. */
function commonSigns(): ReadonlyMap<string, string> {
  signsByKey ??= new Map([...PIPES, ...usualSigns()].map((text) => [lineKey(text), text]));
  return signsByKey;
}

/** The signs between cells and at the end of a row, with the blanks that align columns. */
const PIPES = Array.from({ length: WIDEST }, (_, blanks) => ' '.repeat(blanks)).flatMap((pad) => [
  `${pad}| `,
  `${pad}|\n`,
]);

/** A person's blanks between the cells, and the number of dashes under a header, are not content. */
export function evenBlanks(text: string): string {
  const even = text.replace(/[ \t]+/g, ' ');
  return isDelimiter(even) ? even.replace(/-+/g, '---') : even;
}

/** @param indexOf the position of a text by its id; @param count of texts */
function rowList(
  pieces: readonly FramePiece[],
  indexOf: (id: string) => number | undefined,
  count: number,
): RowList {
  const rows: (CellRow | undefined)[] = Array.from({ length: count });
  for (const { from, to } of rowSpans(pieces)) {
    const inside = pieces.slice(from, to);
    const row = { code: codeOf(inside) };
    for (const piece of inside) {
      const index = piece.kind === 'segment' ? indexOf(piece.id) : undefined;
      if (index !== undefined) rows[index] = row;
    }
  }
  return rows;
}

const ANY_TAG = new RegExp(TAG, 'g');

function codeOf(row: readonly FramePiece[]): string {
  return row
    .map((piece) => (piece.kind === 'line' && !isDelimiter(piece.text) ? piece.text : ''))
    .join('|')
    .replace(ANY_TAG, '')
    .replace(/[|\s>]+/g, ' ')
    .trim();
}

/** Both pages in pieces, in which the id of a text of the target is its position. */
export interface BothPages {
  readonly source: readonly FramePiece[];
  readonly target: readonly FramePiece[];
}

/**
 * The rows of source, target and records.
 * @param frame keys of the source that the records belong to, in which the id of a text is the position of its record
 * @returns undefined where there are no rows
 */
export function rowsOfPage(
  { source, target }: BothPages,
  frame: readonly string[],
  wanted: readonly { readonly id: string }[],
): { wanted: RowList; records: RowList; found: RowList } | undefined {
  if (rowSpans(source).length === 0 && rowSpans(target).length === 0) return undefined;
  const places = new Map(wanted.map(({ id }, at) => [id, at]));
  const count = (pieces: readonly FramePiece[]) =>
    pieces.filter(({ kind }) => kind === 'segment').length;
  const before = rememberedPieces(frame, [source, target]);
  return {
    wanted: rowList(source, (id) => places.get(id), wanted.length),
    records: rowList(before, Number, count(before)),
    found: rowList(target, Number, count(target)),
  };
}
