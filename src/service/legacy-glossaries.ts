/** Glossaries v2 (legacy): one language pair, immutable (API document, "Glossary (v2, legacy)", "Glossaries v2"). */
import { z } from 'zod';
import { jsonOf, noContent, readText } from './answer.ts';
import type { Ask, CallOptions } from './call.ts';
import type { DictionaryInput } from './glossaries.ts';
import { DICTIONARY_RULES, NAME_RULE } from './glossary-rules.ts';
import { requireRules } from './rule.ts';

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
  /** @throws JobFailure `unanswered` when the answer was lost: list before making it again */
  create(glossary: LegacyGlossaryInput, options?: CallOptions): Promise<LegacyGlossary>;
  list(options?: CallOptions): Promise<readonly LegacyGlossary[]>;
  get(glossary_id: string, options?: CallOptions): Promise<LegacyGlossary>;
  /** The entries as tab-separated text, one per line. */
  entries(glossary_id: string, options?: CallOptions): Promise<string>;
  remove(glossary_id: string, options?: CallOptions): Promise<void>;
}

const readGlossary = jsonOf(Glossary);
const readList = jsonOf(z.object({ glossaries: z.array(Glossary) }));
const CALM = { traffic: 'glossaries', repeat: 'safe' } as const;

export function legacyGlossariesResource(ask: Ask): LegacyGlossariesResource {
  return {
    async create(glossary, options) {
      const operation = 'POST /v2/glossaries';
      requireRules(glossary, { operation, rules: [NAME_RULE, ...DICTIONARY_RULES] });
      return ask(
        { operation, json: glossary, traffic: 'glossaries', repeat: 'once', read: readGlossary },
        options,
      );
    },
    async list(options) {
      const { glossaries } = await ask(
        { ...CALM, operation: 'GET /v2/glossaries', read: readList },
        options,
      );
      return glossaries;
    },
    get: (glossary_id, options) =>
      ask(
        {
          ...CALM,
          operation: 'GET /v2/glossaries/{glossary_id}',
          params: { glossary_id },
          read: readGlossary,
        },
        options,
      ),
    entries: (glossary_id, options) =>
      ask(
        {
          ...CALM,
          operation: 'GET /v2/glossaries/{glossary_id}/entries',
          params: { glossary_id },
          headers: { accept: 'text/tab-separated-values' },
          read: (answer) => readText(answer),
        },
        options,
      ),
    remove: (glossary_id, options) =>
      ask(
        {
          ...CALM,
          operation: 'DELETE /v2/glossaries/{glossary_id}',
          params: { glossary_id },
          read: noContent,
        },
        options,
      ),
  };
}
