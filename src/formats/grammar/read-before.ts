/** Notes at the texts of a page how earlier versions read several of them as one. Pure. */
import type { ReadBefore, Segment } from '../../format.ts';

type Placed = Pick<Segment, 'start' | 'end' | 'parts' | 'readBefore'>;

/** Both readings in order. @param before the texts of the same page as an earlier version read them */
export function withReadBefore<T extends Placed>(
  now: readonly T[],
  before: readonly Placed[],
): T[] {
  const spans = new Set(now.map(spanOf));
  const joint = before.flatMap((text): readonly ReadBefore[] => {
    const { start, end, parts, readBefore = [] } = text;
    // A long list has a text for each item, and nearly all of them are read as before.
    if (spans.has(spanOf(text))) return readBefore;
    return [...readBefore, { as: 'content', start, end, parts, count: 1 }];
  });
  const firsts = Map.groupBy(
    joint.flatMap((each) => countedIn(now, each)),
    ({ first }) => first,
  );
  return now.map((text, at) => {
    const { readBefore: _, ...rest } = text;
    const all = firsts.get(at)?.map(({ first: __, ...each }) => each);
    return all === undefined ? (rest as T) : { ...(rest as T), readBefore: all };
  });
}

function spanOf({ start, end }: Placed): string {
  return `${start} ${end}`;
}

/** With the number of its texts now. */
function countedIn(
  now: readonly Placed[],
  joint: ReadBefore,
): readonly (ReadBefore & { readonly first: number })[] {
  const isInside = ({ start, end }: Placed) => start >= joint.start && end <= joint.end;
  const first = now.findIndex(isInside);
  if (first < 0) return beside(now, joint);
  const next = now.findIndex((text, at) => at > first && !isInside(text));
  return [{ ...joint, count: (next < 0 ? now.length : next) - first, first }];
}

/** It has no text now, so a text beside it has the note. */
function beside(now: readonly Placed[], joint: ReadBefore) {
  if (joint.as === 'box' || now.length === 0) return [];
  const next = now.findIndex(({ start }) => start >= joint.end);
  return [{ ...joint, count: 0, first: next < 0 ? now.length - 1 : next }];
}
