/** Which terms of a dictionary a text holds: whole words in any case, the longest first. Pure. */
import { hash } from 'node:crypto';
import type { Entries } from './dictionary.ts';

export interface Term {
  readonly source: string;
  readonly target: string;
}

/** Scripts without blanks between words: every character is a word of its own. */
const UNSPACED = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}`;
const LETTER = String.raw`[[\p{L}\p{M}\p{N}]--[${UNSPACED}]]`;
const WORD = new RegExp(`${LETTER}+|[^\\s]`, 'gv');

/** Terms found by their first word: a dictionary may hold 10 MiB, which no pattern could. */
export class TermIndex {
  readonly #byFirstWord = new Map<
    string,
    { readonly words: readonly string[]; readonly term: Term }[]
  >();

  constructor(entries: Entries) {
    for (const [source, target] of entries) {
      const words = wordsOf(source);
      const known = this.#byFirstWord.get(words[0] ?? '');
      const entry = { words, term: { source, target } };
      if (known === undefined) this.#byFirstWord.set(words[0] ?? '', [entry]);
      else known.push(entry);
    }
    for (const entries of this.#byFirstWord.values()) {
      if (entries.length > 1) entries.sort((a, b) => b.words.length - a.words.length);
    }
  }

  /** The terms that stand in a text, each once, in its order; inside a longer term a shorter one does not count. */
  termsIn(text: string): readonly Term[] {
    const words = wordsOf(text);
    const found = new Set<Term>();
    for (let at = 0; at < words.length; at++) {
      const candidates = this.#byFirstWord.get(words[at] ?? '');
      const hit = candidates?.find((each) => each.words.every((word, k) => words[at + k] === word));
      if (hit === undefined) continue;
      found.add(hit.term);
      at += hit.words.length - 1;
    }
    return [...found];
  }

  /** Names the terms that decide a text's translation: differs when one of them changed, is new or went away. */
  signature(text: string): string | undefined {
    const terms = this.termsIn(text).map(({ source, target }) => `${source}\t${target}`);
    if (terms.length === 0) return undefined;
    const sorted = terms.sort((a, b) => (a < b ? -1 : 1));
    return hash('sha256', sorted.join('\n')).slice(0, 12);
  }
}

function wordsOf(text: string): string[] {
  return Array.from(text.toLowerCase().matchAll(WORD), ([word]) => word);
}
