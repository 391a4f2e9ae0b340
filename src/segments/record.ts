/** A person's decision applied to the record of a segment, and the comparison of two texts. Pure. */
import type { BaselineRecord, Origin, SegmentRecord } from '../baseline.ts';
import { type Part, partsText, type Segment } from '../format.ts';

/** A person's decision about a conflict: the text that the target gets. */
export type Choice = 'human' | 'machine' | { readonly parts: readonly Part[] };

/** Ends a conflict. @returns undefined when the machine's text is chosen but was not bought yet */
export function resolve(record: SegmentRecord, choice: Choice): SegmentRecord | undefined {
  const { id, source } = record;
  if (choice === 'human') {
    const { target, joined } = record;
    const theirs = { id, source, target, origin: 'human', state: 'ok' } as const;
    return joined === undefined ? theirs : { ...theirs, joined };
  }
  if (choice !== 'machine') {
    return { id, source, target: choice.parts, origin: 'human', state: 'ok' };
  }
  if (record.machine === undefined) return undefined;
  return { id, source, target: record.machine, origin: 'machine', state: 'ok' };
}

/** Whether two texts are equal; two missing texts are. */
export function sameText(
  a: readonly Part[] | null | undefined,
  b: readonly Part[] | null | undefined,
): boolean {
  if (!a || !b) return !a && !b;
  return partsText(a) === partsText(b);
}

/** Who wrote the text of a target that has this record. @param found what the target has now; undefined: nothing */
export function originNow(record: SegmentRecord, found: readonly Part[] | undefined): Origin {
  return found === undefined || sameText(found, record.target) ? record.origin : 'human';
}

/**
 * The record that describes a target which was edited since: the one with more of its texts, or else the first one.
 * @param candidates see `SegmentBaseline.candidates`
 */
export function recordInPlace(
  candidates: readonly BaselineRecord[],
  found: readonly Pick<Segment, 'parts'>[] = [],
): BaselineRecord | undefined {
  const [first, other] = candidates;
  if (first === undefined || other === undefined) return first;
  const [ofFirst, ofOther] = [targetTexts(first), targetTexts(other)];
  let more = 0;
  for (const text of found.map(({ parts }) => partsText(parts))) {
    if (ofFirst.has(text) !== ofOther.has(text)) more += ofOther.has(text) ? 1 : -1;
  }
  return more > 0 ? other : first;
}

function targetTexts({ segments }: BaselineRecord): ReadonlySet<string> {
  return new Set(segments.flatMap(({ target }) => (target === null ? [] : [partsText(target)])));
}
