/**
 * What may still be spent: month, project, run, file and voice minutes, with what is in flight counted as spent. In memory;
 * the ledger keeps the charges.
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

/** Milliseconds since the epoch; `end` is not part of it. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

/**
 * The period that a month budget is for: the account's own when it is known, else the UTC calendar month.
 * One that is over is followed by periods of a month each (API document, "Usage and administration").
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

/** The same day of a later month, or that month's last day. */
function monthsAfter(time: number, months: number): number {
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(day, last));
}

/** How far a budget is used up; in its own unit. */
export interface BudgetStanding {
  readonly scope: BudgetHold['scope'];
  readonly project?: string;
  readonly unit: 'characters' | 'minutes';
  readonly limit: number;
  readonly used: number;
}

/** Share of a budget at which its owner is warned, and again when it is used up. */
const WARN_AT = 0.8;
const NOTHING: ReadonlyMap<string, number> = new Map();

/** The books of one period. Sums survive only as charges: a new period starts with a new tally. */
export class Tally {
  readonly #limits: BudgetLimits;
  readonly #period: Period;
  readonly #spent = new Map<string, number>();
  /** Reserved and not booked yet: by whom it is held (a job, or one of its purchases), and summed up like what is spent. */
  readonly #reserved = new Map<string, SpendingRequest>();
  readonly #inFlight = new Map<string, number>();

  /** @param past charges of the ledger; those outside of the period are left out, and none belongs to this run */
  constructor(limits: BudgetLimits, period: Period, past: Iterable<Charge> = []) {
    this.#limits = limits;
    this.#period = period;
    for (const charge of past) this.book(charge);
    this.startRun();
  }

  /** From idle to idle: what this run and its files may spend starts anew. */
  startRun(): void {
    for (const key of this.#spent.keys()) {
      if (key.startsWith('run') || key.startsWith('file')) this.#spent.delete(key);
    }
  }

  /** Books a charge, and takes it off what its job has reserved. @returns budgets that it brought to 80 % or used up */
  book(charge: Charge): readonly BudgetStanding[] {
    const at = Date.parse(charge.at);
    if (at < this.#period.start || at >= this.#period.end) return [];
    const { job, project, language } = charge;
    const path = job?.slice(`${project}/${language}/`.length) ?? '';
    const ask = askOf(charge, sourceId(project, path));
    const scopes = scopesOf(ask, this.#limits);
    const before = scopes.map((scope) => this.#standing(scope).used);
    for (const [key, amount] of amountsOf(ask)) add(this.#spent, key, amount);
    if (job !== null) this.#shrink(job, ask);
    return scopes
      .map((scope) => this.#standing(scope))
      .filter((standing, nth) => isCrossed(standing, before[nth] ?? 0));
  }

  /**
   * What would keep a job from spending that much now. Nothing is held that costs nothing.
   * @param planned what others are expected to spend before, summed up like what is spent
   */
  wouldHold(
    ask: SpendingRequest,
    planned: ReadonlyMap<string, number> = NOTHING,
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
   * Sets an amount aside until it is booked or given back, in place of what the same holder had reserved before.
   * @returns the hold when there is not that much left; nothing is reserved then
   */
  reserve(holder: string, ask: SpendingRequest): BudgetHold | undefined {
    this.release(holder);
    const hold = this.wouldHold(ask);
    if (hold === undefined) this.approve(holder, ask);
    return hold;
  }

  /** Sets an amount aside whatever is left: a person said so. */
  approve(holder: string, ask: SpendingRequest): void {
    this.release(holder);
    this.#reserved.set(holder, ask);
    for (const [key, amount] of amountsOf(ask)) add(this.#inFlight, key, amount);
  }

  /** Gives back what was reserved and not booked. */
  release(holder: string): void {
    const ask = this.#reserved.get(holder);
    if (ask === undefined) return;
    this.#reserved.delete(holder);
    for (const [key, amount] of amountsOf(ask)) add(this.#inFlight, key, -amount);
  }

  /** Every budget but those of single files, and what is used of it; what is in flight is not. */
  standings(): readonly BudgetStanding[] {
    const scopes = ['', ...this.#limits.projects.keys()].flatMap((project) =>
      scopesOf({ project, source: sourceId(project, ''), characters: 0 }, this.#limits),
    );
    const known = new Map(scopes.map((scope) => [scope.key, scope]));
    return [...known.values()]
      .filter(({ scope }) => scope !== 'file')
      .map((scope) => this.#standing(scope));
  }

  #standing(scope: BudgetScope): BudgetStanding {
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

function isCrossed({ limit, used }: BudgetStanding, before: number): boolean {
  return [WARN_AT, 1].some((share) => before < limit * share && used >= limit * share);
}
