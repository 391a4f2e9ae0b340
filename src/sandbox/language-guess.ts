/** A small language detector: by script, then by the commonest words and by letters that only one language has. */
import { type LanguageTag, parseLanguage } from '../language.ts';
import { unframe } from './engines/frame.ts';
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
  const script = SCRIPTS.find(([, pattern]) => share(letters, pattern) > 0.3);
  if (script === undefined) return { status: 'unsupported_language' };
  const candidates = script[0].split(' ');
  if (candidates.length === 1) return success(candidates[0] ?? '');
  return byWords(text.toLowerCase(), candidates);
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

/** Frequent words, and letters that point to the language. */
const SIGNS: Readonly<Record<string, { words: string; letters?: RegExp }>> = {
  en: {
    words: 'the and of to is in you that it for with this not are hello please your was be on',
  },
  de: {
    words: 'der die das und ist nicht ein eine mit für auf sie wir den hallo bitte ich zu von',
    letters: /ß/u,
  },
  fr: {
    words: 'le la les et est une des du pas pour dans vous nous bonjour avec sur que ce il un',
    letters: /[œ]/u,
  },
  es: {
    words: 'el los las y es una por para con no del hola usted que en se como está un de',
    letters: /[ñ¿¡]/u,
  },
  pt: {
    words: 'o os as e é uma por para com não do da olá você que em se como está um',
    letters: /[ãõ]/u,
  },
  it: {
    words: 'il lo gli e è una per con non del della ciao che di sono come questo un la',
    letters: /[ìò]/u,
  },
  nl: {
    words: 'de het een en is niet voor met op van hallo je zijn dat dit wij naar ook',
    letters: /ĳ/u,
  },
  pl: { words: 'i w na nie jest to się z do że proszę dla jak witaj ten od', letters: /[łąęśżź]/u },
  cs: { words: 'a je v na se to že pro s ne ahoj prosím jak není tento', letters: /[ěřů]/u },
  da: { words: 'og i er en et det ikke på til med for hej af den dette jeg', letters: /[æø]/u },
  et: { words: 'ja on ei see et tere ning või kui mis ma palun', letters: /õ/u },
  fi: { words: 'ja on ei se että hei tämä kun mutta oli kiitos', letters: /ää|yö/u },
  hu: { words: 'a az és nem egy hogy van ez szia kérem meg', letters: /[őű]/u },
  lt: { words: 'ir yra ne tai į su kad labas prašome', letters: /[ėįų]/u },
  lv: { words: 'un ir ne tas ar par ka sveiki lūdzu', letters: /[ģķļņ]/u },
  ro: { words: 'și este nu un o pe cu pentru salut vă rog la din', letters: /[țș]/u },
  sk: { words: 'a je v na sa to že pre s nie ahoj prosím ako', letters: /[ľĺŕ]/u },
  sl: { words: 'in je v na se to da za z ne pozdravljeni prosim kako' },
  sv: { words: 'och i är en ett det inte på till med för hej av den jag', letters: /å/u },
  tr: { words: 've bir bu için ile değil merhaba lütfen ne çok da', letters: /[ğış]/u },
  id: { words: 'dan yang di ini itu tidak dengan untuk halo dari adalah silakan' },
  nb: { words: 'og i er en et det ikke på til med for hei av den jeg' },
  vi: { words: 'và là của không một có cho xin chào được', letters: /[ơưđạếộ]/u },
  ru: { words: 'и в не на что это с как привет для', letters: /[ыэё]/u },
  uk: { words: 'і в не на що це з як привіт для', letters: /[іїєґ]/u },
  bg: { words: 'и в не на че това с как здравей за', letters: /ъ/u },
};

function byWords(text: string, candidates: readonly string[]): Guess {
  const words = new Set(text.match(/\p{L}+/gu) ?? []);
  const scores = candidates
    .map((lang) => ({ lang, score: scoreOf(text, words, lang) }))
    .sort((a, b) => b.score - a.score);
  const [best, next] = scores;
  if (best === undefined || best.score === 0 || best.score === next?.score) {
    return { status: 'insufficient_confidence' };
  }
  return success(best.lang);
}

function scoreOf(text: string, words: ReadonlySet<string>, lang: string): number {
  const signs = SIGNS[lang];
  if (signs === undefined) return 0;
  const hits = signs.words.split(' ').filter((word) => words.has(word)).length;
  return hits + (signs.letters?.test(text) ? 2 : 0);
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

function share(letters: readonly string[], pattern: RegExp): number {
  return letters.filter((letter) => pattern.test(letter)).length / letters.length;
}
