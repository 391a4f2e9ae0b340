/** The time limits of an answer whose pieces arrive. Silence is not seen here: the connection ends after a minute without a byte. */
import type { Clock } from '../clock.ts';

/** Milliseconds of waiting that must bring `LEAST_BYTES`. Slower answers are no transfers, they only keep a connection open. */
const WINDOW_MS = 60_000;
const LEAST_BYTES = 1024;

export class AnswerTime {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #end: number;
  #asked = 0;
  /** Since the window began. Time in which nobody waits for a piece does not count: a disk may be slow. */
  #waitedMs = 0;
  #bytes = 0;

  /** @param mostMs milliseconds from now until the last piece; infinite for the transfer of a file */
  constructor(clock: Pick<Clock, 'now'>, mostMs: number) {
    this.#clock = clock;
    this.#end = clock.now() + mostMs;
  }

  /** Called before each wait for a piece. */
  waits(): void {
    this.#asked = this.#clock.now();
  }

  /** Called for each piece. @returns false when the answer takes too long */
  arrived(bytes: number): boolean {
    const now = this.#clock.now();
    if (now > this.#end) return false;
    this.#waitedMs += now - this.#asked;
    this.#bytes += bytes;
    if (this.#waitedMs < WINDOW_MS) return true;
    const isTransfer = this.#bytes >= LEAST_BYTES;
    this.#waitedMs = 0;
    this.#bytes = 0;
    return isTransfer;
  }
}
