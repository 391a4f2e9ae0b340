/** Parts as one string that tells text from raw syntax: what the memory compares and stores. Pure. */
import type { Part, Raw } from '../../format.ts';
import { normalizeParts } from '../../formats/text/parts.ts';

// No file can hold it as text: XML forbids it, and JSON has to escape it.
const STRUCTURED = '\u0000';

/** Plain text is stored as it is, anything else as JSON behind a NUL. Different parts never give the same string. */
export function encodeParts(parts: readonly Part[]): string {
  const [first = '', ...others] = normalizeParts(parts);
  if (typeof first === 'string' && others.length === 0 && !first.startsWith(STRUCTURED))
    return first;
  return STRUCTURED + JSON.stringify([first, ...others]);
}

export function decodeParts(encoded: string): readonly Part[] {
  if (!encoded.startsWith(STRUCTURED)) return [encoded];
  return JSON.parse(encoded.slice(STRUCTURED.length)) as readonly Part[];
}

/**
 * Under which a text is found again. Pairs are left out: their numbers are the parser's count,
 * and the same text has others in another file. Samples are kept: `%d files` reads differently for 2 and for 5.
 */
export function partsKey(parts: readonly Part[]): string {
  return encodeParts(parts.map((part) => (typeof part === 'string' ? part : keyOf(part))));
}

function keyOf({ raw, sample }: Raw): Raw {
  return sample === undefined ? { raw } : { raw, sample };
}
