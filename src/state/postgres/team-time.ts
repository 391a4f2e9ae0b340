/** The time of a team, by the database's clock: it decides in which month a charge counts. */
import { type Clock, SetClock } from '../../clock.ts';

/** Smaller differences of the clocks count as none: an answer may take as long. */
const LEAST_DIFFERENCE_MS = 1000;

export class TeamTime {
  readonly #clock: Clock;
  /** Milliseconds that the database's clock is ahead of this machine's. */
  #aheadMs = 0;
  /** Milliseconds by which this machine's clock was set forward. */
  #setMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Asks the database, and sets this clock by the answer.
   * @param told reads the database's time from the answer, in milliseconds since the epoch; undefined: the answer does not have it
   */
  async learn<T>(ask: () => Promise<T>, told: (answer: T) => number | undefined): Promise<T> {
    const began = this.#machineTime();
    const answer = await ask();
    const there = told(answer);
    if (there === undefined) return answer;
    const now = this.#machineTime();
    const aheadMs = Number(there) - (began + now) / 2 - this.#setMs;
    const tookMs = Math.abs(now - began);
    // The database read its clock at some moment of the call: a slow answer shows only a larger difference.
    const isUnclear =
      tookMs > LEAST_DIFFERENCE_MS && Math.abs(aheadMs - this.#aheadMs) <= tookMs / 2;
    if (isUnclear) return answer;
    this.#set(Math.abs(aheadMs) < LEAST_DIFFERENCE_MS ? 0 : Math.round(aheadMs));
    return answer;
  }

  /** Without what was set: another answer may set the clock while this one is on its way. */
  #machineTime(): number {
    return this.#clock.now() - this.#setMs;
  }

  /** A clock that can be set shows the database's time from now on, to all that use it. */
  #set(aheadMs: number): void {
    if (this.#clock instanceof SetClock) {
      this.#clock.setForward(aheadMs);
      this.#setMs += aheadMs;
    } else {
      this.#aheadMs = aheadMs;
    }
  }

  now(): number {
    return this.#clock.now() + this.#aheadMs;
  }

  /** Converts a time of this machine's clock to the database's. @param at ISO 8601 */
  of(at: string): string {
    return later(at, this.#aheadMs);
  }

  /** Converts a time that this machine's clock showed before the database was asked. @param at ISO 8601 */
  ofBefore(at: string): string {
    return later(at, this.#aheadMs + this.#setMs);
  }
}

function later(at: string, ms: number): string {
  return ms === 0 ? at : new Date(Date.parse(at) + ms).toISOString();
}
