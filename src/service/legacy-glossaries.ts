/** Glossaries v2 (legacy): one language pair, immutable (docs/design/api.md, "Glossaries"). */
import * as z from 'zod';
import { jsonAnswer, noContent, readAnswerText } from './answer.ts';
import type { Ask, CallOptions } from './call.ts';
import { requireConstraints } from './constraint.ts';
import type { DictionaryInput } from './glossaries.ts';
import { checkDictionary, DICTIONARY_SHAPE, GLOSSARY_NAME_RULE } from './glossary-constraints.ts';
import type { HttpAnswer } from './http.ts';
import { requireShape } from './shape.ts';

export interface LegacyGlossaryInput extends DictionaryInput {
  /** 1 to 1024 bytes of UTF-8. */
  readonly name: string;
}

const Glossary = z.object({
  glossary_id: z.string().min(1),
  ready: z.boolean(),
  name: z.string(),
  source_lang: z.string(),
  target_lang: z.string(),
  creation_time: z.string(),
  entry_count: z.int().nonnegative(),
});
export type LegacyGlossary = z.infer<typeof Glossary>;

/** To change a legacy glossary, read its entries, remove it and create a new one. */
export interface LegacyGlossariesResource {
  /** @throws JobFailure `unanswered` when the answer was lost: list the glossaries before creating it again */
  create(glossary: LegacyGlossaryInput, options?: CallOptions): Promise<LegacyGlossary>;
  list(options?: CallOptions): Promise<readonly LegacyGlossary[]>;
  get(glossary_id: string, options?: CallOptions): Promise<LegacyGlossary>;
  /** The entries as tab-separated text, one per line. */
  entries(glossary_id: string, options?: CallOptions): Promise<string>;
  remove(glossary_id: string, options?: CallOptions): Promise<void>;
}

const GLOSSARY_SHAPE = DICTIONARY_SHAPE.extend({ name: z.string() });

const readGlossary = jsonAnswer(Glossary);
const CALM = { traffic: 'glossaries', repeat: 'safe' } as const;
const ONE = '/v2/glossaries/{glossary_id}';

const CREATE = {
  operation: 'POST /v2/glossaries',
  traffic: 'glossaries',
  repeat: 'once',
  read: readGlossary,
} as const;
const LIST = {
  ...CALM,
  operation: 'GET /v2/glossaries',
  read: jsonAnswer(z.object({ glossaries: z.array(Glossary) })),
} as const;
const GET = { ...CALM, operation: `GET ${ONE}`, read: readGlossary } as const;
const ENTRIES = {
  ...CALM,
  operation: `GET ${ONE}/entries`,
  headers: { accept: 'text/tab-separated-values' },
  read: (answer: HttpAnswer) => readAnswerText(answer),
} as const;
const REMOVE = { ...CALM, operation: `DELETE ${ONE}`, read: noContent } as const;

export function legacyGlossariesResource(ask: Ask): LegacyGlossariesResource {
  return {
    async create(glossary, options) {
      const { operation } = CREATE;
      requireShape(glossary, { operation, shape: GLOSSARY_SHAPE });
      requireConstraints(glossary, { operation, constraints: [GLOSSARY_NAME_RULE] });
      await checkDictionary(operation, glossary);
      return ask({ ...CREATE, json: glossary }, options);
    },
    list: async (options) => (await ask(LIST, options)).glossaries,
    get: (glossary_id, options) => ask({ ...GET, params: { glossary_id } }, options),
    entries: (glossary_id, options) => ask({ ...ENTRIES, params: { glossary_id } }, options),
    remove: (glossary_id, options) => ask({ ...REMOVE, params: { glossary_id } }, options),
  };
}
