/**
 * Decides whether a job may spend: by budgets, approvals, and reservations for requests that are under way. Counts the charges of the
 * ledger.
 */

import type { Clock } from '../clock.ts';
import type { Events } from '../event.ts';
import { type Hold, type Job, type JobId, sourceId } from '../job.ts';
import type { Charge, JobRecord, LedgerView } from '../ledger.ts';
import { type Funds, fundsHold, type SharedLimit } from '../state/funds.ts';
import { type BudgetStatus, budgetPeriod, type Period, Tally } from './budget.ts';
import {
  amountsOf,
  type BudgetLimits,
  SECONDS_PER_MINUTE,
  type SpendingRequest,
  scopesOf,
} from './budget-scope.ts';
import type { InForce } from './in-force.ts';
import { ownLimits, sharedLimits } from './shared-limits.ts';

export interface SpendingOptions {
  readonly ledger: LedgerView;
  readonly clock: Clock;
  readonly events: Events;
  /** Characters that this run may bill, where that is less than the config allows. */
  readonly maxCharacters?: number;
  /** The funds of the whole team; absent: there is no team. */
  readonly funds?: Funds;
  /** The config has the budgets. A route says with `approve_over` which sources wait for approval. */
  readonly inForce: Pick<InForce, 'config'> & {
    readonly planner: Pick<InForce['planner'], 'routeOf'>;
  };
}

/** Names one purchase of a job that may buy several things at a time. Absent: the job has one reservation. */
interface NamedPurchase {
  readonly purchase?: string;
}

/** `allowed`: the amount is reserved until the object is disposed. `held`: why the job must wait. */
export type Allowance =
  | ({ readonly kind: 'allowed' } & Disposable)
  | { readonly kind: 'held'; readonly hold: Hold };

/** How much of a budget is used, in its own unit. */
export interface BudgetLine {
  readonly scope: string;
  readonly limit: number;
  readonly used: number;
}

/** Says which jobs a run would hold, when it is asked for one job after the other. */
export interface Forecast {
  wouldHold(job: Job, characters: number, seconds?: number): Hold | undefined;
}

export class Spending {
  readonly #options: SpendingOptions;
  #account: Period | undefined;
  #period: Period;
  #tally: Tally;
  #bills = 0;

  constructor(options: SpendingOptions) {
    this.#options = options;
    this.#period = budgetPeriod(options.clock.now());
    this.#tally = this.#newTally();
  }

  /** The config in force has changed: counts by its budgets. */
  reconfigure(): void {
    this.#tally = this.#newTally();
  }

  /** Takes the billing period of the account. */
  learnPeriod(account: Period): void {
    this.#account = account;
    this.#rollOver();
  }

  startRun(): void {
    this.#tally.startRun();
  }

  /** Reserves characters (Unicode code points) and seconds of audio for a job, or says why it must wait. */
  async allow(job: JobRecord & NamedPurchase, characters: number, seconds = 0): Promise<Allowance> {
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

  /** The same for texts. Each of their requests reserves its price with the team later: here the team is only asked. */
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

  /** Whether the price of a job can hold it: by a budget, or since a person approves large sources. */
  isLimited({ project, source }: Pick<Job, 'project' | 'source'>): boolean {
    const { approveOver } = this.#options.inForce.planner.routeOf(project, source) ?? {};
    const own = scopesOf(askFor({ project, source }, 0, 0), this.#limits());
    const limits = [...own, ...this.sharedLimits(project)];
    return approveOver !== undefined || limits.some(({ unit }) => unit === 'characters');
  }

  /** The present limits of a project that the whole team shares. */
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

  #allowOwn(job: JobRecord & NamedPurchase, characters: number, seconds: number): Allowance {
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

  /** Reserves characters without a check, for a request that was sent before a restart. */
  setAside(
    job: Pick<Job, 'id' | 'project' | 'source'> & NamedPurchase,
    characters: number,
  ): Disposable {
    const source = sourceId(job.project, job.source);
    const holder = holderOf(job);
    this.#tally.approve(holder, { project: job.project, source, characters });
    const { funds } = this.#options;
    const ask = { project: job.project, characters, seconds: 0, isApproved: true };
    // The amount is spent in any case: nobody waits for the database.
    void funds?.reserve(holder, ask, this.sharedLimits(job.project)).catch(() => {});
    return {
      [Symbol.dispose]: () => {
        this.#tally.release(holder);
        funds?.release(holder);
      },
    };
  }

  /** Nothing more will be billed for a purchase: what any daemon reserved for it is free. */
  endPurchase(purchase: string): void {
    this.#options.funds?.releasePurchase(purchase);
  }

  /** Answers for one job after the other, as if the jobs before it had been bought. Reserves nothing. */
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
        return needs === 0 || needs <= left ? [] : [fundsHold(limit, { needs, left })];
      })
      .toSorted((a, b) => a.left - b.left)[0];
  }

  /** The spent amount, by the key of the limit. */
  async #sharedSpent(): Promise<ReadonlyMap<string, number>> {
    const limits = this.#allSharedLimits();
    const spent = await this.#options.funds?.spent(limits);
    return new Map(spent?.map((amount, index) => [limits[index]?.key ?? '', amount]));
  }

  #allSharedLimits(): readonly SharedLimit[] {
    if (this.#options.funds === undefined) return [];
    const projects = ['', ...this.#options.inForce.config.projects.map(({ name }) => name)];
    const all = projects.flatMap((project) => this.sharedLimits(project));
    return [...new Map(all.map((limit) => [limit.key, limit])).values()];
  }

  /** Counts charges, and warns at 80 and 100 % of a budget. */
  book(charges: readonly Charge[]): void {
    for (const charge of charges) {
      if (charge.kind !== 'possibly-twice' && charge.characters !== null) this.#bills += 1;
      for (const budget of this.#current().book(charge)) {
        this.#options.events.emit({ kind: 'budget-warning', ...budget });
      }
    }
  }

  /** How many answers since the start have billed characters. */
  get bills(): number {
    return this.#bills;
  }

  async budgets(): Promise<readonly BudgetLine[]> {
    const spent = await this.#sharedSpent();
    const shared = this.#allSharedLimits().map((each): BudgetStatus => {
      const divisor = each.unit === 'seconds' ? SECONDS_PER_MINUTE : 1;
      return {
        scope: each.scope,
        ...(each.project === null ? {} : { project: each.project }),
        unit: each.unit === 'seconds' ? 'minutes' : 'characters',
        limit: each.limit / divisor,
        used: (spent.get(each.key) ?? 0) / divisor,
      };
    });
    return [...shared, ...this.#current().statuses()].map(
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
    const { planner } = this.#options.inForce;
    const limit = planner.routeOf(job.project, job.source)?.approveOver;
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
    const { budget, projects } = this.#options.inForce.config;
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

function fundsAsk(job: JobRecord, characters: number, seconds: number) {
  return { project: job.project, characters, seconds, isApproved: isApproved(job) };
}

function holderOf({ id, purchase }: Pick<Job, 'id'> & NamedPurchase): string {
  return purchase === undefined ? id : `${id} ${purchase}`;
}

function askFor(
  { project, source }: Pick<Job, 'project' | 'source'>,
  characters: number,
  seconds: number,
) {
  return { project, source: sourceId(project, source), characters, seconds };
}

/** A person's approval counts only for the content that it was given for. */
function isApproved({ release, fingerprint }: JobRecord): boolean {
  return release !== undefined && release.fingerprint === fingerprint && release.kind !== 'human';
}
