/**
 * A sentence whose source changed titles of links and images, but no words: the new titles are bought alone, and its translation keeps its
 * words. Destinations, attributes and code may have changed, too. Pure.
 */
import { type Edit, type Part, partsText } from '../../format.ts';
import { readTitle, writeTitle } from './markdown-titles.ts';
import { isMarkup, sameWords, tokenChange, valueChanges, withEdits } from './markup-change.ts';
import { type MarkupToken, pairTokens, tokensIn } from './markup-tokens.ts';

export interface TitleVersions {
  /** The source that the translation was made from, with its host syntax. */
  readonly before: string;
  readonly now: readonly Part[];
  /** The translation. */
  readonly current: readonly Part[];
}

export interface TitleChange {
  /** The titles to buy. */
  readonly titles: readonly string[];
  /** The translation with the new titles. @param bought by title */
  applied(bought: ReadonlyMap<string, string>): readonly Part[];
}

/** Undefined: more changed than titles and other values, or the translation has no place for one of them. */
export function titleChange({ before, now, current }: TitleVersions): TitleChange | undefined {
  const text = partsText(now);
  const [old, recent] = [tokensIn(before), tokensIn(text)];
  if (!sameWords({ text: before, tokens: old }, { text, tokens: recent }, 'without titles')) return;
  const theirs = pairTokens(old, tokensIn(partsText(current)));
  const changed = old.flatMap((was, at) => {
    const is = recent[at];
    return is === undefined || was.text === is.text ? [] : [{ was, is, own: theirs.get(was) }];
  });
  if (changed.length === 0 || !changed.every(({ is }) => isMarkup(is, now))) return;
  const changes = changed.map(changeOf);
  if (!changes.every((each) => each !== undefined)) return;
  const edits = (bought: ReadonlyMap<string, string>) =>
    changes.flatMap(({ title, values }) => [...values, ...(title ? [title.edit(bought)] : [])]);
  if (withEdits(current, edits(new Map())) === undefined) return;
  return {
    titles: [...new Set(changes.flatMap(({ title }) => title?.text ?? []))],
    applied: (bought) => withEdits(current, edits(bought)) ?? current,
  };
}

interface ChangedToken {
  readonly was: MarkupToken;
  readonly is: MarkupToken;
  /** In the translation. */
  readonly own: MarkupToken | undefined;
}

interface TokenEdits {
  readonly title: NewTitle | undefined;
  /** Destinations, attributes and code. */
  readonly values: readonly Edit[];
}

function changeOf({ was, is, own }: ChangedToken): TokenEdits | undefined {
  const values = was.kind === 'link' && own && valueChanges(was, is, own).map(({ edit }) => edit);
  if (values) return { values, title: newTitle(was, is, own) };
  const isTitleAlone = was.kind === 'link' && hasSameDestination(was, is);
  // A person left the link or the image out, and so its title.
  if (isTitleAlone) return { values: [], title: undefined };
  const { edits } = tokenChange(was, is, own);
  return edits && { values: edits, title: undefined };
}

function hasSameDestination(one: MarkupToken, other: MarkupToken): boolean {
  return one.values.get('destination')?.text === other.values.get('destination')?.text;
}

interface NewTitle {
  /** Undefined: there is none, or none with a letter. */
  readonly text: string | undefined;
  edit(bought: ReadonlyMap<string, string>): Edit;
}

/** Undefined: the title of the translation stays. */
function newTitle(was: MarkupToken, is: MarkupToken, own: MarkupToken): NewTitle | undefined {
  const [before, now, theirs] = [was, is, own].map(({ values }) => values.get('title'));
  if (before?.text === now?.text) return undefined;
  // A person's title is the translation of a later one of the source.
  if (before === undefined && theirs !== undefined) return undefined;
  const { start, end } = theirs ?? { start: own.tail, end: own.tail };
  const title = now && readTitle(now.text.trim());
  const shape = theirs?.text ?? now?.text ?? '';
  const quoted = shape.trim();
  const written = (text: string) =>
    shape.slice(0, shape.indexOf(quoted)) +
    quoted.charAt(0) +
    writeTitle(text, quoted) +
    quoted.charAt(quoted.length - 1);
  return {
    text: title,
    edit: (bought) => {
      if (title === undefined) return { start, end, text: now?.text ?? '' };
      return { start, end, text: written(bought.get(title) ?? title) };
    },
  };
}
