/** Asks how much of the account's limits is used after work was billed, stores the answer, and warns once at 80 and at 100 %. */
import { isDeepStrictEqual } from 'node:util';
import { type Clock, isoTime } from '../clock.ts';
import type { Events } from '../event.ts';
import type { RunState, Stop } from '../jobs/run-state.ts';
import { commitDecision, type Ledger } from '../ledger.ts';
import { budgetPeriod } from '../plan/budget.ts';
import type { Spending } from '../plan/spending.ts';
import type { Service } from '../service/client.ts';
import { askAccount, crossedLimits, type LimitStatus } from './account.ts';
import { accountPeriod } from './period.ts';
import type { AccountUsage } from './usage.ts';

export interface LimitWatchOptions {
  readonly service: Pick<Service, 'account'>;
  readonly ledger: Ledger;
  readonly spending: Pick<Spending, 'bills'>;
  readonly runState: Pick<RunState, 'stop'>;
  readonly clock: Clock;
  readonly events: Events;
}

/** The answer as the ledger stores it. */
interface KeptAccount {
  readonly asked: string;
  readonly account: AccountUsage;
}

interface Spent {
  readonly bills: number;
  readonly usedUp: Stop | undefined;
}

const RECORD = 'account';
/** The least milliseconds between two questions while work goes on. */
const HOLDS_MS = 5 * 60_000;
/** Milliseconds that the end of a run waits for the answer. */
const ANSWER_PATIENCE_MS = 3000;

export class LimitWatch {
  readonly #options: LimitWatchOptions;
  /** The number of bills and the stop at the last answer: when they are different now, that answer is outdated. */
  #answered: Spent = { bills: 0, usedUp: undefined };

  constructor(options: LimitWatchOptions) {
    this.#options = options;
  }

  /** Limits that were used to at least 80 % at the last answer, in the current period. */
  get near(): LimitStatus[] {
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
    const { service, clock } = this.#options;
    const spent = this.#spent;
    if (isDeepStrictEqual(spent, this.#answered)) return;
    const over = new AbortController();
    const patience = clock.sleep(ANSWER_PATIENCE_MS, over.signal).catch(() => {});
    const options = { signal: over.signal, patienceMs: 0 };
    const answer = await Promise.race([askAccount({ service }, options), patience]);
    over.abort();
    if (!answer?.account) return;
    this.#answered = spent;
    await this.learn(answer.account);
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
    for (const limit of crossed) {
      events.emit({ kind: 'budget-warning', unit: 'characters', ...limit });
    }
  }

  get #spent(): Spent {
    const { spending, runState } = this.#options;
    const { stop } = runState;
    const usedUp = stop?.kind === 'quota-exceeded' ? stop : undefined;
    return { bills: spending.bills, usedUp };
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
