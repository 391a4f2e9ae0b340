/** A table of texts for people with a spreadsheet: the common part of CSV and XLSX. */
import { inEnglish } from '../../language.ts';
import { targetHash } from '../../segments/statements.ts';
import { malformed } from '../text/position.ts';
import type { ExchangeDocument, ExchangeUnit, Returned, ReturnedRow } from './exchange.ts';
import { ExchangeRows } from './xml.ts';

/** A cell as it is read. `unseen`: why `text` is not what a person typed or sees. */
export type Cell = { readonly text: string; readonly unseen?: string };

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
      return COLUMNS.map((column) => (column === 'limit' ? cells[column] : guarded(cells[column])));
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

/** A spreadsheet computes a cell that begins with one of these (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/;
/** Words that occur in dates, in the languages of many spreadsheets; also `e` of a number, `am` and `pm` of a time. */
const DATE_WORDS = [
  'e am pm jan janv feb febr fev févr mar mär märz mars mrt apr avr abr may mai mei maj mag jun juin giu jul juil lug aug août ago',
  'sep sept set oct okt ott out nov dec dez déc dic january february march april june july august september october november december',
  'januar februar juni juli oktober dezember',
]
  .join(' ')
  .replaceAll(' ', '|');
/** Characters of a number, an amount, a time or a date: a spreadsheet turns `007` into 7, and `1/2` into the first of February. */
const SIGNS = String.raw`[\d .,:;/%()+\-\u00a0\u202f\p{Sc}]*`;
const FIGURES = new RegExp(String.raw`^(?=.*\d)${SIGNS}(?:(?:${DATE_WORDS})${SIGNS})?$`, 'iu');
/** Truth values in the languages of many spreadsheets: `True` becomes TRUE. */
const TRUTH = /^(?:true|false|wahr|falsch|vrai|faux|verdadero|verdadeiro|falso|vero)$/i;

function isComputed(text: string): boolean {
  return FORMULA.test(text) || FIGURES.test(text) || TRUTH.test(text.trim());
}

/**
 * A spreadsheet would change some texts: each gets an apostrophe, which marks it as text. A text that begins with apostrophes gets one
 * more.
 */
function guarded(text: string): string {
  return isComputed(text.replace(/^'+/, '')) ? `'${text}` : text;
}

function unguarded(text: string): string {
  return text.startsWith("'") && isComputed(text.replace(/^'+/, '')) ? text.slice(1) : text;
}

/** Rows that people and Excel (`sep=;`) put before the names of the columns. */
export const MOST_TITLES = 10;

/** The Translate Toolkit writes the reference of a PO entry, which is its id, under the name `location`. */
function namesOf(row: TableRow | undefined): readonly string[] {
  const names = (row?.cells ?? []).map(({ text }) => text.trim().toLowerCase());
  return names.includes('id') ? names : names.map((name) => (name === 'location' ? 'id' : name));
}

function isHead(row: TableRow): boolean {
  const names = namesOf(row);
  return names.includes('id') && names.includes('target');
}

/** The sign that a spreadsheet shows in place of a value that it cannot compute, in any language. */
const ERROR = /^#(?:[\p{Lu}\d_]+[!?]|N\/A|DIV\/0!)$/u;

/** Columns are found by their names, since people move them, hide them and add their own. */
export function readExchangeTable(table: readonly TableRow[], file: string): Returned {
  const start = Math.max(0, table.slice(0, MOST_TITLES + 1).findIndex(isHead));
  const [head, ...body] = table.slice(start);
  const names = namesOf(head);
  const at = new Map(COLUMNS.map((column) => [column, names.indexOf(column)]));
  for (const column of ['id', 'target'] as const) {
    if ((at.get(column) ?? -1) >= 0) continue;
    const message = `the first row names no column "${column}"`;
    throw malformed(file, { text: '', offset: 0 }, message);
  }
  for (const column of COLUMNS) {
    if (names.indexOf(column) === names.lastIndexOf(column)) continue;
    const message = `the first row names "${column}" twice: rename or delete one of these columns`;
    throw malformed(file, { text: '', offset: 0 }, message);
  }
  const rows = new ExchangeRows();
  const languages = new Set<string>();
  const needed = Math.max(at.get('id') ?? 0, at.get('target') ?? 0);
  for (const { cells, line, isLast } of body) {
    const cell = (column: ColumnName) => cells[at.get(column) ?? -1];
    const text = (column: ColumnName) => unguarded(cell(column)?.text ?? '');
    if (text('id') === '' && text('target') === '') continue;
    const language = text('language').trim();
    if (language !== '') languages.add(language);
    rows.add(line, () => {
      const mayBeCut = isLast && cells.length - 1 <= needed;
      if (mayBeCut && !isAsExported(text)) throw new Error(MAY_BE_CUT);
      const unseen = cell('target')?.unseen ?? cell('id')?.unseen;
      if (unseen !== undefined) throw new Error(unseen);
      if (ERROR.test(text('target')) && text('target') !== text('source'))
        throw new Error(
          `its translation is ${text('target')}, an error of the spreadsheet: write a text`,
        );
      return { ...rowOf(text, line), ...(mayBeCut && { mayBeCut }) };
    });
  }
  return { ...rows.returned, languages: [...languages] };
}

// Spreadsheets on the web write no line end after the last row, and nobody can add one there.
const MAY_BE_CUT =
  'the file ends in this row, so that its text may be cut: in the spreadsheet, put the column "state" after "target" and save again; or, if the file is complete, add an empty line at its end';

/**
 * Whether the text of a row is as it was exported. Such a row is not written. If it may be cut, it also approves nothing: the cut part may
 * have words of a person.
 */
function isAsExported(text: (column: ColumnName) => string): boolean {
  return text('exported') === targetHash(text('target'));
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
