/** The physical lines of a page that is read as pieces. Pure. */
import type { FramePiece } from './frame.ts';

export interface PageLine {
  /** Indices of its pieces. */
  readonly from: number;
  readonly to: number;
  /** The texts on it. */
  readonly ids: readonly string[];
  /** Number of `>` before it. */
  readonly quotes: number;
  /** Width of the blanks before its content, and before a mark of a list. */
  readonly indent: number;
  /** Without what is before it and without its line end; a text is one sign that no frame has. */
  readonly content: string;
}

const TEXT = '\u{1}';

/** Begins or ends code. */
export const FENCE = /^(?:`{3,}(?=[^`]*$)|~{3,})/;

export function linesOfPage(pieces: readonly FramePiece[]): PageLine[] {
  const lines: PageLine[] = [];
  let from = 0;
  for (const [at, piece] of pieces.entries()) {
    const isEnd = piece.kind === 'line' && /[\r\n]$/.test(piece.text);
    if (!isEnd && at < pieces.length - 1) continue;
    lines.push(pageLine(pieces, from, at + 1));
    from = at + 1;
  }
  return lines;
}

const BEFORE_CONTENT = /^(?:[ \t>]|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))*/;

function pageLine(pieces: readonly FramePiece[], from: number, to: number): PageLine {
  const own = pieces.slice(from, to);
  const text = own.map((piece) => (piece.kind === 'line' ? piece.text : TEXT)).join('');
  const [before = ''] = BEFORE_CONTENT.exec(text) ?? [];
  const [blanks = ''] = /^[ \t>]*/.exec(text) ?? [];
  return {
    from,
    to,
    ids: own.flatMap((piece) => (piece.kind === 'segment' ? [piece.id] : [])),
    quotes: before.split('>').length - 1,
    indent: blanks.replaceAll('\t', '    ').length,
    content: text.slice(before.length).trimEnd(),
  };
}
