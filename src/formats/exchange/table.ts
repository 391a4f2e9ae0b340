/** A table of texts for people with a spreadsheet: the common part of CSV and XLSX. */
import { inEnglish } from '../../language.ts';
import { withApostrophe, withoutApostrophe } from '../../segments/cell-apostrophe.ts';
import { parseExchangeId } from '../../segments/exchange-id.ts';
import { sourceHash, targetHash } from '../../segments/statements.ts';
import { malformed } from '../text/position.ts';
import type {
  ExchangeDocument,
  ExchangeUnit,
  Returned,
  ReturnedNote,
  ReturnedRow,
} from './exchange.ts';
import { ExchangeRows } from './xml.ts';

/** A cell as it is read. */
export interface Cell {
  readonly text: string;
  /** Why `text` is not what a person typed or sees. */
  readonly unseen?: string;
  /** It is merged into another cell, and has no text of its own. */
  readonly isCovered?: true;
}

export interface TableRow {
  /** 1-based: the line of a CSV text, the row of an XLSX sheet. */
  readonly line: number;
  readonly cells: readonly Cell[];
  /** The file ends in this row, without a line end: its last cell may be cut. */
  readonly isLast?: true;
}

/**
 * The most cells of one file: enough for three hundred thousand texts. A cell takes some hundred bytes of memory, but only one byte of the
 * file.
 */
const MOST_CELLS = 4_000_000;

/** @throws JobFailure `malformed` with what to do */
export function refuseTooMany(cells: number, file: string): void {
  if (cells <= MOST_CELLS) return;
  const most = inEnglish(MOST_CELLS);
  const message = `it has more than ${most} cells: delete empty rows and columns, or send it in parts (the first row stays in each)`;
  throw malformed(file, { text: '', offset: 0 }, message);
}

export const COLUMNS = [
  'id',
  'project',
  'file',
  'key',
  'state',
  'source',
  'target',
  'note',
  'limit',
  'previous source',
  'exported',
  'language',
] as const;
type ColumnName = (typeof COLUMNS)[number];

export function tableOf({ files, language }: ExchangeDocument): string[][] {
  const rows = files.flatMap(({ project, path, units }) =>
    units.map((unit) => {
      const cells = { ...cellsOf(unit), project, file: path, language };
      return COLUMNS.map((column) =>
        column === 'limit' ? cells[column] : withApostrophe(cells[column]),
      );
    }),
  );
  return [[...COLUMNS], ...rows];
}

function cellsOf(
  unit: ExchangeUnit,
): Omit<Record<ColumnName, string>, 'project' | 'file' | 'language'> {
  return {
    id: unit.id,
    key: unit.key,
    state: unit.target === '' ? 'new' : unit.state,
    source: unit.source,
    target: unit.target,
    note: unit.notes.join('\n'),
    limit: unit.maxLength === undefined ? '' : `${unit.maxLength}`,
    'previous source': unit.previousSource ?? '',
    exported: unit.was,
  };
}

/** Rows that people and Excel (`sep=;`) put before the names of the columns. */
export const MOST_TITLES = 10;

/** The Translate Toolkit writes the reference of a PO entry, which is its id, under the name `location`. */
function namesOf(row: TableRow | undefined): readonly string[] {
  const names = (row?.cells ?? []).map(({ text }) => text.trim().toLowerCase());
  return names.includes('id') ? names : names.map((name) => (name === 'location' ? 'id' : name));
}

function isOwnTable(head: TableRow | undefined): boolean {
  return (head?.cells ?? []).some(({ text }) => text.trim().toLowerCase() === 'id');
}

export function isHead(row: TableRow): boolean {
  const names = namesOf(row);
  return names.includes('id') && names.includes('target');
}

/** The sign that a spreadsheet shows in place of a value that it cannot compute, in any language. */
const ERROR = /^#(?:[\p{Lu}\d_]+[!?]|N\/A|DIV\/0!)$/u;

export function hasText({ cells }: TableRow): boolean {
  return cells.some(({ text }) => text.trim() !== '');
}

interface TableContext {
  readonly file: string;
  readonly sheet?: string;
  /** The sign between the cells of a CSV file. In a text without quotes, it moves all later cells of the row. */
  readonly delimiter?: string;
}

/** Columns are found by their names, since people move them, hide them and add their own. */
export function readExchangeTable(
  table: readonly TableRow[],
  { file, sheet, delimiter }: TableContext,
): Returned {
  const start = Math.max(0, table.slice(0, MOST_TITLES + 1).findIndex(isHead));
  const [head, ...body] = table.slice(start);
  const names = namesOf(head);
  // A file of another format became this table: nobody wrote apostrophes into its cells.
  const hasApostrophes = isOwnTable(head);
  const at = new Map(COLUMNS.map((column) => [column, names.indexOf(column)]));
  requireColumns(names, { file, sheet });
  const named = names.findLastIndex((name) => name !== '') + 1;
  const rows = new ExchangeRows();
  const languages = new Set<string>();
  const needed = Math.max(at.get('id') ?? 0, at.get('target') ?? 0);
  for (const { cells, line, isLast } of body) {
    if (delimiter !== undefined && hasText({ line, cells: cells.slice(named) })) {
      rows.refuse(line, tooManyCells(named, delimiter));
      continue;
    }
    const cell = (column: ColumnName) => cells[at.get(column) ?? -1];
    const text = textsOf((column) => cell(column)?.text ?? '', hasApostrophes);
    if (text('id') === '' && text('target') === '') continue;
    const language = text('language').trim();
    if (language !== '') languages.add(language);
    rows.add(line, () => {
      const mayBeCut = isLast && cells.length - 1 <= needed;
      const problem = isAsExported(text) ? undefined : problemOf(cell, text);
      if (mayBeCut && !isAsExported(text)) throw new Error(MAY_BE_CUT);
      const covered = cell('target')?.isCovered ? cell('target')?.unseen : undefined;
      const unseen = covered ?? problem ?? cell('id')?.unseen;
      if (unseen !== undefined) throw new Error(unseen);
      const own = cell('target')?.text ?? '';
      const written = hasApostrophes && own.startsWith("'") ? { cell: own } : {};
      return { ...rowOf(text, line), ...written, ...(mayBeCut && { mayBeCut }) };
    });
  }
  const notes = hasApostrophes ? foreignColumns(head, body) : [];
  return { ...rows.returned, languages: [...languages], notes };
}

/** @throws JobFailure `malformed` */
function requireColumns(
  names: readonly string[],
  { file, sheet }: { readonly file: string; readonly sheet: string | undefined },
): void {
  const head = sheet === undefined ? 'the first row' : `the first row of the sheet "${sheet}"`;
  const missing = (['id', 'target'] as const).find((column) => !names.includes(column));
  const twice = COLUMNS.find((column) => names.indexOf(column) !== names.lastIndexOf(column));
  if (missing !== undefined) {
    throw malformed(file, { text: '', offset: 0 }, `${head} names no column "${missing}"`);
  }
  if (twice === undefined) return;
  const message = `${head} names "${twice}" twice: rename or delete one of these columns`;
  throw malformed(file, { text: '', offset: 0 }, message);
}

function tooManyCells(named: number, delimiter: string): string {
  const sign = delimiter === '\t' ? 'a tab' : `"${delimiter}"`;
  return `it has a text behind the last of the ${named} columns: write quotes around a text that contains ${sign}, or name the column`;
}

/** Columns of other people that hold texts: nobody may think that they are read. */
function foreignColumns(head: TableRow | undefined, body: readonly TableRow[]): ReturnedNote[] {
  const own: ReadonlySet<string> = new Set(COLUMNS);
  const filled = new Set(
    body.flatMap(({ cells }) => cells.flatMap(({ text }, at) => (text.trim() === '' ? [] : [at]))),
  );
  const names = [...filled]
    .sort((a, b) => a - b)
    .map((at) => head?.cells[at]?.text.trim() ?? '')
    .filter((name) => !own.has(name.toLowerCase()));
  return [...new Set(names)].map((name) => {
    const column = name === '' ? 'a column without a name' : `the column "${name}"`;
    const message = `${column} has texts that are not read: translations stand in the column "target"`;
    return { line: head?.line ?? 1, message };
  });
}

/**
 * The texts of a row, without the apostrophes of the export. Where a program removed the white space that needed one, the hashes of the row
 * show that it is no part of the text.
 */
function textsOf(
  cellText: (column: ColumnName) => string,
  hasApostrophes: boolean,
): (column: ColumnName) => string {
  if (!hasApostrophes) return cellText;
  const text = (column: ColumnName) => withoutApostrophe(cellText(column));
  const id = parseExchangeId(text('id').trim());
  const exported = text('exported') || id?.target;
  const known: Partial<Record<ColumnName, (reading: string) => boolean>> = {
    source: (reading) => sourceHash(reading) === id?.source,
    target: (reading) => targetHash(reading) === exported,
  };
  return (column) => {
    const cell = cellText(column);
    const isKnown = known[column];
    if (isKnown === undefined || !cell.startsWith("'")) return text(column);
    return [cell.slice(1), cell].find(isKnown) ?? text(column);
  };
}

/** Why the text of the translation is not what a person typed or sees. */
function problemOf(
  cell: (column: ColumnName) => Cell | undefined,
  text: (column: ColumnName) => string,
): string | undefined {
  const { unseen } = cell('target') ?? {};
  if (unseen !== undefined || !ERROR.test(text('target'))) return unseen;
  if (text('target') === text('source')) return undefined;
  return `its translation is ${text('target')}, an error of the spreadsheet: write a text`;
}

// Spreadsheets on the web write no line end after the last row, and nobody can add one there.
const MAY_BE_CUT =
  'the file ends in this row, so that its text may be cut: in the spreadsheet, put the column "state" after "target" and save again; or, if the file is complete, add an empty line at its end';

/**
 * Whether the text of a row is as it was exported. Such a row is not written. If it may be cut, it also approves nothing: the cut part may
 * have words of a person.
 */
function isAsExported(text: (column: ColumnName) => string): boolean {
  const exported = text('exported') || parseExchangeId(text('id').trim())?.target;
  return exported === targetHash(text('target'));
}

function rowOf(text: (column: ColumnName) => string, line: number): ReturnedRow {
  const state = text('state').trim().toLowerCase();
  const given = (name: 'project' | 'path' | 'key' | 'was', column: ColumnName) =>
    text(column) === '' ? {} : { [name]: text(column) };
  return {
    id: text('id').trim(),
    ...given('project', 'project'),
    ...given('path', 'file'),
    ...given('key', 'key'),
    ...given('was', 'exported'),
    ...(text('source') === '' ? {} : { source: text('source') }),
    target: text('target'),
    word: state === 'reviewed' ? 'final' : state === 'new' ? 'new' : 'open',
    line,
  };
}
