/** Writes dictionaries as tables, for `glossary pull` when there is no file yet. Pure. */
import type { LanguageTag } from '../language.ts';
import type { TermDictionary, TermEntries } from '../segments/dictionary.ts';
import type { TableText } from './table.ts';

type TableKind = TableText['kind'];

/** A table with two columns, for one pair. */
export function pairTable(entries: TermEntries, kind: TableKind): string {
  return lines([...entries], kind);
}

/** A table with a column per language; a missing term is an empty cell. */
export function languagesTable(
  source: LanguageTag,
  dictionaries: readonly TermDictionary[],
  kind: TableKind,
): string {
  const phrases = new Set(dictionaries.flatMap(({ entries }) => [...entries.keys()]));
  const heading = [source, ...dictionaries.map(({ target }) => target)];
  const rows = Array.from(phrases, (phrase) => [
    phrase,
    ...dictionaries.map(({ entries }) => entries.get(phrase) ?? ''),
  ]);
  return lines([heading, ...rows], kind);
}

function lines(rows: readonly (readonly string[])[], kind: TableKind): string {
  const separator = kind === 'tsv' ? '\t' : ',';
  return rows.map((row) => `${rowText(row, separator)}\n`).join('');
}

/** @param separator of the file; a TSV has no quotes, and phrases have no tabs */
export function rowText(cells: readonly string[], separator: string): string {
  return (separator === '\t' ? cells : cells.map(quoted)).join(separator);
}

/** Quotes a cell (RFC 4180), also one with semicolons, or with spaces at its edges, which would be lost. */
function quoted(cell: string): string {
  return /[",;\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
