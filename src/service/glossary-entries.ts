/** Checks the entries of a dictionary before they are sent: finds what the service would refuse (docs/design/api.md, "Glossaries"). */
import { baseLanguage, parseLanguage } from '../language.ts';
import { limitFor } from '../parsing/thread-call.ts';
import { within } from '../parsing/within.ts';
import { fitsBytes } from './constraint.ts';

export const MAX_PHRASE_BYTES = 1024;

export interface Entries {
  readonly source_lang: string;
  readonly target_lang: string;
  readonly entries: string;
  readonly entries_format: 'csv' | 'tsv';
}

/**
 * The fault of the entries, as the end of a sentence that begins with "entries"; undefined when there is none. Entries are counted from 0,
 * like the service does.
 */
export async function entriesFault(dictionary: Entries): Promise<string | undefined> {
  const rows = await rowsOf(dictionary);
  if (rows === undefined) return 'must be CSV: a quote is not closed where its field ends';
  const first = new Map<string, number>();
  for (const [index, row] of rows.entries()) {
    if (!isOfPair(row, dictionary)) continue;
    const [source = '', target = ''] = row;
    if (!hasColumns(row, dictionary) || !isPhrase(source) || !isPhrase(target)) {
      return `may hold only two phrases of 1 to ${MAX_PHRASE_BYTES} bytes of UTF-8 in each line, the one at index ${index} has others`;
    }
    const known = first.get(source);
    if (known !== undefined) {
      return `must name each source phrase once: "${source}" is at the indices ${known} and ${index}`;
    }
    first.set(source, index);
  }
  return undefined;
}

type GlossaryRow = readonly string[];

/** Undefined for a text that is not valid CSV. */
async function rowsOf({
  entries,
  entries_format,
}: Entries): Promise<readonly GlossaryRow[] | undefined> {
  if (entries_format === 'tsv') {
    const lines = entries.replace(/^\uFEFF/u, '').split(/\r\n|\n|\r/u);
    return lines.filter((line) => line.trim() !== '').map((line) => line.split('\t'));
  }
  // Loaded when it is needed: most users of the client have no glossary.
  const { parse } = await import('csv-parse/sync');
  const options = { bom: true, relax_column_count: true, skip_empty_lines: true };
  try {
    return within(limitFor(entries.length), () => parse(entries, options));
  } catch {
    return undefined;
  }
}

/** A CSV row may name its languages; the service ignores rows with other languages. */
function isOfPair([, , source, target]: GlossaryRow, pair: Entries): boolean {
  return isOf(source, pair.source_lang) && isOf(target, pair.target_lang);
}

function isOf(code: string | undefined, language: string): boolean {
  if (code === undefined || code.trim() === '') return true;
  return baseCode(code) === baseCode(language);
}

/** Dictionaries have base codes (docs/design/api.md, "What is not documented"). */
export function baseCode(code: string): string {
  const tag = parseLanguage(code.trim());
  return tag === undefined ? code : baseLanguage(tag);
}

/** Real CSV files have up to five columns (docs/design/api.md, "What is not documented"). */
function hasColumns(row: GlossaryRow, { entries_format }: Entries): boolean {
  return row.length >= 2 && row.length <= (entries_format === 'csv' ? 5 : 2);
}

function isPhrase(phrase: string): boolean {
  return phrase.trim() !== '' && !/[\t\r\n]/.test(phrase) && fitsBytes(phrase, MAX_PHRASE_BYTES);
}
