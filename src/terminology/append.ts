/** Makes rows that a person can append to a glossary file: each is read back as its term, and all else stays as it was. Pure. */
import { type LanguagePairOfTerms, pairName } from '../segments/dictionary.ts';
import { Collection } from './collect.ts';
import { decodeGlossary } from './decode.ts';
import { type GlossaryFile, type ReadGlossary, readGlossary } from './read.ts';
import { isRemark, readRows, separatorOf } from './rows.ts';
import { tableLayoutOf } from './table.ts';
import { rowText } from './write.ts';

export interface NewTerm extends LanguagePairOfTerms {
  readonly phrases: readonly [source: string, target: string];
}

/** A row without its line end, or why there is none. `standing`: the translation of the term that the file has. */
export type NewRow =
  | { readonly row: string }
  | { readonly standing: string }
  | { readonly obstacle: string };

export interface Appending {
  /** The same file, once for each source language that is read from it; empty bytes where it does not exist. */
  readonly readers: readonly GlossaryFile[];
  readonly terms: readonly NewTerm[];
}

export interface AppendedRows {
  /** One for each term, in their order: a row must also fit to the rows before it. */
  readonly rows: readonly NewRow[];
  /** The last line of the file has no end: a line break comes before the first row. */
  readonly isOpen: boolean;
}

export function appendTerms({ readers, terms }: Appending): AppendedRows {
  const [{ bytes } = { bytes: new Uint8Array() }] = readers;
  const isOpen = bytes.length > 0 && !LINE_ENDS.includes(bytes.at(-1) ?? 0);
  const file = new GrowingFile(readers, isOpen ? '\n' : '');
  return { rows: terms.map((term) => file.add(term)), isOpen };
}

const LINE_ENDS: readonly number[] = [...Buffer.from('\r\n')];

/** A glossary file with the rows that are appended so far. */
class GrowingFile {
  readonly #readers: readonly GlossaryFile[];
  readonly #first: ReadonlyMap<string, string>;
  #bytes: Uint8Array;
  #before: string;
  #read: ReadGlossary;

  /** @param before what comes before the first row */
  constructor(readers: readonly GlossaryFile[], before: string) {
    this.#readers = readers;
    this.#bytes = readers[0]?.bytes ?? new Uint8Array();
    this.#before = before;
    this.#read = readGlossary(readers);
    this.#first = entriesOf(this.#read);
  }

  add(term: NewTerm): NewRow {
    const made = this.#rowFor(term);
    if (!('row' in made)) return made;
    const line = Buffer.from(`${this.#before}${made.row}\n`);
    const bytes = Buffer.concat([this.#bytes, line]);
    const read = readGlossary(this.#readers.map((reader) => ({ ...reader, bytes })));
    if (!isReadAs(read, this.#read, term)) {
      return { obstacle: 'the file would read this row differently: add the term in an editor' };
    }
    [this.#bytes, this.#before, this.#read] = [bytes, '', read];
    return made;
  }

  #rowFor(term: NewTerm): NewRow {
    const [source] = term.phrases;
    const standing = this.#first.get(entryName(term, source));
    if (standing !== undefined) return { standing };
    if (entriesOf(this.#read).has(entryName(term, source))) {
      return { obstacle: `a row above has "${source}" already` };
    }
    const reader = this.#readers.find(
      ({ expected }) => expected.source === term.source && expected.targets.includes(term.target),
    );
    if (reader === undefined) return { obstacle: 'the glossary has no file for this language' };
    if (/\.(tbx|xml)$/i.test(reader.file)) {
      return { obstacle: 'the file is a termbase: add the term with the program that made it' };
    }
    if (this.#read.faults.length > 0) return { obstacle: 'the file has faults: mend them first' };
    const { text, encoding } = decodeGlossary(reader.file, this.#bytes);
    if (encoding !== 'utf-8') {
      return { obstacle: `the file is in ${encoding}: add the term in an editor` };
    }
    return rowIn({ text, reader, isShared: this.#readers.length > 1 }, term);
  }
}

interface OpenedTable {
  readonly text: string;
  readonly reader: GlossaryFile;
  /** Terms of several source languages are in the file. */
  readonly isShared: boolean;
}

/** The row in the form of the table, with its columns and its separator. */
function rowIn(
  { text, reader, isShared }: OpenedTable,
  { source, target, phrases }: NewTerm,
): NewRow {
  const { file, expected } = reader;
  const separator = /\.(tsv|tab)$/i.test(file) ? '\t' : separatorOf(text);
  const rows = readRows(text, separator).rows.filter((row) => !isRemark(row));
  // Faults of single rows are reported when the file is read.
  const reading = { file, expected, asked: new Set(expected.targets), into: new Collection() };
  const layout = tableLayoutOf(rows, reading);
  switch (layout.kind) {
    case 'unclear':
      return { obstacle: 'nobody can tell whether its first row is a heading or a term' };
    case 'phrases': {
      const isNamed =
        isShared ||
        expected.targets.length > 1 ||
        layout.rows.some(({ cells }) => cells.length > 2);
      return { row: rowText(isNamed ? [...phrases, source, target] : phrases, separator) };
    }
    case 'languages': {
      const column = layout.columns.targets.get(target);
      if (column === undefined) {
        return { obstacle: `the first row of the file has no column for ${target}: add one` };
      }
      const cells: string[] = Array(Math.max(column, layout.columns.source) + 1).fill('');
      [cells[layout.columns.source], cells[column]] = phrases;
      return { row: rowText(cells, separator) };
    }
  }
}

/** Whether a file has exactly one term more than before, and no further fault. */
function isReadAs(
  read: ReadGlossary,
  before: ReadGlossary,
  { phrases, ...pair }: NewTerm,
): boolean {
  const [wanted, entries] = [entriesOf(before), entriesOf(read)];
  const [source, target] = phrases;
  wanted.set(entryName(pair, source), target);
  return (
    read.faults.length === before.faults.length &&
    entries.size === wanted.size &&
    [...wanted].every(([name, phrase]) => entries.get(name) === phrase)
  );
}

function entriesOf({ dictionaries }: ReadGlossary): Map<string, string> {
  return new Map(
    dictionaries.flatMap(({ entries, ...pair }) =>
      [...entries].map(([source, target]) => [entryName(pair, source), target] as const),
    ),
  );
}

function entryName(pair: LanguagePairOfTerms, source: string): string {
  return `${pairName(pair)}\n${source}`;
}
