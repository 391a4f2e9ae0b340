/** A small language detector: by script, then by the commonest words and by letters that not every language has. */
import { type LanguageTag, parseLanguage } from '../language.ts';
import { unframe } from './engines/frame.ts';
import { SIGNS, type Signs } from './language-signs.ts';
import { DETECTABLE } from './language-table.ts';

export type Guess =
  | { readonly status: 'success'; readonly language: LanguageTag }
  | {
      readonly status: 'insufficient_confidence' | 'unsupported_language' | 'no_language_detected';
    };

/** The four states of detection (API document, "Language detection"). */
export function detect(whole: string): Guess {
  const framed = parseLanguage(unframe(whole.trim())?.target ?? '');
  if (framed !== undefined) return known(framed);
  const text = whole.slice(0, SAMPLE);
  const letters = text.match(/\p{L}/gu) ?? [];
  if (letters.length === 0) return { status: 'no_language_detected' };
  const script = SCRIPTS.find(([, pattern]) => shareOf(letters, pattern) > 0.3);
  if (script === undefined) return { status: 'unsupported_language' };
  const candidates = script[0].split(' ');
  if (candidates.length === 1) return success(candidates[0] ?? '');
  return byWords(text.normalize().toLowerCase(), candidates);
}

export function guessLanguage(text: string): LanguageTag | undefined {
  const guess = detect(text);
  return guess.status === 'success' ? guess.language : undefined;
}

/** UTF-16 units that are looked at: more tell nothing new. */
const SAMPLE = 2000;

/** Languages of a script; the first script that makes up enough of a text decides. */
const SCRIPTS: readonly (readonly [languages: string, letters: RegExp])[] = [
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

function byWords(text: string, candidates: readonly string[]): Guess {
  const words = new Set(text.match(/\p{L}+/gu) ?? []);
  const letters = new Set(text.match(SPECIAL) ?? []);
  const [best, next] = candidates
    .map((lang) => {
      const spoken = share(words, { lang, index: WORDS, weight: weightOf });
      const written = share(letters, { lang, index: LETTERS, weight: () => 1 });
      return { lang, score: spoken + written - foreign(letters, lang) };
    })
    .sort((a, b) => b.score - a.score);
  if (best === undefined || best.score < EVIDENCE || best.score - (next?.score ?? 0) < MARGIN) {
    return { status: 'insufficient_confidence' };
  }
  return success(best.lang);
}

/** Letters that not every language has. */
const SPECIAL = /[^\P{L}a-z]/gu;
/** More than one short word, which may be a word of other languages as well: "come", "die", "bin". */
const EVIDENCE = 0.7;
const SHORT_WORD = 4;
/** By how much a language must lead: two words of many languages tell nothing. */
const MARGIN = 0.1;

function weightOf(word: string): number {
  return word.length <= SHORT_WORD ? 0.5 : 1;
}

/** Sign -> the languages that have it. */
type Index = ReadonlyMap<string, readonly string[]>;

const WORDS = indexOf(({ words }) => words.split(' '));
const LETTERS = indexOf(({ letters }) => [...letters]);

function indexOf(signsOf: (signs: Signs) => readonly string[]): Index {
  const index = new Map<string, string[]>();
  for (const [lang, signs] of Object.entries(SIGNS)) {
    for (const sign of new Set(signsOf(signs))) {
      index.set(sign, [...(index.get(sign) ?? []), lang]);
    }
  }
  return index;
}

/** A sign that several languages share counts for each of them by its part. */
function share(
  found: ReadonlySet<string>,
  { lang, index, weight }: { lang: string; index: Index; weight: (sign: string) => number },
): number {
  let sum = 0;
  for (const sign of found) {
    const languages = index.get(sign);
    if (languages?.includes(lang)) sum += weight(sign) / languages.length;
  }
  return sum;
}

/** How many of the letters the language does not have, though another does. */
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
  return DETECTABLE.includes(base)
    ? { status: 'success', language: base }
    : { status: 'unsupported_language' };
}

function success(lang: string): Guess {
  return { status: 'success', language: lang as LanguageTag };
}

function shareOf(letters: readonly string[], pattern: RegExp): number {
  return letters.filter((letter) => pattern.test(letter)).length / letters.length;
}
