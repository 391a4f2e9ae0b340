/** The sheets of a workbook that came back: people move rows to other sheets, and put a sheet of notes first. */
import { withoutApostrophe } from '../../segments/cell-apostrophe.ts';
import { findExchangeId } from '../../segments/exchange-id.ts';
import type { Returned, ReturnedNote } from './exchange.ts';
import { hasText, isHead, MOST_TITLES, readExchangeTable, type TableRow } from './table.ts';

export interface Sheet {
  /** As its tab shows it. */
  readonly name: string;
  readonly rows: readonly TableRow[];
}

/** Reads each sheet that names the columns. @throws JobFailure `malformed` when none does */
export function readSheets(all: readonly Sheet[], file: string): Returned {
  const filled = all.filter(({ rows }) => rows.some(hasText));
  const { texts: own = [], lost = [], other = [] } = Object.groupBy(filled, kindOfSheet);
  if (own.length === 0) return readExchangeTable(filled[0]?.rows ?? [], { file });
  const read = own.map(({ name, rows }) => {
    const sheet = own.length > 1 ? { sheet: name } : {};
    const inSheet = <Line extends object>(lines: readonly Line[] = []) =>
      lines.map((line) => ({ ...line, ...sheet }));
    const returned = readExchangeTable(rows, { file, ...sheet });
    return {
      languages: returned.languages,
      rows: inSheet(returned.rows),
      refused: inSheet(returned.refused),
      notes: inSheet(returned.notes),
    };
  });
  return {
    languages: [...new Set(read.flatMap(({ languages }) => languages))],
    rows: read.flatMap(({ rows }) => rows),
    refused: [...read.flatMap(({ refused }) => refused), ...lost.map(unreadSheet)],
    notes: [...read.flatMap(({ notes }) => notes), ...other.map(unreadSheet)],
  };
}

/** `lost`: rows of the export are in it, but it does not name the columns. */
function kindOfSheet({ rows }: Sheet): 'texts' | 'lost' | 'other' {
  if (rows.slice(0, MOST_TITLES + 1).some(isHead)) return 'texts';
  return rows.some(hasExchangeId) ? 'lost' : 'other';
}

function hasExchangeId({ cells }: TableRow): boolean {
  return findExchangeId(cells.map(({ text }) => withoutApostrophe(text.trim()))) !== undefined;
}

function unreadSheet({ name, rows }: Sheet): ReturnedNote {
  const line = (rows.find(hasExchangeId) ?? rows.find(hasText))?.line ?? 1;
  const message =
    'no row of this sheet names the columns, so that nothing in it is read: copy the first row of the export into it';
  return { line, sheet: name, message };
}
