/** CSV and TSV by columns: one text column per file, or one column per language in the same file. */

import { JobFailure } from '../failure.ts';
import {
  type Doc,
  type Format,
  type FormatOptions,
  type Insertion,
  partsText,
  type Segment,
} from '../format.ts';
import type { Columns } from '../project.ts';
import {
  type CsvField,
  type CsvRow,
  DELIMITERS,
  type FieldStyle,
  scanRows,
  writeField,
} from './grammar/csv-rows.ts';
import {
  type EntryFile,
  type FlatEntry,
  flatId,
  homeAtEnd,
  insertEntries,
  lineEndOf,
  removeEntries,
  renameEntries,
} from './grammar/flat-entries.ts';
import { keysWithNamesakes } from './text/duplicates.ts';
import { positionsOf } from './text/position.ts';
import { makeSegment, markDuplicates, uniqueIds } from './text/segment.ts';
import { syntaxOfTexts } from './text/syntax.ts';

export const csv: Format = { name: 'csv', shape: 'keyed', readsLineEnds: true, parse, withColumns };

/** A file with a column per language holds all languages. */
function withColumns({ targets }: Columns): Format {
  return targets.size === 0 ? csv : { ...csv, multiLocale: true };
}

interface CsvEntry extends FlatEntry {
  readonly row: CsvRow;
  readonly isNumbered: boolean;
}

interface CsvFile extends EntryFile {
  readonly layout: CsvLayout;
  readonly entries: ReadonlyMap<string, CsvEntry>;
}

function open(text: string, options: FormatOptions): CsvFile {
  const layout = layOut(text, options);
  const ids = uniqueIds();
  const entries = new Map<string, CsvEntry>();
  let last: number | undefined;
  for (const [index, row] of layout.rows.entries()) {
    const { start, end } = row;
    const gap = last ?? start;
    last = end;
    const key = rowKey(row, layout);
    // A row without source text needs no translation. In a file with one language, a key alone is a place for a text.
    const hasText = (row.fields[layout.source]?.text ?? '') !== '';
    if (!hasText && (layout.isShared || key === undefined || key === '')) continue;
    const isNumbered = key === undefined;
    const id = isNumbered ? `[${index}]` : ids(flatId(key));
    entries.set(id, { gap, start, end, row, isNumbered });
  }
  return { text, layout, entries, home: homeAtEnd(text) };
}

/** Undefined: the row is known only by its number. */
function rowKey({ fields }: CsvRow, { key, source, isShared }: CsvLayout): string | undefined {
  if (key !== undefined) return fields[key]?.text ?? '';
  return isShared ? (fields[source]?.text ?? '') : undefined;
}

function parse(text: string, options: FormatOptions): Doc {
  const file = open(text, options);
  const positionAt = positionsOf(text);
  const drafts = [...file.entries].map(([id, entry]) =>
    rowSegment(file, { id, entry, line: positionAt(entry.start).line }),
  );
  const syntaxOf = syntaxOfTexts(drafts, options.file);
  const duplicates = file.layout.key === undefined ? [] : keysWithNamesakes(drafts);
  return {
    ...(duplicates.length === 0 ? {} : { duplicates }),
    segments: markDuplicates(
      drafts.map((draft) => makeSegment(text, { ...draft, syntax: syntaxOf(draft) })),
    ),
    warnings: [],
    insert: (insertions) => insert(file, insertions, options),
    remove: (ids) => removeEntries(file, ids),
    rename: (renames) =>
      renameEntries(file.entries, renames, ({ row }, to) => renameEdit(file.layout, row, to)),
  };
}

function renameEdit({ key, style }: CsvLayout, { fields }: CsvRow, to: string) {
  const field = key === undefined ? undefined : fields[key];
  if (field === undefined) return undefined;
  const { start, end, isQuoted } = field;
  return { start, end, text: writeField(to, { ...style, isQuoted }) };
}

function rowSegment(
  { layout }: CsvFile,
  { id, entry, line }: { readonly id: string; readonly entry: CsvEntry; readonly line: number },
): Segment {
  const { row, isNumbered } = entry;
  const field = fieldAt(row, layout.texts);
  const { start, end, text, missing } = field;
  const style = { ...layout.style, isQuoted: field.isQuoted };
  return {
    id,
    start,
    end,
    line,
    parts: text === '' ? [] : [text],
    ...(text === '' && !layout.isShared ? { gap: 'value' } : {}),
    ...(isNumbered ? { positional: true } : {}),
    syntax: 'none',
    encode: (parts) => layout.style.delimiter.repeat(missing) + writeField(partsText(parts), style),
  };
}

/** A field, or the end of a row that is too short for it. */
function fieldAt(row: CsvRow, index: number): CsvField & { readonly missing: number } {
  const field = row.fields[index];
  if (field !== undefined) return { ...field, missing: 0 };
  const { end } = row;
  return { start: end, end, isQuoted: false, text: '', missing: index - row.fields.length + 1 };
}

/** A new row has the fields of the source's row, with the text in its column. */
function insert(file: CsvFile, insertions: readonly Insertion[], options: FormatOptions) {
  const lineEnd = lineEndOf(file.text);
  const sources = new Map<string, CsvFile>();
  const added = insertions.flatMap(({ segment, after, parts, sourceText }) => {
    const source = sources.get(sourceText) ?? open(sourceText, options);
    sources.set(sourceText, source);
    const row = source.entries.get(segment.id)?.row;
    if (row === undefined) return [];
    const { style, texts } = file.layout;
    const length = Math.max(row.fields.length, texts + 1);
    const fields = Array.from({ length }, (_, index) => {
      const { isQuoted, text } = fieldAt(row, index);
      return writeField(index === texts ? partsText(parts) : text, { ...style, isQuoted });
    });
    return [{ after, text: fields.join(style.delimiter), gap: lineEnd }];
  });
  return insertEntries(file, added);
}

/** Which columns of a CSV file hold keys, source texts and the texts of a language. */
interface CsvLayout {
  readonly rows: readonly CsvRow[];
  readonly style: FieldStyle;
  /** Zero-based; undefined: no key column. */
  readonly key: number | undefined;
  readonly source: number;
  /** Zero-based column of the wanted texts. */
  readonly texts: number;
  /** The source text is beside its translations, in the same file. */
  readonly isShared: boolean;
}

/** Throws JobFailure `unsupported` for a route without columns, `malformed` for columns that the file does not have. */
function layOut(text: string, options: FormatOptions): CsvLayout {
  const { columns, file } = options;
  if (columns === undefined) {
    throw new JobFailure({
      kind: 'unsupported',
      what: `${file}: the config does not say which column holds the texts`,
      advice: 'Give the route "columns", such as { key: id, source: en, targets: { de: de } }.',
    });
  }
  const delimiter = delimiterOf(columns, file);
  const rows = scanRows(text, { delimiter, file }).filter(({ start, end }) => end > start);
  const place = (column: string) => columnIndex(column, { rows, columns, file });
  const source = place(columns.source);
  return {
    rows: columns.header ? rows.slice(1) : rows,
    style: { delimiter, hasBareQuotes: hasBare(rows, /"/), hasBareBlanks: hasBare(rows, BLANKS) },
    key: columns.key === undefined ? undefined : place(columns.key),
    source,
    isShared: columns.targets.size > 0,
    texts: options.role === 'source' ? source : place(textColumn(columns, options)),
  };
}

const BLANKS = /^\s+\S|\S\s+$/;

function hasBare(rows: readonly CsvRow[], sign: RegExp): boolean {
  return rows.some(({ fields }) =>
    fields.some(({ isQuoted, text }) => !isQuoted && sign.test(text)),
  );
}

// The default delimiter is a comma, in `.tsv` a tab.
function delimiterOf({ delimiter }: Columns, file: string): string {
  return delimiter === ',' && file.toLowerCase().endsWith('.tsv') ? '\t' : delimiter;
}

/** A file with one language has its texts in the source's column. */
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

interface CsvSheet {
  readonly rows: readonly CsvRow[];
  readonly columns: Columns;
  readonly file: string;
}

/** Advice with another delimiter, when the header has the columns with that one. */
function otherDelimiter(column: string, names: readonly string[]): string {
  const isColumn = (name: string) => name.trim().replace(/^"(.*)"$/, '$1') === column;
  const other = DELIMITERS.find((each) =>
    names.some((name) => name.includes(each) && name.split(each).some(isColumn)),
  );
  return other === undefined
    ? ''
    : `. The columns are separated by ${JSON.stringify(other)}: set "columns.delimiter" to it`;
}

function columnIndex(column: string, { rows, columns, file }: CsvSheet): number {
  const names = columns.header ? (rows[0]?.fields.map(({ text }) => text.trim()) ?? []) : [];
  const found = names.indexOf(column);
  if (found >= 0) return found;
  if (/^[1-9]\d*$/.test(column)) return Number(column) - 1;
  const message = columns.header
    ? `the header has no column "${column}"; it has ${names.join(', ')}${otherDelimiter(column, names)}`
    : `without a header columns are numbers, not "${column}"`;
  throw new JobFailure({ kind: 'malformed', where: { file, line: 1, column: 1 }, message });
}
