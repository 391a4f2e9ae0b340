/** Whether the service answers, as a client sees it: its requests tell of their ends and repetitions. */
import type { Clock } from '../clock.ts';
import type { Failure } from '../failure.ts';

/** No request has been answered since the first of them was tried again. */
export interface RepeatedRequests {
  /** When the first request was tried again, in milliseconds since the epoch, and how many milliseconds ago. */
  readonly since: number;
  readonly ago: number;
  /** Why the last one was tried again. */
  readonly failure: Failure;
}

/**
 * Milliseconds after the last repeated request at which nobody asks any more. A job whose request was given up is tried again within a
 * quarter of an hour.
 */
const SILENCE_OVER_MS = 20 * 60_000;

export class ServiceContact {
  readonly #clock: Clock;
  #lastRequest: 'none' | 'answered' | 'lost' = 'none';
  #repeated: (Omit<RepeatedRequests, 'ago'> & { readonly last: number }) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The end of the last request that says something of the key: a gateway, which does not know it, puts requests off. */
  get lastRequest(): 'none' | 'answered' | 'lost' {
    return this.#lastRequest;
  }

  /** Undefined: the last request was answered, or nobody has asked for long. */
  get repeated(): RepeatedRequests | undefined {
    if (this.#repeated === undefined || this.#isOver(this.#repeated.last)) return undefined;
    const { since, failure } = this.#repeated;
    return { since, ago: this.#clock.now() - since, failure };
  }

  /** A request has ended. @param status of its answer */
  ended(status: number | 'lost'): void {
    if (status === 'lost') this.#lastRequest = 'lost';
    else if (isAnswer(status)) {
      this.#lastRequest = 'answered';
      this.#repeated = undefined;
    }
  }

  /** A request is about to be tried again. */
  repeats(failure: Failure): void {
    const last = this.#clock.now();
    this.#repeated = { since: this.repeated?.since ?? last, last, failure };
  }

  #isOver(last: number): boolean {
    return this.#clock.now() - last > SILENCE_OVER_MS;
  }
}

/** Whether the service answered, also with a refusal: a request that it puts off, or fails to answer, is tried again. */
function isAnswer(status: number): boolean {
  return status < 500 && status !== 429;
}
