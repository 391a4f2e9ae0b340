/** Makes segments that keep their own bytes: what a text says unchanged is written as it stood. */
import { hash } from 'node:crypto';
import { type Part, partsText, type Segment } from '../../format.ts';
import { sameParts } from './parts.ts';

/**
 * A segment over `text`. `encode` is only asked for parts that differ from the segment's own: folding and wrapping
 * (YAML `>`, PO lines) are not invertible, so identity is had by keeping the bytes.
 */
export function makeSegment(text: string, segment: Segment): Segment {
  // Not the whole of it: 260,000 segments of a file and its target took 26 MB more.
  const { start, end, parts, encode } = segment;
  return {
    ...segment,
    encode: (written) => (sameParts(written, parts) ? text.slice(start, end) : encode(written)),
  };
}

/** Numbers duplicates of a key in file order: `key`, `key#1`, `key#2`. A `#` of a key itself is written `\#` by its format. */
export function uniqueIds(): (key: string) => string {
  const seen = new Map<string, number>();
  return (key) => {
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return count === 0 ? key : `${key}#${count}`;
  };
}

/** Ids of formats without keys: the hash of what the text says, so that a moved paragraph keeps its id and an edited one alone loses it. */
export function contentIds(): (parts: readonly Part[]) => string {
  const ids = uniqueIds();
  return (parts) => {
    const content = partsText(parts).normalize('NFC').replace(/\s+/g, ' ').trim();
    return ids(hash('sha256', content, 'hex').slice(0, 16));
  };
}

/** Duplicates are numbered by place: taking one out would rename the next, which `positional` says of all of them. */
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

/** Parts as the format's characters: texts through `encodeText`, raw pieces as they are. */
export function encodeParts(
  parts: readonly Part[],
  encodeText: (text: string, index: number) => string,
): string {
  return parts
    .map((part, index) => (typeof part === 'string' ? encodeText(part, index) : part.raw))
    .join('');
}
