/** Writes dictionaries as the CSV files of a glossary: what `glossary pull` leaves in the repo. Pure. */
import type { LanguageTag } from '../language.ts';
import type { Dictionary, Entries } from './dictionary.ts';

/** Two columns, one pair. */
export function pairCsv(entries: Entries): string {
  return lines([...entries]);
}

/** A column per language; a term that a language lacks is an empty cell. */
export function languagesCsv(source: LanguageTag, dictionaries: readonly Dictionary[]): string {
  const phrases = new Set(dictionaries.flatMap(({ entries }) => [...entries.keys()]));
  const heading = [source, ...dictionaries.map(({ target }) => target)];
  const rows = Array.from(phrases, (phrase) => [
    phrase,
    ...dictionaries.map(({ entries }) => entries.get(phrase) ?? ''),
  ]);
  return lines([heading, ...rows]);
}

function lines(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(quoted).join(',')}\n`).join('');
}

/** RFC 4180; also cells with semicolons, and with blanks that would be lost at the edges. */
function quoted(cell: string): string {
  return /[",;\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
