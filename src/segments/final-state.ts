/** How a job of segments ends: done, or held for those that a person has to look at. Pure. */
import type { SegmentRecord } from '../baseline.ts';
import type { JobState } from '../job.ts';

/** @param at ISO 8601 */
export function finalState(
  at: string,
  records: readonly SegmentRecord[],
): Extract<JobState, { kind: 'done' | 'held' }> {
  const problems = records
    .filter(({ state }) => state === 'held')
    .map(({ id, problem }) => ({ key: id, message: problem ?? 'held' }));
  if (problems.length > 0)
    return { kind: 'held', at, hold: { kind: 'damaged-segments', problems } };
  const keys = records.filter(({ state }) => state === 'conflict').map(({ id }) => id);
  if (keys.length > 0) return { kind: 'held', at, hold: { kind: 'conflict', keys } };
  return { kind: 'done', at };
}
