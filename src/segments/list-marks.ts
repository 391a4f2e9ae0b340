/** New and moved items of a list get the marks of the items beside them: another mark would begin another list. Pure. */
import type { FramePiece } from './frame.ts';
import { endsLine, isBlankPiece, isFromSource, type MergedPiece } from './frame-lines.ts';

/** @param moved whether items may have changed places */
export function withListMarks(pieces: readonly MergedPiece[], moved: boolean): MergedPiece[] {
  return withNumbers(withBullets(pieces), moved);
}

/** The beginning of a list item: indentation, mark and the blanks behind it. */
const BULLET = /^([ \t>]*)([-*+])([ \t]+)$/;

function withBullets(pieces: readonly MergedPiece[]): MergedPiece[] {
  const marks = new Map<number, string>();
  let list: number[] = [];
  let mark: string | undefined;
  for (const [at, { piece, from: side }] of pieces.entries()) {
    if (piece.kind !== 'line' || pieces[at + 1]?.piece.kind !== 'segment') continue;
    const own = BULLET.exec(piece.text)?.[2];
    if (own === undefined) [list, mark] = [[], undefined];
    else if (side === 'source') list.push(at);
    else mark = own;
    if (mark === undefined) continue;
    for (const item of list) marks.set(item, mark);
    list = [];
  }
  return pieces.map((each, at) => {
    const own = marks.get(at);
    if (own === undefined || each.piece.kind !== 'line') return each;
    const text = each.piece.text.replace(BULLET, `$1${own}$3`);
    return { ...each, piece: { kind: 'line', text } };
  });
}

/** The beginning of an item with a number. */
const NUMBERED = /^((?:[ \t>]|[-*+] )*)(\d{1,9})([.)])([ \t]+)$/;

interface NumberedItem {
  /** Of its sign in the pieces. */
  readonly at: number;
  readonly indent: string;
  readonly digits: string;
  readonly delimiter: string;
  readonly blanks: string;
  readonly isNew: boolean;
}

function withNumbers(pieces: readonly MergedPiece[], moved: boolean): MergedPiece[] {
  const signs = new Map<number, string>();
  for (const list of numberedLists(pieces)) {
    const own = list.filter(({ isNew }) => !isNew);
    const isMixed = own.some((item, nth) => Number(item.digits) < Number(own[nth - 1]?.digits));
    if (own.length === 0 || !(own.length < list.length || (moved && isMixed))) continue;
    for (const [at, sign] of signsOfList(list, pieces)) signs.set(at, sign);
  }
  if (signs.size === 0) return [...pieces];
  return pieces.map((each, at) => {
    const text = signs.get(at);
    return text === undefined ? each : { ...each, piece: { kind: 'line', text } };
  });
}

/** Items of one list, by their indentation; a text that is indented less ends it. */
function numberedLists(pieces: readonly MergedPiece[]): NumberedItem[][] {
  const lists: NumberedItem[][] = [];
  let open: { readonly width: number; readonly items: NumberedItem[] }[] = [];
  for (const [at, { piece }] of pieces.entries()) {
    const above = pieces[at - 1]?.piece;
    if (piece.kind !== 'segment') continue;
    const sign = above?.kind === 'line' && !endsLine(above) ? above.text : '';
    const item = itemAt(pieces, at - 1);
    const width = (item?.indent ?? /^[ \t>]*/.exec(sign)?.[0] ?? '').length;
    open = open.filter((list) => list.width < width || (item && list.width === width));
    if (item === undefined) continue;
    const list = open.find((each) => each.width === width);
    if (list !== undefined) list.items.push(item);
    else {
      const items = [item];
      open.push({ width, items });
      lists.push(items);
    }
  }
  return lists;
}

function itemAt(pieces: readonly MergedPiece[], at: number): NumberedItem | undefined {
  const each = pieces[at];
  if (each?.piece.kind !== 'line') return undefined;
  const [found, indent = '', digits = '', delimiter = '', blanks = ''] =
    NUMBERED.exec(each.piece.text) ?? [];
  return found === undefined
    ? undefined
    : { at, indent, digits, delimiter, blanks, isNew: isFromSource(each) };
}

/** By their place: the signs of all items, as the person marks and counts them. */
function signsOfList(
  list: readonly NumberedItem[],
  pieces: readonly MergedPiece[],
): ReadonlyMap<number, string> {
  const own = list.filter(({ isNew }) => !isNew);
  const numbers = own.map(({ digits }) => Number(digits));
  const known = own.length > 1 ? own : list;
  const isSame = new Set(known.map(({ digits }) => digits)).size === 1;
  const least = numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = numbers.reduce((a, b) => Math.max(a, b), 0);
  const isUncounted = list.some((item, nth) => nth > 0 && item.isNew && +item.digits <= least);
  const isOneEach = new Set(numbers).size === numbers.length && most - least < numbers.length;
  const isCounted = isOneEach && !isUncounted;
  const first = list[0]?.isNew === true ? Number(list[0].digits) : least;
  const start = Math.min(first, least);
  let beside = own[0];
  return new Map(
    list.map((item, nth) => {
      if (!item.isNew) beside = item;
      const style = item.isNew && beside !== undefined ? beside : item;
      const wanted = isSame ? `${least}` : isCounted ? `${start + nth}` : item.digits;
      const isFixed = hasIndentedLines(pieces, item.at);
      const digits = isFixed && wanted.length !== item.digits.length ? item.digits : wanted;
      const blanks = isFixed ? item.blanks : style.blanks;
      return [item.at, `${item.indent}${digits}${style.delimiter}${blanks}`] as const;
    }),
  );
}

/** Such lines, texts and items are indented as far as the mark of their item is wide. */
function hasIndentedLines(pieces: readonly MergedPiece[], sign: number): boolean {
  // The sign, its text, the rest of their line.
  for (let at = sign + 3; ; at += 1) {
    const piece = pieces[at]?.piece;
    if (piece?.kind !== 'line') return false;
    if (isIndented(piece)) return true;
  }
}

function isIndented(piece: FramePiece): boolean {
  const isEmpty = isBlankPiece(piece) && endsLine(piece);
  return piece.kind === 'line' && !isEmpty && /^[ \t]/.test(piece.text);
}
