/** Glossary entries as text: reads CSV and TSV, writes TSV, with the rules and limits of the service (docs/design/api.md, "Glossaries"). */
import { parseLanguage } from '../language.ts';
import type { LanguagePair } from './glossary-store.ts';
import { badParameter, Refusal } from './refusal.ts';

export interface EntriesText {
  readonly entries: string;
  readonly entries_format: 'csv' | 'tsv';
}

/**
 * Source phrase -> target phrase, in the order of the text.
 * @param rules.phraseBytes UTF-8 bytes of one phrase.
 * @throws Refusal 400; for duplicate keys `detail` names both indices.
 */
export function parseEntries(
  text: EntriesText,
  rules: { pair: LanguagePair; phraseBytes: number },
): ReadonlyMap<string, string> {
  const content = text.entries.replace(/^\uFEFF/u, '');
  const rows = text.entries_format === 'csv' ? parseCsv(content) : parseTsv(content);
  const entries = new Map<string, string>();
  const indices = new Map<string, number>();
  for (const [index, row] of rows.entries()) {
    const [source = '', target = ''] = checkRow(row, index, text.entries_format);
    if (!hasCodesOf(row, rules.pair)) continue;
    checkPhrase(source, index, rules.phraseBytes);
    checkPhrase(target, index, rules.phraseBytes);
    const first = indices.get(source);
    if (first !== undefined) throw duplicate(source, first, index);
    indices.set(source, index);
    entries.set(source, target);
  }
  if (entries.size === 0)
    throw badParameter('entries', 'must hold at least one entry for the pair');
  return entries;
}

export function formatEntries(entries: ReadonlyMap<string, string>): string {
  return [...entries].map(([source, target]) => `${source}\t${target}`).join('\n');
}

/** UTF-8 bytes of the entries as TSV. */
export function sizeOfEntries(entries: ReadonlyMap<string, string>): number {
  let size = 0;
  for (const [source, target] of entries) {
    size += Buffer.byteLength(source) + Buffer.byteLength(target) + 2;
  }
  return size;
}

function parseTsv(text: string): readonly (readonly string[])[] {
  return text
    .split(/\r\n|\n|\r/u)
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('\t'));
}

/** CSV exports have 2 to 5 columns: phrases, codes, relevance (docs/design/api.md, "What is not documented"). */
function checkRow(
  row: readonly string[],
  index: number,
  format: EntriesText['entries_format'],
): readonly string[] {
  const most = format === 'csv' ? 5 : 2;
  if (row.length >= 2 && row.length <= most) return row;
  throw new Refusal(400, "Bad request. Parameter 'entries' is invalid.", {
    detail: `The entry at index ${index} has ${row.length} columns.`,
  });
}

/** An entry whose codes do not match the dictionary's pair is ignored. */
function hasCodesOf(row: readonly string[], pair: LanguagePair): boolean {
  const [, , source, target] = row;
  return isCode(source, pair.source_lang) && isCode(target, pair.target_lang);
}

function isCode(code: string | undefined, expected: string): boolean {
  if (code === undefined || code.trim() === '') return true;
  return parseLanguage(code)?.split('-', 1)[0] === expected;
}

function checkPhrase(phrase: string, index: number, most: number): void {
  const fault = phraseFault(phrase, most);
  if (fault === undefined) return;
  throw new Refusal(400, "Bad request. Parameter 'entries' is invalid.", {
    detail: `The entry at index ${index} ${fault}.`,
  });
}

function phraseFault(phrase: string, most: number): string | undefined {
  if (phrase.trim() === '') return 'has an empty phrase';
  if (/[\t\r\n]/u.test(phrase)) return 'has a phrase with a tab or line break';
  if (Buffer.byteLength(phrase) > most) return `has a phrase of more than ${most} bytes`;
  return undefined;
}

function duplicate(key: string, first: number, second: number): Refusal {
  return new Refusal(400, 'Bad request. Duplicate entries are not allowed.', {
    detail: `Key '${key}' at indices ${first} and ${second}.`,
  });
}

// CSV with standard conventions (RFC 4180): quoted fields, doubled quotes, any line end; blank lines are skipped.

/** @throws Refusal 400 for a quote that is not closed where its field ends. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const found of text.matchAll(FIELD)) {
    const { quoted, plain = '', end } = found.groups ?? {};
    if (quoted === undefined && plain.startsWith('"')) throw unclosed(rows.length);
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1 || row[0]?.trim() !== '') rows.push(row);
    row = [];
    if (end === '') break;
  }
  return rows;
}

const FIELD = /(?:"(?<quoted>[^"]*(?:""[^"]*)*)"|(?<plain>[^,\r\n]*))(?<end>,|\r\n|\n|\r|$)/gu;

function unclosed(index: number): Refusal {
  return new Refusal(400, "Bad request. Parameter 'entries' is invalid.", {
    detail: `The entry at index ${index} has a quote that is not closed where the field ends.`,
  });
}
