/** A table of texts for people with a spreadsheet: what CSV and XLSX share. */
import { malformed } from '../text/position.ts';
import type { ExchangeDocument, ExchangeUnit, Returned, ReturnedRow } from './exchange.ts';
import { Rows } from './xml.ts';

/** A cell as it is read. `formula`: what it shows is computed, and nobody typed it. */
export type Cell = { readonly text: string; readonly formula?: true };

export interface TableRow {
  /** 1-based: of the text in CSV, of the sheet in XLSX. */
  readonly line: number;
  readonly cells: readonly Cell[];
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
type Column = (typeof COLUMNS)[number];

export function tableOf({ files, language }: ExchangeDocument): string[][] {
  const rows = files.flatMap(({ project, path, units }) =>
    units.map((unit) => {
      const cells = { ...cellsOf(unit), project, file: path, language };
      return COLUMNS.map((column) => guarded(cells[column]));
    }),
  );
  return [[...COLUMNS], ...rows];
}

function cellsOf(
  unit: ExchangeUnit,
): Omit<Record<Column, string>, 'project' | 'file' | 'language'> {
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

/** Spreadsheets compute what begins with one of these; with an apostrophe before it, it is a text (OWASP, "CSV Injection"). */
function guarded(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function unguarded(text: string): string {
  return /^''*[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}

/** Columns are known by their names: people move them, hide them and add their own. */
export function readTable(table: readonly TableRow[], file: string): Returned {
  const [head, ...body] = table;
  const names = (head?.cells ?? []).map(({ text }) => text.trim().toLowerCase());
  const at = new Map(COLUMNS.map((column) => [column, names.indexOf(column)]));
  for (const column of ['id', 'target'] as const) {
    if ((at.get(column) ?? -1) >= 0) continue;
    const message = `the first row names no column "${column}"`;
    throw malformed(file, { text: '', offset: 0 }, message);
  }
  const rows = new Rows();
  const languages = new Set<string>();
  for (const { cells, line } of body) {
    const cell = (column: Column) => cells[at.get(column) ?? -1];
    const text = (column: Column) => unguarded(cell(column)?.text ?? '');
    if (text('id') === '' && text('target') === '') continue;
    const language = text('language').trim();
    if (language !== '') languages.add(language);
    rows.add(line, () => {
      const formula = cell('target')?.formula ?? cell('id')?.formula;
      if (formula)
        throw new Error('its translation is a formula, which is not computed: write a text');
      return rowOf(text, line);
    });
  }
  if (languages.size > 1) rows.refuse(1, 'it holds several languages: import them one by one');
  const [language] = languages;
  return { ...rows.returned, ...(language === undefined ? {} : { language }) };
}

function rowOf(text: (column: Column) => string, line: number): ReturnedRow {
  const state = text('state').trim().toLowerCase();
  const given = (name: 'project' | 'path' | 'was', column: Column) =>
    text(column) === '' ? {} : { [name]: text(column) };
  return {
    id: text('id').trim(),
    ...given('project', 'project'),
    ...given('path', 'file'),
    ...given('was', 'exported'),
    ...(text('source') === '' ? {} : { source: text('source') }),
    target: text('target'),
    word: state === 'reviewed' ? 'final' : state === 'new' ? 'new' : 'open',
    line,
  };
}
