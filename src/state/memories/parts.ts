/** Parts as one string, in which text and raw syntax differ: the memory stores and compares such strings. Pure. */
import type { Part, Raw } from '../../format.ts';
import { normalizeParts } from '../../formats/text/parts.ts';

// No text has this character: XML forbids it, and JSON must escape it.
const STRUCTURED = '\u0000';

/** Plain text stays as it is; all else is JSON after a NUL. Different parts never give the same string. */
export function partsToField(parts: readonly Part[]): string {
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'string' && !only.startsWith(STRUCTURED)) return only;
  const [first = '', ...others] = normalizeParts(parts);
  if (typeof first === 'string' && others.length === 0 && !first.startsWith(STRUCTURED))
    return first;
  return STRUCTURED + JSON.stringify([first, ...others]);
}

export function partsFromField(encoded: string): readonly Part[] {
  if (!encoded.startsWith(STRUCTURED)) return [encoded];
  return JSON.parse(encoded.slice(STRUCTURED.length)) as readonly Part[];
}

/**
 * The key by which a text is found. It has no pairs, because their numbers are counted by the parser, and the same text has other
 * numbers in another file. It has the samples, because `%d files` is translated differently for 2 and for 5.
 */
export function partsKey(parts: readonly Part[]): string {
  if (parts.every((part) => typeof part === 'string')) return partsToField(parts);
  return partsToField(parts.map((part) => (typeof part === 'string' ? part : storedRaw(part))));
}

function storedRaw({ raw, sample }: Raw): Raw {
  return sample === undefined ? { raw } : { raw, sample };
}
