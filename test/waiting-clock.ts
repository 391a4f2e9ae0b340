/** Time that passes only while somebody waits for it, and then fast: how slow the machine is does not show in it. */
import type { Clock } from '../src/clock.ts';
import { systemClock } from '../src/clock.ts';

const SCALE = 1000;

export function waitingClock(start = Date.parse('2026-10-19T10:00:00Z')): Clock {
  let now = start;
  return {
    now: () => now,
    async sleep(ms, signal) {
      const until = now + ms;
      await systemClock.sleep(ms / SCALE, signal);
      now = Math.max(now, until);
    },
  };
}
