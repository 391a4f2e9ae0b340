/** Rows of a CSV or TSV file with the lines they begin at (RFC 4180; any line end; blank lines are skipped). Pure. */

export interface Row {
  /** 1-based line of the file where the row begins. */
  readonly line: number;
  /** Without surrounding blanks. */
  readonly cells: readonly string[];
}

export interface Rows {
  readonly rows: readonly Row[];
  /** The line of a quote that is never closed; the rows end before it. */
  readonly unclosed?: number;
}

/** @param separator `,`, `;` or a tab; a TSV knows no quotes */
export function readRows(text: string, separator: string): Rows {
  return separator === '\t' ? { rows: tsvRows(text) } : new CsvReader(text, separator).read();
}

/** Spreadsheets of half of Europe write semicolons, and some tabs: the first line tells, comma when it does not. */
export function separatorOf(text: string): ',' | ';' | '\t' {
  const first = text.slice(0, text.search(/[\r\n]|$/)).replaceAll(/"(?:[^"]|"")*"/g, '');
  if (first.includes(',')) return ',';
  return ([';', '\t'] as const).find((separator) => first.includes(separator)) ?? ',';
}

function tsvRows(text: string): Row[] {
  return text.split(/\r\n|\n|\r/).flatMap((line, index) => {
    if (line.trim() === '') return [];
    return [{ line: index + 1, cells: line.split('\t').map((cell) => cell.trim()) }];
  });
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

  read(): Rows {
    const rows: Row[] = [];
    while (this.#at < this.#text.length) {
      const line = this.#line;
      const cells = this.#row();
      if (cells === undefined) return { rows, unclosed: line };
      if (cells.length > 1 || cells[0] !== '') rows.push({ line, cells });
    }
    return { rows };
  }

  #row(): string[] | undefined {
    const cells: string[] = [];
    for (;;) {
      const cell = this.#cell();
      if (cell === undefined) return undefined;
      cells.push(cell.trim());
      const end = this.#text[this.#at];
      this.#at += 1;
      if (end === undefined || end === '\n' || end === '\r') {
        if (end === '\r' && this.#text[this.#at] === '\n') this.#at += 1;
        this.#line += 1;
        return cells;
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
