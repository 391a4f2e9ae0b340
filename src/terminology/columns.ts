/** Finds rows of a table whose cells are not what the person who wrote them meant. Pure. */
import { readRows, SEPARATORS, type TermRow, type TermSheet } from './rows.ts';

/** The message for a row with text behind a closing quote, which belongs to no cell. */
export function quoteProblem({ behindQuote }: TermRow): string | undefined {
  if (behindQuote === undefined) return undefined;
  return `has "${behindQuote}" behind a closing quote: write a quote in a phrase twice, as in "a ""b"""`;
}

/**
 * The message for a row that does not fit its heading. Columns that it does not have are empty cells: a row may end before a column of
 * notes. But one column alone is no row of a table.
 */
export function columnProblem(
  row: TermRow,
  heading: TermRow,
  sheet: TermSheet,
): string | undefined {
  const { separator } = sheet;
  const [count, wanted] = [row.cells.length, heading.cells.length];
  const told = `has ${columnsIn(count)}, and the heading has ${wanted}`;
  if (row.cells.slice(wanted).some((cell) => cell !== '')) {
    const help =
      separator === '\t'
        ? 'a phrase cannot have a tab'
        : `write a phrase with ${separatorName(separator)} between quotes`;
    return `${told}: ${help}`;
  }
  if (count >= wanted) return undefined;
  const other = otherSeparator(row, sheet, count === 1 ? undefined : wanted);
  return count === 1 || other !== undefined
    ? `${told}: ${separatedBy(separator, other)}`
    : undefined;
}

/** The message for a row without a heading that has one column. */
export function oneColumn(row: TermRow, sheet: TermSheet): string {
  return `has one column: ${separatedBy(sheet.separator, otherSeparator(row, sheet, undefined))}`;
}

/** A separator by which a row would have several columns, or as many as are wanted. */
function otherSeparator(
  { start, end }: TermRow,
  { text, separator }: TermSheet,
  wanted: number | undefined,
): string | undefined {
  const own = text.slice(start, end);
  return SEPARATORS.filter((each) => each !== separator).find((each) => {
    const count = readRows(own, each).rows[0]?.cells.length ?? 0;
    return wanted === undefined ? count > 1 : count === wanted;
  });
}

function separatedBy(separator: string, other: string | undefined): string {
  const but = other === undefined ? '' : `, not by ${separatorName(other)}`;
  return `columns are separated by ${separatorName(separator)}${but}`;
}

function columnsIn(count: number): string {
  return count === 1 ? 'one column' : `${count} columns`;
}

function separatorName(separator: string): string {
  return separator === '\t' ? 'a tab' : `"${separator}"`;
}
