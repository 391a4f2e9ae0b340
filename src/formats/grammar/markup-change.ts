/**
 * Compares the markup of a paragraph in three versions: the source that its translation was made from, the source now, and the
 * translation. Where the words of the source are the same, the translation gets the new destinations, attributes and code. Pure.
 */
import { type Edit, type Part, partsText } from '../../format.ts';
import type { MarkupChange, MarkupVersions } from '../../segments/decision.ts';
import { splice } from '../text/splice.ts';
import { ANCHOR_KIND, type MarkupToken, pairTokens, tokensIn } from './markup-tokens.ts';

/** @returns undefined: no markup of the source changed, or none that could be looked for in the translation */
export function markupChange({ before, now, current }: MarkupVersions): MarkupChange | undefined {
  const text = partsText(now);
  const [old, recent] = [tokensIn(before), tokensIn(text)];
  const pairs = sameWords({ text: before, tokens: old }, { text, tokens: recent })
    ? old.map((token, at): [MarkupToken, MarkupToken | undefined] => [token, recent[at]])
    : undefined;
  const own = tokensIn(partsText(current));
  if (isAnchorContested(old, recent, own)) return { isContested: true, isAlone: false };
  const theirs = pairTokens(old, own);
  const changed = (pairs ?? [...pairTokens(old, recent)]).flatMap(([was, is]) =>
    is === undefined || was.text === is.text ? [] : [[was, is] as const],
  );
  // In plain text, the same characters are words.
  if (changed.length === 0 || !changed.every(([, is]) => isMarkup(is, now))) return undefined;
  const changes = changed.map(([was, is]) => tokenChange(was, is, theirs.get(was)));
  const isContested = changes.some((change) => change.isContested);
  const isComplete = pairs !== undefined && changes.every(({ edits }) => edits !== undefined);
  const edits = changes.flatMap((change) => change.edits ?? []);
  const followed = isComplete ? withEdits(current, edits) : undefined;
  return { isContested, isAlone: pairs !== undefined, ...(followed && { followed }) };
}

/** A heading without an anchor got one from its source, and another one from a person. */
function isAnchorContested(...versions: readonly (readonly MarkupToken[])[]): boolean {
  const [before, now, own] = versions.map((tokens) => tokens.find(isAnchor)?.text.trim());
  return before === undefined && now !== undefined && own !== undefined && own !== now;
}

function isAnchor({ kind }: MarkupToken): boolean {
  return kind === ANCHOR_KIND;
}

interface TokenizedText {
  readonly text: string;
  readonly tokens: readonly MarkupToken[];
}

/**
 * Whether two versions differ only in destinations, attributes and code. A title of a link is a text; `without titles`: they may differ,
 * too.
 */
export function sameWords(
  one: TokenizedText,
  other: TokenizedText,
  titles?: 'without titles',
): boolean {
  if (one.tokens.length === 0 || one.tokens.length !== other.tokens.length) return false;
  const [ours, theirs] = [one, other].map((each) => wordsAround(each, titles === undefined));
  return ours?.every((words, at) => words === theirs?.[at]) === true;
}

function wordsAround({ text, tokens }: TokenizedText, hasTitles: boolean): string[] {
  let position = 0;
  const words = tokens.flatMap(({ kind, start, end, values }) => {
    const before = text.slice(position, start);
    position = end;
    const title = kind === 'link' && hasTitles ? values.get('title') : undefined;
    return [before, kind, title?.text ?? ''];
  });
  return [...words, text.slice(position)];
}

interface TokenChange {
  /** A person changed a value that the source changed, too. */
  readonly isContested: boolean;
  /** Give the translation the values of the source now; undefined: it has no such markup. */
  readonly edits: readonly Edit[] | undefined;
}

export function tokenChange(
  was: MarkupToken,
  is: MarkupToken,
  own: MarkupToken | undefined,
): TokenChange {
  if (own === undefined) return { isContested: false, edits: undefined };
  const { start, end } = own;
  if (own.text === is.text) return { isContested: false, edits: [] };
  if (own.text === was.text) return { isContested: false, edits: [{ start, end, text: is.text }] };
  if (was.kind === 'code') return { isContested: true, edits: [{ start, end, text: is.text }] };
  const changes = valueChanges(was, is, own);
  return {
    isContested: changes.some((change) => change.isContested),
    edits: changes.map(({ edit }) => edit),
  };
}

interface ValueChange {
  readonly isContested: boolean;
  readonly edit: Edit;
}

/** For all but the title of a link, which is a text. */
export function valueChanges(was: MarkupToken, is: MarkupToken, own: MarkupToken): ValueChange[] {
  const names = new Set([...was.values.keys(), ...is.values.keys()]);
  return [...names].flatMap((name) => {
    if (was.kind === 'link' && name === 'title') return [];
    const [before, now, theirs] = [was, is, own].map(({ values }) => values.get(name));
    if (before?.text === now?.text || theirs?.text === now?.text) return [];
    const place = theirs ?? { start: own.tail, end: own.tail };
    const edit = { start: place.start, end: place.end, text: now?.text ?? '' };
    return [{ isContested: theirs?.text !== before?.text, edit }];
  });
}

export function isMarkup({ start, end }: MarkupToken, parts: readonly Part[]): boolean {
  let position = 0;
  return parts.some((part) => {
    const from = position;
    position += typeof part === 'string' ? part.length : part.raw.length;
    return typeof part !== 'string' && from <= start && end <= position;
  });
}

/** Undefined when an edit reaches beyond markup. */
export function withEdits(parts: readonly Part[], edits: readonly Edit[]): Part[] | undefined {
  let position = 0;
  let done = 0;
  const edited = parts.map((part): Part => {
    const start = position;
    position += typeof part === 'string' ? part.length : part.raw.length;
    if (typeof part === 'string') return part;
    const own = edits.filter((edit) => edit.start >= start && edit.end <= position);
    done += own.length;
    const moved = own.map((edit) => ({
      ...edit,
      start: edit.start - start,
      end: edit.end - start,
    }));
    return own.length === 0 ? part : { ...part, raw: splice(part.raw, moved) };
  });
  return done === edits.length ? edited : undefined;
}
