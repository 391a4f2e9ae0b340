/** Scans CSV and TSV (RFC 4180) into rows of fields with their places. */
import { malformed } from '../text/position.ts';

/** Delimiters between columns: Excel writes ";" in many countries. */
export const DELIMITERS = [',', ';', '\t', '|'];

export interface CsvField {
  /** With the quotes. */
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  readonly text: string;
}

export interface CsvRow {
  readonly start: number;
  /** Without the line end. */
  readonly end: number;
  readonly fields: readonly CsvField[];
}

export interface CsvDialect {
  readonly delimiter: string;
  /** For messages. */
  readonly file: string;
  /** Called with the number of fields after each one, so that the caller can refuse a file before it fills the memory. */
  readonly counted?: (fields: number) => void;
  /** Rows end in a line feed: programs leave a single carriage return in a text without quotes. */
  readonly endsInLineFeed?: boolean;
}

/** Throws JobFailure `malformed` with line and column. */
export function scanRows(text: string, dialect: CsvDialect): CsvRow[] {
  const { delimiter, file, counted } = dialect;
  const end = endOfField(dialect);
  let count = 0;
  const rows: CsvRow[] = [];
  let fields: CsvField[] = [];
  let start = 0;
  for (let position = 0; position < text.length; ) {
    const field =
      text.charAt(position) === '"'
        ? quotedField(text, position, file)
        : plainField(text, position, end);
    fields.push(field);
    counted?.(++count);
    position = field.end;
    const sign = text.charAt(position);
    if (sign === delimiter) {
      position += 1;
      if (position < text.length) continue;
      fields.push({ start: position, end: position, isQuoted: false, text: '' });
    } else if (sign !== '' && sign !== '\r' && sign !== '\n') {
      const advice = DELIMITERS.includes(sign)
        ? `if it separates the columns, set "columns.delimiter" to it`
        : 'a quote inside a quoted field is written twice';
      const message = `a quoted field is followed by ${JSON.stringify(sign)}; ${advice}`;
      throw malformed(file, { text, offset: position }, message);
    }
    rows.push({ start, end: position, fields });
    fields = [];
    position += text.startsWith('\r\n', position) ? 2 : 1;
    start = position;
  }
  return rows;
}

function quotedField(text: string, start: number, file: string): CsvField {
  for (let end = start; ; ) {
    end = text.indexOf('"', end + 1);
    if (end < 0) throw malformed(file, { text, offset: start }, 'the quoted field has no end');
    if (text.charAt(end + 1) === '"') {
      end += 1;
      continue;
    }
    const content = text.slice(start + 1, end).replaceAll('""', '"');
    return { start, end: end + 1, isQuoted: true, text: content };
  }
}

/** Matches the end of a field without quotes. */
function endOfField({ delimiter, endsInLineFeed = false }: CsvDialect): RegExp {
  const sign = RegExp.escape(delimiter);
  return new RegExp(`${sign}|\n|${endsInLineFeed ? '\r\n' : '\r'}`, 'g');
}

function plainField(text: string, start: number, end: RegExp): CsvField {
  end.lastIndex = start;
  const at = end.exec(text)?.index ?? text.length;
  return { start, end: at, isQuoted: false, text: text.slice(start, at) };
}

/** How the fields of a file are written. */
export interface FieldStyle {
  readonly delimiter: string;
  /** Fields that are not quoted have quotes in them: some programs for TSV read no quoted fields. */
  readonly hasBareQuotes?: boolean;
  /** Fields that are not quoted have blanks at their edges: some programs cut fields at the delimiter, and read no quotes at all. */
  readonly hasBareBlanks?: boolean;
}

/** Writes a text as a field: quoted if it must be, or if the replaced field was. */
export function writeField(
  text: string,
  {
    isQuoted,
    delimiter,
    hasBareQuotes,
    hasBareBlanks,
  }: FieldStyle & { readonly isQuoted: boolean },
): string {
  const signs = hasBareQuotes ? /^"|[\r\n]/ : /["\r\n]/;
  const needed = signs.test(text) || (!hasBareBlanks && /^\s|\s$/.test(text));
  const isPlain = !isQuoted && !text.includes(delimiter) && !needed;
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}
