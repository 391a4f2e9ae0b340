/** Makes segments that keep their bytes: an unchanged text is written as it was. */
import { hash } from 'node:crypto';
import { type Part, partsText, type Segment } from '../../format.ts';
import { hasNumberedPlaces } from '../../segments/inline/placeholders.ts';
import { sameParts } from './parts.ts';

/**
 * Makes a segment of `text`. Its `encode` returns the original bytes for the segment's own parts, because folding and wrapping (YAML
 * `>`, PO lines) cannot be reversed. It calls the given `encode` only for other parts. A `generic` text with numbered places becomes
 * `numbered`.
 */
export function makeSegment(text: string, segment: Segment): Segment {
  // Only these fields are captured: the whole segment took 26 MB more for 260,000 segments of a file and its target.
  const { start, end, parts, encode } = segment;
  return {
    ...segment,
    syntax: isNumbered(segment) ? 'numbered' : segment.syntax,
    encode: (written, of) =>
      sameParts(written, parts) ? text.slice(start, end) : encode(written, of),
  };
}

function isNumbered({ syntax, source, parts }: Segment): boolean {
  return syntax === 'generic' && hasNumberedPlaces(partsText(source ?? parts));
}

/** Numbers equal keys in file order: `key`, `key#1`, `key#2`. The format writes a `#` of the key itself as `\#`. */
export function uniqueIds(): (key: string) => string {
  const seen = new Map<string, number>();
  return (key) => {
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return count === 0 ? key : `${key}#${count}`;
  };
}

/**
 * Ids for formats without keys: a hash of the content. So a moved paragraph keeps its id, and an edited paragraph changes no other id.
 */
export function contentIds(): (parts: readonly Part[]) => string {
  const ids = uniqueIds();
  return (parts) => ids(idOfContent(parts));
}

/** The id of a text that occurs once in its file. */
export function idOfContent(parts: readonly Part[]): string {
  const content = partsText(parts).normalize('NFC').replace(/\s+/g, ' ').trim();
  const digest = hash('sha256', content, 'hex');
  // A slice of 16 would keep the whole digest in memory.
  return [digest.slice(0, 8), digest.slice(8, 16)].join('');
}

/** Marks duplicates as `positional`: they are numbered by place, so removing one would rename the next. */
export function markDuplicates(segments: readonly Segment[]): readonly Segment[] {
  const repeated = new Set<string>();
  for (const { id } of segments) {
    const first = /^(.*?)(?<!\\)#1$/s.exec(id)?.[1];
    if (first !== undefined) repeated.add(first);
  }
  if (repeated.size === 0) return segments;
  return segments.map((segment) =>
    repeated.has(segment.id.replace(/(?<!\\)#\d+$/, ''))
      ? { ...segment, positional: true }
      : segment,
  );
}

/** Encodes parts: texts with `encodeText`, raw parts as they are. */
export function encodeParts(
  parts: readonly Part[],
  encodeText: (text: string, index: number) => string,
): string {
  return parts
    .map((part, index) => (typeof part === 'string' ? encodeText(part, index) : part.raw))
    .join('');
}
