/**
 * Learns terms from people's corrections. A term is a word of the source whose machine translation people replaced several times by the
 * same other word. It suggests nothing if one text contradicts the term, or if two source words are possible. Pure.
 */
import { sum } from './bill.ts';
import { commonSubsequence } from './subsequence.ts';

/** A text with the translation that the machine made for it. */
export interface KnownText {
  readonly source: string;
  readonly machine: string;
  /** The current text of the target. */
  readonly current: string;
  /** A person wrote the text or confirmed it. */
  readonly isPersons: boolean;
  /** Placeholders and markup: they are not words. */
  readonly codes: readonly string[];
}

export interface SuggestedTerm<Text> {
  /** The phrase of the source. */
  readonly term: string;
  readonly machine: string;
  readonly person: string;
  /** The texts in which it was corrected. */
  readonly texts: readonly Text[];
}

/** Language codes of the texts: they decide where a word begins and ends. */
export interface TextLanguages {
  readonly source: string;
  readonly target: string;
}

/** A change must occur in at least so many texts. */
const LEAST_TEXTS = 3;
/** The most words of a phrase. A longer change is another sentence, not another term. */
const MOST_WORDS = 3;
/** At least this share of the texts with the source phrase must have the machine's phrase in their machine translation. */
const FITTING_SHARE = 0.75;
/** At most so many phrases are looked at for one change. */
const MOST_PHRASES = 60;

/** @returns the suggestions, the most frequent first */
export function suggestTerms<Text extends KnownText>(
  texts: readonly Text[],
  { source, target }: TextLanguages,
): SuggestedTerm<Text>[] {
  const words = { source: wordReader(source), target: wordReader(target) };
  const changes = new Map<string, { change: WordChange; text: Text }[]>();
  for (const text of texts) {
    if (!text.isPersons || text.current === text.machine) continue;
    const found = changesIn(text, words.target);
    for (const [name, change] of new Map(found.map((each) => [changeKey(each), each]))) {
      const group = changes.get(name) ?? [];
      group.push({ change, text });
      changes.set(name, group);
    }
  }
  const often = [...changes.values()].filter((group) => group.length >= LEAST_TEXTS);
  if (often.length === 0) return [];
  const known = texts.map((text) => ({
    text,
    source: spaced(words.source(text.source, text.codes)),
    machine: spaced(words.target(text.machine, text.codes)),
    current: spaced(words.target(text.current, text.codes)),
  }));
  const suggested = often.flatMap((group) => {
    const [first] = group;
    const changed = group.map((each) => each.text);
    if (first === undefined) return [];
    const term = termBehind(first.change, { changed, known, read: words.source });
    const machine = mostFrequent(group.map(({ change }) => change.machine));
    const person = mostFrequent(group.map(({ change }) => change.person));
    return term === undefined ? [] : [{ ...term, machine, person }];
  });
  return suggested.toSorted((a, b) => b.texts.length - a.texts.length);
}

interface WordChange {
  readonly machine: string;
  readonly person: string;
}

/** A change in another letter case is the same change, unless the case is all that changed. */
function changeKey({ machine, person }: WordChange): string {
  const [from, to] = [machine.toLowerCase(), person.toLowerCase()];
  return from === to ? `${machine}\n${person}` : `${from}\n${to}`;
}

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Only blanks are between this word and the one before. */
  readonly follows: boolean;
}

type WordReader = (text: string, codes: readonly string[]) => readonly Word[];

function wordReader(language: string): WordReader {
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' });
  return (text, codes) => {
    let plain = text;
    // Codes are replaced by as many characters, so that offsets in the text stay valid.
    for (const code of codes) plain = plain.replaceAll(code, '\u{fffc}'.repeat(code.length));
    const words: Word[] = [];
    for (const { segment, index, isWordLike } of segmenter.segment(plain)) {
      if (isWordLike !== true) continue;
      const end = words.at(-1)?.end;
      const follows = end !== undefined && plain.slice(end, index).trim() === '';
      words.push({ text: segment, start: index, end: index + segment.length, follows });
    }
    return words;
  };
}

/** Words that were replaced by others. Words that were only added or removed are not a correction of a term. */
function changesIn({ machine, current, codes }: KnownText, read: WordReader): WordChange[] {
  const [a, b] = [read(machine, codes), read(current, codes)];
  const same = commonSubsequence(
    a.map(({ text }) => text),
    b.map(({ text }) => text),
  );
  const changes: WordChange[] = [];
  let [x, y] = [0, 0];
  for (const at of [...same, { a: a.length, b: b.length }]) {
    const [from, to] = [a.slice(x, at.a), b.slice(y, at.b)];
    if (isPhrase(from) && isPhrase(to)) {
      changes.push({ machine: phraseFrom(machine, from), person: phraseFrom(current, to) });
    }
    [x, y] = [at.a + 1, at.b + 1];
  }
  return changes;
}

function isPhrase(words: readonly Word[]): boolean {
  if (words.length === 0 || words.length > MOST_WORDS) return false;
  return words.slice(1).every(({ follows }) => follows) && words.some(isOfLetters);
}

function isOfLetters({ text }: Word): boolean {
  return /\p{L}/u.test(text);
}

function phraseFrom(text: string, words: readonly Word[]): string {
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return '';
  // A text may break a line between two words; a term cannot.
  return text.slice(first.start, last.end).replace(/(?<!\s)\s*[\p{Cc}\u{2028}\u{2029}]\s*/gu, ' ');
}

interface SpacedText<Text> {
  readonly text: Text;
  /** The words of the text in lower case, with a blank around each. */
  readonly source: string;
  readonly machine: string;
  readonly current: string;
}

function spaced(words: readonly Pick<Word, 'text'>[]): string {
  return ` ${words.map(({ text }) => text.toLowerCase()).join(' ')} `;
}

interface TermSearch<Text> {
  /** Texts with this change. */
  readonly changed: readonly Text[];
  readonly known: readonly SpacedText<Text>[];
  readonly read: WordReader;
}

/** The phrase of the source that was meant, if all known texts agree with it. */
function termBehind<Text extends KnownText>(
  { machine }: WordChange,
  { changed, known, read }: TermSearch<Text>,
): { term: string; texts: readonly Text[] } | undefined {
  const phrases = new Map<string, { forms: string[]; texts: Set<Text> }>();
  for (const text of changed) {
    for (const { words, form } of phrasesOf(text, read)) {
      const phrase = phrases.get(words) ?? { forms: [], texts: new Set() };
      phrase.forms.push(form);
      phrase.texts.add(text);
      phrases.set(words, phrase);
    }
  }
  const ofMachine = spaced(machine.split(/\s+/).map((text) => ({ text })));
  const fit = new Map<string, number>();
  const fits = (words: string) => {
    const share = fit.get(words) ?? shareOf(words, ofMachine, known);
    fit.set(words, share);
    return share >= FITTING_SHARE;
  };
  const often = [...phrases]
    .filter(([, { texts }]) => texts.size >= LEAST_TEXTS)
    .toSorted(([, a], [, b]) => b.texts.size - a.texts.size)
    .slice(0, MOST_PHRASES)
    // Each of its words must fit by itself: "the cart" becomes "cart".
    .filter(([words]) => words.split(' ').every(fits) && fits(words));
  const largest = often[0]?.[1].texts.size;
  const frequent = often.filter(([, { texts }]) => texts.size === largest);
  const unpaired = frequent.map(([words, { texts }]) => {
    const having = known.filter(({ text }) => texts.has(text));
    return sum(having.map((text) => unpairedWords(text, words, ofMachine)));
  });
  const best = frequent.filter((_, at) => unpaired[at] === Math.min(...unpaired));
  const [longest] = best.toSorted(([a], [b]) => b.length - a.length);
  if (longest === undefined) return undefined;
  const [words, { forms, texts }] = longest;
  const isClear = best.every(([other]) => ` ${words} `.includes(` ${other} `));
  const isKept = known.some(
    ({ text, source, current }) =>
      text.isPersons && source.includes(` ${words} `) && current.includes(ofMachine),
  );
  return isClear && !isKept ? { term: mostFrequent(forms), texts: [...texts] } : undefined;
}

/**
 * How many words the source has more or less than its machine translation, both without the phrase. The other language may have one word
 * for "shopping cart". In "Invoice of May", the translation has another word for "of", so "of" is no part of the term.
 */
function unpairedWords(
  { source, machine }: SpacedText<unknown>,
  words: string,
  ofMachine: string,
): number {
  return Math.abs(wordCount(source) - wordCount(words) - wordCount(machine) + wordCount(ofMachine));
}

function wordCount(words: string): number {
  return words.trim().split(' ').length;
}

/** The share of the texts with these source words whose machine translation has the machine's phrase. */
function shareOf(words: string, ofMachine: string, known: readonly SpacedText<unknown>[]): number {
  const having = known.filter(({ source }) => source.includes(` ${words} `));
  const both = having.filter(({ machine }) => machine.includes(ofMachine));
  return both.length / having.length;
}

function phrasesOf(
  { source, codes }: KnownText,
  read: WordReader,
): { words: string; form: string }[] {
  const words = read(source, codes);
  return words.flatMap((_, at) => {
    const found = [];
    for (let length = 1; length <= MOST_WORDS && at + length <= words.length; length++) {
      const phrase = words.slice(at, at + length);
      if (!isPhrase(phrase)) continue;
      found.push({ words: spaced(phrase).trim(), form: phraseFrom(source, phrase) });
    }
    return found;
  });
}

/** The most frequent form. Among equally frequent ones, a form in small letters wins: the first word of a sentence has a capital anyway. */
function mostFrequent(forms: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const form of forms) counts.set(form, (counts.get(form) ?? 0) + 1);
  const [first] = [...counts].toSorted(([a, x], [b, y]) => y - x || (a > b ? -1 : 1));
  return first?.[0] ?? '';
}
