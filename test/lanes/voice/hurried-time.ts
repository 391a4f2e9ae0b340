/** A time that runs faster than ours, for a sandbox here and for the processes that talk to it. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../../src/clock.ts';

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
      sleep: async (ms, signal) =>
        await wait(ms / scale, undefined, signal === undefined ? {} : { signal }),
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
