/** How a job of segments ends: done, or held because a person must look at some segments. Pure. */
import type { SegmentRecord } from '../baseline.ts';
import type { JobState } from '../job.ts';
import { codePoints } from './bill.ts';

/** @param at ISO 8601 */
export function finalState(
  at: string,
  records: readonly SegmentRecord[],
): Extract<JobState, { kind: 'done' | 'held' }> {
  const held = records.filter(({ state }) => state === 'held');
  const waiting = held.filter(({ awaits }) => awaits === 'approval');
  if (held.length > waiting.length) {
    const problems = held.map(({ id, problem = 'held', unclear }) => ({
      ...{ key: id, message: problem, ...(unclear === undefined ? {} : { unclear }) },
    }));
    return { kind: 'held', at, hold: { kind: 'damaged-segments', problems } };
  }
  const keys = records.filter(({ state }) => state === 'conflict').map(({ id }) => id);
  if (keys.length > 0) return { kind: 'held', at, hold: { kind: 'conflict', keys } };
  if (waiting.length === 0) return { kind: 'done', at };
  const characters = waiting
    .flatMap(({ source, unseen }) => unseen ?? [source])
    .reduce((sum, text) => sum + codePoints(text), 0);
  const hold = { kind: 'approval', characters, limit: 0, texts: waiting.length } as const;
  return { kind: 'held', at, hold };
}
