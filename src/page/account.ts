/**
 * The figures of the account, from the last answer of the service. It is asked when the page is open, at most every five minutes, and only
 * if something was billed since.
 */
import { type Clock, OnwardTime } from '../clock.ts';
import type { Control } from '../control/control.ts';
import type { AccountUsage } from '../control/usage.ts';
import type { Listener } from '../event.ts';

export interface AccountOptions {
  readonly control: Pick<Control, 'account'>;
  readonly clock: Clock;
  onChange(): void;
}

/** Milliseconds between two questions. */
const LEAST_PAUSE_MS = 5 * 60_000;

export class AccountFigures {
  readonly #options: AccountOptions;
  #usage: AccountUsage | null = null;
  readonly #time: OnwardTime;
  #askedAt = Number.NEGATIVE_INFINITY;
  #isStale = true;

  constructor(options: AccountOptions) {
    this.#options = options;
    this.#time = new OnwardTime(options.clock);
  }

  /** Later charges make the figures stale. An event that was missed delays the next question, and nothing else. */
  readonly listener: Listener = ({ kind }) => {
    if (kind === 'billed' || kind === 'paid-work-resumed') this.#isStale = true;
  };

  /** The known figures. Asks the service in the background when they are old and stale. */
  look(): AccountUsage | null {
    const { clock } = this.#options;
    const end = Date.parse(this.#usage?.end_time ?? '');
    // The figures of a past period say nothing about the next one.
    if (clock.now() >= end) {
      this.#usage = null;
      this.#isStale = true;
    }
    if (this.#isStale && this.#time.now() - this.#askedAt >= LEAST_PAUSE_MS) void this.#ask();
    return this.#usage;
  }

  async #ask(): Promise<void> {
    const { control, onChange } = this.#options;
    this.#askedAt = this.#time.now();
    this.#isStale = false;
    try {
      const account = await control.account();
      this.#usage = account ?? this.#usage;
      this.#isStale ||= account === null;
    } catch {
      // The page shows no figures of the account; `dragoman usage` says why they are missing.
      this.#isStale = true;
    }
    onChange();
  }
}
