/** A clock that moves only when the test moves it. */
import type { Clock } from '../src/clock.ts';

export interface ManualClock extends Clock {
  /** Lets so many milliseconds pass, timer by timer, and everything happen that they set off. */
  pass(ms: number): Promise<void>;
  /** Sets the time back; what sleeps wakes after the same time as before. */
  setBack(ms: number): void;
  /** Sleepers that wait for a time. */
  readonly timers: number;
}

interface Sleeper {
  at: number;
  readonly wake: () => void;
}

/** @param settled resolves when everything has happened that a time set off */
export function manualClock(
  start = Date.parse('2026-10-19T10:00:00Z'),
  settled: (now: number) => Promise<void> = nextTurn,
): ManualClock {
  let now = start;
  const sleepers = new Set<Sleeper>();
  return {
    now: () => now,
    get timers() {
      return sleepers.size;
    },
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const sleeper = { at: now + ms, wake: resolve };
      sleepers.add(sleeper);
      signal?.addEventListener('abort', () => {
        sleepers.delete(sleeper);
        reject(signal.reason);
      });
      await promise;
    },
    setBack(ms) {
      now -= ms;
      for (const sleeper of sleepers) sleeper.at -= ms;
    },
    async pass(ms) {
      const end = now + ms;
      for (;;) {
        const due = [...sleepers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        now = Math.max(now, due.at);
        sleepers.delete(due);
        due.wake();
        await settled(now);
      }
      now = end;
      await settled(now);
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
