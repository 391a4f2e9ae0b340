/** Turns a text that a person wrote into parts: markup of the source or of the old target is markup again. Pure. */
import type { Part, Raw } from '../format.ts';

export interface KnownParts {
  readonly source: readonly Part[];
  /** The parts of the target before the edit. */
  readonly target: readonly Part[];
}

/**
 * A sign may occur more often than the markup has it (a bracket of the sentence beside one of a link). Then the occurrences nearest to the
 * other side of the pair are markup, and the others are text.
 */
export function partsFrom(text: string, { source, target }: KnownParts): Part[] {
  const own = Map.groupBy(rawsIn(source), ({ raw }) => raw);
  const more = Map.groupBy(rawsIn(target), ({ raw }) => raw);
  const known = new Map([...more, ...own]);
  const found = occurrences(text, [...known.keys()]);
  const chosen = new Map([...known].map(([raw, raws]) => [raw, choose(found, { raw, raws })]));
  const parts: Part[] = [];
  let start = 0;
  for (const { raw, at } of found) {
    const part = chosen.get(raw)?.get(at);
    if (part === undefined) continue;
    if (at > start) parts.push(text.slice(start, at));
    parts.push(part);
    start = at + raw.length;
  }
  if (start < text.length) parts.push(text.slice(start));
  return parts;
}

function rawsIn(parts: readonly Part[]): Raw[] {
  return parts.filter((part): part is Raw => typeof part !== 'string' && part.raw !== '');
}

interface Occurrence {
  readonly raw: string;
  readonly at: number;
}

/** Occurrences without overlaps; at one position the longest wins. */
function occurrences(text: string, raws: readonly string[]): Occurrence[] {
  const sorted = raws.toSorted((a, b) => b.length - a.length);
  const found: Occurrence[] = [];
  for (let at = 0; at < text.length; ) {
    const raw = sorted.find((each) => text.startsWith(each, at));
    if (raw !== undefined) found.push({ raw, at });
    at += raw?.length ?? 1;
  }
  return found;
}

/** The offsets of the occurrences that are markup. */
function choose(
  found: readonly Occurrence[],
  { raw, raws }: { readonly raw: string; readonly raws: readonly Raw[] },
): ReadonlyMap<number, Raw> {
  const places = found.filter((each) => each.raw === raw).map(({ at }) => at);
  const isOpening = raws.every(({ pair }) => pair?.side === 'open');
  const isTooMany = places.length > raws.length;
  const kept = isTooMany && isOpening ? places.slice(-raws.length) : places.slice(0, raws.length);
  return new Map(kept.map((at, index) => [at, raws[index] as Raw]));
}
