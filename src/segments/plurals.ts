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

export function isPluralCategory(word: string): word is PluralCategory {
  return (PLURAL_CATEGORIES as readonly string[]).includes(word);
}

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
  const key = `${type} ${language} ${category}`;
  let numbers = numbersKnown.get(key);
  if (numbers === undefined) {
    const rules = rulesFor(language, type);
    numbers = INTEGERS.filter((n) => rules.select(n) === category);
    numbersKnown.set(key, numbers);
  }
  return numbers;
}

// A file of ten thousand plurals asks for the same few again and again.
const numbersKnown = new Map<string, readonly number[]>();

/**
 * Whether a form speaks of one number alone, which its text may say in words ("one file", "no files").
 * @param category also `zero` in languages that do not know it: libraries show it for 0
 */
export function isOfOne(
  category: string,
  language: LanguageTag,
  type: PluralType = 'cardinal',
): boolean {
  if (!isPluralCategory(category)) return false;
  const numbers = numbersIn(category, language, type);
  return saysOne(numbers) || (category === 'zero' && numbers.length === 0);
}

/**
 * French counts 0 as 1, and its translators write "un fichier" all the same, as gettext lets them ("format strings" of `msgfmt`).
 * @param numbers whole numbers up to 200 of a form
 */
export function saysOne(numbers: readonly number[]): boolean {
  return numbers.length === 1 || (numbers.length === 2 && numbers.every((n) => n < 2));
}

/** What rules tell apart beside whole numbers: `one` of French is 0, 1 and all between 1 and 2. */
const FRACTIONS = Array.from({ length: 99 }, (_, n) => (n + 1) / 10).filter((n) => n % 1 !== 0);

/**
 * Whether a number falls into a category when some have a wording of their own.
 * @param taken whole numbers that never come to the category
 */
export function isReachable(
  category: PluralCategory,
  {
    language,
    type,
    taken,
  }: { language: LanguageTag; type: PluralType; taken: ReadonlySet<number> },
): boolean {
  const numbers = numbersIn(category, language, type);
  const rules = rulesFor(language, type);
  return (
    // It holds very large numbers only.
    numbers.length === 0 ||
    numbers.some((n) => !taken.has(n)) ||
    (type === 'cardinal' && FRACTIONS.some((n) => rules.select(n) === category))
  );
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
