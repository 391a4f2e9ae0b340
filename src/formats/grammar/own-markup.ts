/**
 * Keeps a person's changes inside the markup of a paragraph when the paragraph is bought again: destinations and titles of links,
 * attributes of tags, code. Each value is merged three ways: it follows the source where the source changed it. Pure.
 */
import { type Edit, type Part, partsText, type Raw } from '../../format.ts';
import { splice } from '../text/splice.ts';
import {
  ANCHOR_KIND,
  type MarkupToken,
  type MarkupValue,
  pairTokens,
  tokensIn,
} from './markup-tokens.ts';

export interface ReplacedParagraph {
  /** The source of the replaced paragraph and its current text, both with their host syntax. */
  readonly source: string;
  readonly current: readonly Part[];
  /** The machine wrote the current text. Then a title that is still as in the source may be bought. */
  readonly isOurs?: boolean;
}

export interface OwnMarkup {
  /** Puts the person's markup into a translation of the source. */
  applied(bought: readonly Part[]): Part[];
  /** Whether a person's title is kept in this raw part of the source: then no translation of the title is bought. */
  keepsTitle(piece: Raw): boolean;
}

/** @param parts of the current source */
export function ownMarkup(parts: readonly Part[], replaced: ReplacedParagraph): OwnMarkup {
  const now = tokensIn(partsText(parts));
  const before = tokensIn(replaced.source);
  const theirs = pairTokens(before, tokensIn(partsText(replaced.current)));
  const triples = certain([...pairTokens(now, before)], theirs);
  const places = positionedMarkup(parts);
  const kept = triples.filter((triple) => hasTheirTitle(triple, replaced));
  const titled = new Set(
    kept.flatMap(([{ start, end }]) =>
      places.filter((place) => place.end > start && place.end <= end),
    ),
  );
  const edits = triples.flatMap((triple) => mergeToken(triple, places));
  const raws = changedRaws(places, edits);
  const names = new Set([...titled].map(({ name }) => name));
  const anchor = onlyAnchor({ now, before }, replaced.current);
  return {
    applied: (bought) => [
      ...bought.map((part) => {
        const raw = typeof part === 'string' ? undefined : raws.get(rawKey(part));
        return raw === undefined ? part : { ...(part as Raw), raw };
      }),
      ...anchor,
    ],
    keepsTitle: (piece) => names.has(rawKey(piece)),
  };
}

/** The anchor of a person's heading whose source has none. */
function onlyAnchor(
  sources: Readonly<Record<'now' | 'before', readonly MarkupToken[]>>,
  current: readonly Part[],
): Raw[] {
  const has = (tokens: readonly MarkupToken[]) => tokens.some(({ kind }) => kind === ANCHOR_KIND);
  if (has(sources.now) || has(sources.before)) return [];
  const own = tokensIn(partsText(current)).find(({ kind }) => kind === ANCHOR_KIND);
  const isMarkup = (raw: string) => own !== undefined && raw.trim() === own.text.trim();
  return own && current.some((part) => typeof part !== 'string' && isMarkup(part.raw))
    ? [{ raw: own.text }]
    : [];
}

type Triple = readonly [now: MarkupToken, before: MarkupToken, theirs: MarkupToken];

/** Leaves out markup that occurs more or less often than before, if a person changed its occurrences in different ways: each change could be meant. */
function certain(
  pairs: readonly (readonly [MarkupToken, MarkupToken])[],
  theirs: ReadonlyMap<MarkupToken, MarkupToken>,
): Triple[] {
  const olds = Map.groupBy(theirs, ([old]) => old.text);
  const byOldText = Map.groupBy(pairs, ([, old]) => old.text);
  return pairs.flatMap(([token, old]): Triple[] => {
    const own = theirs.get(old);
    const all = olds.get(old.text) ?? [];
    const isOne = new Set(all.map(([, each]) => each.text)).size < 2;
    const isWhole = all.length === byOldText.get(old.text)?.length;
    return own !== undefined && (isOne || isWhole) ? [[token, old, own]] : [];
  });
}

function hasTheirTitle([token, old, own]: Triple, { isOurs }: ReplacedParagraph): boolean {
  const [now, was, is] = [token, old, own].map(({ values }) => values.get('title')?.text);
  return now !== undefined && now === was && (isOurs !== true || is !== was);
}

function mergeToken([token, old, own]: Triple, places: readonly NamedMarkup[]): Edit[] {
  if (own.text === old.text) return [];
  const { start, end } = token;
  const isOnePiece = places.some((place) => place.start <= start && end <= place.end);
  if (token.text === old.text && isOnePiece) return [{ start, end, text: own.text }];
  const edits = [...token.values].flatMap(([name, value]): Edit[] => {
    const [was, is] = [old.values.get(name)?.text, own.values.get(name)?.text];
    if (was !== value.text || is === was) return [];
    return [{ start: value.start, end: value.end, text: is ?? '' }];
  });
  const added = [...own.values].filter(
    ([name]) => !old.values.has(name) && !token.values.has(name),
  );
  const text = added.map(([, value]) => value.text).join('');
  return text === '' ? edits : [...edits, { start: token.tail, end: token.tail, text }];
}

/** The offsets of a markup value in the text of its paragraph. */
interface NamedMarkup extends Pick<MarkupValue, 'start' | 'end'> {
  readonly name: string;
  readonly raw: string;
}

function positionedMarkup(parts: readonly Part[]): NamedMarkup[] {
  let position = 0;
  return parts.flatMap((part): NamedMarkup[] => {
    const start = position;
    position += typeof part === 'string' ? part.length : part.raw.length;
    if (typeof part === 'string') return [];
    return [{ start, end: position, name: rawKey(part), raw: part.raw }];
  });
}

/** Both sides of a pair keep their number in a translation; other raw parts are identified by their content. */
function rawKey({ raw, pair }: Raw): string {
  return pair === undefined ? raw : `${pair.id} ${pair.side} ${raw}`;
}

/** An edit that reaches beyond a raw part would also change text. Text is bought, so such an edit is ignored. */
function changedRaws(places: readonly NamedMarkup[], edits: readonly Edit[]): Map<string, string> {
  return new Map(
    places.flatMap(({ start, end, name, raw }): [string, string][] => {
      const own = edits
        .filter((edit) => edit.start >= start && edit.end <= end)
        .map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
      return own.length === 0 ? [] : [[name, splice(raw, own)]];
    }),
  );
}
