/** New and moved items of a list get the markers of the items beside them: another sign would begin another list. Pure. */
import { type ListMarker, markerBefore, markerText, widthOf } from './block-syntax.ts';
import { endsLine, type FramePiece, isBlankPiece } from './frame.ts';
import { isFromSource, type MergedPiece, piecesFrom } from './lines.ts';

interface PersonsList {
  /** Whether items may have changed places. */
  readonly isMoved: boolean;
  /** The page before the merge. */
  readonly target: readonly FramePiece[];
}

export function withListMarks(
  pieces: readonly MergedPiece[],
  { isMoved, target }: PersonsList,
): MergedPiece[] {
  const lists = listsIn(pieces);
  if (lists.length === 0) return [...pieces];
  const former = new Map(
    listsIn(piecesFrom('target', target)).flatMap(({ items }) =>
      items.map(({ text }) => [text, items] as const),
    ),
  );
  const here = new Set(lists.flatMap(({ items }) => items.map(({ text }) => text)));
  const formerOf = (own: readonly MarkedItem[], all: readonly MarkedItem[]) => {
    // An item that moved may come from the source.
    const texts = new Set(all.map(({ text }) => text));
    const items = former.get(own[0]?.text ?? '') ?? [];
    return items.filter(({ text }) => texts.has(text) || !here.has(text));
  };
  const markers = new Map(
    lists.flatMap((list) =>
      list.isOrdered ? numberedMarkers(list, formerOf, isMoved) : bulletMarkers(list),
    ),
  );
  return pieces.map((each, at) => {
    const text = markers.get(at);
    return text === undefined ? each : { ...each, piece: { kind: 'line', text } };
  });
}

interface MarkedItem extends ListMarker {
  /** Of its marker in the pieces. */
  readonly at: number;
  /** The id of its text. */
  readonly text: string;
  readonly isNew: boolean;
  /** Lines, texts and items below it are indented as far as its marker is wide. */
  readonly isFixed: boolean;
}

interface ItemList {
  /** Of what is before its markers. */
  readonly width: number;
  readonly isOrdered: boolean;
  readonly items: MarkedItem[];
  /** The list around it. */
  readonly outer: ItemList | undefined;
}

/** By their indentation; a text that is indented less ends a list. */
function listsIn(pieces: readonly MergedPiece[]): ItemList[] {
  const lists: ItemList[] = [];
  let open: ItemList[] = [];
  for (const [at, { piece }] of pieces.entries()) {
    if (piece.kind !== 'segment') continue;
    const item = itemAt(pieces, at - 1, piece.id);
    const isOrdered = item !== undefined && item.number !== '';
    const width = item?.before.length ?? widthBefore(pieces[at - 1]?.piece);
    open = open.filter(
      (list) =>
        list.width < width || (item && list.width === width && list.isOrdered === isOrdered),
    );
    if (item === undefined) continue;
    const last = open.at(-1);
    const list = last?.width === width ? last : { width, isOrdered, items: [], outer: last };
    list.items.push(item);
    if (list === last) continue;
    open.push(list);
    lists.push(list);
  }
  return lists;
}

function itemAt(pieces: readonly MergedPiece[], at: number, text: string): MarkedItem | undefined {
  const each = pieces[at];
  const marker = each?.piece.kind === 'line' ? markerBefore(each.piece.text) : undefined;
  if (each === undefined || marker === undefined) return undefined;
  const isFixed = hasLinesBelow(pieces, at, widthOf(marker.before));
  return { ...marker, at, text, isNew: isFromSource(each), isFixed };
}

function widthBefore(piece: FramePiece | undefined): number {
  const isSign = piece?.kind === 'line' && !endsLine(piece);
  return (isSign && /^[ \t>]*/.exec(piece.text)?.[0].length) || 0;
}

/** @param width of what is before the marker: lines that are indented as far are beside the item */
function hasLinesBelow(pieces: readonly MergedPiece[], marker: number, width: number): boolean {
  // The marker, its text, the rest of their line.
  for (let at = marker + 3; ; at += 1) {
    const piece = pieces[at]?.piece;
    if (piece?.kind !== 'line') return false;
    const [blanks = ''] = /^[ \t>]*/.exec(piece.text) ?? [];
    if (widthOf(blanks) > width && !(isBlankPiece(piece) && endsLine(piece))) return true;
  }
}

/** By their place: the markers of new items. A list that is new follows the list around it. */
function bulletMarkers({ items, outer }: ItemList): (readonly [number, string])[] {
  const own = items.find(({ isNew }) => !isNew) ?? outer?.items.findLast(({ isNew }) => !isNew);
  let beside = own?.number === '' ? own : undefined;
  return items.flatMap((item) => {
    if (!item.isNew) beside = item;
    if (!item.isNew || beside === undefined) return [];
    const { sign, blanks } = beside;
    const marker = { ...item, sign, ...(!item.isFixed && { blanks }) };
    return [[item.at, markerText(marker)] as const];
  });
}

/** By their place: the markers of all items, as the person marks and counts them. */
function numberedMarkers(
  { items }: ItemList,
  formerOf: (own: readonly MarkedItem[], all: readonly MarkedItem[]) => readonly MarkedItem[],
  isMoved: boolean,
): (readonly [number, string])[] {
  const own = items.filter(({ isNew }) => !isNew);
  const then = formerOf(own, items);
  const isMixed = own.some(({ number }, nth) => Number(number) < Number(own[nth - 1]?.number));
  const isLess = own.length < then.length;
  if (own.length === 0 || !(own.length < items.length || isLess || (isMoved && isMixed))) return [];
  const numbers = then.map(({ number }) => Number(number));
  const known = then.length > 1 ? then : items;
  const isSame = new Set(known.map(({ number }) => number)).size === 1;
  const least = numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = numbers.reduce((a, b) => Math.max(a, b), 0);
  const isUncounted = items.some((item, nth) => nth > 0 && item.isNew && +item.number <= least);
  const isOneEach = new Set(numbers).size === numbers.length && most - least < numbers.length;
  const isCounted = isOneEach && !isUncounted;
  const first = items[0]?.isNew === true ? Number(items[0].number) : least;
  const start = Math.min(first, least);
  let beside = own[0];
  return items.map((item, nth) => {
    if (!item.isNew) beside = item;
    const { sign, blanks } = item.isNew && beside !== undefined ? beside : item;
    const wanted = isSame ? `${least}` : isCounted ? `${start + nth}` : item.number;
    const isKept = item.isFixed && wanted.length !== item.number.length;
    const number = isKept ? item.number : wanted;
    return [item.at, markerText({ ...item, number, sign, ...(!item.isFixed && { blanks }) })];
  });
}
