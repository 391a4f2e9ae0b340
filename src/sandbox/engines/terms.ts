/** Glossary terms in a text: whole words, the longest first, case-sensitive; an answer shows them as `‹term›`. */
import { encodeXml } from '../../files/xml-characters.ts';
import type { EngineRecipe } from '../engine.ts';
import type { ProtectedPiece } from './protected.ts';

export interface TermPart {
  readonly text: string;
  /** The target phrase, when the part is a term. */
  readonly term?: string;
}

export function splitTerms(text: string, terms: ReadonlyMap<string, string>): readonly TermPart[] {
  const index = phraseIndex(terms);
  const parts: TermPart[] = [];
  let done = 0;
  for (const { 0: token, index: at } of text.matchAll(TOKEN)) {
    if (at < done) continue;
    const phrase = index.get(token)?.find((each) => standsAt(text, each, at));
    const term = phrase === undefined ? undefined : terms.get(phrase);
    if (phrase === undefined || term === undefined) continue;
    parts.push({ text: text.slice(done, at) }, { text: phrase, term });
    done = at + phrase.length;
  }
  parts.push({ text: text.slice(done) });
  return parts;
}

/** The term with its marks. */
export function markTerm(term: string): string {
  return `‹${term}›`;
}

/** The text of a piece with its terms replaced. @param other translates the rest */
export function applyTerms(
  { text, isLiteral }: ProtectedPiece,
  { terms, tagHandling }: Pick<EngineRecipe, 'terms' | 'tagHandling'>,
  write: { readonly term: (term: string) => string; readonly other: (text: string) => string },
): string {
  if (terms === undefined) return write.other(text);
  // A phrase such as "R&D" must not break the markup around it.
  const escaped = tagHandling === undefined || isLiteral ? (term: string) => term : encodeXml;
  return splitTerms(text, terms)
    .map((part) =>
      part.term === undefined ? write.other(part.text) : write.term(escaped(part.term)),
    )
    .join('');
}

/** Scripts without blanks between words: each character is a word. */
const UNSPACED = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}`;
const LETTER = String.raw`[[\p{L}\p{M}\p{N}]--[${UNSPACED}]]`;
const TOKEN = new RegExp(`${LETTER}+|.`, 'gsv');
const FIRST_TOKEN = new RegExp(`^(?:${LETTER}+|.)`, 'sv');
const ENDS_IN_LETTER = new RegExp(`${LETTER}$`, 'v');
const STARTS_WITH_LETTER = new RegExp(`^${LETTER}`, 'v');

/** First token -> phrases that begin with it, the longest first. A glossary may have 10 MiB, too much for one pattern. */
type PhraseIndex = ReadonlyMap<string, readonly string[]>;

/** Dictionaries are immutable, so an index is built once for each. */
const indices = new WeakMap<ReadonlyMap<string, string>, PhraseIndex>();

function phraseIndex(terms: ReadonlyMap<string, string>): PhraseIndex {
  const known = indices.get(terms);
  if (known !== undefined) return known;
  const index = Map.groupBy(terms.keys(), (phrase) => FIRST_TOKEN.exec(phrase)?.[0] ?? '');
  for (const phrases of index.values()) phrases.sort((a, b) => b.length - a.length);
  indices.set(terms, index);
  return index;
}

/** Whether the phrase is there and ends at the end of a word; its token already shows that it begins with one. */
function standsAt(text: string, phrase: string, at: number): boolean {
  if (!text.startsWith(phrase, at)) return false;
  const end = at + phrase.length;
  return !(ENDS_IN_LETTER.test(phrase) && STARTS_WITH_LETTER.test(text.slice(end, end + 2)));
}
