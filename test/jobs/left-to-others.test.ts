import { expect, test } from 'vitest';
import { failureOf } from '../../src/failure.ts';
import type { JobId } from '../../src/job.ts';
import { LEFT_MS, LeftToOthers, mayBeOfThisMachine } from '../../src/jobs/left-to-others.ts';
import { manualClock } from '../manual-clock.ts';

test('a job is left to the other daemons for its time, also when the clock is set back meanwhile', async () => {
  const clock = manualClock();
  const left = new LeftToOthers(clock);
  const job = 'app/de/a.json' as JobId;
  expect(left.leave(job)).toBe(true);
  clock.setBack(3_600_000);
  expect(left.has(job)).toBe(true);
  await clock.pass(LEFT_MS);
  expect(left.has(job)).toBe(false);
  expect(left.leave(job)).toBe(false);
});

test('a job is left to the other daemons where a part of the program is gone', () => {
  const url = 'file:///opt/dragoman/dist/dispatcher-1.js';
  const gone = Object.assign(new Error(`Cannot find module '${url}'`), {
    code: 'ERR_MODULE_NOT_FOUND',
    url,
  });
  expect(mayBeOfThisMachine(failureOf(gone))).toBe(true);
  expect(mayBeOfThisMachine(failureOf(new Error('a defect')))).toBe(false);
});
