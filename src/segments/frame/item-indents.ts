/**
 * What is in a list item is indented as far as its marker is wide. A line that a person only indented otherwise counts as the source's line
 * while frames are merged. Lines of the source are written as the person indents there. Pure.
 */
import { contentColumn, readLine, widthOf } from './block-syntax.ts';
import {
  endsLine,
  type FramePiece,
  isBlankPiece,
  lineKey,
  type PageFrames,
  pieceKey,
} from './frame.ts';
import { isFromSource, type MergedPiece } from './lines.ts';

/** An item around a line. */
interface ItemAround {
  /** Its text, and which of several markers before that text it is. */
  readonly key: string;
  readonly column: number;
  readonly outer: ItemAround | undefined;
}

interface IndentedLine {
  readonly piece: FramePiece & { readonly kind: 'line' };
  readonly item: ItemAround;
  /** The text right behind it. */
  readonly text: string | undefined;
}

/** By their first pieces: the lines in list items, in order. */
interface PageIndents {
  readonly lines: ReadonlyMap<FramePiece, IndentedLine>;
  /** Where the content of an item begins. */
  readonly columns: ReadonlyMap<string, number>;
  /** Widths of the blanks before texts in items. */
  readonly widths: ReadonlyMap<string, number>;
}

function indentsIn(pieces: readonly FramePiece[]): PageIndents {
  const lines = new Map<FramePiece, IndentedLine>();
  const columns = new Map<string, number>();
  const widths = new Map<string, number>();
  let item: ItemAround | undefined;
  for (const [at, piece] of pieces.entries()) {
    const [above, next] = [pieces[at - 1], pieces[at + 1]];
    if (above !== undefined && !endsLine(above)) continue;
    if (isBlankPiece(piece) && endsLine(piece)) continue;
    const blanks = /^[ \t>]*/.exec(piece.kind === 'line' ? piece.text : '')?.[0] ?? '';
    const indent = widthOf(blanks);
    while (item !== undefined && indent < item.column) item = item.outer;
    if (piece.kind !== 'line') continue;
    const text = next?.kind === 'segment' && !endsLine(piece) ? next.id : undefined;
    if (item !== undefined) lines.set(piece, { piece, item, text });
    if (text === undefined) continue;
    if (item !== undefined) widths.set(text, indent);
    for (const [nth, marker] of readLine(piece.text).containers.entries()) {
      if (marker.kind === 'quote') continue;
      const key = `${nth} ${text}`;
      item = { key, column: contentColumn(marker), outer: item };
      columns.set(key, item.column);
    }
  }
  return { lines, columns, widths };
}

/** How much wider than in the source the lines in an item are, by its key; undefined: the target does not have it. */
type Shifts = (item: ItemAround) => number | undefined;

function shiftsBetween(source: PageIndents, target: PageIndents): Shifts {
  const ofTexts = new Map<string, number>();
  for (const { item, text = '' } of source.lines.values()) {
    const [theirs, mine] = [source.widths.get(text), target.widths.get(text)];
    if (theirs !== undefined && mine !== undefined && !ofTexts.has(item.key))
      ofTexts.set(item.key, mine - theirs);
  }
  return ({ key }) => {
    const [theirs, mine] = [source.columns.get(key), target.columns.get(key)];
    const shift = theirs === undefined || mine === undefined ? undefined : mine - theirs;
    return ofTexts.get(key) ?? shift;
  };
}

/** Widest difference between the indents of both pages. */
const WIDEST_SHIFT = 8;

/** The person's lines, by the lines that stand for them. */
export type OwnIndents = ReadonlyMap<FramePiece, FramePiece>;

/** A line of the target that differs from one of the source that was last seen only in its indent counts as unchanged. */
export function withSourceIndents({
  before,
  source,
  target,
}: PageFrames & { readonly before: readonly string[] }) {
  const own = new Map<FramePiece, FramePiece>();
  const mine = indentsIn(target);
  if (mine.lines.size === 0) return { target, own };
  const [seen, shifts] = [new Set(before), shiftsBetween(indentsIn(source), mine)];
  const lines = [...mine.lines.values()].filter(({ piece }) => endsLine(piece));
  const isSeen = (piece: IndentedLine['piece'], shift: number) =>
    seen.has(lineKey(shifted(piece.text, -shift)));
  const shiftOf = (item: ItemAround) => {
    const known = shifts(item);
    if (known !== undefined) return known;
    // The source does not have this item any more.
    const inside = lines.filter((line) => line.item.key === item.key);
    const count = (shift: number) => inside.filter(({ piece }) => isSeen(piece, shift)).length;
    const all = Array.from({ length: 2 * WIDEST_SHIFT + 1 }, (_, nth) => nth - WIDEST_SHIFT);
    return all.reduce((best, each) => (count(each) > count(best) ? each : best), 0);
  };
  const byItem = new Map<string, number>();
  for (const { piece, item } of lines) {
    const shift = byItem.get(item.key) ?? shiftOf(item);
    byItem.set(item.key, shift);
    if (shift === 0 || seen.has(pieceKey(piece)) || !isSeen(piece, shift)) continue;
    own.set({ kind: 'line', text: shifted(piece.text, -shift) }, piece);
  }
  const standing = new Map([...own].map(([line, piece]) => [piece, line]));
  return { target: target.map((piece) => standing.get(piece) ?? piece), own };
}

/** Lines of the source in items of the target are indented as the person indents there. The person's lines are as they were. */
export function withOwnIndents(
  merged: readonly MergedPiece[],
  { source, target, own }: Pick<PageFrames, 'source' | 'target'> & { readonly own: OwnIndents },
): MergedPiece[] {
  const theirs = indentsIn(source);
  const shifts = theirs.lines.size === 0 ? undefined : shiftsBetween(theirs, indentsIn(target));
  const shiftOf = (item: ItemAround | undefined): number =>
    item === undefined ? 0 : (shifts?.(item) ?? shiftOf(item.outer));
  return merged.map((each): MergedPiece => {
    const line = isFromSource(each) ? theirs.lines.get(each.piece) : undefined;
    const shift = shiftOf(line?.item);
    if (line === undefined || shift === 0)
      return { ...each, piece: own.get(each.piece) ?? each.piece };
    return { ...each, piece: { kind: 'line', text: shifted(line.piece.text, shift) } };
  });
}

/** A line with more or fewer blanks before its content. */
export function shifted(line: string, shift: number): string {
  const [before = ''] = /^[ \t>]*/.exec(line) ?? [];
  const [blanks = ''] = /(?<![ \t])[ \t]*$/.exec(before) ?? [];
  const width = Math.max(0, widthOf(blanks) + shift);
  return (
    before.slice(0, before.length - blanks.length) + ' '.repeat(width) + line.slice(before.length)
  );
}
