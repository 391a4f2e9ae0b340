/**
 * The last check of tables in Markdown: a changed row has as many cells as its table, its texts come from one row of the source, and no
 * cell became empty. Rows with other texts would still be read as a table, so no other check finds them.
 */
import type { SegmentProblem } from '../../job.ts';
import type { OpenFile, Reader } from './open.ts';
import { type Intended, refuseSegments } from './verify.ts';

interface WrittenTables {
  readonly text: string;
  readonly intended: readonly Intended[];
}

interface TablePageSides {
  readonly source: OpenFile;
  readonly target: OpenFile;
  /** By id: the position of its segment in the target. */
  readonly placed: ReadonlyMap<string, number>;
}

export function verifyRows(written: WrittenTables, sides: TablePageSides, reader: Reader): void {
  if (!ROW.test(written.text)) return;
  const { source, target, placed } = sides;
  const known = new Set(rowsIn(target.text).map(trimmed));
  const rowOf = {
    source: rowsById(source.text, source.doc.segments),
    target: rowsById(
      target.text,
      [...placed].flatMap(([id, at]) => {
        const start = target.doc.segments[at]?.start;
        return start === undefined ? [] : [{ id, start }];
      }),
    ),
  };
  const texts = written.intended.flatMap(({ id, region }) =>
    region === undefined ? [] : [{ id, start: region.start }],
  );
  const inRow = Map.groupBy(rowsById(written.text, texts), ([, row]) => row.start);
  const fallback = texts.find(({ id }) => !placed.has(id)) ?? texts[0];
  const problems = rowsIn(written.text).flatMap((row): SegmentProblem[] => {
    if (known.has(trimmed(row)) || isDelimiter(row.text)) return [];
    const ids = (inRow.get(row.start) ?? []).map(([id]) => id);
    if (!isBroken(row, ids, rowOf)) return [];
    const keys = ids.length > 0 ? ids : fallback === undefined ? [] : [fallback.id];
    return keys.map((key) => ({ key, message: 'would break a row of a table' }));
  });
  refuseSegments(problems, reader);
}

interface WrittenRow {
  readonly text: string;
  readonly start: number;
  /** Cells of the delimiter row; undefined: this is no table. */
  readonly width: number | undefined;
}

type RowsById = ReadonlyMap<string, WrittenRow>;

function isBroken(
  { text, width }: WrittenRow,
  ids: readonly string[],
  rowOf: Readonly<Record<'source' | 'target', RowsById>>,
): boolean {
  if (width === undefined) return false;
  const cells = cellsOf(text);
  const rowsOn = (side: RowsById) => [
    ...new Map(ids.flatMap((id) => side.get(id) ?? []).map((row) => [row.start, row])).values(),
  ];
  const [theirs, before] = [rowsOn(rowOf.source), rowsOn(rowOf.target)];
  const old = [...theirs, ...before].filter((row) => row.width !== undefined);
  const mayDiffer = before.some((row) => cellsOf(row.text).length !== row.width);
  if (cells.length !== width && !mayDiffer) return true;
  const wasOneRow = before.length === 1 && ids.every((id) => rowOf.target.has(id));
  if (theirs.length > 1 && !wasOneRow) return true;
  const empty = (row: string) => cellsOf(row).filter((cell) => cell === '').length;
  return empty(text) > Math.max(0, ...old.map((row) => empty(row.text)));
}

const ROW = /^[ \t>]*\|/m;

function rowsIn(text: string): WrittenRow[] {
  const rows: (WrittenRow & { readonly end: number })[] = [];
  for (const { 0: line, index } of text.matchAll(/^[ \t>]*\|[^\r\n]*/gm)) {
    rows.push({ text: line, start: index, end: index + line.length, width: undefined });
  }
  let table: WrittenRow[] = [];
  let end = -1;
  const done: WrittenRow[] = [];
  const close = () => {
    const delimiter = table.find((row) => isDelimiter(row.text));
    const width = delimiter && cellsOf(delimiter.text).length;
    done.push(...table.map((row) => ({ ...row, width })));
  };
  for (const row of rows) {
    if (!/^(?:\r\n|\n|\r)?$/.test(text.slice(end, row.start))) {
      close();
      table = [];
    }
    table.push(row);
    end = row.end;
  }
  close();
  return done;
}

function rowsById(
  text: string,
  places: readonly { readonly id: string; readonly start: number }[],
): Map<string, WrittenRow> {
  const rows = rowsIn(text);
  const found = new Map<string, WrittenRow>();
  let at = 0;
  for (const { id, start } of places.toSorted((a, b) => a.start - b.start)) {
    while (rows[at] !== undefined && (rows[at]?.start ?? 0) + (rows[at]?.text.length ?? 0) <= start)
      at += 1;
    const row = rows[at];
    if (row !== undefined && row.start <= start) found.set(id, row);
  }
  return found;
}

function isDelimiter(row: string): boolean {
  return /^[\s>]*\|(?:\s*:?-+:?\s*\|?)+\s*$/.test(row);
}

function cellsOf(row: string): string[] {
  const inside = row
    .replace(/^[\s>]*\|/, '')
    .replace(/\\./g, '--')
    .replace(/\|\s*$/, '');
  return inside.split('|').map((cell) => cell.trim());
}

function trimmed({ text }: WrittenRow): string {
  return text.trim();
}
