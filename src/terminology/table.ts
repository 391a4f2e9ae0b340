/** How the columns of a glossary table are meant: a language each, or phrases followed by their codes. Pure. */
import { baseLanguage, type LanguageTag, languageName, parseLanguage } from '../language.ts';
import type { Pair } from '../segments/dictionary.ts';
import type { Collection, Position } from './collect.ts';
import { type Row, readRows, separatorOf } from './rows.ts';

/** What a file may be about. */
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

export function readTable({ file, text, kind }: TableText, table: Target): void {
  const { rows, unclosed } = readRows(text, kind === 'tsv' ? '\t' : separatorOf(text));
  const [first, ...rest] = rows;
  if (unclosed !== undefined) {
    table.into.fault({ file, line: unclosed }, 'a quote that begins here is never closed');
  }
  if (first === undefined) return;
  const columns = languageColumns(first, { ...table, file });
  if (columns !== undefined) {
    for (const row of rest) addLanguages(row, columns, { ...table, file });
    return;
  }
  for (const row of isHeading(first) ? rest : rows) addPhrases(row, { ...table, file });
}

export interface Target {
  readonly expected: Expected;
  readonly into: Collection;
}

export interface Reading extends Target {
  readonly file: string;
}

export interface Columns {
  /** Index of the column with the source phrases. */
  readonly source: number;
  /** Base code -> index. */
  readonly targets: ReadonlyMap<LanguageTag, number>;
  /** Columns of languages that nobody asked for. */
  readonly others: readonly number[];
}

/**
 * A first row of languages, the source among them: one column per language. Codes from the third column on alone are
 * those of an entry.
 */
export function languageColumns({ line, cells }: Row, reading: Reading): Columns | undefined {
  const { expected, into, file } = reading;
  const bases = cells.map((cell) => headingOf(cell, expected));
  const source = bases.indexOf(expected.source);
  const others = bases.filter((base) => base !== undefined && base !== expected.source);
  const begins = bases.slice(0, 2).some((base) => base !== undefined);
  if (!begins || source < 0 || others.length === 0) return undefined;
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
  return { source, targets, others: foreign.map(([index]) => index) };
}

/** Dictionaries carry the base language: variants of one cannot have dictionaries of their own (decisions.md). */
export function twoVariants(names: readonly (string | undefined)[], base: LanguageTag): string {
  return `${names.join(' and ')} are variants of ${base}, and a glossary holds one dictionary for all of them: keep one`;
}

function addLanguages({ line, cells }: Row, columns: Columns, reading: Reading): void {
  const { expected, into, file } = reading;
  const source = cells[columns.source] ?? '';
  for (const [target, index] of columns.targets) {
    const phrase = cells[index] ?? '';
    // A term that one language does not have yet is an empty cell.
    if (phrase !== '')
      into.add({ source: expected.source, target }, [source, phrase], at(file, line));
  }
}

const HEADINGS = [
  new Set(['source', 'source phrase', 'source term', 'source text', 'source_term', 'term']),
  new Set(['target', 'target phrase', 'target term', 'target text', 'target_term', 'translation']),
] as const;

export function isHeading({ cells }: Row): boolean {
  return HEADINGS.every((words, index) => words.has((cells[index] ?? '').toLowerCase()));
}

/** Two phrases, perhaps their codes and a relevance (open-points.md, "glossary CSV in the wild"). */
export const MAX_COLUMNS = 5;

function addPhrases(row: Row, reading: Reading): void {
  const { expected, into, file } = reading;
  const { line, cells } = row;
  const [source = '', target = '', ...codes] = cells;
  const place = at(file, line);
  if (cells.length < 2 || cells.length > MAX_COLUMNS) {
    into.fault(
      place,
      `has ${cells.length === 1 ? 'one column' : `${cells.length} columns`}: expected source,target[,source code,target code[,relevance]], or a first row of language codes with ${expected.source} in it`,
    );
    return;
  }
  const pair = pairOf(codes, { ...reading, place });
  if (pair === 'other') into.skip(place);
  else if (pair !== undefined) into.add(pair, [source, target], place);
}

export function pairOf(
  codes: readonly string[],
  { expected, into, place }: Reading & { readonly place: Position },
): Pair | 'other' | undefined {
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

/** By its code, or in a first row by its English name. */
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

function at(file: string, line: number): Position {
  return { file, line };
}
