/** Time that passes only while somebody waits for it, and then a hundred times as fast. */
import type { Clock } from '../src/clock.ts';
import { systemClock } from '../src/clock.ts';

const SCALE = 100;

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
