/** The places where a text may be broken into lines, and how natural each one is. Pure. */
import { baseLanguage, type LanguageTag } from '../../language.ts';

/** The unit that ends before a break: none, a clause or a sentence. */
export type Ending = 'none' | 'clause' | 'sentence';

// German closes „so“ and »so«.
const SENTENCE = /[.!?…。！？؟۔।♪][»«›‹”“"’‘')\]」』]*$/u;
const CLAUSE = /[,;:،؛，、；：—–][»«›‹”“"’‘')\]」』]*$/u;

export function endingOf(text: string): Ending {
  const end = text.trimEnd();
  if (SENTENCE.test(end)) return 'sentence';
  return CLAUSE.test(end) ? 'clause' : 'none';
}

/** UTF-16 offsets where a new line or cue may begin: behind blanks, and between words of scripts without blanks. */
export function breakPlaces(text: string, language: LanguageTag): number[] {
  const places = new Set<number>();
  for (const { index, 0: blanks } of text.matchAll(/[^\S\u00a0\u202f]+/g)) {
    const place = index + blanks.length;
    // A dash at the beginning of a line would mark another speaker.
    if (index > 0 && place < text.length && !/[-\u2010\u2013\u2014]/.test(text[place] ?? '')) {
      places.add(place);
    }
  }
  if (UNSPACED.test(text)) {
    for (const place of wordStarts(text, language)) places.add(place);
  }
  return [...places].sort((a, b) => a - b);
}

const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}]/u;
/** Kinsoku (JIS X 4051): characters that may not begin a line, and characters that may not end one. */
const NOT_FIRST =
  /^[\s、。，．・：；？！゛゜´｀¨ー―‐／〜～…‥’”）〕］｝〉》」』】°′″℃¢％‰々〻ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ,.:;?!)\]}»%]/u;
const NOT_LAST = /[‘“（〔［｛〈《「『【¥＄£([{«]$/u;

const segmenters = new Map<string, Intl.Segmenter>();

/** The number of spoken words; for scripts without blanks, Unicode's word boundaries count. */
export function countSpokenWords(text: string): number {
  if (!UNSPACED.test(text)) return text.match(/\p{L}+/gu)?.length ?? 0;
  return [...segmenterFor('und').segment(text)].filter(({ isWordLike }) => isWordLike).length;
}

function segmenterFor(base: string): Intl.Segmenter {
  const segmenter = segmenters.get(base) ?? new Intl.Segmenter(base, { granularity: 'word' });
  segmenters.set(base, segmenter);
  return segmenter;
}

function wordStarts(text: string, language: LanguageTag): number[] {
  return [...segmenterFor(baseLanguage(language)).segment(text)]
    .map(({ index }) => index)
    .filter((place) => {
      if (place === 0 || !UNSPACED.test(text.slice(place - 1, place + 1))) return false;
      return (
        !NOT_FIRST.test(text.slice(place, place + 2)) &&
        !NOT_LAST.test(text.slice(place - 1, place))
      );
    });
}

/** The last word before a place and the first one behind it, in lower case. */
export function wordsAround(text: string, place: number): { before: string; after: string } {
  const word = (found: RegExpExecArray | null) =>
    (found?.[1] ?? '').toLowerCase().replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return {
    before: word(/(\S+)\s*$/.exec(text.slice(Math.max(0, place - 40), place))),
    after: word(/^\s*(\S+)/.exec(text.slice(place, place + 40))),
  };
}
