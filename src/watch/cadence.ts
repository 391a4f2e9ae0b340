/** When the next pass is due: soon, but passes may use at most a hundredth of a core. */

/** Passes may take one part in so many of the time. */
const SHARE = 100;

export class Cadence {
  readonly #everyMs: number;
  #ended: number;
  #tookMs = 0;
  #isHurried = false;

  /** @param now milliseconds since the epoch; the first pass is due `everyMs` later */
  constructor(everyMs: number, now: number) {
    this.#everyMs = everyMs;
    this.#ended = now;
  }

  /** @param haste 2 while there are no hints: twice as often */
  isDue(now: number, haste: number): boolean {
    const rest = this.#tookMs * SHARE;
    const wait = this.#isHurried ? rest : Math.max(this.#everyMs, rest) / haste;
    return now - this.#ended >= wait;
  }

  /** Makes the next pass due as soon as its share of the time allows. */
  scanSoon(): void {
    this.#isHurried = true;
  }

  done(now: number, tookMs: number): void {
    this.#ended = now;
    this.#tookMs = tookMs;
    this.#isHurried = false;
  }

  /** A more thorough pass has done this one's work too. */
  skipped(now: number): void {
    this.#ended = now;
  }
}
