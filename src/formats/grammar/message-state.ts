/** The one mark of a message for all its plural forms (gettext, Qt). Pure. */
import type { SegmentState } from '../../format.ts';

/** `keep`: the mark stays as it is. */
export type MessageState = 'finished' | 'review-wanted' | 'keep';

const FINISHED: ReadonlySet<SegmentState> = new Set(['translated', 'reviewed', 'final']);

interface FormStates {
  /** The states of the forms that are written, by id. */
  readonly written: ReadonlyMap<string, SegmentState>;
  /** The states of the other forms; undefined: they are not known. */
  readonly kept: ReadonlyMap<string, SegmentState> | undefined;
}

/**
 * A message is finished when all its forms are. A form without a state has no words to review.
 * @param ids of its forms
 * @returns undefined when none of its forms is written
 */
export function messageState(
  ids: readonly string[],
  { written, kept }: FormStates,
): MessageState | undefined {
  const own = ids.flatMap((id) => written.get(id) ?? []);
  if (own.length === 0) return undefined;
  if (own.includes('review-wanted')) return 'review-wanted';
  const others = ids.filter((id) => !written.has(id));
  if (others.length > 0 && kept === undefined) return 'keep';
  const all = [...own, ...others.flatMap((id) => kept?.get(id) ?? [])];
  return all.every((state) => FINISHED.has(state)) ? 'finished' : 'keep';
}
