/** The physical lines of a page that is read as pieces. Pure. */
import { type LineBlock, readBlock, readLine } from './block-syntax.ts';
import { endsLine, type FramePiece } from './frame.ts';

export interface PageLine {
  /** Indices of its pieces. */
  readonly from: number;
  readonly to: number;
  /** The texts on it. */
  readonly ids: readonly string[];
  /** Number of block quotes that it is in. */
  readonly quotes: number;
  /** Width of the blanks before its content, and before a list marker. */
  readonly indent: number;
  readonly block: LineBlock;
}

/** A text counts as one sign that no frame has. */
const TEXT = '\u{1}';

export function linesOfPage(pieces: readonly FramePiece[]): PageLine[] {
  let from = 0;
  return physicalLines(pieces, (piece) => piece).map((own) => {
    const to = from + own.length;
    const text = own.map((piece) => (piece.kind === 'line' ? piece.text : TEXT)).join('');
    const { containers, indent, content } = readLine(text);
    const line = {
      from,
      to,
      ids: own.flatMap((piece) => (piece.kind === 'segment' ? [piece.id] : [])),
      quotes: containers.filter(({ kind }) => kind === 'quote').length,
      indent,
      block: readBlock(content),
    };
    from = to;
    return line;
  });
}

/** Pieces of a page, line by line. */
export function physicalLines<T>(
  all: readonly T[],
  pieceOf: (each: T) => FramePiece,
): readonly (readonly T[])[] {
  const lines: T[][] = [[]];
  for (const each of all) {
    lines.at(-1)?.push(each);
    if (endsLine(pieceOf(each))) lines.push([]);
  }
  return lines.filter((line) => line.length > 0);
}
