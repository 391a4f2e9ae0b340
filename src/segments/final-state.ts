/** How a job of segments ends: done, or held because a person must look at some segments. Pure. */
import type { SegmentRecord } from '../baseline.ts';
import type { JobState } from '../job.ts';
import { codePoints } from './bill.ts';
import { RECORDS_LOST } from './out-of-date.ts';

/**
 * @param at ISO 8601
 * @param nameOf the name of a text for people; undefined: its key
 * @param sentFor the texts that buying a waiting record would send; its source if that is not known
 */
export function finalState(
  at: string,
  records: readonly SegmentRecord[],
  nameOf: (record: SegmentRecord) => string | undefined,
  sentFor: (record: SegmentRecord) => readonly string[] = ({ source }) => [source],
): Extract<JobState, { kind: 'done' | 'held' }> {
  const held = records.filter(({ state }) => state === 'held');
  const waiting = held.filter(({ awaits }) => awaits === 'approval');
  if (held.length > waiting.length) {
    const problems = held.map((record) => {
      const { id, problem = 'held', unclear } = record;
      const name = nameOf(record);
      return {
        ...{ key: id, ...(name === undefined ? {} : { name }) },
        ...{ message: problem, ...(unclear === undefined ? {} : { unclear }) },
      };
    });
    return { kind: 'held', at, hold: { kind: 'damaged-segments', problems } };
  }
  const conflicts = records.filter(({ state }) => state === 'conflict');
  if (conflicts.length > 0) {
    const keys = conflicts.map(({ id }) => id);
    const names = conflicts.flatMap((record) => nameOf(record) ?? []);
    const named = names.length === keys.length ? { names } : {};
    const isLost = conflicts.every(({ problem }) => problem === RECORDS_LOST);
    const why = isLost ? { message: RECORDS_LOST } : {};
    return { kind: 'held', at, hold: { kind: 'conflict', keys, ...named, ...why } };
  }
  if (waiting.length === 0) return { kind: 'done', at };
  const characters = waiting
    .flatMap((record) => record.unseen ?? sentFor(record))
    .reduce((sum, text) => sum + codePoints(text), 0);
  const hold = { kind: 'approval', characters, limit: 0, texts: waiting.length } as const;
  return { kind: 'held', at, hold };
}
