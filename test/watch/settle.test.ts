import { describe, expect, test } from 'vitest';
import type { Stat } from '../../src/job.ts';
import { Cadence } from '../../src/watch/cadence.ts';
import { LONG_AGO, type Look, suspect, takeLook } from '../../src/watch/settle.ts';
import { Suspects } from '../../src/watch/suspects.ts';
import { INCOMPLETE_AFTER_MS, UnfinishedFiles } from '../../src/watch/unfinished.ts';

const NOW = 1_000_000_000;
const place = { path: 'a.json', raw: 'a.json' };

function file(stat: string, times: { modified?: number; changed?: number } = {}): Look {
  const { modified = NOW } = times;
  const { changed = modified } = times;
  return { kind: 'file', stat: stat as Stat, size: 1, modified, changed };
}

describe('a file', () => {
  test('is still when two looks agree and its time has passed', () => {
    const a = suspect(place, NOW);
    expect(takeLook(a, file('1'), { now: NOW + 100, settle: 2000 })).toBe(false);
    expect(takeLook(a, file('1'), { now: NOW + 1999, settle: 2000 })).toBe(false);
    expect(takeLook(a, file('1'), { now: NOW + 2000, settle: 2000 })).toBe(true);
  });

  test('is still in its own time after the clock was set back by a day', () => {
    const a = suspect(place, NOW);
    const old = file('1', { modified: NOW - 86_500_000 });
    expect(takeLook(a, old, { now: NOW + 100, settle: 2000 })).toBe(false);
    const back = NOW - 86_400_000;
    expect(takeLook(a, old, { now: back, settle: 2000 })).toBe(false);
    expect(takeLook(a, old, { now: back + 2000, settle: 2000 })).toBe(true);
  });

  test('that changed between looks starts again, from its own time', () => {
    const a = suspect(place, NOW);
    takeLook(a, file('1'), { now: NOW + 100, settle: 2000 });
    takeLook(a, file('2', { modified: NOW + 1500 }), { now: NOW + 1700, settle: 2000 });
    expect(takeLook(a, file('2'), { now: NOW + 3499, settle: 2000 })).toBe(false);
    expect(takeLook(a, file('2'), { now: NOW + 3500, settle: 2000 })).toBe(true);
  });

  test('whose times are believed is still at once when they are old', () => {
    const old = file('1', { modified: NOW - 2000 });
    expect(takeLook(suspect(place, LONG_AGO), old, { now: NOW, settle: 2000 })).toBe(true);
    expect(takeLook(suspect(place, LONG_AGO), old, { now: NOW, settle: 2001 })).toBe(false);
  });

  test('with times of a slow clock is watched all the same', () => {
    const behind = file('1', { modified: NOW - 3_600_000 });
    expect(takeLook(suspect(place, NOW), behind, { now: NOW, settle: 2000 })).toBe(false);
  });

  test('from the future is watched from now on', () => {
    const ahead = file('1', { modified: NOW + 3_600_000 });
    const a = suspect(place, LONG_AGO);
    expect(takeLook(a, ahead, { now: NOW, settle: 2000 })).toBe(false);
    expect(takeLook(a, ahead, { now: NOW + 2000, settle: 2000 })).toBe(true);
  });

  test('with old content and a new inode time waits half a second only', () => {
    const renamed = file('1', { modified: NOW - 60_000, changed: NOW });
    const a = suspect(place, NOW);
    expect(takeLook(a, renamed, { now: NOW + 10, settle: 10_000 })).toBe(false);
    expect(takeLook(a, renamed, { now: NOW + 500, settle: 10_000 })).toBe(true);
  });

  test('is older than two clock ticks even if it need not settle', () => {
    const a = suspect(place, LONG_AGO);
    expect(takeLook(a, file('1'), { now: NOW + 19, settle: 0 })).toBe(false);
    expect(takeLook(a, file('1'), { now: NOW + 20, settle: 0 })).toBe(true);
  });
});

describe('a file that keeps changing', () => {
  /** Looks every second for so many seconds, and finds other content each time. */
  function changing(seconds: number, settle: number): Suspects {
    const suspects = new Suspects();
    for (let second = 0; second <= seconds; second += 1) {
      const now = NOW + second * 1000;
      suspects.add(place, NOW);
      const look = file(String(second), { modified: now });
      for (const each of suspects.due(now))
        suspects.judge(each, look, { now, settle, stat: undefined });
    }
    return suspects;
  }

  test.each([
    { settle: 2000, patience: 20 },
    { settle: 50, patience: 5 },
    { settle: 30_000, patience: 60 },
  ])('is waited for $patience s with settle_ms $settle, and named then', ({ settle, patience }) => {
    const late = NOW + patience * 1000;
    const suspects = changing(patience, settle);
    expect(suspects.isSettledUpTo(suspects.count, late - 1)).toBe(false);
    expect(suspects.changing(late - 1)).toEqual([]);
    expect(suspects.isSettledUpTo(suspects.count, late)).toBe(true);
    expect(suspects.changing(late)).toEqual(['a.json']);
  });

  test('is named in its own time after the clock was set back by a day', () => {
    const suspects = changing(10, 2000);
    const back = NOW - 86_400_000;
    for (let second = 0; second <= 20; second += 1) {
      const now = back + second * 1000;
      const look = file(`later ${second}`, { modified: now });
      for (const each of suspects.due(now))
        suspects.judge(each, look, { now, settle: 2000, stat: undefined });
    }
    expect(suspects.changing(back + 20_000)).toEqual(['a.json']);
  });

  test('settles when its changes end', () => {
    const suspects = changing(20, 2000);
    const [now, look] = [NOW + 22_000, file('20', { modified: NOW + 20_000 })];
    for (const each of suspects.due(now)) {
      expect(suspects.judge(each, look, { now, settle: 2000, stat: undefined }).kind).toBe('still');
    }
    expect(suspects.changing(now)).toEqual([]);
  });

  test('is not one that only waits for its settling time', () => {
    const suspects = new Suspects();
    suspects.add(place, NOW);
    for (const now of [NOW, NOW + 70_000]) {
      for (const each of suspects.due(now)) {
        suspects.judge(each, file('1'), { now, settle: 120_000, stat: undefined });
      }
    }
    expect(suspects.isSettledUpTo(suspects.count, NOW + 70_000)).toBe(false);
    expect(suspects.changing(NOW + 70_000)).toEqual([]);
  });
});

describe('known files that are not there', () => {
  const known = (now: number) => ({ now, settle: 2000, stat: '1' as Stat });
  const absent: Look = { kind: 'absent' };

  function missing(suspects: Suspects, path: string, now: number) {
    suspects.add({ path, raw: path }, now);
    for (const each of suspects.due(now)) suspects.judge(each, absent, known(now));
  }

  test('are missing after one look and gone after two', () => {
    const suspects = new Suspects();
    missing(suspects, 'a', NOW);
    expect([...suspects.missing]).toEqual(['a']);
    expect(suspects.takeGone(NOW + 1999)).toEqual([]);
    expect(suspects.takeGone(NOW + 2000)).toEqual(['a']);
    expect(suspects.isEmpty).toBe(true);
  });

  test('go together, so that a mass deletion is seen as one', () => {
    const suspects = new Suspects();
    missing(suspects, 'a', NOW);
    missing(suspects, 'b', NOW + 1500);
    expect(suspects.takeGone(NOW + 3000)).toEqual([]);
    expect(suspects.takeGone(NOW + 3500)).toEqual(['a', 'b']);
  });

  test('do not wait for others for more than a minute', () => {
    const suspects = new Suspects();
    missing(suspects, 'a', NOW);
    missing(suspects, 'b', NOW + 62_001);
    expect(suspects.takeGone(NOW + 62_001)).toEqual(['a']);
  });

  test('are as before when they are back with the same fingerprint', () => {
    const suspects = new Suspects();
    missing(suspects, 'a', NOW);
    for (const each of suspects.due(NOW + 2000)) {
      expect(suspects.judge(each, file('1'), known(NOW + 2000))).toEqual({ kind: 'unchanged' });
    }
    expect(suspects.takeGone(NOW + 9999)).toEqual([]);
  });
});

test('a pass is due at its interval, and takes a hundredth of the time at most', () => {
  const cadence = new Cadence(5000, NOW);
  expect(cadence.isDue(NOW + 4999, 1)).toBe(false);
  expect(cadence.isDue(NOW + 5000, 1)).toBe(true);
  expect(cadence.isDue(NOW + 2500, 2)).toBe(true);
  cadence.done(NOW + 80, 80);
  expect(cadence.isDue(NOW + 80 + 7999, 1)).toBe(false);
  expect(cadence.isDue(NOW + 80 + 8000, 1)).toBe(true);
});

test('a hurried pass waits only for its share of the time', () => {
  const cadence = new Cadence(600_000, NOW);
  cadence.done(NOW + 50, 50);
  cadence.scanSoon();
  expect(cadence.isDue(NOW + 50 + 4999, 1)).toBe(false);
  expect(cadence.isDue(NOW + 50 + 5000, 1)).toBe(true);
});

test('an unfinished file is overdue once, ten minutes after it was first found so', () => {
  const files = new UnfinishedFiles();
  const lacking = { at: place, stat: '1' as Stat, reason: 'its %%EOF is missing', size: 9 };
  files.put({ ...lacking, since: NOW });
  files.put({ ...lacking, stat: '2' as Stat, since: NOW + 5000 });
  expect(files.overdue(NOW + INCOMPLETE_AFTER_MS - 1)).toEqual([]);
  expect(files.overdue(NOW + INCOMPLETE_AFTER_MS)).toEqual([
    { path: 'a.json', reason: 'its %%EOF is missing' },
  ]);
  expect(files.overdue(NOW + 2 * INCOMPLETE_AFTER_MS)).toEqual([]);
});
