/** The time of a team, by the database's clock: it decides in which month a charge counts. */
import type { Clock } from '../../clock.ts';

/** Smaller differences of the clocks count as none: an answer may take as long. */
const LEAST_MS = 1000;

export class TeamTime {
  readonly #clock: Clock;
  /** Milliseconds that the database's clock is ahead of this machine's. */
  #aheadMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Asks the database, and sets this clock by the answer.
   * @param told reads the database's time from the answer, in milliseconds since the epoch; undefined: the answer does not have it
   */
  async learn<T>(ask: () => Promise<T>, told: (answer: T) => number | undefined): Promise<T> {
    const began = this.#clock.now();
    const answer = await ask();
    const there = told(answer);
    const now = this.#clock.now();
    // A slow answer says little about the time.
    if (there === undefined || now - began > LEAST_MS) return answer;
    const aheadMs = Number(there) - (began + now) / 2;
    this.#aheadMs = Math.abs(aheadMs) < LEAST_MS ? 0 : Math.round(aheadMs);
    return answer;
  }

  now(): number {
    return this.#clock.now() + this.#aheadMs;
  }

  /** Converts a time of this machine's clock to the database's. @param at ISO 8601 */
  of(at: string): string {
    if (this.#aheadMs === 0) return at;
    return new Date(Date.parse(at) + this.#aheadMs).toISOString();
  }
}
