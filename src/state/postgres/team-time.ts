/** The time of a team: the database's clock decides for which month something counts, whatever the clock of a machine says. */
import type { Clock } from '../../clock.ts';

/** Milliseconds by which two clocks are told apart: an answer on its way takes less. */
const LEAST_MS = 1000;

export class TeamTime {
  readonly #clock: Clock;
  /** Milliseconds that the database's clock is ahead of this machine's. */
  #aheadMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Asks, and learns from the answer what time it is there.
   * @param told milliseconds since the epoch; undefined when the answer does not say
   */
  async learn<T>(ask: () => Promise<T>, told: (answer: T) => number | undefined): Promise<T> {
    const began = this.#clock.now();
    const answer = await ask();
    const there = told(answer);
    const now = this.#clock.now();
    // An answer that was long on its way says little.
    if (there === undefined || now - began > LEAST_MS) return answer;
    const aheadMs = Number(there) - (began + now) / 2;
    this.#aheadMs = Math.abs(aheadMs) < LEAST_MS ? 0 : Math.round(aheadMs);
    return answer;
  }

  now(): number {
    return this.#clock.now() + this.#aheadMs;
  }

  /** A time that this machine's clock told, as the database's would have. @param at ISO 8601 */
  of(at: string): string {
    if (this.#aheadMs === 0) return at;
    return new Date(Date.parse(at) + this.#aheadMs).toISOString();
  }
}
