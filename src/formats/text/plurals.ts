/** Plural categories of a language (CLDR, through Intl), and what a group of plural forms needs in it. */
import type { LanguageTag } from '../../language.ts';

export type PluralCategory = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';

/** In the order in which files write them. */
export const PLURAL_CATEGORIES: readonly PluralCategory[] = [
  'zero',
  'one',
  'two',
  'few',
  'many',
  'other',
];

export function isPluralCategory(word: string): word is PluralCategory {
  return (PLURAL_CATEGORIES as readonly string[]).includes(word);
}

/** The categories that numbers of a language fall into: en `one other`, ar all six, ja `other`. */
export function pluralCategories(
  language: LanguageTag,
  type: 'cardinal' | 'ordinal' = 'cardinal',
): readonly PluralCategory[] {
  const { pluralCategories: known } = new Intl.PluralRules(language, { type }).resolvedOptions();
  return PLURAL_CATEGORIES.filter((category) => known.includes(category));
}
