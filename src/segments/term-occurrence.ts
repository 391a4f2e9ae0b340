/**
 * Whether a translation holds the terms of the glossary. This is a report and never a reason to hold a text, since languages inflect. Pure.
 */
import type { Term, TermIndex } from './terms.ts';

export interface TermFinding extends Term {
  /** `inflected`: the translation has another form of the phrase. */
  readonly kind: 'missing' | 'inflected';
}

/** @returns findings for terms whose target phrase is not literally in the translation */
export function missingTerms(source: string, translation: string, index: TermIndex): TermFinding[] {
  // A line break may be at any blank.
  const text = translation.toLowerCase().replaceAll(/\s+/g, ' ');
  return index.termsIn(source).flatMap((term): TermFinding[] => {
    if (text.includes(term.target.toLowerCase())) return [];
    return [{ ...term, kind: isInflected(term.target, text) ? 'inflected' : 'missing' }];
  });
}

export function describeFinding({ source, target, kind }: TermFinding): string {
  return kind === 'inflected'
    ? `the glossary says "${target}" for "${source}": the translation has another form of it`
    : `the glossary says "${target}" for "${source}": it does not occur`;
}

/** A stem with fewer letters occurs in too many words. */
const SHORTEST_STEM = 4;
const LONGEST_ENDING = 3;

/** Whether every word of the phrase has a word in the text with the same beginning. */
function isInflected(phrase: string, text: string): boolean {
  const words = text.match(WORD) ?? [];
  const asked = phrase.toLowerCase().match(WORD) ?? [];
  return asked.length > 0 && asked.every((word) => words.some((other) => sharesStem(word, other)));
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

function sharesStem(a: string, b: string): boolean {
  const length = Math.max(SHORTEST_STEM, a.length - LONGEST_ENDING);
  return a.length >= SHORTEST_STEM ? b.startsWith(a.slice(0, length)) : a === b;
}
