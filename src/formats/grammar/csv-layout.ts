/** Which columns of a CSV file hold keys, source texts and the texts of a language. */

import { JobFailure } from '../../failure.ts';
import type { FormatOptions } from '../../format.ts';
import type { Columns } from '../../project.ts';
import { type CsvRow, scanRows } from './csv-rows.ts';

export interface CsvLayout {
  readonly rows: readonly CsvRow[];
  readonly delimiter: string;
  /** Zero-based; undefined: no key column. */
  readonly key: number | undefined;
  readonly source: number;
  /** Where the wanted texts are. */
  readonly texts: number;
  /** The source text stands beside its translations. */
  readonly isShared: boolean;
}

/** Throws JobFailure `unsupported` for a route without columns, `malformed` for columns that the file does not have. */
export function layOut(text: string, options: FormatOptions): CsvLayout {
  const { columns, file } = options;
  if (columns === undefined) {
    throw new JobFailure({
      kind: 'unsupported',
      what: `${file}: nothing says which column holds the texts`,
      advice: 'Give the route "columns", such as { key: id, source: en, targets: { de: de } }.',
    });
  }
  const delimiter = delimiterOf(columns, file);
  const rows = scanRows(text, { delimiter, file }).filter(({ start, end }) => end > start);
  const place = (column: string) => placeOf(column, { rows, columns, file });
  const source = place(columns.source);
  return {
    rows: columns.header ? rows.slice(1) : rows,
    delimiter,
    key: columns.key === undefined ? undefined : place(columns.key),
    source,
    isShared: columns.targets.size > 0,
    texts: options.role === 'source' ? source : place(textColumn(columns, options)),
  };
}

// The default of the setting is a comma; .tsv says itself that it is none.
function delimiterOf({ delimiter }: Columns, file: string): string {
  return delimiter === ',' && file.toLowerCase().endsWith('.tsv') ? '\t' : delimiter;
}

/** A file of its own per language has its texts where the source has them. */
function textColumn({ targets, source }: Columns, { language, file }: FormatOptions): string {
  if (targets.size === 0) return source;
  const column = language === undefined ? undefined : targets.get(language);
  if (column !== undefined) return column;
  throw new JobFailure({
    kind: 'unsupported',
    what: `${file}: "columns.targets" names no column for ${language}`,
    advice: `Add it there, such as ${language}: ${language}.`,
  });
}

interface Sheet {
  readonly rows: readonly CsvRow[];
  readonly columns: Columns;
  readonly file: string;
}

function placeOf(column: string, { rows, columns, file }: Sheet): number {
  const names = columns.header ? (rows[0]?.fields.map(({ text }) => text.trim()) ?? []) : [];
  const found = names.indexOf(column);
  if (found >= 0) return found;
  if (/^[1-9]\d*$/.test(column)) return Number(column) - 1;
  const message = columns.header
    ? `the header has no column "${column}"; it has ${names.join(', ')}`
    : `without a header columns are numbers, not "${column}"`;
  throw new JobFailure({ kind: 'malformed', where: { file, line: 1, column: 1 }, message });
}
