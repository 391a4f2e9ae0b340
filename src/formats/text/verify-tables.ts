/**
 * The last check of tables before a write. Each row has the texts of one row of its source, and as many cells. No cell is empty where the
 * source has a text. Readers of such a table would see texts in other columns, or in the row of another thing. Pure.
 */
import type { SegmentProblem } from '../../job.ts';
import { ATTRIBUTES, TAG } from '../../parsing/markup.ts';
import type { FramePiece } from '../../segments/frame/frame.ts';
import { isDelimiter, rowSpans } from '../../segments/frame/table-rows.ts';
import type { Reader } from './open.ts';
import { refuseSegments } from './verify.ts';

interface TableSides {
  readonly source: readonly FramePiece[];
  readonly target: readonly FramePiece[];
}

interface TableRules extends Reader {
  /** Whether a text of the source is written now. */
  isWritten(id: string): boolean;
}

interface CountedRow {
  readonly ids: readonly string[];
  readonly cells: readonly string[];
  /** Number of cells of the first row of its table. */
  readonly columns: number;
}

/** @throws JobFailure whose cause is the list of SegmentProblems, like all checks of a target that is read back */
export function verifyTables(
  written: readonly FramePiece[],
  { source, target }: TableSides,
  rules: TableRules,
): void {
  const [rows, theirs, mine] = [rowsIn(written), rowsIn(source), rowsIn(target)];
  if (theirs.length === 0 && mine.length === 0) return;
  const texts = new Set(written.flatMap((piece) => (piece.kind === 'segment' ? [piece.id] : [])));
  const now = { rows: byText(rows), mine: byText(mine), texts, rules };
  const problems = theirs.flatMap((row) => problemsOf(row, now));
  const heads = new Set([...headsOf(source), ...headsOf(target)]);
  const broken = headsOf(written).find((head) => !heads.has(head) && !isEvenHead(head));
  if (broken !== undefined) {
    problems.push({ key: '', message: 'would have columns that its table does not have' });
  }
  refuseSegments(problems, rules);
}

/** The rows that have a text, by its id. */
type RowsByText = ReadonlyMap<string, readonly CountedRow[]>;

function byText(rows: readonly CountedRow[]): RowsByText {
  const found = new Map<string, CountedRow[]>();
  for (const row of rows) {
    for (const id of row.ids) {
      const before = found.get(id);
      if (before === undefined) found.set(id, [row]);
      else before.push(row);
    }
  }
  return found;
}

interface TablesNow {
  readonly rows: RowsByText;
  readonly mine: RowsByText;
  /** The texts of the written page, those outside of tables too. */
  readonly texts: ReadonlySet<string>;
  readonly rules: TableRules;
}

function problemsOf(row: CountedRow, { rows, mine, texts, rules }: TablesNow): SegmentProblem[] {
  const all = (message: string) => row.ids.map((key) => ({ key, message }));
  const sharing = (found: RowsByText) => [...new Set(row.ids.flatMap((id) => found.get(id) ?? []))];
  const now = sharing(rows);
  const before = sharing(mine);
  const isAsBefore = now.every((each) => before.some(({ ids }) => `${ids}` === `${each.ids}`));
  const [only] = now;
  if (now.length > 1 && !(isAsBefore && before.length === now.length)) {
    return all('would be torn into several rows');
  }
  const lost = row.ids.filter((id) => rules.isWritten(id) && !texts.has(id));
  if (only !== undefined && lost.length > 0) {
    return lost.map((key) => ({
      key,
      message: 'would lose a text, because it has no cell for it',
    }));
  }
  if (only === undefined) return before.length === 0 ? [] : all('would be lost');
  const strangers = only.ids.some((id) => !row.ids.includes(id));
  if (strangers && !isAsBefore) return all('would get a text of another row');
  const [then] = before;
  const fits = [row, ...(then === undefined ? [] : [then])];
  if (!fits.some(({ cells }) => cells.length === only.cells.length)) {
    return all(`would have ${only.cells.length} cells, where the source has ${row.cells.length}`);
  }
  const isUneven = (each: CountedRow) => each.cells.length !== each.columns;
  if (isUneven(only) && !fits.some(isUneven)) {
    const added = row.ids.filter((id) => then?.ids.includes(id) !== true);
    const message = 'would have a column that its table does not have';
    return (added.length === 0 ? row.ids : added).map((key) => ({ key, message }));
  }
  const empty = emptyCells(only);
  if (!fits.some((each) => emptyCells(each) >= empty)) {
    return all('would have an empty cell where the source has a text');
  }
  return [];
}

function emptyCells({ cells }: CountedRow): number {
  return cells.filter((cell) => cell.trim() === '').length;
}

function rowsIn(pieces: readonly FramePiece[]): CountedRow[] {
  let [end, columns] = [-1, 0];
  return rowSpans(pieces).map(({ from, to }) => {
    const inside = pieces.slice(from, to);
    const ids = inside.flatMap((piece) => (piece.kind === 'segment' ? [piece.id] : []));
    const cells = cellsOf(textOf(inside));
    if (from !== end) columns = cells.length;
    end = to;
    return { ids, cells, columns };
  });
}

/** A text counts as one sign that no frame has. */
function textOf(pieces: readonly FramePiece[]): string {
  return pieces.map((piece) => (piece.kind === 'line' ? piece.text : TEXT)).join('');
}

const TEXT = '\u{1}';

const CELL_TAG = new RegExp(`<t[dh]\\b${ATTRIBUTES}>`, 'i');
const ANY_TAG = new RegExp(TAG, 'g');

function cellsOf(row: string): string[] {
  if (/<t[dh]\b/i.test(row)) {
    return row
      .split(CELL_TAG)
      .slice(1)
      .map((cell) => cell.replace(ANY_TAG, ''));
  }
  const [line = ''] = row.split(/[\r\n]/);
  return line
    .replace(/\\./g, '  ')
    .trim()
    .replace(/^(?:>\s*)*\|/, '')
    .replace(/\|$/, '')
    .split('|');
}

/** The delimiter row and the row above it: GFM reads no table where they have different numbers of cells. */
function headsOf(pieces: readonly FramePiece[]): string[] {
  const lines = textOf(pieces).split(/\r\n?|\n/);
  return lines.flatMap((line, at) => {
    return isDelimiter(line) ? [`${lines[at - 1] ?? ''}\n${line}`] : [];
  });
}

function isEvenHead(head: string): boolean {
  const [above = '', line = ''] = head.split('\n');
  return cellsOf(above).length === cellsOf(line).length;
}
