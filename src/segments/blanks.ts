/** Repairs the blanks beside tokens that translation engines eat or add (DeepL/deepl-node#48). Pure. */
import { baseLanguage, type LanguageTag } from '../language.ts';
import type { Mark } from './answer.ts';
import type { Token } from './protect.ts';

/** Scripts that put no blanks between words: a missing one is right there. */
const UNSPACED = new Set(['zh', 'ja', 'th', 'lo', 'km', 'my', 'bo', 'yue', 'wuu']);

/**
 * Puts a blank back where the source had one beside a token and the answer glued it to a word, and takes away
 * blanks that came up around line breaks. Nothing else is touched: word order is the translator's.
 */
export function repairBlanks(
  marks: readonly Mark[],
  tokens: readonly Token[],
  language: LanguageTag,
): Mark[] {
  const isSpaced = !UNSPACED.has(baseLanguage(language));
  const repaired: Mark[] = [];
  for (const mark of marks) {
    if (mark.kind === 'text' && mark.text === '') continue;
    const left = repaired.at(-1);
    if (left === undefined) {
      repaired.push(mark);
    } else if (isNewline(mark, tokens) || isNewline(left, tokens)) {
      trimAround(repaired, mark, tokens);
    } else {
      if (isSpaced && lacksBlank(left, mark, tokens)) repaired.push({ kind: 'text', text: ' ' });
      repaired.push(mark);
    }
  }
  return repaired;
}

function isNewline(mark: Mark, tokens: readonly Token[]): boolean {
  return mark.kind === 'token' && tokens[mark.id]?.kind === 'newline';
}

function trimAround(repaired: Mark[], mark: Mark, tokens: readonly Token[]): void {
  const left = repaired.at(-1);
  if (left?.kind === 'text' && mark.kind === 'token' && !tokens[mark.id]?.blankBefore) {
    repaired[repaired.length - 1] = { kind: 'text', text: left.text.trimEnd() };
  }
  const trimmed =
    mark.kind === 'text' && left?.kind === 'token' && !tokens[left.id]?.blankAfter
      ? { kind: mark.kind, text: mark.text.trimStart() }
      : mark;
  repaired.push(trimmed);
}

function lacksBlank(left: Mark, right: Mark, tokens: readonly Token[]): boolean {
  const isInside = left.kind === 'open' || right.kind === 'close';
  if (isInside || !endsInWord(left) || !startsWithWord(right)) return false;
  const before = right.kind !== 'text' && tokens[right.id]?.blankBefore === true;
  const after = left.kind !== 'text' && tokens[left.id]?.blankAfter === true;
  return before || after;
}

function endsInWord(mark: Mark): boolean {
  return mark.kind !== 'text' || /[\p{L}\p{N}]$/u.test(mark.text);
}

function startsWithWord(mark: Mark): boolean {
  return mark.kind !== 'text' || /^[\p{L}\p{N}]/u.test(mark.text);
}
