/** Parts of a text: normalized, compared, and checked for letters. */
import type { Part } from '../../format.ts';

const LETTER = /\p{L}/u;

/**
 * Joins neighbouring strings and neighbouring unpaired raw parts, and drops empty parts, so that two ways to split one content are equal.
 */
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
  // An array that grew keeps memory for 16 more: 13 MB in 100,000 texts.
  return joined.slice();
}

function isUnpaired(part: Part | undefined): part is { readonly raw: string } {
  return part !== undefined && typeof part !== 'string' && part.pair === undefined;
}

/** Whether both have the same content, however it is split. */
export function sameParts(a: readonly Part[], b: readonly Part[]): boolean {
  if (a === b) return true;
  // Nearly all texts have one part, and a file of a hundred thousand texts is compared at each save.
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

/** The same for formats that cannot hold line breaks and outer blanks. */
export function sameFoldedParts(a: readonly Part[], b: readonly Part[]): boolean {
  return sameParts(a, b) || sameParts(foldParts(a), foldParts(b));
}

// Pair numbers are dropped: the parser assigns them, they are not content. A sample number also becomes text again: it was separated only
// for the service.
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

/** A line break of INI as a value without quotes has it; in quotes it is read as a break. */
const BREAK = '\\n';

/** The content as formats have it that cannot hold line breaks and outer blanks. */
export function foldParts(parts: readonly Part[]): Part[] {
  const texts = flatten(parts).map((part) =>
    typeof part !== 'string' && part.raw === BREAK ? ' ' : part,
  );
  const folded = normalizeParts(texts).map((part) =>
    typeof part === 'string' ? part.replace(/\s+/g, ' ') : { raw: part.raw.replace(/\s+/g, ' ') },
  );
  const first = folded[0];
  const last = folded.at(-1);
  if (typeof first === 'string') folded[0] = first.trimStart();
  if (typeof last === 'string') folded[folded.length - 1] = (folded.at(-1) as string).trimEnd();
  return normalizeParts(folded);
}

/** Whether a text has a letter in any script. A text without one is copied, never sent. */
export function hasLetters(parts: readonly Part[]): boolean {
  return parts.some((part) => typeof part === 'string' && LETTER.test(part));
}
