/** What may be spent now: budgets, approvals, reservations of what is in flight. Follows the ledger's charges. */

import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Events } from '../event.ts';
import { type Hold, type Job, type JobId, sourceId } from '../job.ts';
import type { Charge, JobRecord, LedgerView } from '../ledger.ts';
import { type Funds, holdOf, type SharedLimit } from '../state/funds.ts';
import { type BudgetStanding, budgetPeriod, type Period, Tally } from './budget.ts';
import { amountsOf, type BudgetLimits, type SpendingRequest } from './budget-scope.ts';
import { ownLimits, sharedLimits } from './shared-limits.ts';

export interface SpendingOptions {
  readonly ledger: LedgerView;
  readonly clock: Clock;
  readonly events: Events;
  readonly config: Config;
  /** Characters that this run may bill, below what config says. */
  readonly maxCharacters?: number;
  /** What all of a team spend together; absent: nobody else spends. */
  readonly funds?: Funds;
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
    const allowance = this.#allowOwn(job, characters, seconds);
    const { funds } = this.#options;
    if (funds === undefined || allowance.kind === 'held') return allowance;
    const holder = holderOf(job);
    const limits = this.sharedLimits(job.project);
    const hold = await funds.reserve(holder, fundsAsk(job, characters, seconds), limits);
    if (hold !== undefined) {
      allowance[Symbol.dispose]();
      return { kind: 'held', hold };
    }
    return {
      kind: 'allowed',
      [Symbol.dispose]: () => {
        allowance[Symbol.dispose]();
        funds.release(holder);
      },
    };
  }

  /** The same for texts, whose requests are held against what the team may spend one by one: here it is only asked. */
  async allowTexts(job: JobRecord, characters: number): Promise<Allowance> {
    const allowance = this.#allowOwn(job, characters, 0);
    const { funds } = this.#options;
    if (funds === undefined || allowance.kind === 'held' || characters === 0) return allowance;
    const limits = this.sharedLimits(job.project);
    const hold = await funds.wouldHold(fundsAsk(job, characters, 0), limits);
    if (hold === undefined) return allowance;
    allowance[Symbol.dispose]();
    return { kind: 'held', hold };
  }

  /** What limits a project together with all who share the state, now. */
  sharedLimits(project: string): readonly SharedLimit[] {
    const { funds, clock } = this.#options;
    const period = budgetPeriod(funds?.now() ?? clock.now(), this.#account);
    return sharedLimits(this.#limits(), period, { project, login: funds?.login ?? '' });
  }

  /** Whether a person approved the price of a job. */
  isApproved(id: JobId): boolean {
    const job = this.#options.ledger.get('jobs', id);
    return job !== undefined && isApproved(job);
  }

  #allowOwn(job: JobRecord & Purpose, characters: number, seconds: number): Allowance {
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
    const { funds } = this.#options;
    const ask = { project: job.project, characters, seconds: 0, isApproved: true };
    // As good as spent: it is noted as soon as the database answers.
    void funds?.reserve(holder, ask, this.sharedLimits(job.project)).catch(() => {});
    return {
      [Symbol.dispose]: () => {
        this.#tally.release(holder);
        funds?.release(holder);
      },
    };
  }

  /** The same question for one job after the other, as if what may be bought had been; nothing is set aside. */
  async forecast(): Promise<Forecast> {
    const planned = new Map<string, number>();
    const spent = await this.#sharedSpent();
    return {
      wouldHold: (job, characters, seconds = 0) => {
        const ask = askFor(job, characters, seconds);
        const hold =
          this.#wouldHold(job, ask, planned) ?? this.#wouldHoldShared(job, ask, { planned, spent });
        if (hold !== undefined) return hold;
        for (const [key, amount] of amountsOf(ask)) {
          planned.set(key, (planned.get(key) ?? 0) + amount);
        }
        return undefined;
      },
    };
  }

  #wouldHold(
    job: Job,
    ask: SpendingRequest,
    planned: ReadonlyMap<string, number>,
  ): Hold | undefined {
    if (ask.characters === 0 && (ask.seconds ?? 0) === 0) return undefined;
    const record = this.#options.ledger.get('jobs', job.id);
    if (record?.fingerprint === job.fingerprint && isApproved(record)) return undefined;
    return this.#approval(job, ask.characters) ?? this.#current().wouldHold(ask, planned);
  }

  #wouldHoldShared(
    job: Job,
    ask: SpendingRequest,
    {
      planned,
      spent,
    }: { planned: ReadonlyMap<string, number>; spent: ReadonlyMap<string, number> },
  ): Hold | undefined {
    if (this.isApproved(job.id)) return undefined;
    return this.sharedLimits(job.project)
      .flatMap((limit) => {
        const needs = ask[limit.unit] ?? 0;
        const name = limit.unit === 'seconds' ? 'voice' : 'month';
        const key = limit.project === null ? name : `${name} ${limit.project}`;
        const used = (spent.get(limit.key) ?? 0) + (planned.get(key) ?? 0);
        const left = Math.max(0, (limit.max ?? Number.POSITIVE_INFINITY) - used);
        return needs === 0 || needs <= left ? [] : [holdOf(limit, { needs, left })];
      })
      .toSorted((a, b) => a.left - b.left)[0];
  }

  /** By key of the limit. */
  async #sharedSpent(): Promise<ReadonlyMap<string, number>> {
    const limits = this.#allSharedLimits();
    const spent = await this.#options.funds?.spent(limits);
    return new Map(spent?.map((amount, index) => [limits[index]?.key ?? '', amount]));
  }

  #allSharedLimits(): readonly SharedLimit[] {
    if (this.#options.funds === undefined) return [];
    const projects = ['', ...this.#config.projects.map(({ name }) => name)];
    const all = projects.flatMap((project) => this.sharedLimits(project));
    return [...new Map(all.map((limit) => [limit.key, limit])).values()];
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
    const spent = await this.#sharedSpent();
    const shared = this.#allSharedLimits().map((each): BudgetStanding => {
      const divisor = each.unit === 'seconds' ? SECONDS_PER_MINUTE : 1;
      return {
        scope: each.scope,
        ...(each.project === null ? {} : { project: each.project }),
        unit: each.unit === 'seconds' ? 'minutes' : 'characters',
        limit: each.limit / divisor,
        used: (spent.get(each.key) ?? 0) / divisor,
      };
    });
    return [...shared, ...this.#current().standings()].map(
      ({ scope, project, unit, limit, used }) => ({
        scope: [scope, project, unit === 'minutes' ? 'minutes of audio' : undefined]
          .filter((part) => part !== undefined)
          .join(' '),
        limit,
        used,
      }),
    );
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

  #limits(): BudgetLimits {
    const { maxCharacters } = this.#options;
    const { budget, projects } = this.#config;
    const run = Math.min(budget.run ?? Infinity, maxCharacters ?? Infinity);
    const overall = Number.isFinite(run) ? { ...budget, run } : budget;
    return { overall, projects: new Map(projects.map((each) => [each.name, each.budget])) };
  }

  #newTally(): Tally {
    const { ledger, funds } = this.#options;
    const limits = funds === undefined ? this.#limits() : ownLimits(this.#limits());
    return new Tally(limits, this.#period, ledger.all('charges'));
  }
}

const SECONDS_PER_MINUTE = 60;

function fundsAsk(job: JobRecord, characters: number, seconds: number) {
  return { project: job.project, characters, seconds, isApproved: isApproved(job) };
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
