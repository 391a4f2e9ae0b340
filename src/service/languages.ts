/** Which languages and features exist: `/v3/languages`, and the deprecated v2 lists (API document, "Languages"). */
import { z } from 'zod';
import type { LanguageResourceName } from '../language.ts';
import { jsonOf } from './answer.ts';
import type { Ask, Call, CallOptions } from './call.ts';

export interface LanguageQuery {
  readonly resource: LanguageResourceName;
  /** `beta` adds beta languages and features, `external` those of third-party providers; without it only stable ones. */
  readonly include?: readonly ('beta' | 'external')[];
}

export const Language = z.object({
  lang: z.string(),
  name: z.string(),
  usable_as_source: z.boolean(),
  usable_as_target: z.boolean(),
  status: z.string(),
  features: z.record(z.string(), z.looseObject({ status: z.string() })),
});

/** `lang` in BCP 47 casing. A feature (`formality`, `glossary`, `style_rules` …) is supported when its key is present. */
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

const readLanguages = jsonOf(z.array(Language));
const readResources = jsonOf(z.array(Resource));
const readLegacy = jsonOf(z.array(LegacyLanguage));
const readPairs = jsonOf(z.object({ supported_languages: z.array(Pair) }));

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
    list: ({ resource, include }, options) =>
      get(
        { operation: 'GET /v3/languages', query: { resource, include }, read: readLanguages },
        options,
      ),
    resources: (options) =>
      get({ operation: 'GET /v3/languages/resources', read: readResources }, options),
    legacy: (type, options) =>
      get({ operation: 'GET /v2/languages', query: { type }, read: readLegacy }, options),
    async glossaryPairs(options) {
      const { supported_languages } = await get(
        { operation: 'GET /v2/glossary-language-pairs', read: readPairs },
        options,
      );
      return supported_languages;
    },
  };
}
