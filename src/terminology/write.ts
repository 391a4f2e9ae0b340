/** Writes dictionaries as the tables of a glossary: what `glossary pull` leaves where no file was. Pure. */
import type { LanguageTag } from '../language.ts';
import type { TermDictionary, TermEntries } from '../segments/dictionary.ts';
import type { TableText } from './table.ts';

type Kind = TableText['kind'];

/** Two columns, one pair. */
export function pairTable(entries: TermEntries, kind: Kind): string {
  return lines([...entries], kind);
}

/** A column per language; a term that a language lacks is an empty cell. */
export function languagesTable(
  source: LanguageTag,
  dictionaries: readonly TermDictionary[],
  kind: Kind,
): string {
  const phrases = new Set(dictionaries.flatMap(({ entries }) => [...entries.keys()]));
  const heading = [source, ...dictionaries.map(({ target }) => target)];
  const rows = Array.from(phrases, (phrase) => [
    phrase,
    ...dictionaries.map(({ entries }) => entries.get(phrase) ?? ''),
  ]);
  return lines([heading, ...rows], kind);
}

function lines(rows: readonly (readonly string[])[], kind: Kind): string {
  const separator = kind === 'tsv' ? '\t' : ',';
  return rows.map((row) => `${rowText(row, separator)}\n`).join('');
}

/** @param separator as the file has it; a TSV knows no quotes, and phrases hold no tabs */
export function rowText(cells: readonly string[], separator: string): string {
  return (separator === '\t' ? cells : cells.map(quoted)).join(separator);
}

/** RFC 4180; also cells with semicolons, and with blanks that would be lost at the edges. */
function quoted(cell: string): string {
  return /[",;\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
