/** A small language detector: by script, then by frequent words and by letters that not every language has. */
import { type LanguageTag, parseLanguage, sameLanguage } from '../language.ts';
import { unframe } from './engines/language-mark.ts';
import { SIGNS, type Signs } from './language-signs.ts';
import { DETECTED_LANGUAGES } from './language-table.ts';

export type Guess =
  | { readonly status: 'success'; readonly language: LanguageTag }
  | {
      readonly status: 'insufficient_confidence' | 'unsupported_language' | 'no_language_detected';
    };

/** The four states of detection (docs/design/api.md, "Language detection"). */
export function languageOfText(whole: string): Guess {
  const framed = parseLanguage(unframe(whole.trim())?.target ?? '');
  if (framed !== undefined) return known(framed);
  const text = whole.slice(0, SAMPLE_UNITS);
  const letters = text.match(/\p{L}/gu) ?? [];
  if (letters.length === 0) return { status: 'no_language_detected' };
  const candidates = candidatesFor(letters);
  if (candidates === undefined) return { status: 'unsupported_language' };
  if (candidates.length === 1) return success(candidates[0] ?? '');
  return guessFrom(ranked(text, candidates));
}

export function guessLanguage(text: string): LanguageTag | undefined {
  const guess = languageOfText(text);
  return guess.status === 'success' ? guess.language : undefined;
}

/**
 * The language of a text in a request without source language: the detected one, else the likeliest.
 * @param target of a translation: an uncertain guess is never the target language, since such a text would not be translated
 */
export function guessedSource(text: string, target?: LanguageTag): LanguageTag {
  const sure = guessLanguage(text);
  if (sure !== undefined) return sure;
  const candidates = candidatesFor(text.slice(0, SAMPLE_UNITS).match(/\p{L}/gu) ?? []) ?? LATIN;
  const likely = ranked(text, candidates).map(({ lang }) => lang as LanguageTag);
  return likely.find((lang) => target === undefined || !sameLanguage(lang, target)) ?? FALLBACK;
}

/** The guess for a text whose script belongs to a single language, when that is the target. */
const FALLBACK = 'en' as LanguageTag;

/** UTF-16 units that are looked at: more do not help. */
const SAMPLE_UNITS = 2000;

/** The languages of a script; the first script with a large enough share of the letters decides. */
const LANGUAGES_OF_SCRIPTS: readonly (readonly [languages: string, letters: RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh', /\p{Script=Han}/u],
  ['ar', /\p{Script=Arabic}/u],
  ['he', /\p{Script=Hebrew}/u],
  ['th', /\p{Script=Thai}/u],
  ['el', /\p{Script=Greek}/u],
  ['ru uk bg', /\p{Script=Cyrillic}/u],
  ['en de fr es pt it nl pl cs da et fi hu lt lv ro sk sl sv tr id nb vi', /\p{Script=Latin}/u],
];

const LATIN: readonly string[] = LANGUAGES_OF_SCRIPTS.at(-1)?.[0].split(' ') ?? [];

/** The languages with the script of the text. */
function candidatesFor(letters: readonly string[]): readonly string[] | undefined {
  return LANGUAGES_OF_SCRIPTS.find(([, pattern]) => shareOf(letters, pattern) > 0.3)?.[0].split(
    ' ',
  );
}

interface Score {
  readonly lang: string;
  readonly score: number;
}

/** The likeliest first; languages without evidence stay in their order. */
function ranked(whole: string, candidates: readonly string[]): readonly Score[] {
  const text = whole.slice(0, SAMPLE_UNITS).normalize().toLowerCase();
  const words = new Set(text.match(/\p{L}+/gu) ?? []);
  const letters = new Set(text.match(SPECIAL) ?? []);
  return candidates
    .map((lang) => {
      const spoken = share(words, { lang, index: WORDS_OF_LANGUAGES, weight: weightOf });
      const written = share(letters, { lang, index: LETTERS, weight: () => 1 });
      return { lang, score: spoken + written - foreign(letters, lang) };
    })
    .sort((a, b) => b.score - a.score);
}

function guessFrom([best, next]: readonly Score[]): Guess {
  if (best === undefined || best.score < EVIDENCE || best.score - (next?.score ?? 0) < MARGIN) {
    return { status: 'insufficient_confidence' };
  }
  return success(best.lang);
}

/** Letters that not every language has. */
const SPECIAL = /[^\P{L}a-z]/gu;
/** More than the score of one short word, which other languages may also have: "come", "die", "bin". */
const EVIDENCE = 0.7;
const SHORT_WORD = 4;
/** The lead that a language needs: two words of several languages are not evidence. */
const MARGIN = 0.1;

function weightOf(word: string): number {
  return word.length <= SHORT_WORD ? 0.5 : 1;
}

/** Sign -> the languages that have it. */
type SignIndex = ReadonlyMap<string, readonly string[]>;

const WORDS_OF_LANGUAGES = signIndex(({ words }) => words.split(' '));
const LETTERS = signIndex(({ letters }) => [...letters]);

function signIndex(signsOf: (signs: Signs) => readonly string[]): SignIndex {
  const index = new Map<string, string[]>();
  for (const [lang, signs] of Object.entries(SIGNS)) {
    for (const sign of new Set(signsOf(signs))) {
      index.set(sign, [...(index.get(sign) ?? []), lang]);
    }
  }
  return index;
}

/** A sign of several languages counts for each by its share. */
function share(
  found: ReadonlySet<string>,
  { lang, index, weight }: { lang: string; index: SignIndex; weight: (sign: string) => number },
): number {
  let sum = 0;
  for (const sign of found) {
    const languages = index.get(sign);
    if (languages?.includes(lang)) sum += weight(sign) / languages.length;
  }
  return sum;
}

/** The number of letters that this language does not have but another one does. */
function foreign(letters: ReadonlySet<string>, lang: string): number {
  let count = 0;
  for (const letter of letters) {
    const languages = LETTERS.get(letter);
    if (languages !== undefined && !languages.includes(lang)) count++;
  }
  return count;
}

function known(language: LanguageTag): Guess {
  const base = language.split('-', 1)[0] as LanguageTag;
  return DETECTED_LANGUAGES.includes(base)
    ? { status: 'success', language: base }
    : { status: 'unsupported_language' };
}

function success(lang: string): Guess {
  return { status: 'success', language: lang as LanguageTag };
}

function shareOf(letters: readonly string[], pattern: RegExp): number {
  return letters.filter((letter) => pattern.test(letter)).length / letters.length;
}
