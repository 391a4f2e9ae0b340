/** Notes at the texts of a page how earlier versions read several of them as one. Pure. */
import type { ReadBefore, Segment } from '../../format.ts';

type Placed = Pick<Segment, 'start' | 'end' | 'parts' | 'readBefore'>;

/** Both readings in order. @param before the texts of the same page as an earlier version read them */
export function withReadBefore<T extends Placed>(
  now: readonly T[],
  before: readonly Placed[],
): T[] {
  const joint = before.flatMap((text): ReadBefore[] => {
    const { start, end, parts, readBefore = [] } = text;
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

/** With the number of its texts now; none: it is one text, as today. */
function countedIn(
  now: readonly Placed[],
  joint: ReadBefore,
): readonly (ReadBefore & { readonly first: number })[] {
  const isInside = ({ start, end }: Placed) => start >= joint.start && end <= joint.end;
  const first = now.findIndex(isInside);
  if (first < 0) return beside(now, joint);
  const next = now.findIndex((text, at) => at > first && !isInside(text));
  const count = (next < 0 ? now.length : next) - first;
  const text = now[first];
  const isSame = count === 1 && text?.start === joint.start && text.end === joint.end;
  return joint.as === 'content' && isSame ? [] : [{ ...joint, count, first }];
}

/** It has no text now, so a text beside it has the note. */
function beside(now: readonly Placed[], joint: ReadBefore) {
  if (joint.as === 'box' || now.length === 0) return [];
  const next = now.findIndex(({ start }) => start >= joint.end);
  return [{ ...joint, count: 0, first: next < 0 ? now.length - 1 : next }];
}
