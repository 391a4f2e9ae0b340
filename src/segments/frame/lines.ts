/**
 * Edits a merged frame by lines. A removed segment takes its line and its gap with it. A segment that occurs twice is removed once, and a
 * new segment keeps its gap. Pure.
 */
import { readLine, underlineLevel } from './block-syntax.ts';
import { untitledLine } from './boxes.ts';
import { endsLine, type FramePiece, isBlankPiece, isRowId, pieceKey } from './frame.ts';
import { physicalLines } from './page-lines.ts';

export interface MergedPiece {
  readonly piece: FramePiece;
  readonly from: 'source' | 'target';
}

export const LINE_END: FramePiece = { kind: 'line', text: '\n' };

export function piecesFrom(
  side: MergedPiece['from'],
  pieces: readonly FramePiece[],
): MergedPiece[] {
  return pieces.map((piece) => ({ piece, from: side }));
}

/**
 * A paragraph that a person and the source both moved stays where the person put it.
 * @param mayGo lines that may go with the other one
 */
export function withoutDuplicates(
  pieces: readonly MergedPiece[],
  mayGo?: (line: MergedPiece) => boolean,
): MergedPiece[] {
  const theirs = new Set(
    pieces.flatMap((each) => (isFromSource(each) ? [] : [pieceKey(each.piece)])),
  );
  return withoutLines(
    pieces,
    (each) => isFromSource(each) && theirs.has(pieceKey(each.piece)),
    mayGo,
  );
}

/**
 * Removes segments, and one of the two gaps around each. A line with nothing else on it is removed, too, with the underline of a heading. A
 * line that opens a box stays without its title.
 */
export function withoutLines(
  pieces: readonly MergedPiece[],
  leaves: (piece: MergedPiece) => boolean,
  mayGo: (line: MergedPiece) => boolean = () => true,
): MergedPiece[] {
  const isLeaving = (each: MergedPiece) => each.piece.kind === 'segment' && leaves(each);
  if (!pieces.some(isLeaving)) return [...pieces];
  const kept: (readonly MergedPiece[])[] = [];
  let [isGap, isGone] = [false, false];
  for (const line of linesOf(pieces)) {
    if (isGone && isUnderline(line) && line.every(mayGo)) continue;
    const segments = line.filter(({ piece }) => piece.kind === 'segment');
    const above = kept.at(-1);
    const opening = segments.some(isLeaving) ? withoutTitle(line) : undefined;
    const goes = opening === undefined && segments.length > 0 && segments.every(isLeaving);
    isGone = goes;
    if (isGap && isEmptyLine(line) && line.every(mayGo)) continue;
    isGap = goes && (above === undefined || isEmptyLine(above));
    const rest = opening ?? line.filter((each) => !isLeaving(each) && !(goes && mayGo(each)));
    if (rest.length > 0) kept.push(rest);
  }
  return kept.flat();
}

/** Undefined: the line opens no box with one title. */
function withoutTitle(line: readonly MergedPiece[]): MergedPiece[] | undefined {
  const [head, title, tail, ...more] = line;
  if (head?.piece.kind !== 'line' || title?.piece.kind !== 'segment' || more.length > 0)
    return undefined;
  const rest = tail?.piece ?? { kind: 'line', text: '' };
  const text = rest.kind === 'line' ? untitledLine(head.piece.text, rest.text) : undefined;
  return text === undefined ? undefined : [{ ...head, piece: { kind: 'line', text } }];
}

export function isFromSource({ from: side }: MergedPiece): boolean {
  return side === 'source';
}

/** Below the line of a text: that text is a heading. */
function isUnderline(line: readonly MergedPiece[]): boolean {
  return line.every(({ piece }) => piece.kind === 'line' && underlineLevel(piece.text) > 0);
}

function isEmptyLine(line: readonly MergedPiece[]): boolean {
  return line.every(({ piece }) => isBlankPiece(piece));
}

/**
 * A new or moved paragraph keeps the empty line beside it in the source, also when its new neighbour exists in the target alone.
 * Without that line both are read as one paragraph.
 */
export function withGaps(
  pieces: readonly MergedPiece[],
  source: readonly FramePiece[],
): MergedPiece[] {
  const isNew = ({ piece, from: side }: MergedPiece) =>
    side === 'source' && piece.kind === 'segment';
  if (!pieces.some(isNew)) return [...pieces];
  const gaps = gapsIn(linesOf(piecesFrom('source', source)));
  const lines = linesOf(pieces);
  const isApart = (
    above: readonly MergedPiece[] | undefined,
    below: readonly MergedPiece[] | undefined,
  ) =>
    (below?.some((each) => isNew(each) && gaps.above.has(pieceKey(each.piece))) ||
      above?.some((each) => isNew(each) && gaps.below.has(pieceKey(each.piece)))) === true;
  return lines.flatMap((line, at) => {
    const above = lines[at - 1];
    const needsGap = isApart(above, line) && above?.some(isText) && line.some(isText);
    return needsGap && isWholeLine(above) && (isUnmarked(above) || isUnmarked(line))
      ? [{ piece: LINE_END, from: 'source' }, ...line]
      : line;
  });
}

/** Keys of the segments of a source that have an empty line above, and of those that have one below. */
function gapsIn(lines: readonly (readonly MergedPiece[])[]) {
  const keysOf = (line: readonly MergedPiece[] | undefined) =>
    (line ?? []).flatMap(({ piece }) => (piece.kind === 'segment' ? [pieceKey(piece)] : []));
  const empty = [...lines.keys()].filter((at) => !lines[at]?.some(isText));
  return {
    above: new Set(empty.flatMap((at) => keysOf(lines[at + 1]))),
    below: new Set(empty.flatMap((at) => keysOf(lines[at - 1]))),
  };
}

function isText({ piece }: MergedPiece): boolean {
  return !isBlankPiece(piece);
}

function isWholeLine(line: readonly MergedPiece[] | undefined): boolean {
  const last = line?.at(-1)?.piece;
  return last !== undefined && endsLine(last);
}

/** Not an item of a list, quote or table: those need no empty line between them. */
function isUnmarked(line: readonly MergedPiece[] | undefined): boolean {
  if (line?.some(({ piece }) => piece.kind === 'segment' && isRowId(piece.id))) return false;
  const first = line?.[0]?.piece;
  const { containers, content } = readLine(first?.kind === 'line' ? first.text : '');
  return containers.length === 0 && !content.startsWith('|');
}

function linesOf(pieces: readonly MergedPiece[]): readonly (readonly MergedPiece[])[] {
  return physicalLines(pieces, ({ piece }) => piece);
}
