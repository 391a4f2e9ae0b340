/**
 * A sentence whose source changed nothing but titles of links and images: the new titles are bought alone, and its translation keeps its
 * words. Pure.
 */
import { type Edit, type Part, partsText } from '../../format.ts';
import { readTitle, writeTitle } from './markdown-titles.ts';
import { isEveryValueSame, sameWords, withEdits } from './markup-change.ts';
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

/** Undefined: more changed than titles, or the translation has no place for one of them. */
export function titleChange({ before, now, current }: TitleVersions): TitleChange | undefined {
  const text = partsText(now);
  const [old, recent] = [tokensIn(before), tokensIn(text)];
  if (!sameWords({ text: before, tokens: old }, { text, tokens: recent }, 'without titles')) return;
  const theirs = pairTokens(old, tokensIn(partsText(current)));
  const changes: NewTitle[] = [];
  for (const [at, was] of old.entries()) {
    const is = recent[at];
    if (is === undefined || was.text === is.text) continue;
    const change = newTitle(was, is, theirs.get(was));
    if (change === undefined) return;
    changes.push(change);
  }
  const edits = (bought: ReadonlyMap<string, string>) => changes.map((each) => each.edit(bought));
  if (changes.length === 0 || withEdits(current, edits(new Map())) === undefined) return;
  return {
    titles: [...new Set(changes.flatMap(({ title }) => title ?? []))],
    applied: (bought) => withEdits(current, edits(bought)) ?? current,
  };
}

interface NewTitle {
  /** Undefined: there is none, or none with a letter. */
  readonly title: string | undefined;
  edit(bought: ReadonlyMap<string, string>): Edit;
}

function newTitle(
  was: MarkupToken,
  is: MarkupToken,
  own: MarkupToken | undefined,
): NewTitle | undefined {
  if (own === undefined || !isEveryValueSame(was, is)) return undefined;
  const [before, now, theirs] = [was, is, own].map(({ values }) => values.get('title'));
  // A person removed the title, or added one.
  if ((before === undefined) !== (theirs === undefined)) return undefined;
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
    title,
    edit: (bought) => {
      if (title === undefined) return { start, end, text: now?.text ?? '' };
      return { start, end, text: written(bought.get(title) ?? title) };
    },
  };
}
