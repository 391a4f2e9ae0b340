/** The time limits of an answer whose pieces arrive. Silence is not seen here: the connection ends after a minute without a byte. */
import type { Clock } from '../clock.ts';

/** After so many milliseconds without a byte, the connection ends. */
export const SILENCE_TIMEOUT_MS = 60_000;
/** Milliseconds of waiting that must bring `LEAST_BYTES`. Slower answers are no transfers, they only keep a connection open. */
const WINDOW_MS = 60_000;
const LEAST_BYTES = 1024;

export class AnswerTime {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #mostMs: number;
  #asked = 0;
  /** Time in which nobody waits for a piece does not count: a disk may be slow. */
  #totalMs = 0;
  /** Since the window began. */
  #waitedMs = 0;
  #bytes = 0;

  /** @param mostMs milliseconds of waiting for all pieces; infinite for the transfer of a file */
  constructor(clock: Pick<Clock, 'now'>, mostMs: number) {
    this.#clock = clock;
    this.#mostMs = mostMs;
  }

  /** Called before each wait for a piece. */
  waits(): void {
    this.#asked = this.#clock.now();
  }

  /** Called for each piece. @returns false when the answer takes too long */
  arrived(bytes: number): boolean {
    const ms = this.#clock.now() - this.#asked;
    // After a minute without a byte, the connection ends. So a longer wait was a clock that was set, or a machine that slept: the answer
    // is here, and may be paid.
    const waitedMs = ms < 0 || ms >= SILENCE_TIMEOUT_MS ? 0 : ms;
    this.#totalMs += waitedMs;
    if (this.#totalMs > this.#mostMs) return false;
    this.#waitedMs += waitedMs;
    this.#bytes += bytes;
    if (this.#waitedMs < WINDOW_MS) return true;
    const isTransfer = this.#bytes >= LEAST_BYTES;
    this.#waitedMs = 0;
    this.#bytes = 0;
    return isTransfer;
  }
}
