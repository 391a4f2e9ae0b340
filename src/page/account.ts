/** The account's own figures as they were last seen: asked when somebody looks, at most every five minutes, and only if work was done since. */
import type { Clock } from '../clock.ts';
import type { Control } from '../control/control.ts';
import type { AccountUsage } from '../control/usage.ts';
import type { Listener } from '../event.ts';

export interface AccountOptions {
  readonly control: Pick<Control, 'account'>;
  readonly clock: Clock;
  onChange(): void;
}

const HOLDS_MS = 5 * 60_000;

export class AccountFigures {
  readonly #options: AccountOptions;
  #usage: AccountUsage | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;
  #isStale = true;

  constructor(options: AccountOptions) {
    this.#options = options;
  }

  /** What is billed after the last look makes it stale. */
  readonly listener: Listener = ({ kind }) => {
    if (kind === 'billed' || kind === 'paid-work-resumed') this.#isStale = true;
  };

  /** What is known; asks in the background when it is time to. */
  look(): AccountUsage | null {
    const { clock } = this.#options;
    const end = Date.parse(this.#usage?.end_time ?? '');
    // What a period that is over came to says nothing of the next one.
    if (clock.now() >= end) {
      this.#usage = null;
      this.#isStale = true;
    }
    if (this.#isStale && clock.now() - this.#askedAt >= HOLDS_MS) void this.#ask();
    return this.#usage;
  }

  async #ask(): Promise<void> {
    const { control, clock, onChange } = this.#options;
    this.#askedAt = clock.now();
    this.#isStale = false;
    try {
      const account = await control.account();
      this.#usage = account ?? this.#usage;
      this.#isStale ||= account === null;
    } catch {
      // Shown without the account's figures: `usage` in the terminal says why they are missing.
      this.#isStale = true;
    }
    onChange();
  }
}
