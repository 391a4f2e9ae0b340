import { expect, test } from 'vitest';
import type { JobId } from '../../src/job.ts';
import { LEFT_MS, LeftToOthers } from '../../src/jobs/left-to-others.ts';
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
