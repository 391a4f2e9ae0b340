/** Parts of a text: joined, compared, and asked whether there is anything to translate. */
import type { Part } from '../../format.ts';

const LETTER = /\p{L}/u;

/** Neighbouring strings become one, neighbouring raw pieces without a pair become one, empty ones go: two spellings of one content compare equal. */
export function normalizeParts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === 'string') {
      if (part === '') continue;
      if (typeof last === 'string') joined[joined.length - 1] = last + part;
      else joined.push(part);
    } else if (part.pair === undefined && isUnpaired(last)) {
      joined[joined.length - 1] = { raw: last.raw + part.raw };
    } else {
      joined.push(part);
    }
  }
  return joined;
}

function isUnpaired(part: Part | undefined): part is { readonly raw: string } {
  return part !== undefined && typeof part !== 'string' && part.pair === undefined;
}

/** Whether both say the same: texts and raw pieces in the same order, however they are cut. */
export function sameParts(a: readonly Part[], b: readonly Part[]): boolean {
  if (a === b) return true;
  // Nearly all texts are one piece: a file of a hundred thousand is compared at each save.
  const [only] = a;
  if (a.length === 1 && b.length === 1 && typeof only === 'string' && typeof b[0] === 'string') {
    return only === b[0];
  }
  const left = flatten(a);
  const right = flatten(b);
  return (
    left.length === right.length && left.every((piece, index) => samePiece(piece, right[index]))
  );
}

/** The same, where the format cannot hold line breaks and outer blanks of a text. */
export function sameFoldedParts(a: readonly Part[], b: readonly Part[]): boolean {
  return sameParts(foldParts(a), foldParts(b));
}

// Raw pieces lose their pairs here: a pair's number is the parser's count, not content. The number of a plural form was
// only taken out of its text for the way to the service.
function flatten(parts: readonly Part[]): Part[] {
  return normalizeParts(
    parts.map((part) => {
      if (typeof part === 'string') return part;
      return part.sample === undefined ? { raw: part.raw } : part.raw;
    }),
  );
}

function samePiece(a: Part, b: Part | undefined): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return a.raw === b?.raw;
}

function foldParts(parts: readonly Part[]): Part[] {
  const folded = flatten(parts).map((part) =>
    typeof part === 'string' ? part.replace(/\s+/g, ' ') : { raw: part.raw.replace(/\s+/g, ' ') },
  );
  const first = folded[0];
  const last = folded.at(-1);
  if (typeof first === 'string') folded[0] = first.trimStart();
  if (typeof last === 'string') folded[folded.length - 1] = (folded.at(-1) as string).trimEnd();
  return normalizeParts(folded);
}

/** Whether a text holds a letter in any script: what holds none is never sent, only copied. */
export function hasLetters(parts: readonly Part[]): boolean {
  return parts.some((part) => typeof part === 'string' && LETTER.test(part));
}
