/** Which terms of a dictionary a text holds: whole words in any case, the longest first. Pure. */
import { hash } from 'node:crypto';
import type { TermEntries } from './dictionary.ts';

export interface Term {
  readonly source: string;
  readonly target: string;
}

/** Scripts without blanks between words: every character is a word of its own. */
const UNSPACED = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}`;
const LETTER = String.raw`[[\p{L}\p{M}\p{N}]--[${UNSPACED}]]`;
const WORD = new RegExp(`${LETTER}+|[^\\s]`, 'gv');

/** Terms by their words: a dictionary may hold 10 MiB, which no pattern could, and a hundred thousand may begin alike. */
export class TermIndex {
  /** What it was made from. */
  readonly entries: TermEntries;
  readonly #terms = new Map<string, Term>();
  /** First word -> how many words the terms have that begin with it, the longest first. */
  readonly #lengths = new Map<string, number[]>();

  constructor(entries: TermEntries) {
    this.entries = entries;
    for (const [source, target] of entries) {
      const words = wordsOf(source);
      this.#terms.set(words.join(' '), { source, target });
      const [first = ''] = words;
      const lengths = this.#lengths.get(first);
      if (lengths === undefined) this.#lengths.set(first, [words.length]);
      else if (!lengths.includes(words.length)) lengths.push(words.length);
    }
    for (const lengths of this.#lengths.values()) lengths.sort((a, b) => b - a);
  }

  /** The terms that stand in a text, each once, in its order; inside a longer term a shorter one does not count. */
  termsIn(text: string): readonly Term[] {
    const words = wordsOf(text);
    const found = new Set<Term>();
    for (let at = 0; at < words.length; ) {
      const hit = this.#longestAt(words, at);
      if (hit !== undefined) found.add(hit.term);
      at += hit?.length ?? 1;
    }
    return [...found];
  }

  #longestAt(words: readonly string[], at: number): { term: Term; length: number } | undefined {
    for (const length of this.#lengths.get(words[at] ?? '') ?? []) {
      const term = this.#terms.get(words.slice(at, at + length).join(' '));
      if (term !== undefined) return { term, length };
    }
    return undefined;
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
