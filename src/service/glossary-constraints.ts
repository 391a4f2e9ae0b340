/** Limits of glossaries that are checked before sending (docs/design/api.md, "Limits" and "Glossaries"). */
import * as z from 'zod';
import { JobFailure } from '../failure.ts';
import { type Constraint, fitsBytes, isLanguage, requireConstraints } from './constraint.ts';
import { baseCode, type Entries, entriesFault, MAX_PHRASE_BYTES } from './glossary-entries.ts';

const MAX_GLOSSARY_BYTES = 10_485_760;

export const GLOSSARY_NAME_RULE: Constraint<{ readonly name: string }> = {
  parameter: 'name',
  rule: `must have 1 to ${MAX_PHRASE_BYTES} bytes of UTF-8`,
  holds: ({ name }) => name !== '' && fitsBytes(name, MAX_PHRASE_BYTES),
};

/** For a new glossary as a whole. */
export const DICTIONARIES_RULES: readonly Constraint<{
  readonly dictionaries: readonly Entries[];
}>[] = [
  {
    parameter: 'dictionaries',
    rule: 'must hold at least one dictionary',
    holds: ({ dictionaries }) => dictionaries.length > 0,
  },
  {
    parameter: 'dictionaries',
    rule: 'must hold one dictionary for each pair of languages',
    holds: ({ dictionaries }) => new Set(dictionaries.map(baseCodes)).size === dictionaries.length,
  },
  {
    parameter: 'dictionaries',
    rule: `may have at most ${MAX_GLOSSARY_BYTES} bytes together`,
    holds: ({ dictionaries }) =>
      dictionaries.length === 1 || sizeOf(dictionaries) <= MAX_GLOSSARY_BYTES,
  },
];

export const PAIR_SHAPE = z.looseObject({ source_lang: z.string(), target_lang: z.string() });
export const DICTIONARY_SHAPE = PAIR_SHAPE.extend({
  entries: z.string(),
  entries_format: z.enum(['csv', 'tsv']),
});

type RequestedPair = Pick<Entries, 'source_lang' | 'target_lang'>;

/** For every request that names one dictionary. */
export const PAIR_RULES: readonly Constraint<RequestedPair>[] = (
  ['source_lang', 'target_lang'] as const
).map((parameter) => ({
  parameter,
  rule: 'must be a language code',
  holds: (pair) => isLanguage(pair[parameter]),
}));

const DICTIONARY_RULES: readonly Constraint<Entries>[] = [
  ...PAIR_RULES,
  {
    parameter: 'entries',
    rule: 'must hold at least one entry',
    holds: ({ entries }) => entries.trim() !== '',
  },
  {
    parameter: 'entries',
    rule: `may have at most ${MAX_GLOSSARY_BYTES} bytes`,
    holds: ({ entries }) => fitsBytes(entries, MAX_GLOSSARY_BYTES),
  },
];

/** @throws JobFailure `invalid-request` that names parameter and rule, for duplicate phrases with both indices */
export async function checkDictionary(operation: string, dictionary: Entries): Promise<void> {
  requireConstraints(dictionary, { operation, constraints: DICTIONARY_RULES });
  const rule = await entriesFault(dictionary);
  if (rule === undefined) return;
  throw new JobFailure({ kind: 'invalid-request', operation, parameter: 'entries', rule });
}

function baseCodes({ source_lang, target_lang }: Entries): string {
  return `${baseCode(source_lang)} ${baseCode(target_lang)}`;
}

function sizeOf(dictionaries: readonly Entries[]): number {
  return dictionaries.reduce((sum, { entries }) => sum + Buffer.byteLength(entries), 0);
}
