/**
 * What may still be spent of the budgets: of month, project, run and file, and of voice minutes. Reserved amounts count as spent. All
 * sums are in memory; the ledger keeps the charges.
 */

import { type BudgetHold, type JobId, type SourceId, sourceId } from '../job.ts';
import type { Charge } from '../ledger.ts';
import {
  amountsOf,
  type BudgetLimits,
  type BudgetScope,
  type SpendingRequest,
  scopesOf,
} from './budget-scope.ts';

/** In milliseconds since the epoch; `end` is not part of the period. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

/**
 * The period of a budget for a month: the billing period of the account when it is known, else the calendar month in UTC.
 * After a billing period, periods of one month follow (docs/design/api.md, "Usage and administration").
 */
export function budgetPeriod(now: number, account?: Period): Period {
  if (account !== undefined && account.start <= now) return following(account, now);
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
}

function following(period: Period, now: number): Period {
  let [current, months] = [period, 0];
  while (now >= current.end) {
    months += 1;
    current = { start: current.end, end: monthsAfter(period.end, months) };
  }
  return current;
}

/** The same day of a later month, or the last day of that month. */
function monthsAfter(time: number, months: number): number {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(day, last));
}

/** How much of a budget is used, in its own unit. */
export interface BudgetStatus {
  readonly scope: BudgetHold['scope'];
  readonly project?: string;
  readonly unit: 'characters' | 'minutes';
  readonly limit: number;
  readonly used: number;
}

/** Share of a budget, or of a limit of the account, at which people are warned; they are warned again when it is used up. */
export const NEARLY_USED = 0.8;
const NO_AMOUNTS: ReadonlyMap<string, number> = new Map();

/** The sums of one period. A new period starts with a new tally, which counts the charges of the ledger again. */
export class Tally {
  readonly #limits: BudgetLimits;
  readonly #period: Period;
  readonly #spent = new Map<string, number>();
  /**
   * Amounts that are reserved and not booked yet. They are kept by holder (a job, or one of its purchases), and as sums of the same kinds
   * as the spent ones.
   */
  readonly #reserved = new Map<string, SpendingRequest>();
  readonly #inFlight = new Map<string, number>();

  /** @param past charges of the ledger; charges outside of the period do not count, and none counts for this run */
  constructor(limits: BudgetLimits, period: Period, past: Iterable<Charge> = []) {
    this.#limits = limits;
    this.#period = period;
    for (const charge of past) this.book(charge);
    this.startRun();
  }

  /** Begins a run: the sums of the run and of its files start from 0. */
  startRun(): void {
    for (const key of this.#spent.keys()) {
      if (key.startsWith('run') || key.startsWith('file')) this.#spent.delete(key);
    }
  }

  /** Books a charge, and subtracts it from the reservation of its job. @returns budgets that it brought to 80 % or used up */
  book(charge: Charge): readonly BudgetStatus[] {
    const at = Date.parse(charge.at);
    if (at < this.#period.start || at >= this.#period.end) return [];
    const { job, project, language } = charge;
    const path = job?.slice(`${project}/${language}/`.length) ?? '';
    const ask = askOf(charge, sourceId(project, path));
    const scopes = scopesOf(ask, this.#limits);
    const before = scopes.map((scope) => this.#statusOf(scope).used);
    for (const [key, amount] of amountsOf(ask)) add(this.#spent, key, amount);
    if (job !== null) this.#shrink(job, ask);
    return scopes
      .map((scope) => this.#statusOf(scope))
      .filter((budget, nth) => isCrossed(budget, before[nth] ?? 0));
  }

  /**
   * The hold when a job may not spend that much now. A job that costs nothing is never held.
   * @param planned by the key of each sum, what other jobs are expected to spend before
   */
  wouldHold(
    ask: SpendingRequest,
    planned: ReadonlyMap<string, number> = NO_AMOUNTS,
  ): BudgetHold | undefined {
    const wanted = new Map(amountsOf(ask));
    const holds = scopesOf(ask, this.#limits).flatMap((scope): BudgetHold[] => {
      const needs = (wanted.get(scope.key) ?? 0) / scope.divisor;
      const before = (planned.get(scope.key) ?? 0) / scope.divisor;
      const left = Math.max(0, scope.limit - this.#committed(scope) - before);
      if (scope.onExceed === 'warn' || needs <= left) return [];
      return [
        {
          kind: 'budget',
          scope: scope.scope,
          needs: Math.ceil(needs),
          left: Math.floor(left),
          ...(scope.unit === 'minutes' ? { unit: scope.unit } : {}),
        },
      ];
    });
    return holds.sort((a, b) => a.left - b.left)[0];
  }

  /**
   * Reserves an amount until it is booked or released. It replaces an earlier reservation of the same holder.
   * @returns the hold when there is not enough left; then nothing is reserved
   */
  reserve(holder: string, ask: SpendingRequest): BudgetHold | undefined {
    this.release(holder);
    const hold = this.wouldHold(ask);
    if (hold === undefined) this.approve(holder, ask);
    return hold;
  }

  /** Reserves an amount without a check, because a person approved it. */
  approve(holder: string, ask: SpendingRequest): void {
    this.release(holder);
    this.#reserved.set(holder, ask);
    for (const [key, amount] of amountsOf(ask)) add(this.#inFlight, key, amount);
  }

  /** Ends the reservation of what was not booked. */
  release(holder: string): void {
    const ask = this.#reserved.get(holder);
    if (ask === undefined) return;
    this.#reserved.delete(holder);
    for (const [key, amount] of amountsOf(ask)) add(this.#inFlight, key, -amount);
  }

  /** Every budget but those of single files, and how much is used. Reservations do not count here. */
  statuses(): readonly BudgetStatus[] {
    const scopes = ['', ...this.#limits.projects.keys()].flatMap((project) =>
      scopesOf({ project, source: sourceId(project, ''), characters: 0 }, this.#limits),
    );
    const known = new Map(scopes.map((scope) => [scope.key, scope]));
    return [...known.values()]
      .filter(({ scope }) => scope !== 'file')
      .map((scope) => this.#statusOf(scope));
  }

  #statusOf(scope: BudgetScope): BudgetStatus {
    const used = (this.#spent.get(scope.key) ?? 0) / scope.divisor;
    const { unit, limit, project } = scope;
    return { scope: scope.scope, unit, limit, used, ...(project === undefined ? {} : { project }) };
  }

  #committed({ key, divisor }: BudgetScope): number {
    return ((this.#spent.get(key) ?? 0) + (this.#inFlight.get(key) ?? 0)) / divisor;
  }

  #shrink(job: JobId, spent: SpendingRequest): void {
    const reserved = this.#reserved.get(job);
    if (reserved === undefined) return;
    const characters = Math.max(0, reserved.characters - spent.characters);
    const seconds = Math.max(0, (reserved.seconds ?? 0) - (spent.seconds ?? 0));
    this.approve(job, { ...reserved, characters, seconds });
  }
}

function askOf({ project, characters, seconds }: Charge, source: SourceId): SpendingRequest {
  return { project, source, characters: characters ?? 0, seconds: seconds ?? 0 };
}

function add(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}

function isCrossed({ limit, used }: BudgetStatus, before: number): boolean {
  return [NEARLY_USED, 1].some((share) => before < limit * share && used >= limit * share);
}
