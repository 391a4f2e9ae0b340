/** Reads the rows of a CSV or TSV file with their lines (RFC 4180; any line end; blank lines are skipped). Pure. */

export interface TermRow {
  /** 1-based line of the file where the row begins. */
  readonly line: number;
  /** Without spaces around them. */
  readonly cells: readonly string[];
  /** Range in the text in UTF-16 code units, without the line break. */
  readonly start: number;
  readonly end: number;
}

export interface TermRows {
  readonly rows: readonly TermRow[];
  /** The line of an unclosed quote; the rows end before it. */
  readonly unclosed?: number;
}

/** @param separator `,`, `;` or a tab; a TSV has no quotes */
export function readRows(text: string, separator: string): TermRows {
  return separator === '\t' ? { rows: tsvRows(text) } : new CsvReader(text, separator).read();
}

/**
 * The separator of the first line. Spreadsheets in much of Europe write semicolons, some write tabs. A comma when the first line has no
 * separator.
 */
export function separatorOf(text: string): ',' | ';' | '\t' {
  const first = text.slice(0, text.search(/[\r\n]|$/)).replaceAll(/"(?:[^"]|"")*"/g, '');
  if (first.includes(',')) return ',';
  return ([';', '\t'] as const).find((separator) => first.includes(separator)) ?? ',';
}

function tsvRows(text: string): TermRow[] {
  return Array.from(
    text.matchAll(/([^\r\n]*)(?:\r\n|\n|\r|$)/g),
    ({ 1: line = '', index }, at) => ({
      line: at + 1,
      cells: line.split('\t').map((cell) => cell.trim()),
      start: index,
      end: index + line.length,
    }),
  ).filter(({ cells }) => cells.some((cell) => cell !== ''));
}

class CsvReader {
  readonly #text: string;
  readonly #plain: RegExp;
  #at = 0;
  #line = 1;

  constructor(text: string, separator: string) {
    this.#text = text;
    this.#plain = new RegExp(`[^${separator}\\r\\n]*`, 'y');
  }

  read(): TermRows {
    const rows: TermRow[] = [];
    while (this.#at < this.#text.length) {
      const [line, start] = [this.#line, this.#at];
      const row = this.#row();
      if (row === undefined) return { rows, unclosed: line };
      const { cells } = row;
      if (cells.length > 1 || cells[0] !== '') rows.push({ line, start, ...row });
    }
    return { rows };
  }

  #row(): Pick<TermRow, 'cells' | 'end'> | undefined {
    const cells: string[] = [];
    for (;;) {
      const cell = this.#cell();
      if (cell === undefined) return undefined;
      cells.push(cell.trim());
      const end = this.#at;
      const mark = this.#text[end];
      this.#at += 1;
      if (mark === undefined || mark === '\n' || mark === '\r') {
        if (mark === '\r' && this.#text[this.#at] === '\n') this.#at += 1;
        this.#line += 1;
        return { cells, end };
      }
    }
  }

  #cell(): string | undefined {
    if (this.#text[this.#at] !== '"') return this.#rest();
    let start = this.#at + 1;
    let cell = '';
    for (;;) {
      const quote = this.#text.indexOf('"', start);
      if (quote < 0) return undefined;
      cell += this.#text.slice(start, quote);
      this.#at = quote + 1;
      if (this.#text[this.#at] !== '"') break;
      cell += '"';
      start = quote + 2;
    }
    this.#line += lineBreaks(cell);
    return cell + this.#rest();
  }

  #rest(): string {
    this.#plain.lastIndex = this.#at;
    const found = this.#plain.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }
}

function lineBreaks(cell: string): number {
  return /[\r\n]/.test(cell) ? cell.split(/\r\n|\n|\r/).length - 1 : 0;
}
