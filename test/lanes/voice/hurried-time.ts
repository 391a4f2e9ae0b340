/** A time that runs faster than ours, for a sandbox here and for the processes that talk to it. */
import { setImmediate } from 'node:timers/promises';
import { type Clock, systemClock } from '../../../src/clock.ts';

/** Milliseconds of our time that pass at once: a machine that stands still for seconds lets answers in before a deadline is over. */
const STEP_MS = 50;

export class HurriedTime {
  readonly clock: Clock;
  readonly #start = Date.now();
  readonly #scale: number;
  #ahead = 0;

  /** @param scale how many times as fast as ours */
  constructor(scale: number) {
    this.#scale = scale;
    this.clock = {
      now: () => Math.round(this.#start + (Date.now() - this.#start) * scale + this.#ahead),
      async sleep(ms, signal) {
        for (let left = ms / scale; left > 0; left -= STEP_MS) {
          await systemClock.sleep(Math.min(left, STEP_MS), signal);
          await setImmediate();
        }
      },
    };
  }

  pass(ms: number): void {
    this.#ahead += ms;
  }

  /** For `hurried-main.ts`. */
  get env(): { readonly TEST_TIME: string } {
    const time = { start: this.#start, scale: this.#scale, ahead: this.#ahead };
    return { TEST_TIME: JSON.stringify(time) };
  }
}
