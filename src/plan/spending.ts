/** What may be spent now: budgets, approvals, reservations of what is in flight. Follows the ledger's charges. */

import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Events } from '../event.ts';
import { type Hold, type Job, sourceId } from '../job.ts';
import type { Charge, JobRecord, LedgerView } from '../ledger.ts';
import { budgetPeriod, type Period, Tally } from './budget.ts';
import { type Ask, amountsOf } from './budget-scope.ts';

export interface SpendingOptions {
  readonly ledger: LedgerView;
  readonly clock: Clock;
  readonly events: Events;
  readonly config: Config;
  /** Characters that this run may bill, below what config says. */
  readonly maxCharacters?: number;
  /** Characters above which a source waits for a yes; undefined: none. */
  approveOver(job: Pick<Job, 'project' | 'source'>): number | undefined;
}

/** What of a job the money is for, where it may buy several things at a time; else it has one reservation. */
interface Purpose {
  readonly purchase?: string;
}

/** Leave to spend, set aside until it is disposed; or the reason to wait. */
export type Allowance =
  | ({ readonly kind: 'allowed' } & Disposable)
  | { readonly kind: 'held'; readonly hold: Hold };

/** How far a budget is used up, in its own unit. */
export interface BudgetLine {
  readonly scope: string;
  readonly limit: number;
  readonly used: number;
}

/** What a run would hold when it comes to each job in turn. */
export interface Forecast {
  wouldHold(job: Job, characters: number, seconds?: number): Hold | undefined;
}

export class Spending {
  readonly #options: SpendingOptions;
  #config: Config;
  #account: Period | undefined;
  #period: Period;
  #tally: Tally;

  constructor(options: SpendingOptions) {
    this.#options = options;
    this.#config = options.config;
    this.#period = budgetPeriod(options.clock.now());
    this.#tally = this.#newTally();
  }

  /** A changed config has other budgets. */
  configure(config: Config): void {
    this.#config = config;
    this.#tally = this.#newTally();
  }

  /** The account's own billing period, once it is known. */
  learnPeriod(account: Period): void {
    this.#account = account;
    this.#rollOver();
  }

  startRun(): void {
    this.#tally.startRun();
  }

  /** Sets characters (Unicode code points) and seconds of audio aside for a job, or says what it must wait for. */
  async allow(job: JobRecord & Purpose, characters: number, seconds = 0): Promise<Allowance> {
    const ask = askFor(job, characters, seconds);
    const holder = holderOf(job);
    if (characters > 0 || seconds > 0) {
      if (isApproved(job)) this.#tally.approve(holder, ask);
      else {
        const hold = this.#approval(job, characters) ?? this.#current().reserve(holder, ask);
        if (hold !== undefined) return { kind: 'held', hold };
      }
    }
    return { kind: 'allowed', [Symbol.dispose]: () => this.#tally.release(holder) };
  }

  /** Sets characters aside that are as good as spent, whatever is left: what a job sent before a restart. */
  setAside(job: Pick<Job, 'id' | 'project' | 'source'> & Purpose, characters: number): Disposable {
    const source = sourceId(job.project, job.source);
    const holder = holderOf(job);
    this.#tally.approve(holder, { project: job.project, source, characters });
    return { [Symbol.dispose]: () => this.#tally.release(holder) };
  }

  /** The same question for one job after the other, as if what may be bought had been; nothing is set aside. */
  async forecast(): Promise<Forecast> {
    const planned = new Map<string, number>();
    return {
      wouldHold: (job, characters, seconds = 0) => {
        const ask = askFor(job, characters, seconds);
        const hold = this.#wouldHold(job, ask, planned);
        if (hold !== undefined) return hold;
        for (const [key, amount] of amountsOf(ask)) {
          planned.set(key, (planned.get(key) ?? 0) + amount);
        }
        return undefined;
      },
    };
  }

  #wouldHold(job: Job, ask: Ask, planned: ReadonlyMap<string, number>): Hold | undefined {
    if (ask.characters === 0 && (ask.seconds ?? 0) === 0) return undefined;
    const record = this.#options.ledger.get('jobs', job.id);
    if (record?.fingerprint === job.fingerprint && isApproved(record)) return undefined;
    return this.#approval(job, ask.characters) ?? this.#current().wouldHold(ask, planned);
  }

  /** Counts what was booked, and warns at 80 and 100 % of a budget. */
  book(charges: readonly Charge[]): void {
    for (const charge of charges) {
      for (const standing of this.#current().book(charge)) {
        this.#options.events.emit({ kind: 'budget-warning', ...standing });
      }
    }
  }

  async budgets(): Promise<readonly BudgetLine[]> {
    return this.#current()
      .standings()
      .map(({ scope, project, unit, limit, used }) => ({
        scope: [scope, project, unit === 'minutes' ? 'minutes of audio' : undefined]
          .filter((part) => part !== undefined)
          .join(' '),
        limit,
        used,
      }));
  }

  #approval(job: Pick<Job, 'project' | 'source'>, characters: number): Hold | undefined {
    const limit = this.#options.approveOver(job);
    return limit === undefined || characters <= limit
      ? undefined
      : { kind: 'approval', characters, limit };
  }

  #current(): Tally {
    this.#rollOver();
    return this.#tally;
  }

  #rollOver(): void {
    const period = budgetPeriod(this.#options.clock.now(), this.#account);
    if (period.start === this.#period.start && period.end === this.#period.end) return;
    this.#period = period;
    this.#tally = this.#newTally();
  }

  #newTally(): Tally {
    const { ledger, maxCharacters } = this.#options;
    const { budget, projects } = this.#config;
    const run = Math.min(budget.run ?? Infinity, maxCharacters ?? Infinity);
    const overall = Number.isFinite(run) ? { ...budget, run } : budget;
    const limits = { overall, projects: new Map(projects.map((each) => [each.name, each.budget])) };
    return new Tally(limits, this.#period, ledger.all('charges'));
  }
}

function holderOf({ id, purchase }: Pick<Job, 'id'> & Purpose): string {
  return purchase === undefined ? id : `${id} ${purchase}`;
}

function askFor(
  { project, source }: Pick<Job, 'project' | 'source'>,
  characters: number,
  seconds: number,
) {
  return { project, source: sourceId(project, source), characters, seconds };
}

/** A person's yes counts for the content that it was given for. */
function isApproved({ release, fingerprint }: JobRecord): boolean {
  return release !== undefined && release.fingerprint === fingerprint && release.kind !== 'human';
}
