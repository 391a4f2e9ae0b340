/** Limits of glossaries that are known before sending (API document, "Limits" and "Glossary (v3)"). */
import { fitsBytes, isLanguage, type Rule } from './rule.ts';

const MAX_PHRASE_BYTES = 1024;
const MAX_ENTRIES_BYTES = 10_485_760;

export const NAME_RULE: Rule<{ readonly name: string }> = {
  parameter: 'name',
  rule: `must have 1 to ${MAX_PHRASE_BYTES} bytes of UTF-8`,
  holds: ({ name }) => name !== '' && fitsBytes(name, MAX_PHRASE_BYTES),
};

interface Entries {
  readonly source_lang: string;
  readonly target_lang: string;
  readonly entries: string;
  readonly entries_format: 'csv' | 'tsv';
}

export const DICTIONARY_RULES: readonly Rule<Entries>[] = [
  ...(['source_lang', 'target_lang'] as const).map((parameter) => ({
    parameter,
    rule: 'must be a language code',
    holds: (dictionary: Entries) => isLanguage(dictionary[parameter]),
  })),
  {
    parameter: 'entries',
    rule: 'must hold at least one entry',
    holds: ({ entries }) => entries.trim() !== '',
  },
  {
    parameter: 'entries',
    rule: `may have at most ${MAX_ENTRIES_BYTES} bytes`,
    holds: ({ entries }) => fitsBytes(entries, MAX_ENTRIES_BYTES),
  },
  {
    parameter: 'entries',
    rule: `may hold only phrases of 1 to ${MAX_PHRASE_BYTES} bytes of UTF-8, two in each line`,
    // CSV quotes and doubles; the phrases of a CSV are the service's to judge, which names the line.
    holds: ({ entries, entries_format }) =>
      entries_format === 'csv' || linesOf(entries).every(isEntry),
  },
];

function linesOf(entries: string): string[] {
  return entries.split(/\r?\n/).filter((line) => line !== '');
}

function isEntry(line: string): boolean {
  const [source = '', target = ''] = line.split('\t');
  return [source, target].every((phrase) => phrase !== '' && fitsBytes(phrase, MAX_PHRASE_BYTES));
}
