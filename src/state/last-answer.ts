/** Asks the database a question that is asked often. While the database does not answer, its last answer counts. */
import { type Clock, isoTime } from '../clock.ts';

/** The last answer of the database. It may be outdated while the database does not answer. */
export interface LastAnswer<T> {
  readonly value: T;
  /** ISO 8601; null: it has not answered since the start of this process, and `told` is empty. */
  readonly asOf: string | null;
}

export class LastAnswerOf<T> {
  readonly #clock: Clock;
  readonly #ask: () => Promise<T>;
  #last: LastAnswer<T>;
  #asking: Promise<LastAnswer<T>> | undefined;

  /** @param empty counts before the first answer */
  constructor(clock: Clock, empty: T, ask: () => Promise<T>) {
    this.#clock = clock;
    this.#ask = ask;
    this.#last = { value: empty, asOf: null };
  }

  async ask(): Promise<LastAnswer<T>> {
    this.#asking ??= this.#ask()
      .then((value) => {
        this.#last = { value: value, asOf: isoTime(this.#clock) };
      })
      .catch(() => {})
      .then(() => this.#last)
      .finally(() => {
        this.#asking = undefined;
      });
    return await this.#asking;
  }
}
