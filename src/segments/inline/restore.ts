/** Puts the tokens back into an answer. It refuses the answer unless every token came back exactly once and in its place. Pure. */
import { type Part, partsText } from '../../format.ts';
import { baseLanguage, type LanguageTag } from '../../language.ts';
import { type AnswerPart, readAnswer, readWords } from './answer.ts';
import { joinTexts } from './pieces.ts';
import type { Protected, ProtectedToken } from './protect.ts';

export type Restored = { readonly parts: readonly Part[] } | { readonly problem: string };

/**
 * Undoes `protect` for an answer of the service.
 * @param language of the answer: decides whether a lost blank beside a token is added again
 * @returns the parts of the target, or the problem in a few words. Problems: a token is missing, repeated, unknown or wrongly nested, a
 * pair is empty, a tag was not sent, there is no text
 */
export function restore(answer: string, sent: Protected, language: LanguageTag): Restored {
  // No file can hold it: a parser or an editor of the target would refuse or change it.
  if (!answer.isWellFormed()) return { problem: 'the answer has half of a character' };
  if (sent.lenient) return restoreLeniently(answer, sent, language);
  const marks = readAnswer(answer, sent);
  if ('problem' in marks) return marks;
  const problem = findProblem(marks, sent);
  if (problem !== undefined) return { problem };
  const inner = repairBlanks(marks, sent.tokens, language).map((mark) => asPart(mark, sent.tokens));
  return { parts: joinTexts([...sent.before, ...inner, ...sent.after]) };
}

/** Markup that did not come back whole is left out. */
function restoreLeniently(answer: string, sent: Protected, language: LanguageTag): Restored {
  const marks = sent.kind === 'xml' ? readAnswer(answer, sent) : [];
  const isWhole = !('problem' in marks) && findMiscount(marks, sent.tokens) === undefined;
  const inner =
    sent.kind === 'xml' && isWhole && findMisplaced(marks, sent.tokens) === undefined
      ? repairBlanks(marks, sent.tokens, language).map((mark) => asPart(mark, sent.tokens))
      : [readWords(answer, sent)];
  return { parts: joinTexts([...sent.before, ...inner, ...sent.after]) };
}

function findProblem(marks: readonly AnswerPart[], sent: Protected): string | undefined {
  const isEmpty = marks.every((mark) => mark.kind === 'text' && mark.text.trim() === '');
  if (isEmpty && sent.text !== '') return 'the answer is empty';
  return findMiscount(marks, sent.tokens) ?? findMisplaced(marks, sent.tokens);
}

const SINGLE = { token: 1, open: 0, close: 0 };
const PAIR = { token: 0, open: 1, close: 1 };

/** Every token must come back once, as the same kind, and no other token. */
function findMiscount(
  marks: readonly AnswerPart[],
  tokens: readonly ProtectedToken[],
): string | undefined {
  const counts = tokens.map(() => ({ token: 0, open: 0, close: 0 }));
  for (const mark of marks) {
    if (mark.kind === 'text') continue;
    const count = counts[mark.id];
    if (count === undefined) return 'a placeholder or line break came that was not sent';
    count[mark.kind]++;
  }
  for (const [id, { token, open, close }] of counts.entries()) {
    const wanted = tokens[id]?.kind === 'pair' ? PAIR : SINGLE;
    const name = describeToken(tokens[id]);
    if (token < wanted.token || open < wanted.open || close < wanted.close) {
      return `${name} is missing`;
    }
    if (token > wanted.token || open > wanted.open || close > wanted.close) {
      return `${name} came back more than once`;
    }
  }
  return undefined;
}

/** A pair must stay within its parent, close in order, and keep its content. */
function findMisplaced(
  marks: readonly AnswerPart[],
  tokens: readonly ProtectedToken[],
): string | undefined {
  const open: { readonly id: number; hasContent: boolean }[] = [];
  for (const mark of marks) {
    const around = open.at(-1);
    if (mark.kind === 'open') {
      const token = tokens[mark.id];
      const parent = token?.kind === 'pair' ? token.parent : undefined;
      if (parent !== around?.id) return `${describeToken(token)} is nested differently`;
      open.push({ id: mark.id, hasContent: false });
    } else if (mark.kind === 'close') {
      const token = tokens[mark.id];
      if (around?.id !== mark.id) return `${describeToken(token)} is nested differently`;
      if (!around.hasContent && token?.kind === 'pair' && !token.isEmpty) {
        return `${describeToken(token)} came back empty`;
      }
      open.pop();
      markContent(open.at(-1), around.hasContent);
    } else {
      markContent(around, mark.kind !== 'text' || mark.text.trim() !== '');
    }
  }
  return undefined;
}

function markContent(pair: { hasContent: boolean } | undefined, hasContent: boolean): void {
  if (pair !== undefined && hasContent) pair.hasContent = true;
}

function describeToken(token: ProtectedToken | undefined): string {
  switch (token?.kind) {
    case undefined:
      return 'a placeholder';
    case 'newline':
      return 'a line break';
    case 'token':
      return partsText([token.part]);
    case 'number':
      return `the number ${token.sample}`;
    case 'pair':
      return `${partsText([token.open])}…${partsText([token.close])}`;
  }
}

function asPart(mark: AnswerPart, tokens: readonly ProtectedToken[]): Part {
  if (mark.kind === 'text') return mark.text;
  const token = tokens[mark.id];
  if (token?.kind === 'pair') return mark.kind === 'close' ? token.close : token.open;
  return token?.part ?? '';
}

// Repairs the blanks beside tokens that translation engines eat or add (DeepL/deepl-node#48).

/** Languages without blanks between words: there a missing blank is correct. */
const UNSPACED = new Set(['zh', 'ja', 'th', 'lo', 'km', 'my', 'bo', 'yue', 'wuu']);

/**
 * Adds a blank where the source had one beside a token and the answer has the token directly at a word. Removes blanks that the answer
 * added around line breaks. Nothing else is changed: the word order is the translator's.
 */
function repairBlanks(
  marks: readonly AnswerPart[],
  tokens: readonly ProtectedToken[],
  language: LanguageTag,
): AnswerPart[] {
  const isSpaced = !UNSPACED.has(baseLanguage(language));
  const repaired: AnswerPart[] = [];
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

function isNewline(mark: AnswerPart, tokens: readonly ProtectedToken[]): boolean {
  return mark.kind === 'token' && tokens[mark.id]?.kind === 'newline';
}

function trimAround(
  repaired: AnswerPart[],
  mark: AnswerPart,
  tokens: readonly ProtectedToken[],
): void {
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

function lacksBlank(
  left: AnswerPart,
  right: AnswerPart,
  tokens: readonly ProtectedToken[],
): boolean {
  const isInside = left.kind === 'open' || right.kind === 'close';
  if (isInside || !endsInWord(left) || !startsWithWord(right)) return false;
  const before = right.kind !== 'text' && tokens[right.id]?.blankBefore === true;
  const after = left.kind !== 'text' && tokens[left.id]?.blankAfter === true;
  return before || after;
}

function endsInWord(mark: AnswerPart): boolean {
  return mark.kind !== 'text' || /[\p{L}\p{N}]$/u.test(mark.text);
}

function startsWithWord(mark: AnswerPart): boolean {
  return mark.kind !== 'text' || /^[\p{L}\p{N}]/u.test(mark.text);
}
