/** The rate contract: when the next request of a key may be sent, and that nobody sends while the service asks to wait. */
import PQueue from 'p-queue';

export interface Rate {
  /** Resolves when a request may be sent. @throws the signal's reason when it fires before */
  slot(signal: AbortSignal): Promise<void>;
  /** The service asked this process to wait so many milliseconds. */
  pause(ms: number): void;
  /** @param listener hears that another process of the key was asked to wait */
  onPause(listener: (ms: number) => void): void;
}

/** The rate of one process alone. */
export function ownRate(perSecond: number): Rate {
  const queue = new PQueue(rateOptions(perSecond));
  return {
    async slot(signal) {
      await queue.add(() => undefined, { signal });
    },
    pause() {},
    onPause() {},
  };
}

/** `strict`: never more than the cap in any window. Less than one a second becomes one in a longer window. */
function rateOptions(perSecond: number): { interval: number; intervalCap: number; strict: true } {
  const intervalCap = Math.max(1, Math.floor(perSecond));
  return { interval: (1000 * intervalCap) / perSecond, intervalCap, strict: true };
}
