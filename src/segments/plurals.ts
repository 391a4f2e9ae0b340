/** Plural categories of languages, after CLDR as Intl knows it. Pure. */
import type { LanguageTag } from '../language.ts';

export type PluralCategory = Intl.LDMLPluralRule;
export type PluralType = 'cardinal' | 'ordinal';

/** In the order in which files write them. */
export const PLURAL_CATEGORIES: readonly PluralCategory[] = [
  'zero',
  'one',
  'two',
  'few',
  'many',
  'other',
];

/** The categories that the numbers of a language fall into: en `one other`, ja `other`, ar all six. */
export function pluralCategories(
  language: LanguageTag,
  type: PluralType = 'cardinal',
): readonly PluralCategory[] {
  const known = new Set(rulesFor(language, type).resolvedOptions().pluralCategories);
  return PLURAL_CATEGORIES.filter((category) => known.has(category));
}

/** Rules repeat within this range in every language; CLDR's `many` of fr, es, it and pt starts at a million. */
const INTEGERS = Array.from({ length: 201 }, (_, n) => n);

/** Whole numbers up to 200 that fall into a category. Empty where it holds fractions or very large numbers only. */
export function numbersIn(
  category: PluralCategory,
  language: LanguageTag,
  type: PluralType = 'cardinal',
): readonly number[] {
  const rules = rulesFor(language, type);
  return INTEGERS.filter((n) => rules.select(n) === category);
}

/**
 * A number that speaks for a category or form.
 * @param numbers rising; the first from 2 up is taken where there is one, since 0 and 1 ask for wordings of their own
 */
export function sampleNumber(numbers: readonly number[]): number | undefined {
  return numbers.find((n) => n > 1) ?? numbers.at(-1);
}

const known = new Map<string, Intl.PluralRules>();

function rulesFor(language: LanguageTag, type: PluralType): Intl.PluralRules {
  const key = `${type} ${language}`;
  const rules = known.get(key) ?? new Intl.PluralRules(language, { type });
  known.set(key, rules);
  return rules;
}
