/** Glossaries v3: several dictionaries, one per language pair, editable (docs/design/api.md, "Glossaries"). */
import * as z from 'zod';
import { badAnswer, jsonAnswer, noContent } from './answer.ts';
import type { Ask, CallOptions } from './call.ts';
import { requireConstraints } from './constraint.ts';
import {
  checkDictionary,
  DICTIONARIES_RULES,
  DICTIONARY_SHAPE,
  GLOSSARY_NAME_RULE,
  PAIR_RULES,
  PAIR_SHAPE,
} from './glossary-constraints.ts';
import type { HttpAnswer } from './http.ts';
import { requireShape } from './shape.ts';

export interface DictionaryPair {
  readonly source_lang: string;
  /** EN, PT and ZH without a variant are used for all their variants. */
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

/** At most one dictionary per call; its entries are merged into the existing dictionary of that pair. */
export interface GlossaryPatch {
  readonly name?: string | undefined;
  readonly dictionaries?: readonly [DictionaryInput] | undefined;
}

const Dictionary = z.object({
  source_lang: z.string(),
  target_lang: z.string(),
  entry_count: z.int().nonnegative(),
});
/** Codes come in BCP 47 case, on deployments in lower case (docs/design/api.md, "Where deployments differ"): compare them as tags. */
export type Dictionary = z.infer<typeof Dictionary>;

const Glossary = z.object({
  glossary_id: z.string().min(1),
  ready: z.boolean().optional(),
  name: z.string(),
  dictionaries: z.array(Dictionary),
  creation_time: z.string(),
});
/** `ready` may be false after creation: call `get` until it is not false. */
export type Glossary = z.infer<typeof Glossary>;

const Entries = z.object({
  source_lang: z.string(),
  target_lang: z.string(),
  entries: z.string(),
  entries_format: z.literal('tsv'),
});
export type DictionaryEntries = z.infer<typeof Entries>;

export interface GlossariesResource {
  /** Creates a glossary. @throws JobFailure `unanswered` when the answer was lost: list the glossaries before creating it again */
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
  /** Creates the dictionary, or replaces the one of that pair. */
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

const GLOSSARY_SHAPE = z.looseObject({
  name: z.string(),
  dictionaries: z.array(DICTIONARY_SHAPE),
});

const readGlossary = jsonAnswer(Glossary);
const readEntries = jsonAnswer(z.object({ dictionaries: z.array(Entries) }));
const CALM = { traffic: 'glossaries', repeat: 'safe' } as const;
const ONE = '/v3/glossaries/{glossary_id}';

const CREATE = {
  operation: 'POST /v3/glossaries',
  traffic: 'glossaries',
  repeat: 'once',
  read: readGlossary,
} as const;
const LIST = {
  ...CALM,
  operation: 'GET /v3/glossaries',
  read: jsonAnswer(z.object({ glossaries: z.array(Glossary) })),
} as const;
const GET = { ...CALM, operation: `GET ${ONE}`, read: readGlossary } as const;
const ENTRIES = { ...CALM, operation: `GET ${ONE}/entries`, read: readFirstDictionary } as const;
const PUT = {
  ...CALM,
  operation: `PUT ${ONE}/dictionaries`,
  read: jsonAnswer(Dictionary),
} as const;
const PATCH = { ...CALM, operation: `PATCH ${ONE}`, read: readGlossary } as const;
const REMOVE = { ...CALM, operation: `DELETE ${ONE}`, read: noContent } as const;
const REMOVE_DICTIONARY = {
  ...CALM,
  operation: `DELETE ${ONE}/dictionaries`,
  read: noContent,
} as const;

export function glossariesResource(ask: Ask): GlossariesResource {
  return {
    async create(glossary, options) {
      const { operation } = CREATE;
      requireShape(glossary, { operation, shape: GLOSSARY_SHAPE });
      requireConstraints(glossary, {
        operation,
        constraints: [GLOSSARY_NAME_RULE, ...DICTIONARIES_RULES],
      });
      for (const dictionary of glossary.dictionaries) await checkDictionary(operation, dictionary);
      return ask({ ...CREATE, json: glossary }, options);
    },
    list: async (options) => (await ask(LIST, options)).glossaries,
    get: (glossary_id, options) => ask({ ...GET, params: { glossary_id } }, options),
    async entries(glossary_id, pair, options) {
      const query = pairQuery(ENTRIES, pair);
      return ask({ ...ENTRIES, params: { glossary_id }, query }, options);
    },
    async putDictionary(glossary_id, dictionary, options) {
      requireShape(dictionary, { operation: PUT.operation, shape: DICTIONARY_SHAPE });
      await checkDictionary(PUT.operation, dictionary);
      return ask({ ...PUT, params: { glossary_id }, json: dictionary }, options);
    },
    async update(glossary_id, patch, options) {
      const { operation } = PATCH;
      requireShape(patch, { operation, shape: GLOSSARY_SHAPE.partial() });
      const { name, dictionaries = [] } = patch;
      if (name !== undefined)
        requireConstraints({ name }, { operation, constraints: [GLOSSARY_NAME_RULE] });
      for (const dictionary of dictionaries) await checkDictionary(operation, dictionary);
      return ask({ ...PATCH, params: { glossary_id }, json: patch }, options);
    },
    remove: (glossary_id, options) => ask({ ...REMOVE, params: { glossary_id } }, options),
    async removeDictionary(glossary_id, pair, options) {
      const query = pairQuery(REMOVE_DICTIONARY, pair);
      return ask({ ...REMOVE_DICTIONARY, params: { glossary_id }, query }, options);
    },
  };
}

function pairQuery({ operation }: { operation: string }, pair: DictionaryPair) {
  requireShape(pair, { operation, shape: PAIR_SHAPE, name: 'pair' });
  requireConstraints(pair, { operation, constraints: PAIR_RULES });
  const { source_lang, target_lang } = pair;
  return { source_lang, target_lang };
}

async function readFirstDictionary(answer: HttpAnswer): Promise<DictionaryEntries> {
  const [first] = (await readEntries(answer)).dictionaries;
  if (first === undefined) throw badAnswer(answer, 'no dictionary');
  return first;
}
