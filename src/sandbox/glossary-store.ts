/** Stored glossaries: one or more dictionaries, each for one direction of a pair of base languages. */
import { baseLanguage, type LanguageTag } from '../language.ts';

export interface Dictionary {
  /** Base codes: a dictionary is used for all variants (docs/design/api.md, "Glossaries"). */
  readonly source_lang: LanguageTag;
  readonly target_lang: LanguageTag;
  /** Never changed in place, so that engines may cache by it. */
  readonly entries: ReadonlyMap<string, string>;
}

export interface Glossary {
  readonly glossary_id: string;
  /** v2 glossaries are immutable and have one dictionary. */
  readonly version: 'v2' | 'v3';
  name: string;
  readonly creation_time: string;
  dictionaries: readonly Dictionary[];
}

/** A direction of a pair of languages. */
export interface LanguagePair {
  readonly source_lang: LanguageTag;
  readonly target_lang: LanguageTag;
}

/** The dictionary for a pair, variants included. */
export function dictionaryFor(glossary: Glossary, pair: LanguagePair): Dictionary | undefined {
  const source = baseLanguage(pair.source_lang);
  const target = baseLanguage(pair.target_lang);
  return glossary.dictionaries.find((d) => d.source_lang === source && d.target_lang === target);
}
