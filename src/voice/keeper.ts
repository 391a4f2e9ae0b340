/** Looks after the recordings that are on the service from the first moment on, whoever's turn it is: their results are paid, and lost within the hour. */
import type { Clock } from '../clock.ts';
import type { House } from './house.ts';
import { POLL_MS } from './rules/next-move.ts';

export class Keeper implements AsyncDisposable {
  readonly #house: House;
  readonly #clock: Clock;
  readonly #end = new AbortController();
  readonly #abort = new AbortController();
  #rounds: Promise<void> | undefined;

  constructor(house: House, clock: Clock) {
    this.#house = house;
    this.#clock = clock;
  }

  /** Looks until the end. Rejects with what is no failure of the service or of a file. */
  async keep(): Promise<void> {
    this.#rounds ??= this.#goRound();
    await this.#rounds;
  }

  /** Begins no other round. Transfers that run may end within `patienceMs`: what is broken off is lost. */
  async end(patienceMs: number): Promise<void> {
    this.#end.abort();
    const over = new AbortController();
    const patience = this.#clock.sleep(patienceMs, over.signal).catch(() => {});
    await Promise.race([this.#rounds?.catch(() => {}), patience]);
    over.abort();
    this.#abort.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    this.#abort.abort();
    await this.#rounds?.catch(() => {});
  }

  async #goRound(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      await this.#house.tend(this.#abort.signal);
      await this.#clock.sleep(POLL_MS, signal).catch(() => {});
    }
  }
}
