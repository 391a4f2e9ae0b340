/** The period of limits and budgets: the use on each day, and the forecast for its end. Pure. */
import { DAY_MS } from '../clock.ts';
import { budgetPeriod, type Period } from '../plan/budget.ts';
import type { DayLine } from './report.ts';
import type { AccountUsage, PeriodUsage, UsageSummary } from './usage.ts';

export interface PeriodInput {
  /** The account's own period, if the service reports it. */
  readonly own: Period | undefined;
  /** The account whose limit counts; null when it is not known, or does not apply to the part that is asked for. */
  readonly account: AccountUsage | null;
  readonly budget: UsageSummary['budget'];
  /** The last days, oldest first. */
  readonly days: readonly DayLine[];
  /** Characters of the own books since a time in milliseconds since the epoch. */
  usedSince(start: number): number;
  readonly now: number;
}

export function periodUsage(input: PeriodInput): PeriodUsage {
  const { own, account, days, now } = input;
  const period = budgetPeriod(now, own);
  const limited = limitOf(input);
  const used = limited?.used ?? account?.character_count ?? input.usedSince(period.start);
  return {
    start: new Date(period.start).toISOString(),
    end: new Date(period.end).toISOString(),
    from: own === undefined ? 'calendar' : 'account',
    used,
    limit: limited?.limit ?? null,
    limited_by: limited?.by ?? null,
    forecast: forecast({ period, now, used, days }),
  };
}

/** Free and classic accounts report none (docs/design/api.md, "Usage and administration"). */
export function accountPeriod(account: AccountUsage | null): Period | undefined {
  const start = Date.parse(account?.start_time ?? '');
  const end = Date.parse(account?.end_time ?? '');
  return start < end ? { start, end } : undefined;
}

/** The account's limit comes first, since it also counts what others use; a budget counts only our own books. */
function limitOf({
  budget,
  account,
}: Pick<PeriodInput, 'budget' | 'account'>):
  | { by: 'account' | 'budget'; used: number; limit: number }
  | undefined {
  if (account !== null && account.character_limit !== null) {
    return { by: 'account', used: account.character_count, limit: account.character_limit };
  }
  const month = budget.find(({ scope }) => scope === 'month');
  return month === undefined ? undefined : { by: 'budget', used: month.used, limit: month.limit };
}

/** The last days up to today in UTC, oldest first; days without a bill are included with 0. */
export function billedByDay(
  billedOn: (day: string) => number,
  { days, now }: { days: number; now: number },
): DayLine[] {
  return Array.from({ length: days }, (_, nth) => {
    const day = new Date(now - (days - 1 - nth) * DAY_MS).toISOString().slice(0, 10);
    return { day, billed_characters: billedOn(day) };
  });
}

export interface ForecastInput {
  /** Milliseconds since the epoch; `end` is not part of the period. */
  readonly period: { readonly start: number; readonly end: number };
  readonly now: number;
  /** Characters used in the period so far. */
  readonly used: number;
  /** The last days, oldest first; the pace is that of the last seven. */
  readonly days: readonly DayLine[];
}

const PACE_DAYS = 7;

/** @returns characters at the end of the period if work goes on as in the last seven days */
export function forecast({ period, now, used, days }: ForecastInput): number {
  const recent = days.slice(-PACE_DAYS);
  const perDay =
    recent.reduce((sum, { billed_characters }) => sum + billed_characters, 0) / PACE_DAYS;
  return Math.round(used + (perDay * Math.max(0, period.end - now)) / DAY_MS);
}
