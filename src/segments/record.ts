/** A person's word on the record of a segment, and whether two texts read the same. Pure. */
import type { SegmentRecord } from '../baseline.ts';
import { type Part, partsText } from '../format.ts';

/** A person's word on a conflict: which text shall stand. */
export type Choice = 'human' | 'machine' | { readonly parts: readonly Part[] };

/** Ends a conflict. @returns undefined when the machine's text is wanted and was not bought yet */
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

/** Whether two texts read the same; two that are not there do. */
export function sameText(
  a: readonly Part[] | null | undefined,
  b: readonly Part[] | null | undefined,
): boolean {
  if (!a || !b) return !a && !b;
  return partsText(a) === partsText(b);
}
