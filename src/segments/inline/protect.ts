/** Turns a segment into the text that is sent, so that the service cannot change its tokens. Pure. */
import type { Part, Span } from '../../format.ts';
import { isIcu, literalsOf, sentenceOf } from './icu-text.ts';
import { type Piece, type Translatable, takeApart } from './pieces.ts';
import type { SendForm } from './send-form.ts';

/** The form of one segment that is sent, with everything that `restore` needs to undo it. */
export interface Protected {
  /** `xml` goes out with `tag_handling=xml`; the two kinds never share a request. */
  readonly kind: 'plain' | 'xml';
  readonly text: string;
  /** By id: `<x id="0"/>` is the first, `<g id="1">…</g>` the second. */
  readonly tokens: readonly ProtectedToken[];
  /** Blanks and markup around the whole text: not sent, added again by `restore`. */
  readonly before: readonly Part[];
  readonly after: readonly Part[];
  /** Lost markup and changed line breaks are accepted: the caller can use the words alone. */
  readonly lenient?: true;
}

export type ProtectedToken = Blanks &
  (
    | { readonly kind: 'token' | 'newline'; readonly part: Part }
    /** It is sent as the number `sample`. */
    | { readonly kind: 'number'; readonly part: Part; readonly sample: string }
    | {
        readonly kind: 'pair';
        readonly open: Part;
        readonly close: Part;
        /** Id of the pair around it. */
        readonly parent: number | undefined;
        readonly isEmpty: boolean;
      }
  );

/** Whether the source had a blank on the outer side of a token. */
interface Blanks {
  readonly blankBefore: boolean;
  readonly blankAfter: boolean;
}

/**
 * Protects a segment in the form of the attempt. `xml` has tags in place of the tokens, `plain` and `literal` have the tokens as they are.
 * @see nextAttempt for the order of forms
 */
export function protect(source: Translatable, attempt: SendForm): Protected {
  const { before, inner, after } = takeApart(source);
  const pieces = attempt.form === 'plain' || !attempt.alone ? inner : inner.map(withoutSample);
  const { tokens, ids } = numberTokens(pieces);
  const text = pieces.map((piece, index) =>
    attempt.form === 'xml' ? asXml(piece, ids[index] ?? 0) : asPlain(piece),
  );
  const kind = attempt.form === 'xml' ? 'xml' : 'plain';
  const lenient = source.syntax === 'subtitle' ? ({ lenient: true } as const) : {};
  return { kind, text: text.join(''), tokens, before, after, ...lenient };
}

/**
 * Whether plain text would put a token at risk. Line breaks and numbers are at no risk: they are counted in the answer, and tags would cost
 * characters.
 */
export function needsTags(source: Translatable): boolean {
  return takeApart(source).inner.some(({ kind }) => {
    return kind !== 'text' && kind !== 'newline' && kind !== 'number';
  });
}

/** Whether a segment has anything to translate: a letter outside its placeholders. */
export function worthSending(source: Translatable): boolean {
  const literals = isIcu(source) ? literalsOf(source.parts) : undefined;
  if (literals !== undefined) {
    return literals.some((text) => hasWords(sentenceOf([text], source)));
  }
  return hasWords(source);
}

function hasWords(source: Translatable): boolean {
  return takeApart(source).inner.some(({ kind, text }) => kind === 'text' && /\p{L}/u.test(text));
}

/** Numbers the tokens in order of appearance. `ids` has one entry per piece; the sides of a pair have the same id. */
function numberTokens(pieces: readonly Piece[]): { tokens: ProtectedToken[]; ids: number[] } {
  const tokens: ProtectedToken[] = [];
  const ids: number[] = [];
  const open: number[] = [];
  const ends = endsOf(pieces);
  for (const [index, piece] of pieces.entries()) {
    ids[index] = piece.kind === 'close' ? (open.pop() ?? 0) : tokens.length;
    if (piece.kind === 'open') {
      tokens.push(
        pairToken(pieces, { start: index, end: ends.get(piece.pair) ?? -1 }, open.at(-1)),
      );
      open.push(tokens.length - 1);
    } else if (piece.kind === 'number') {
      const { kind, part, sample } = piece;
      tokens.push({ kind, part, sample, ...blanksAround(pieces, index, index) });
    } else if (piece.kind !== 'text' && piece.kind !== 'close') {
      tokens.push({ kind: piece.kind, part: piece.part, ...blanksAround(pieces, index, index) });
    }
  }
  return { tokens, ids };
}

/** In the xml form a number is sent as a token, because it did not come back exactly once before. */
function withoutSample(piece: Piece): Piece {
  return piece.kind === 'number' ? { kind: 'token', text: piece.text, part: piece.part } : piece;
}

/** The index of the closing side, by the number of its pair. */
function endsOf(pieces: readonly Piece[]): ReadonlyMap<number, number> {
  return new Map(
    pieces.flatMap((piece, index) => (piece.kind === 'close' ? [[piece.pair, index]] : [])),
  );
}

function pairToken(
  pieces: readonly Piece[],
  { start, end }: Span,
  parent: number | undefined,
): ProtectedToken {
  const content = pieces.slice(start + 1, end);
  return {
    kind: 'pair',
    open: partAt(pieces, start),
    close: partAt(pieces, end),
    parent,
    // A pair that holds only empty pairs is also empty.
    isEmpty: content.every(
      ({ kind, text }) =>
        kind === 'open' || kind === 'close' || (kind === 'text' && text.trim() === ''),
    ),
    ...blanksAround(pieces, start, end),
  };
}

function partAt(pieces: readonly Piece[], index: number): Part {
  const piece = pieces[index];
  return piece === undefined || piece.kind === 'text' ? '' : piece.part;
}

function blanksAround(pieces: readonly Piece[], from: number, to: number): Blanks {
  const left = pieces[from - 1];
  const right = pieces[to + 1];
  return {
    blankBefore: left?.kind === 'text' && /\s$/.test(left.text),
    blankAfter: right?.kind === 'text' && /^\s/.test(right.text),
  };
}

function asPlain(piece: Piece): string {
  if (piece.kind === 'number') return piece.sample;
  return piece.kind === 'newline' ? piece.text.replace(/[ \t]/g, '') : piece.text;
}

function asXml(piece: Piece, id: number): string {
  switch (piece.kind) {
    case 'text':
      return piece.text.replace(/[&<>]/g, (character) => ESCAPES.get(character) ?? character);
    case 'number':
      return piece.sample;
    case 'token':
    case 'newline':
      return `<x id="${id}"/>`;
    case 'open':
      return `<g id="${id}">`;
    case 'close':
      return '</g>';
  }
}

const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;' }),
);
