/** Time that passes only while somebody waits for it, and then a hundred times as fast. */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../src/clock.ts';
import { systemClock } from '../src/clock.ts';

const SCALE = 100;
/** Milliseconds of our time that pass at once: a machine that stands still for seconds lets answers in before a deadline is over. */
const STEP_MS = 50;

export function waitingClock(start = Date.parse('2026-10-19T10:00:00Z')): Clock {
  let now = start;
  return {
    now: () => now,
    async sleep(ms, signal) {
      const until = now + ms;
      for (let left = ms / SCALE; left > 0; left -= STEP_MS) {
        await systemClock.sleep(Math.min(left, STEP_MS), signal);
        await setImmediate();
      }
      now = Math.max(now, until);
    },
  };
}
