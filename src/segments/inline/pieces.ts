/** Splits a segment into text, placeholders, host syntax, paired markup, and what only surrounds the text. Pure. */
import type { Part, PlaceholderSyntax, Raw } from '../../format.ts';
import type { LanguageTag } from '../../language.ts';
import { findPlaceholders, isPlainText, type Placeholder } from './placeholders.ts';

export interface Translatable {
  readonly parts: readonly Part[];
  readonly syntax: PlaceholderSyntax;
}

/** A text and its translation. */
export interface TranslatedPair {
  readonly source: Translatable;
  readonly target: readonly Part[];
  /** Language of the target. */
  readonly language: LanguageTag;
}

/** One piece of a segment. The two sides of paired markup carry the same `pair`. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'token' | 'newline'; readonly text: string; readonly part: Part }
  | { readonly kind: 'number'; readonly text: string; readonly part: Part; readonly sample: string }
  | {
      readonly kind: 'open' | 'close';
      readonly text: string;
      readonly part: Part;
      readonly pair: number;
    };

export interface Peeled {
  /** Blanks, line breaks and markup around the whole text: never sent. */
  readonly before: readonly Part[];
  readonly inner: readonly Piece[];
  readonly after: readonly Part[];
}

export function takeApart(source: Translatable): Peeled {
  const { parts, syntax } = source;
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'string' && isPlainText(only, syntax)) {
    return peelPlain(only);
  }
  const known = lately.find((each) => each.parts === parts && each.syntax === syntax);
  if (known !== undefined) return known.peeled;
  const peeled = peel(pairUp(partPieces(source)));
  lately = [{ parts, syntax, peeled }, ...lately.slice(0, 1)];
  return peeled;
}

interface TakenApart extends Translatable {
  readonly peeled: Peeled;
}

// A check looks for several kinds of tokens in the same text and its translation, so the last two results are kept.
let lately: readonly TakenApart[] = [];

/** A piece that may become one side of a pair. */
type PairPiece = Piece & { readonly tag?: Tag | undefined };

/** One side of paired markup; two sides with the same name belong together. */
interface Tag {
  readonly name: string;
  readonly side: 'open' | 'close';
}

function partPieces({ parts, syntax }: Translatable): PairPiece[] {
  return parts.flatMap((part) =>
    typeof part === 'string' ? cutText(part, syntax) : [cutRaw(part)],
  );
}

function cutText(text: string, syntax: PlaceholderSyntax): PairPiece[] {
  const pieces: PairPiece[] = [];
  let position = 0;
  for (const found of findPlaceholders(text, syntax)) {
    if (found.start > position) pieces.push(textPiece(text.slice(position, found.start)));
    pieces.push(tokenPiece(found.text, tagOf(found)));
    position = found.end;
  }
  if (position < text.length) pieces.push(textPiece(text.slice(position)));
  return pieces;
}

function cutRaw(part: Raw): PairPiece {
  if (part.sample !== undefined) {
    return { kind: 'number', text: part.raw, part, sample: part.sample };
  }
  return tokenPiece(part, part.pair && { name: `#${part.pair.id}`, side: part.pair.side });
}

function textPiece(text: string): Piece {
  return { kind: 'text', text };
}

function tokenPiece(part: Part, tag: Tag | undefined): PairPiece {
  const text = typeof part === 'string' ? part : part.raw;
  const kind = /^\s*[\r\n]\s*$/.test(text) ? 'newline' : 'token';
  return { kind, text, part, tag };
}

function tagOf({ kind, text }: Placeholder): Tag | undefined {
  if ((kind !== 'tag' && kind !== 'numberedTag') || text.endsWith('/>')) return undefined;
  const name = /^<\/?([^\s>]+)/.exec(text)?.[1] ?? '';
  return { name, side: text.startsWith('</') ? 'close' : 'open' };
}

/** Finds the two sides of each pair. A side without its other side, or one that crosses a pair, becomes a token. */
function pairUp(pieces: readonly PairPiece[]): Piece[] {
  const paired: Piece[] = [...pieces];
  const open: { readonly name: string; readonly index: number }[] = [];
  for (const [index, { tag }] of pieces.entries()) {
    if (tag?.side === 'open') open.push({ name: tag.name, index });
    if (tag?.side !== 'close') continue;
    const at = open.findLastIndex((candidate) => candidate.name === tag.name);
    const opening = open[at];
    if (opening === undefined) continue;
    open.length = at;
    paired[opening.index] = side('open', pieces[opening.index], opening.index);
    paired[index] = side('close', pieces[index], opening.index);
  }
  return paired;
}

function side(kind: 'open' | 'close', piece: PairPiece | undefined, pair: number): Piece {
  return { kind, text: piece?.text ?? '', part: partOf(piece), pair };
}

function peel(pieces: readonly Piece[]): Peeled {
  const { before, inner, after } = trimBlanks(pieces);
  const first = inner[0];
  const last = inner.at(-1);
  if (first?.kind !== 'open' || last?.kind !== 'close' || first.pair !== last.pair) {
    return { before, inner, after };
  }
  const within = peel(inner.slice(1, -1));
  return {
    before: [...before, first.part, ...within.before],
    inner: within.inner,
    after: [...within.after, last.part, ...after],
  };
}

/** The result of `peel` for one text without placeholders: most texts of most files. */
function peelPlain(text: string): Peeled {
  const inner = text.trim();
  if (inner === '') return { before: [text], inner: [], after: [] };
  const start = text.length - text.trimStart().length;
  const end = start + inner.length;
  return {
    before: [text.slice(0, start)],
    inner: [textPiece(inner)],
    after: [text.slice(end)],
  };
}

function trimBlanks(pieces: readonly Piece[]): Peeled {
  const isBlank = (piece: Piece) => piece.kind === 'newline' || piece.text.trim() === '';
  const first = pieces.findIndex((piece) => !isBlank(piece));
  if (first < 0) return { before: pieces.map(partOf), inner: [], after: [] };
  const last = pieces.findLastIndex((piece) => !isBlank(piece));
  const inner = pieces.slice(first, last + 1);
  const before = pieces.slice(0, first).map(partOf);
  const after = pieces.slice(last + 1).map(partOf);
  const start = inner[0];
  if (start?.kind === 'text') {
    inner[0] = textPiece(start.text.trimStart());
    before.push(start.text.slice(0, start.text.length - start.text.trimStart().length));
  }
  const end = inner.at(-1);
  if (end?.kind === 'text') {
    inner[inner.length - 1] = textPiece(end.text.trimEnd());
    after.unshift(end.text.slice(end.text.trimEnd().length));
  }
  return { before, inner, after };
}

function partOf(piece: Piece | undefined): Part {
  if (piece === undefined) return '';
  return piece.kind === 'text' ? piece.text : piece.part;
}

/** Joins neighbouring texts and drops empty ones: the form in which formats return parts. */
export function joinTexts(parts: readonly Part[]): readonly Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === 'string' && typeof last === 'string')
      joined[joined.length - 1] = last + part;
    else if (part !== '') joined.push(part);
  }
  return joined;
}
