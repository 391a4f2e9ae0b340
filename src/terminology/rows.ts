/** Reads the rows of a CSV or TSV file with their lines (RFC 4180; any line end; blank lines are skipped). Pure. */

export interface TermRow {
  /** 1-based line of the file where the row begins. */
  readonly line: number;
  /** Without spaces around them. */
  readonly cells: readonly string[];
  /** Range in the text in UTF-16 code units, without the line break. */
  readonly start: number;
  readonly end: number;
  /** What is between the closing quote of a cell and the next separator: it belongs to no cell. */
  readonly behindQuote?: string;
}

export interface TermRows {
  readonly rows: readonly TermRow[];
  /** The line of an unclosed quote; the rows end before it. */
  readonly unclosed?: number;
}

/** The text of a table and how its columns are separated. */
export interface TermSheet {
  readonly text: string;
  readonly rows: readonly TermRow[];
  readonly separator: string;
}

/** @param separator `,`, `;` or a tab; a TSV has no quotes */
export function readRows(text: string, separator: string): TermRows {
  return separator === '\t' ? { rows: tsvRows(text) } : new CsvReader(text, separator).read();
}

export const SEPARATORS = [',', ';', '\t'] as const;

/**
 * The separator of the first line that is no comment. Spreadsheets in much of Europe write semicolons, some write tabs. A comma when that
 * line has no separator.
 */
export function separatorOf(text: string): (typeof SEPARATORS)[number] {
  const start = /^(?:(?:#[^,;\t\r\n]*|[^\S\r\n]*)[\r\n])*/.exec(text)?.[0].length ?? 0;
  const rest = text.slice(start);
  const first = rest.slice(0, rest.search(/[\r\n]|$/)).replaceAll(/"(?:[^"]|"")*"/g, '');
  return SEPARATORS.find((separator) => first.includes(separator)) ?? ',';
}

/** Whether a row is a remark of a person, such as `# Shop`. One with a separator may be a term. */
export function isRemark({ cells }: TermRow): boolean {
  const [first = '', ...others] = cells;
  return others.length === 0 && /^#[^,;\t]*$/.test(first);
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
  #behindQuote = '';

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

  #row(): Pick<TermRow, 'cells' | 'end' | 'behindQuote'> | undefined {
    const cells: string[] = [];
    this.#behindQuote = '';
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
        const behindQuote = this.#behindQuote;
        return behindQuote === '' ? { cells, end } : { cells, end, behindQuote };
      }
    }
  }

  #cell(): string | undefined {
    const opening = this.#openingQuote();
    if (opening === undefined) return this.#rest();
    let start = opening + 1;
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
    const behind = this.#rest();
    this.#behindQuote ||= behind.trim();
    return cell + behind;
  }

  /** Blanks before it are blanks around the phrase. */
  #openingQuote(): number | undefined {
    let at = this.#at;
    while (this.#text[at] === ' ') at += 1;
    return this.#text[at] === '"' ? at : undefined;
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
