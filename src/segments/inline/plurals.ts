/** Plural categories of languages, after CLDR as Intl knows it. Pure. */
import type { LanguageTag } from '../../language.ts';

export type PluralCategory = Intl.LDMLPluralRule;
export type PluralType = 'cardinal' | 'ordinal';

/** In the order in which files have them. */
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

/** The plural categories of a language: en `one other`, ja `other`, ar all six. */
export function pluralCategories(
  language: LanguageTag,
  type: PluralType = 'cardinal',
): readonly PluralCategory[] {
  const key = `${type} ${language}`;
  let categories = categoriesKnown.get(key);
  if (categories === undefined) {
    const known = new Set(pluralRulesFor(language, type).resolvedOptions().pluralCategories);
    categories = PLURAL_CATEGORIES.filter((category) => known.has(category));
    categoriesKnown.set(key, categories);
  }
  return categories;
}

// Keeps the answers, because each file of a project asks for the same few.
const categoriesKnown = new Map<string, readonly PluralCategory[]>();

/** In every language the rules repeat within this range; only CLDR's `many` of fr, es, it and pt starts at a million. */
const INTEGERS = Array.from({ length: 201 }, (_, n) => n);

/** The whole numbers up to 200 of a category. Empty when the category has only fractions or very large numbers. */
export function numbersIn(
  category: PluralCategory,
  language: LanguageTag,
  type: PluralType = 'cardinal',
): readonly number[] {
  const key = `${type} ${language} ${category}`;
  let numbers = numbersKnown.get(key);
  if (numbers === undefined) {
    const pluralRules = pluralRulesFor(language, type);
    numbers = INTEGERS.filter((n) => pluralRules.select(n) === category);
    numbersKnown.set(key, numbers);
  }
  return numbers;
}

// Keeps the answers: a file with 10,000 plurals asks for the same few each time.
const numbersKnown = new Map<string, readonly number[]>();

/**
 * Whether a form is used for one number alone, which its text may have in words ("one file", "no files").
 * @param category also `zero` in languages without that category: libraries use it for 0
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
 * Whether these numbers count as one number. French counts 0 as 1, but its translators write "un fichier", as gettext allows
 * ("format strings" of `msgfmt`).
 * @param numbers the whole numbers up to 200 of a form
 */
export function saysOne(numbers: readonly number[]): boolean {
  return numbers.length === 1 || (numbers.length === 2 && numbers.every((n) => n < 2));
}

/** Fractions with one digit: French `one` is 0, 1 and all numbers between 1 and 2. */
const FRACTIONS = Array.from({ length: 99 }, (_, n) => (n + 1) / 10).filter((n) => n % 1 !== 0);

/**
 * Whether a category is ever used when some numbers have forms of their own.
 * @param taken the whole numbers with a form of their own
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
  const pluralRules = pluralRulesFor(language, type);
  return (
    // The category has only very large numbers or fractions.
    numbers.length === 0 ||
    numbers.some((n) => !taken.has(n)) ||
    (type === 'cardinal' && FRACTIONS.some((n) => pluralRules.select(n) === category))
  );
}

/**
 * A number that stands for all numbers of a category or form.
 * @param numbers rising; the first one from 2 up is chosen, if there is one, because 0 and 1 may have special wordings
 */
export function sampleNumber(numbers: readonly number[]): number | undefined {
  return numbers.find((n) => n > 1) ?? numbers.at(-1);
}

const rulesByLanguage = new Map<string, Intl.PluralRules>();

function pluralRulesFor(language: LanguageTag, type: PluralType): Intl.PluralRules {
  const key = `${type} ${language}`;
  const pluralRules = rulesByLanguage.get(key) ?? new Intl.PluralRules(language, { type });
  rulesByLanguage.set(key, pluralRules);
  return pluralRules;
}
