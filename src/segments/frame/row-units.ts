/**
 * Makes one piece of each table row before frames are merged, and the row's own pieces of it afterwards. So a row comes, goes and moves as
 * a whole. The blanks with which a person aligned its columns stay. The indentation of a row is a unit of its own, as in a list item.
 * Pure.
 */
import { append } from '../../parsing/append.ts';
import {
  endsLine,
  type FramePiece,
  isSegmentKey,
  lineKey,
  type PageFrames,
  pieceKey,
  ROW,
} from './frame.ts';
import { LINE_END, type MergedPiece } from './lines.ts';
import type { FrameConflict, FrameInput, FrameMerge } from './merge.ts';
import { type RowVersions, rowsThatStay } from './row-columns.ts';
import { type MergedRow, mergeRow } from './row-merge.ts';
import { type RowSpan, rememberedPieces, rowSpans } from './table-rows.ts';

interface PageRows extends PageFrames {
  /** By id of the piece that stands for the row. */
  readonly rows: ReadonlyMap<string, RowVersions>;
}

export function withRows(frames: PageFrames): PageRows {
  const { before, source, target } = frames;
  const spans = { source: rowSpans(source), target: rowSpans(target) };
  if (spans.source.length === 0 && spans.target.length === 0) return { ...frames, rows: new Map() };
  const { ofSource, ofTarget } = matchedRows(
    { pieces: source, spans: spans.source },
    { pieces: target, spans: spans.target },
  );
  const rows = new Map<string, RowVersions>();
  const note = (id: string, side: RowVersions) => rows.set(id, { ...rows.get(id), ...side });
  const sources = collapse(source, ofSource, (id, pieces) => {
    note(id, { source: pieces });
    return indentOf(pieces);
  });
  const targets = collapse(target, ofTarget, (id, pieces) => {
    note(id, { target: pieces });
    return indentOf(pieces);
  });
  if (before === undefined) return { before, source: sources, target: targets, rows };
  const then = rememberedPieces(before, [source, target]);
  const known = namedBefore(then, rows);
  const pieces = collapse(then, known, (id, _, { from, to }) => {
    note(id, { before: before.slice(from, to) });
    const { source: theirs, target: mine } = rows.get(id) ?? {};
    return indentOf(theirs ?? mine);
  });
  const keyOf = new Map(then.map((piece, at) => [piece, before[at]]));
  const keys = pieces.map((piece) => keyOf.get(piece) ?? pieceKey(piece));
  return { before: keys, source: sources, target: targets, rows };
}

interface SideRows {
  readonly pieces: readonly FramePiece[];
  readonly spans: readonly RowSpan[];
}

type NamedSpans = ReadonlyMap<RowSpan, string>;

/** Names the rows of both sides. Rows that do not belong to one another as wholes get no name: their cells are followed one by one. */
function matchedRows(source: SideRows, target: SideRows) {
  const [inSource, inTarget] = [spanOfTexts(source), spanOfTexts(target)];
  const partner = ({ pieces }: SideRows, span: RowSpan, others: TextSpans) => {
    const places = idsIn(pieces, span).flatMap((id) => (others.has(id) ? [others.get(id)] : []));
    return new Set(places);
  };
  const ofSource = new Map<RowSpan, string>();
  const ofTarget = new Map<RowSpan, string>();
  for (const span of source.spans) {
    const [id = ''] = idsIn(source.pieces, span);
    const [other, ...more] = partner(source, span, inTarget);
    const isNew = partner(source, span, inTarget).size === 0;
    if (isNew) ofSource.set(span, `${ROW}${id}`);
    if (other === undefined || more.length > 0) continue;
    const back = partner(target, other, inSource);
    if (back.size > 1 || !back.has(span)) continue;
    ofSource.set(span, `${ROW}${id}`);
    ofTarget.set(other, `${ROW}${id}`);
  }
  for (const span of target.spans) {
    const [id = ''] = idsIn(target.pieces, span);
    if (partner(target, span, inSource).size === 0) ofTarget.set(span, `${ROW}${id}`);
  }
  return { ofSource, ofTarget };
}

/** By id of a text: its row; undefined for a text outside of rows. */
type TextSpans = ReadonlyMap<string, RowSpan | undefined>;

function spanOfTexts({ pieces, spans }: SideRows): TextSpans {
  const places = new Map<string, RowSpan | undefined>();
  for (const piece of pieces) if (piece.kind === 'segment') places.set(piece.id, undefined);
  for (const span of spans) for (const id of idsIn(pieces, span)) places.set(id, span);
  return places;
}

function idsIn(pieces: readonly FramePiece[], { from, to }: RowSpan): string[] {
  return pieces.slice(from, to).flatMap((piece) => (piece.kind === 'segment' ? [piece.id] : []));
}

/** The rows of the last source that belong to one row of today. */
function namedBefore(
  pieces: readonly FramePiece[],
  rows: ReadonlyMap<string, RowVersions>,
): NamedSpans {
  const names = new Map<string, string>();
  for (const [name, { source = [], target = [] }] of rows) {
    for (const piece of [...source, ...target]) {
      if (piece.kind === 'segment') names.set(piece.id, name);
    }
  }
  const named = new Map<RowSpan, string>();
  const taken = new Set<string>();
  for (const span of rowSpans(pieces)) {
    const own = new Set(idsIn(pieces, span).flatMap((id) => names.get(id) ?? []));
    const [name] = own;
    if (name === undefined || own.size > 1 || taken.has(name)) continue;
    taken.add(name);
    named.set(span, name);
  }
  return named;
}

/** @param note gets each row, and returns the blanks that stay before it */
function collapse(
  pieces: readonly FramePiece[],
  named: NamedSpans,
  note: (id: string, pieces: readonly FramePiece[], span: RowSpan) => string,
): FramePiece[] {
  const result: FramePiece[] = [];
  let done = 0;
  for (const [span, id] of [...named].sort(([a], [b]) => a.from - b.from)) {
    const inside = pieces.slice(span.from, span.to);
    for (const piece of pieces.slice(done, span.from)) result.push(piece);
    const indent = note(id, inside, span);
    if (indent !== '') result.push({ kind: 'line', text: indent });
    result.push({ kind: 'segment', id });
    if (!isWithoutLineEnd(inside)) result.push(LINE_END);
    done = span.to;
  }
  return [...result, ...pieces.slice(done)];
}

/** The blanks before a row between bars. */
function indentOf(row: readonly FramePiece[] | undefined): string {
  const [first] = row ?? [];
  return (first?.kind === 'line' && /^[ \t]+(?=\|)/.exec(first.text)?.[0]) || '';
}

/** The row with other blanks before each of its lines. */
function withIndent(row: readonly MergedPiece[], indent: string): readonly MergedPiece[] {
  const own = indentOf(row.map(({ piece }) => piece));
  return row.map((each, at) => {
    const above = row[at - 1]?.piece;
    const isFirst = above === undefined || endsLine(above);
    const { piece } = each;
    if (piece.kind !== 'line' || !isFirst || !piece.text.startsWith(own)) return each;
    return { ...each, piece: { ...piece, text: `${indent}${piece.text.slice(own.length)}` } };
  });
}

/** The last row of a page without a line end. */
function isWithoutLineEnd(row: readonly FramePiece[]): boolean {
  const last = row.at(-1);
  return last?.kind === 'line' && /\|[ \t]*$|<\/tr\s*>[ \t]*$/i.test(last.text);
}

/** New rows of which no text is written. */
export function newRowsWithout({ rows }: PageRows, absent: ReadonlySet<string>): string[] {
  return [...rows].flatMap(([id, { source = [], target }]) => {
    const isAbsent = source.every((piece) => piece.kind === 'line' || absent.has(piece.id));
    return target === undefined && isAbsent ? [id] : [];
  });
}

/** The merged frame with the pieces of its rows. */
export function withoutRows(
  merge: FrameMerge,
  { rows }: PageRows,
  { decide, absent }: Pick<FrameInput, 'decide'> & { readonly absent: ReadonlySet<string> },
): FrameMerge {
  if (rows.size === 0) return merge;
  const merged = new Map<string, MergedRow>();
  const conflicts: FrameConflict[] = [];
  const staying = rowsThatStay(merge.pieces, rows);
  const versionsOf = (name: string): RowVersions => {
    const { source = [], ...row } = rows.get(name) ?? {};
    // At first contact, too, a person's row stays as it is.
    return staying.has(name)
      ? { source, ...(row.target && { target: row.target }) }
      : { ...row, source };
  };
  const rowOf = (name: string) => {
    const known = merged.get(name) ?? mergeRow(versionsOf(name), decide);
    if (!merged.has(name)) append(conflicts, known.conflicts);
    merged.set(name, known);
    return known;
  };
  const pieces = expanded(merge.pieces, ({ piece }) =>
    piece.kind === 'segment' && rows.has(piece.id) ? rowOf(piece.id).pieces : undefined,
  ).filter(
    ({ piece, from }) => from === 'target' || piece.kind === 'line' || !absent.has(piece.id),
  );
  const seen: string[] = [];
  const indents = new Set(
    [...rows.values()].flatMap(({ source, target }) => [source, target].map(indentKey)),
  );
  let isBehindRow = false;
  for (const key of merge.seen) {
    const name = isSegmentKey(key) ? key.slice(1) : '';
    if (rows.has(name) && indents.has(seen.at(-1))) seen.pop();
    if (rows.has(name)) append(seen, rowOf(name).seen);
    else if (!isBehindRow || key !== lineKey('\n')) seen.push(key);
    isBehindRow = rows.has(name);
  }
  return { pieces, seen, conflicts: [...merge.conflicts, ...conflicts] };
}

function indentKey(row: readonly FramePiece[] | undefined): string | undefined {
  const indent = indentOf(row);
  return indent === '' ? undefined : lineKey(indent);
}

/** A row has its own line end, which replaces the one behind the piece that stood for it. The blanks before that piece are now in the row. */
function expanded(
  pieces: readonly MergedPiece[],
  rowOf: (piece: MergedPiece) => readonly MergedPiece[] | undefined,
): MergedPiece[] {
  const result: MergedPiece[] = [];
  let end: MergedPiece | undefined;
  for (const each of pieces) {
    const indented = rowOf(each);
    const indent = indented && indentIn(result.at(-1)?.piece);
    const row = indent === undefined ? indented : withIndent(indented ?? [], indent);
    if (indent !== undefined) result.pop();
    const { piece } = each;
    const isLineEnd = piece.kind === 'line' && /^[ \t]*(?:\r\n?|\n)$/.test(piece.text);
    if (end !== undefined) {
      result.push(withLineEnd(end, isLineEnd ? '\n' : ''));
      if (!isLineEnd && row === undefined) result.push(each);
    } else if (row === undefined) result.push(each);
    end = row?.at(-1);
    if (row !== undefined) append(result, row.slice(0, -1));
  }
  if (end !== undefined) result.push(withLineEnd(end, ''));
  return result;
}

function indentIn(piece: FramePiece | undefined): string | undefined {
  return piece?.kind === 'line' && /^[ \t]+$/.test(piece.text) ? piece.text : undefined;
}

/** @param lineEnd for a row without one; empty: nothing may follow the row on its line end */
function withLineEnd(each: MergedPiece, lineEnd: string): MergedPiece {
  if (each.piece.kind !== 'line') return each;
  const [own] = /(?:\r\n?|\n)$/.exec(each.piece.text) ?? [];
  const text = each.piece.text.slice(0, own === undefined ? undefined : -own.length);
  return {
    ...each,
    piece: { kind: 'line', text: `${text}${lineEnd === '' ? '' : (own ?? '\n')}` },
  };
}
