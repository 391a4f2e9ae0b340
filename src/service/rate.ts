/** The rate contract: when the next request of a key may be sent, and pauses that all its processes obey. */
import { type Clock, systemClock } from '../clock.ts';

export interface Rate {
  /** Resolves when a request may be sent. @throws the signal's reason when it fires before */
  slot(signal: AbortSignal): Promise<void>;
  /** The service asked this process to wait so many milliseconds. */
  pause(ms: number): void;
  /** @param listener called when another process of the key was asked to wait */
  onPause(listener: (ms: number) => void): void;
}

/** The rate of a single process. */
export function ownRate(perSecond: number, clock: Clock = systemClock): Rate {
  // Never more than the cap in any window. A rate below one per second becomes one in a longer window.
  const cap = Math.max(1, Math.floor(perSecond));
  const windowMs = (1000 * cap) / perSecond;
  /** The times of the last slots, as many as fit into one window. */
  const given: number[] = [];
  let before = clock.now();
  return {
    async slot(signal) {
      signal.throwIfAborted();
      const now = clock.now();
      // The clock was set back, so the recorded times would cause a long wait.
      if (now < before) given.length = 0;
      before = now;
      const at = given.length < cap ? now : Math.max(now, (given.shift() ?? 0) + windowMs);
      given.push(at);
      if (at > now) await clock.sleep(at - now, signal);
    },
    pause() {},
    onPause() {},
  };
}
