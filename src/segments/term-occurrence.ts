/** Whether a translation holds the terms that the glossary asks for. A report, never a reason to hold: languages inflect. Pure. */
import type { Term, TermIndex } from './terms.ts';

export interface TermFinding extends Term {
  /** `inflected`: another form of the phrase stands there. */
  readonly kind: 'missing' | 'inflected';
}

/** @returns findings for terms whose target phrase does not stand in the translation as it is written */
export function missingTerms(source: string, translation: string, index: TermIndex): TermFinding[] {
  // Lines are broken where they find room.
  const text = translation.toLowerCase().replaceAll(/\s+/g, ' ');
  return index.termsIn(source).flatMap((term): TermFinding[] => {
    if (text.includes(term.target.toLowerCase())) return [];
    return [{ ...term, kind: isInflected(term.target, text) ? 'inflected' : 'missing' }];
  });
}

export function describeFinding({ source, target, kind }: TermFinding): string {
  return kind === 'inflected'
    ? `the glossary says "${target}" for "${source}": another form of it stands there`
    : `the glossary says "${target}" for "${source}": it does not occur`;
}

/** Endings are short, and stems of less than this many letters are in too many words. */
const SHORTEST_STEM = 4;
const LONGEST_ENDING = 3;

/** Whether every word of the phrase has a word in the text that begins as it does. */
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
