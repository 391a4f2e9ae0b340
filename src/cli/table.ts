/** Rows as aligned columns, cut to the width of the terminal. Pure. */
import { oneLine } from '../config/one-line.ts';

export interface Column<Row> {
  readonly title: string;
  readonly align?: 'right';
  /** May become narrower when the line is too long. */
  readonly shrink?: true;
  text(row: Row): string;
}

const GAP = '  ';
/** Characters that a column keeps when it becomes narrower. */
const NARROWEST = 12;

/** @returns the lines, titles first. A line fits into `width` columns as far as its columns may shrink. */
export function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
): string[] {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map((c) => oneLine(c.text(row)))),
  ];
  const widths = narrow(
    columns,
    columns.map((_, index) => Math.max(...cells.map((line) => displayWidth(line[index] ?? '')))),
    width,
  );
  return cells.map((line) =>
    line
      .map((cell, index) => pad(cell, { width: widths[index] ?? 0, align: columns[index]?.align }))
      .join(GAP)
      .trimEnd(),
  );
}

function narrow<Row>(columns: readonly Column<Row>[], widths: number[], width: number): number[] {
  let excess =
    widths.reduce((sum, each) => sum + each, 0) + GAP.length * (columns.length - 1) - width;
  return widths.map((each, index) => {
    if (excess <= 0 || columns[index]?.shrink !== true) return each;
    const smaller = Math.max(Math.min(each, NARROWEST), each - excess);
    excess -= each - smaller;
    return smaller;
  });
}

function pad(
  cell: string,
  { width, align }: { width: number; align: 'right' | undefined },
): string {
  const shown = displayWidth(cell) > width ? cutCell(cell, width) : cell;
  const blanks = ' '.repeat(Math.max(0, width - displayWidth(shown)));
  return align === 'right' ? blanks + shown : shown + blanks;
}

// The middle is left out: the end of a path or a reason says more than its middle.
function cutCell(cell: string, width: number): string {
  const characters = [...cell];
  const head = Math.ceil((width - 1) / 3);
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (width - 1 - head)).join('')}`;
}

function displayWidth(text: string): number {
  return [...text].length;
}
