/** Finds the terms of a dictionary in a text: whole words in any case, the longest first. Pure. */
import { hash } from 'node:crypto';
import { allSteps, type StepwiseWork, stepsInTurns, turnsOf } from '../clock.ts';
import type { TermEntries } from './dictionary.ts';

export interface Term {
  readonly source: string;
  readonly target: string;
}

/** Scripts without blanks between words: each character is a word. */
const UNSPACED = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}`;
const LETTER = String.raw`[[\p{L}\p{M}\p{N}]--[${UNSPACED}]]`;
const WORD = new RegExp(`${LETTER}+|[^\\s]`, 'gv');

/**
 * Terms by their words. A dictionary may have 10 MiB, too much for one pattern, and a hundred thousand terms may begin with the same word.
 */
export class TermIndex {
  /** The entries that it was made from. */
  readonly entries: TermEntries;
  #ordered: OrderedTerms | undefined;

  constructor(entries: TermEntries) {
    this.entries = entries;
  }

  /** Orders the terms and lets other work run meanwhile; else the first question orders them at once. */
  async prepare(): Promise<void> {
    this.#ordered ??= await stepsInTurns(ordered(this.entries), turnsOf(TURN_MS));
  }

  get #terms(): OrderedTerms {
    this.#ordered ??= allSteps(ordered(this.entries));
    return this.#ordered;
  }

  /** The terms in a text, each once, in the order of the text. A shorter term inside a longer one does not count. */
  termsIn(text: string): readonly Term[] {
    const words = lowerWords(text);
    const found = new Set<Term>();
    for (let at = 0; at < words.length; ) {
      const hit = this.#longestAt(words, at);
      if (hit !== undefined) found.add(hit.term);
      at += hit?.length ?? 1;
    }
    return [...found];
  }

  #longestAt(words: readonly string[], at: number): { term: Term; length: number } | undefined {
    const { terms, lengths } = this.#terms;
    for (const length of lengths.get(words[at] ?? '') ?? []) {
      const term = terms.get(words.slice(at, at + length).join(' '));
      if (term !== undefined) return { term, length };
    }
    return undefined;
  }

  /** A hash of the terms in a text: it changes when a term changed, was added or was removed. Undefined: no terms. */
  signature(text: string): string | undefined {
    const terms = this.termsIn(text).map(({ source, target }) => `${source}\t${target}`);
    if (terms.length === 0) return undefined;
    const sorted = terms.sort((a, b) => (a < b ? -1 : 1));
    return hash('sha256', sorted.join('\n')).slice(0, 12);
  }
}

/** Milliseconds. */
const TURN_MS = 8;

interface OrderedTerms {
  /** By their words. */
  readonly terms: ReadonlyMap<string, Term>;
  /** First word -> the word counts of the terms that begin with it, the largest first. */
  readonly lengths: ReadonlyMap<string, readonly number[]>;
}

function* ordered(entries: TermEntries): StepwiseWork<OrderedTerms> {
  const terms = new Map<string, Term>();
  const lengths = new Map<string, number[]>();
  for (const [source, target] of entries) {
    yield;
    const words = lowerWords(source);
    terms.set(words.join(' '), { source, target });
    const [first = ''] = words;
    const known = lengths.get(first);
    if (known === undefined) lengths.set(first, [words.length]);
    else if (!known.includes(words.length)) known.push(words.length);
    known?.sort((a, b) => b - a);
  }
  return { terms, lengths };
}

function lowerWords(text: string): string[] {
  return Array.from(text.toLowerCase().matchAll(WORD), ([word]) => word);
}
