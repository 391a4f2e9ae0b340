/** Decides what the columns of a glossary table are: one for each language, or phrases followed by language codes. Pure. */
import { baseLanguage, type LanguageTag, languageName, parseLanguage } from '../language.ts';
import type { LanguagePairOfTerms } from '../segments/dictionary.ts';
import { type Collection, type EntryPosition, twoVariants } from './collect.ts';
import { columnProblem, oneColumn, quoteProblem } from './columns.ts';
import { isRemark, readRows, separatorOf, type TermRow, type TermSheet } from './rows.ts';

/** The languages of a file. */
export interface Expected {
  /** Base codes. */
  readonly source: LanguageTag;
  readonly targets: readonly LanguageTag[];
}

export interface TableText {
  readonly file: string;
  readonly text: string;
  readonly kind: 'csv' | 'tsv';
}

export function readTermTable({ file, text, kind }: TableText, table: TableTarget): void {
  const separator = kind === 'tsv' ? '\t' : separatorOf(text);
  const { rows, unclosed } = readRows(text, separator);
  const sheet = { text, rows, separator };
  if (unclosed !== undefined) {
    table.into.fault({ file, line: unclosed }, 'a quote that begins here is never closed');
  }
  const reading = { ...table, file };
  const layout = tableLayoutOf(soundRows(rows, reading), reading);
  switch (layout.kind) {
    case 'languages':
      for (const row of layout.rows) addLanguages(row, { layout, sheet }, reading);
      break;
    case 'phrases':
      for (const row of layout.rows) addPhrases(row, sheet, reading);
      break;
    case 'unclear':
      break;
  }
}

/** The rows without comments and without those that cannot be read. */
function soundRows(rows: readonly TermRow[], { file, into }: TableReading): TermRow[] {
  return rows.filter((row) => {
    const problem = quoteProblem(row);
    if (problem !== undefined) into.fault(at(file, row.line), problem);
    return problem === undefined && !isRemark(row);
  });
}

/** The meaning of the rows of a table; the heading is not among the rows. */
export type TableLayout =
  | LanguagesLayout
  | { readonly kind: 'phrases'; readonly rows: readonly TermRow[] }
  /** The first row may be a heading or a term; the collection has the fault. */
  | { readonly kind: 'unclear' };

interface LanguagesLayout {
  readonly kind: 'languages';
  readonly heading: TermRow;
  readonly columns: TermColumns;
  readonly rows: readonly TermRow[];
}

/**
 * `ID,ID,en,de` may be a heading with four languages, or a term with its codes. When the first row can be both, the other rows decide.
 * If they have codes after their phrases, as the API writes them, all rows are terms, also the first one.
 */
export function tableLayoutOf(rows: readonly TermRow[], reading: TableReading): TableLayout {
  const [first, ...rest] = rows;
  if (first === undefined) return { kind: 'phrases', rows };
  const { expected } = reading;
  const bases = first.cells.map((cell) => headingOf(cell, expected));
  if (!isLanguageHeading(bases, reading)) {
    return { kind: 'phrases', rows: isHeading(first) ? rest : rows };
  }
  switch (meaningOf(first, bases, { ...reading, rest })) {
    case 'languages':
      return {
        kind: 'languages',
        heading: first,
        columns: columnsOf(first, bases, reading),
        rows: rest,
      };
    case 'phrases':
      return { kind: 'phrases', rows };
    case 'unclear': {
      const { file, into } = reading;
      into.fault({ file, line: first.line }, unclearHeading(first.cells, expected));
      return { kind: 'unclear' };
    }
  }
}

/** Whether the first row can be a heading with one column per language: it has the source and another language. */
function isLanguageHeading(
  bases: readonly (LanguageTag | undefined)[],
  { expected }: TableReading,
): boolean {
  const others = bases.filter((base) => base !== undefined && base !== expected.source);
  // With codes only from the third column on, the row is a term.
  const begins = bases.slice(0, 2).some((base) => base !== undefined);
  return begins && bases.includes(expected.source) && others.length > 0;
}

/** The meaning of a first row that can be a heading. */
function meaningOf(
  first: TermRow,
  bases: readonly (LanguageTag | undefined)[],
  { expected, asked, rest }: TableReading & { readonly rest: readonly TermRow[] },
): TableLayout['kind'] {
  if (hasCodes(first)) return meantBy(bases, { rest, expected });
  const isWanted = bases.some((base) => base !== undefined && asked.has(base));
  // `en,car` above `sun,Sonne`: no column is for a wanted language, so the row may be a term.
  return first.cells.length === 2 && !isWanted ? 'unclear' : 'languages';
}

/** Whether a row may be a term as the API writes it: two phrases and the codes of their languages. A relevance may follow. */
function hasCodes({ cells }: TermRow): boolean {
  const [, , source = '', target = ''] = cells;
  if (cells.length < 3 || baseOf(source) === undefined) return false;
  return target === '' || baseOf(target) !== undefined;
}

/** @param bases languages of a first row that can be a heading and a term */
function meantBy(
  bases: readonly (LanguageTag | undefined)[],
  { rest, expected }: { readonly rest: readonly TermRow[]; readonly expected: Expected },
): TableLayout['kind'] {
  if (rest.length > 0 && rest.every(({ cells }) => isCoded(cells, expected))) return 'phrases';
  const source = bases.indexOf(expected.source);
  // `en,de,fr,es`: as a term, its codes would be of a pair that no project uses.
  if (!bases.slice(2, 4).includes(expected.source)) return 'languages';
  const known = bases.filter((base) => base !== undefined);
  if (new Set(known).size < known.length) return 'phrases';
  const isColumn = rest.every(({ cells }) => cells.length > source && !isCoded(cells, expected));
  if (rest.length > 0 && isColumn) return 'languages';
  return bases.slice(0, 2).includes(undefined) ? 'phrases' : 'unclear';
}

/** Whether a row has codes. A single code may be a word (`car` is Carib), so it must be the code of the source. */
function isCoded(
  [, , source = '', target = '']: readonly string[],
  { source: ours }: Expected,
): boolean {
  if (target === '') return baseOf(source) === ours;
  return baseOf(source) !== undefined && baseOf(target) !== undefined;
}

function unclearHeading(cells: readonly string[], { targets }: Expected): string {
  const [source = '', target = '', ...codes] = cells;
  const term = `the term "${source}" = "${target}"`;
  const forTerms = 'for terms put a first row such as "source,target" above it';
  return codes.length === 0
    ? `"${cells.join(',')}" can be a heading without a column for ${targets.join(' or ')}, or ${term}: for a heading add that column, ${forTerms}`
    : `"${cells.join(',')}" can be a heading with a column per language, or ${term} with the codes ${codes.join(' and ')}: for a heading put a row of terms under it, ${forTerms}`;
}

export interface TableTarget {
  readonly expected: Expected;
  /** Base codes of all targets that some project takes from this file. */
  readonly asked: ReadonlySet<LanguageTag>;
  readonly into: Collection;
}

export interface TableReading extends TableTarget {
  readonly file: string;
}

export interface TermColumns {
  /** Index of the column with the source phrases. */
  readonly source: number;
  /** Base code -> index. */
  readonly targets: ReadonlyMap<LanguageTag, number>;
  /** Columns of languages that no project uses. */
  readonly others: readonly number[];
}

function columnsOf(
  { line, cells }: TermRow,
  bases: readonly (LanguageTag | undefined)[],
  { expected, into, file }: TableReading,
): TermColumns {
  const targets = new Map<LanguageTag, number>();
  for (const [index, base] of bases.entries()) {
    if (base === undefined || !expected.targets.includes(base)) continue;
    const before = targets.get(base);
    if (before === undefined) targets.set(base, index);
    else into.fault({ file, line }, twoVariants([cells[before], cells[index]], base));
  }
  const foreign = [...bases.entries()].filter(
    ([, base]) => base !== undefined && base !== expected.source && !targets.has(base),
  );
  const source = bases.indexOf(expected.source);
  return { source, targets, others: foreign.map(([index]) => index) };
}

function addLanguages(
  row: TermRow,
  { layout, sheet }: { readonly layout: LanguagesLayout; readonly sheet: TermSheet },
  { expected, into, file }: TableReading,
): void {
  const { line, cells } = row;
  const { columns, heading } = layout;
  const problem = columnProblem(row, heading, sheet);
  if (problem !== undefined) {
    into.fault(at(file, line), problem);
    return;
  }
  const source = cells[columns.source] ?? '';
  if (columns.targets.size === 0) into.skip(at(file, line));
  for (const [target, index] of columns.targets) {
    const phrase = cells[index] ?? '';
    // An empty cell means that the language does not have the term yet.
    if (phrase !== '')
      into.add({ source: expected.source, target }, [source, phrase], at(file, line));
  }
}

const HEADINGS = [
  new Set(['source', 'source phrase', 'source term', 'source text', 'source_term', 'term']),
  new Set(['target', 'target phrase', 'target term', 'target text', 'target_term', 'translation']),
] as const;

function isHeading({ cells }: TermRow): boolean {
  return HEADINGS.every((words, index) => words.has((cells[index] ?? '').toLowerCase()));
}

/** Two phrases, perhaps their codes and a relevance (docs/design/api.md, "What is not documented"). */
export const MAX_COLUMNS = 5;

function addPhrases(row: TermRow, sheet: TermSheet, reading: TableReading): void {
  const { expected, into, file } = reading;
  const { line, cells } = row;
  const [source = '', target = '', ...codes] = cells;
  const place = at(file, line);
  if (cells.length < 2 || cells.length > MAX_COLUMNS) {
    into.fault(
      place,
      `${cells.length === 1 ? `${oneColumn(row, sheet)}; ` : `has ${cells.length} columns: `}expected source,target[,source code,target code[,relevance]], or a first row of language codes with ${expected.source} in it`,
    );
    return;
  }
  const pair = languagePairOf(codes, { ...reading, place });
  if (pair === 'other') into.skip(place);
  else if (pair !== undefined) into.add(pair, [source, target], place);
}

export function languagePairOf(
  codes: readonly string[],
  { expected, into, place }: TableReading & { readonly place: EntryPosition },
): LanguagePairOfTerms | 'other' | undefined {
  const [source = '', target = ''] = codes;
  for (const code of [source, target]) {
    if (code !== '' && baseOf(code) === undefined) {
      into.fault(place, `"${code}" is no language code`);
      return undefined;
    }
  }
  const only = expected.targets.length === 1 ? expected.targets[0] : undefined;
  const meant = target === '' ? only : baseOf(target);
  if (meant === undefined) {
    into.fault(
      place,
      `does not say its language: add the codes as in "phrase,Phrase,${expected.source},${expected.targets[0]}", or a first row such as "${[expected.source, ...expected.targets].join(',')}"`,
    );
    return undefined;
  }
  const isOurs = source === '' || baseOf(source) === expected.source;
  return isOurs && expected.targets.includes(meant)
    ? { source: expected.source, target: meant }
    : 'other';
}

/** The base language of a cell of the first row, by its code or its English name. */
function headingOf(cell: string, { source, targets }: Expected): LanguageTag | undefined {
  const named = [source, ...targets].find(
    (tag) => languageName(tag)?.toLowerCase() === cell.toLowerCase(),
  );
  return named ?? baseOf(cell);
}

function baseOf(code: string): LanguageTag | undefined {
  const tag = parseLanguage(code);
  return tag === undefined || languageName(tag) === undefined ? undefined : baseLanguage(tag);
}

function at(file: string, line: number): EntryPosition {
  return { file, line };
}
