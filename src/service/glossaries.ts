/** Glossaries v3: several dictionaries, one per language pair, editable (API document, "Glossary (v3)", "Glossaries v3"). */
import { z } from 'zod';
import { badAnswer, jsonOf, noContent } from './answer.ts';
import type { Ask, Call, CallOptions } from './call.ts';
import { DICTIONARY_RULES, NAME_RULE } from './glossary-rules.ts';
import { requireRules } from './rule.ts';

export interface DictionaryPair {
  readonly source_lang: string;
  /** EN, PT and ZH without a variant serve all their variants. */
  readonly target_lang: string;
}

export interface DictionaryInput extends DictionaryPair {
  /** One entry per line: source phrase, separator, target phrase; each phrase 1 to 1024 bytes of UTF-8, 10 MiB in all. */
  readonly entries: string;
  readonly entries_format: 'csv' | 'tsv';
}

export interface GlossaryInput {
  /** 1 to 1024 bytes of UTF-8. */
  readonly name: string;
  readonly dictionaries: readonly DictionaryInput[];
}

/** At most one dictionary in one call; its entries are merged into an existing dictionary of that pair. */
export interface GlossaryPatch {
  readonly name?: string;
  readonly dictionaries?: readonly [DictionaryInput];
}

const Dictionary = z.object({
  source_lang: z.string(),
  target_lang: z.string(),
  entry_count: z.int().nonnegative(),
});
/** Codes come in lower case from deployments, in BCP 47 casing by the document: compare them as tags. */
export type Dictionary = z.infer<typeof Dictionary>;

const Glossary = z.object({
  glossary_id: z.string().min(1),
  ready: z.boolean().optional(),
  name: z.string(),
  dictionaries: z.array(Dictionary),
  creation_time: z.string(),
});
/** `ready: false` is possible after creation: poll `get` until it is not false. */
export type Glossary = z.infer<typeof Glossary>;

const Entries = z.object({
  source_lang: z.string(),
  target_lang: z.string(),
  entries: z.string(),
  entries_format: z.literal('tsv'),
});
export type DictionaryEntries = z.infer<typeof Entries>;

export interface GlossariesResource {
  /** Makes a glossary. @throws JobFailure `unanswered` when the answer was lost: list before making it again */
  create(glossary: GlossaryInput, options?: CallOptions): Promise<Glossary>;
  /** All glossaries of this data center, without their entries. */
  list(options?: CallOptions): Promise<readonly Glossary[]>;
  get(glossary_id: string, options?: CallOptions): Promise<Glossary>;
  /** The entries of one dictionary, always as TSV. */
  entries(
    glossary_id: string,
    pair: DictionaryPair,
    options?: CallOptions,
  ): Promise<DictionaryEntries>;
  /** Makes the dictionary, or replaces the one of that pair. */
  putDictionary(
    glossary_id: string,
    dictionary: DictionaryInput,
    options?: CallOptions,
  ): Promise<Dictionary>;
  /** Renames the glossary, merges entries into a dictionary, or both. */
  update(glossary_id: string, patch: GlossaryPatch, options?: CallOptions): Promise<Glossary>;
  remove(glossary_id: string, options?: CallOptions): Promise<void>;
  removeDictionary(glossary_id: string, pair: DictionaryPair, options?: CallOptions): Promise<void>;
}

const readGlossary = jsonOf(Glossary);
const readList = jsonOf(z.object({ glossaries: z.array(Glossary) }));
const readDictionary = jsonOf(Dictionary);
const readEntries = jsonOf(z.object({ dictionaries: z.array(Entries) }));

export function glossariesResource(ask: Ask): GlossariesResource {
  const call = <T>(
    one: Omit<Call<T>, 'traffic' | 'repeat'>,
    options: CallOptions | undefined,
  ): Promise<T> => ask<T>({ ...one, traffic: 'glossaries', repeat: 'safe' }, options);
  return {
    async create(glossary, options) {
      const operation = 'POST /v3/glossaries';
      requireRules(glossary, { operation, rules: [NAME_RULE, SOME_DICTIONARY] });
      for (const dictionary of glossary.dictionaries) checkDictionary(operation, dictionary);
      return ask(
        { operation, json: glossary, traffic: 'glossaries', repeat: 'once', read: readGlossary },
        options,
      );
    },
    async list(options) {
      const { glossaries } = await call(
        { operation: 'GET /v3/glossaries', read: readList },
        options,
      );
      return glossaries;
    },
    get: (glossary_id, options) =>
      call(
        {
          operation: 'GET /v3/glossaries/{glossary_id}',
          params: { glossary_id },
          read: readGlossary,
        },
        options,
      ),
    entries: (glossary_id, { source_lang, target_lang }, options) =>
      call(
        {
          operation: 'GET /v3/glossaries/{glossary_id}/entries',
          params: { glossary_id },
          query: { source_lang, target_lang },
          async read(answer) {
            const [first] = (await readEntries(answer)).dictionaries;
            if (first === undefined) throw badAnswer(answer, 'no dictionary');
            return first;
          },
        },
        options,
      ),
    async putDictionary(glossary_id, dictionary, options) {
      const operation = 'PUT /v3/glossaries/{glossary_id}/dictionaries';
      checkDictionary(operation, dictionary);
      return call(
        { operation, params: { glossary_id }, json: dictionary, read: readDictionary },
        options,
      );
    },
    async update(glossary_id, patch, options) {
      const operation = 'PATCH /v3/glossaries/{glossary_id}';
      const { name, dictionaries = [] } = patch;
      if (name !== undefined) requireRules({ name }, { operation, rules: [NAME_RULE] });
      for (const dictionary of dictionaries) checkDictionary(operation, dictionary);
      return call({ operation, params: { glossary_id }, json: patch, read: readGlossary }, options);
    },
    remove: (glossary_id, options) =>
      call(
        {
          operation: 'DELETE /v3/glossaries/{glossary_id}',
          params: { glossary_id },
          read: noContent,
        },
        options,
      ),
    removeDictionary: (glossary_id, { source_lang, target_lang }, options) =>
      call(
        {
          operation: 'DELETE /v3/glossaries/{glossary_id}/dictionaries',
          params: { glossary_id },
          query: { source_lang, target_lang },
          read: noContent,
        },
        options,
      ),
  };
}

const SOME_DICTIONARY = {
  parameter: 'dictionaries',
  rule: 'must hold at least one dictionary',
  holds: ({ dictionaries }: GlossaryInput) => dictionaries.length > 0,
};

function checkDictionary(operation: string, dictionary: DictionaryInput): void {
  requireRules(dictionary, { operation, rules: DICTIONARY_RULES });
}
