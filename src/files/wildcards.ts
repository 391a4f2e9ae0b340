/** Matches texts with patterns that have wildcards, in linear time in the text, however many wildcards a pattern has. Pure. */

export type Wildcard =
  | { readonly kind: 'text'; readonly text: string }
  /** Any number of characters, also none. */
  | { readonly kind: 'star' }
  /** One character. */
  | { readonly kind: 'one' }
  | { readonly kind: 'class'; readonly negated: boolean; readonly ranges: readonly Range[] };

/** Code points; both ends belong to the range. */
export type Range = readonly [from: number, to: number];

/** Whether the pieces match the whole text. */
export function fitsPieces(pieces: readonly Wildcard[], text: string): boolean {
  return walk(pieces, text, undefined);
}

/**
 * The offset of each piece (UTF-16) when the pieces match the whole text; undefined when they do not. When there are several ways,
 * each star takes as much as it can, the first star first.
 */
export function placePieces(
  pieces: readonly Wildcard[],
  text: string,
): readonly number[] | undefined {
  const starts = new Array<number>(pieces.length).fill(0);
  return walk(pieces, text, starts) ? starts : undefined;
}

/**
 * Walks from the end. When a piece does not fit, only the nearest star after it takes one character more. The pieces after that star
 * are already as far to the right as possible, so another place for them would not help.
 */
function walk(pieces: readonly Wildcard[], text: string, starts: number[] | undefined): boolean {
  let star = -1;
  let end = 0;
  let at = text.length;
  for (let index = pieces.length - 1; ; ) {
    const piece = pieces[index];
    if (piece === undefined && at === 0) return true;
    if (piece?.kind === 'star') {
      // A star at the beginning takes the rest.
      if (index === 0) return true;
      star = index;
      end = at;
      if (starts !== undefined) starts[index] = at;
      index -= 1;
      continue;
    }
    const start = piece === undefined ? undefined : startOf(piece, text, at);
    if (start !== undefined) {
      if (starts !== undefined) starts[index] = start;
      at = start;
      index -= 1;
      continue;
    }
    if (star < 0 || end === 0) return false;
    end = characterBefore(text, end);
    if (starts !== undefined) starts[star] = end;
    at = end;
    index = star - 1;
  }
}

/** The start of a piece that ends at `end`; undefined when it does not match there. */
function startOf(
  piece: Exclude<Wildcard, { kind: 'star' }>,
  text: string,
  end: number,
): number | undefined {
  if (piece.kind === 'text') {
    const start = end - piece.text.length;
    return start >= 0 && text.startsWith(piece.text, start) ? start : undefined;
  }
  if (end === 0) return undefined;
  const start = characterBefore(text, end);
  return piece.kind === 'one' || isInClass(piece, text.codePointAt(start) ?? 0) ? start : undefined;
}

function isInClass(
  { negated, ranges }: Extract<Wildcard, { kind: 'class' }>,
  code: number,
): boolean {
  return ranges.some(([from, to]) => from <= code && code <= to) !== negated;
}

/** A character outside of the basic plane has two UTF-16 units. */
function characterBefore(text: string, end: number): number {
  const isPair = end > 1 && (text.codePointAt(end - 2) ?? 0) > 0xffff;
  return isPair ? end - 2 : end - 1;
}
