/** Asks how much of the account's limits is used after work was billed, stores the answer, and warns once at 80 and at 100 %. */
import { type Clock, isoTime } from '../clock.ts';
import type { Events, Listener } from '../event.ts';
import { commitDecision, type Ledger } from '../ledger.ts';
import { budgetPeriod } from '../plan/budget.ts';
import type { Service } from '../service/client.ts';
import { askAccount, crossedLimits, type LimitStanding } from './account.ts';
import { accountPeriod } from './period.ts';
import type { AccountUsage } from './usage.ts';

export interface LimitWatchOptions {
  readonly service: Pick<Service, 'account'>;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly events: Events;
}

/** The answer as the ledger stores it. */
interface KeptAccount {
  readonly asked: string;
  readonly account: AccountUsage;
}

const RECORD = 'account';
/** The least milliseconds between two questions while work goes on. */
const HOLDS_MS = 5 * 60_000;
/** Milliseconds that the end of a run waits for the answer. */
const PATIENCE_MS = 3000;

export class LimitWatch {
  readonly #options: LimitWatchOptions;
  #isStale = false;

  constructor(options: LimitWatchOptions) {
    this.#options = options;
  }

  /** A bill after the last question makes its answer outdated. */
  readonly listener: Listener = (event) => {
    const isUsedUp = event.kind === 'paid-work-stopped' && event.failure.kind === 'quota-exceeded';
    if (event.kind === 'billed' || isUsedUp) this.#isStale = true;
  };

  /** Limits of which at least 80 % were used at the last answer, in the current period. */
  get near(): LimitStanding[] {
    return crossedLimits(null, this.#kept);
  }

  /** Asks repeatedly until the signal fires. */
  async keepAsking(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#options.clock.sleep(HOLDS_MS, signal).catch(() => {});
      if (signal.aborted) return;
      await this.ask();
    }
  }

  /** Asks if something was billed since the last answer. If the service does not answer, it is asked again later. */
  async ask(): Promise<void> {
    if (!this.#isStale) return;
    const { service, clock } = this.#options;
    this.#isStale = false;
    const over = new AbortController();
    const patience = clock.sleep(PATIENCE_MS, over.signal).catch(() => {});
    const options = { signal: over.signal, patienceMs: 0 };
    const answer = await Promise.race([askAccount({ service }, options), patience]);
    over.abort();
    if (answer?.account) await this.learn(answer.account);
    else this.#isStale = true;
  }

  /** Stores an answer. */
  async learn(account: AccountUsage): Promise<void> {
    const { ledger, clock, events } = this.#options;
    const crossed = crossedLimits(this.#kept, account);
    const value: KeptAccount = { asked: isoTime(clock), account };
    if (crossed.length > 0 || this.near.length > 0) {
      const put = { id: RECORD, kind: 'account', value } as const;
      await commitDecision(ledger, () => {
        const from = ledger.get('remotes', RECORD);
        // Another daemon may have asked since.
        const isNewer = from !== undefined && (from.value as KeptAccount).asked > value.asked;
        return isNewer ? [] : [{ table: 'remotes', put, from }];
      });
    }
    for (const standing of crossed) {
      events.emit({ kind: 'budget-warning', unit: 'characters', ...standing });
    }
  }

  /** Null when there is no answer, or its period is over. */
  get #kept(): AccountUsage | null {
    const { ledger, clock } = this.#options;
    const kept = ledger.get('remotes', RECORD)?.value as KeptAccount | undefined;
    if (kept === undefined) return null;
    const { end } = accountPeriod(kept.account) ?? budgetPeriod(Date.parse(kept.asked));
    return clock.now() < end ? kept.account : null;
  }
}
