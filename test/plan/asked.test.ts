/** One answer for all lanes and reasons: whether a job counts, may be offered, and may be released. */
import { describe, expect, test } from 'vitest';
import { type Hold, type JobState, LANES } from '../../src/job.ts';
import { type JobFacts, standingOf } from '../../src/plan/asked.ts';
import { jobRecord } from '../contracts/ledger.ts';

const AT = '2026-10-19T10:00:00.000Z';
const PRICE = { characters: 10 };
/** A purchase is on record, or may have been made. */
const PAID: readonly Hold[] = [
  { kind: 'in-doubt', ...PRICE },
  { kind: 'lost-result', ...PRICE },
  { kind: 'state-lost', ...PRICE },
  { kind: 'source-gone' },
  { kind: 'doubtful', message: 'It has no words.', ...PRICE },
];
const UNPAID: readonly Hold[] = [
  { kind: 'budget', scope: 'month', needs: 10, left: 1 },
  { kind: 'approval', characters: 10, limit: 1 },
  { kind: 'guard', files: 10, characters: 10 },
  { kind: 'conflict', keys: ['a'] },
  { kind: 'edited-target', beside: null },
  { kind: 'damaged-segments', problems: [] },
  { kind: 'incomplete', message: 'It is cut off.' },
  { kind: 'conflict-markers', path: 'en/a.json', line: 1 },
  { kind: 'not-fetched', path: 'en/a.json' },
  { kind: 'undone', run: AT },
  { kind: 'unsuitable', message: 'It has no sound.', advice: 'Record it again.' },
];
const held = (hold: Hold): JobState => ({ kind: 'held', at: AT, hold });
const FAILED: JobState = {
  ...{ kind: 'failed', at: AT, attempts: 1 },
  failure: { kind: 'internal', message: 'x' },
};
const RUNNING: JobState = { kind: 'running', attempt: 1, step: { kind: 'started' } };
const OPEN: readonly JobState[] = [
  ...[{ kind: 'queued' } as const, RUNNING, FAILED],
  ...[...PAID, ...UNPAID].map(held),
];

const WANTED: JobFacts = { hasLanguage: true, isAsked: true, source: 'there' };
const VANISHED: JobFacts = { hasLanguage: true, isAsked: true, source: 'vanished' };
const REMOVED: JobFacts = { hasLanguage: true, isAsked: false, source: 'there' };
const GONE: JobFacts = { hasLanguage: true, isAsked: true, source: 'gone' };

describe.each(LANES)('a job of the lane %s', (lane) => {
  const standing = (state: JobState, demand: JobFacts) =>
    standingOf(jobRecord('app/de/en/a', { lane, state }), demand);
  const isDocument = lane === 'document';

  test('that is wanted counts, is offered as planned, and may be released', () => {
    for (const state of [...OPEN, { kind: 'done', at: AT } as const]) {
      const all = { counts: true, offer: 'as planned', mayBeReleased: true };
      expect(standing(state, WANTED), JSON.stringify(state)).toEqual(all);
    }
  });

  test('whose source vanished with many others counts, and waits with all of them', () => {
    for (const state of OPEN) {
      const waits = { counts: true, offer: 'none', mayBeReleased: false };
      expect(standing(state, VANISHED), JSON.stringify(state)).toEqual(waits);
    }
  });

  test.each([
    ['the config does not ask for', REMOVED],
    ['has no source any more', GONE],
  ])('that %s counts only while something paid waits for it', (_, demand) => {
    const none = { counts: false, offer: 'none', mayBeReleased: false };
    for (const hold of UNPAID) expect(standing(held(hold), demand), hold.kind).toEqual(none);
    expect(standing(FAILED, demand)).toEqual(none);
    for (const hold of PAID) {
      const mayBeReleased = isDocument && hold.kind !== 'source-gone';
      const kept = { counts: isDocument, offer: 'none', mayBeReleased };
      expect(standing(held(hold), demand), hold.kind).toEqual(kept);
    }
    expect(standing(RUNNING, demand).counts).toBe(true);
    for (const state of [RUNNING, { kind: 'queued' } as const])
      expect(standing(state, demand).offer).toBe(isDocument ? 'fetch' : 'none');
  });

  test('that is finished counts while the config has its language', () => {
    const done = { kind: 'done', at: AT } as const;
    for (const demand of [WANTED, VANISHED, REMOVED, GONE])
      expect(standing(done, demand).counts).toBe(true);
    const none = { counts: false, offer: 'none', mayBeReleased: false };
    expect(standing(done, { ...REMOVED, hasLanguage: false })).toEqual(none);
    expect(standing(RUNNING, { ...REMOVED, hasLanguage: false }).counts).toBe(true);
  });

  test('that is queued counts by its names alone, as in the database of a tree', () => {
    expect(standing({ kind: 'queued' }, REMOVED).counts).toBe(isDocument);
    expect(standing({ kind: 'queued' }, GONE).counts).toBe(true);
  });

  test('that a person released is offered once more: a document that nothing asks for is then forgotten', () => {
    const release = { kind: 'retry', fingerprint: 'f' as never, at: AT } as const;
    const [hold] = PAID as [Hold];
    const released = jobRecord('app/de/en/a', { lane, state: held(hold), release });
    expect(standingOf(released, GONE).offer).toBe(isDocument ? 'fetch' : 'none');
    expect(standingOf(released, WANTED).offer).toBe('as planned');
  });
});
