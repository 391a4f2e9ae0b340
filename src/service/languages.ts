/** The available languages and features: `/v3/languages`, and the deprecated v2 lists (docs/design/api.md, "Languages"). */
import * as z from 'zod';
import { LANGUAGE_RESOURCES, type LanguageResourceName } from '../language.ts';
import { jsonAnswer } from './answer.ts';
import type { Ask, Call, CallOptions } from './call.ts';
import { requireShape } from './shape.ts';

export interface LanguageQuery {
  readonly resource: LanguageResourceName;
  /** `beta` adds beta languages and features, `external` those of third-party providers; absent: only stable ones. */
  readonly include?: readonly ('beta' | 'external')[] | undefined;
}

const QUERY_SHAPE = z.looseObject({
  resource: z.enum(LANGUAGE_RESOURCES),
  include: z.array(z.enum(['beta', 'external'])).optional(),
});

export const Language = z.object({
  lang: z.string(),
  name: z.string(),
  usable_as_source: z.boolean(),
  usable_as_target: z.boolean(),
  status: z.string(),
  features: z.record(z.string(), z.looseObject({ status: z.string() })),
});

/** `lang` in BCP 47 case. A feature (`formality`, `glossary`, `style_rules` …) is supported when its key is present. */
export type Language = z.infer<typeof Language>;

const Resource = z.object({
  name: z.string(),
  features: z.array(
    z.object({
      name: z.string(),
      needs_source_support: z.boolean().optional(),
      needs_target_support: z.boolean().optional(),
    }),
  ),
});

/** A resource and whether each feature must be supported by the source language, the target language, or both. */
export type LanguageResourceInfo = z.infer<typeof Resource>;

const LegacyLanguage = z.object({
  language: z.string(),
  name: z.string(),
  supports_formality: z.boolean().optional(),
});

/** `language` in upper case; `supports_formality` only in target lists. */
export type LegacyLanguage = z.infer<typeof LegacyLanguage>;

const Pair = z.object({ source_lang: z.string(), target_lang: z.string() });
export type LanguagePair = z.infer<typeof Pair>;

const readLanguages = jsonAnswer(z.array(Language));
const readResources = jsonAnswer(z.array(Resource));
const readLegacy = jsonAnswer(z.array(LegacyLanguage));
const readPairs = jsonAnswer(z.object({ supported_languages: z.array(Pair) }));

export interface LanguagesResource {
  list(query: LanguageQuery, options?: CallOptions): Promise<readonly Language[]>;
  resources(options?: CallOptions): Promise<readonly LanguageResourceInfo[]>;
  /** @deprecated by the API in favour of `list` */
  legacy(type: 'source' | 'target', options?: CallOptions): Promise<readonly LegacyLanguage[]>;
  /** @deprecated by the API in favour of `list({ resource: 'glossary' })`: any source with any target is a pair there */
  glossaryPairs(options?: CallOptions): Promise<readonly LanguagePair[]>;
}

export function languagesResource(ask: Ask): LanguagesResource {
  const get = <T>(call: Pick<Call<T>, 'operation' | 'query' | 'read'>, options?: CallOptions) =>
    ask<T>({ ...call, traffic: 'control', repeat: 'safe' }, options);
  return {
    async list(query, options) {
      const operation = 'GET /v3/languages';
      requireShape(query, { operation, shape: QUERY_SHAPE, name: 'query' });
      const { resource, include } = query;
      return get({ operation, query: { resource, include }, read: readLanguages }, options);
    },
    resources: (options) =>
      get({ operation: 'GET /v3/languages/resources', read: readResources }, options),
    async legacy(type, options) {
      const operation = 'GET /v2/languages';
      requireShape(type, { operation, shape: z.enum(['source', 'target']), name: 'type' });
      return get({ operation, query: { type }, read: readLegacy }, options);
    },
    async glossaryPairs(options) {
      const { supported_languages } = await get(
        { operation: 'GET /v2/glossary-language-pairs', read: readPairs },
        options,
      );
      return supported_languages;
    },
  };
}
