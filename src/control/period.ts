/** The period that limits and budgets are for: what is used of it, and where it leads to. Pure. */
import { budgetPeriod, type Period } from '../plan/budget.ts';
import { forecast } from './days.ts';
import type { DayLine } from './report.ts';
import type { AccountUsage, PeriodUsage, UsageReport } from './usage.ts';

export interface PeriodInput {
  /** The account's own period, where it tells one. */
  readonly own: Period | undefined;
  /** Whose limit counts; null when it is not known, or says nothing of the part that is looked at. */
  readonly account: AccountUsage | null;
  readonly budget: UsageReport['budget'];
  /** The last days, oldest first. */
  readonly days: readonly DayLine[];
  /** Characters of the own books since a time, milliseconds since the epoch. */
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

/** Free and classic accounts tell none (API document, "Usage"). */
export function accountPeriod(account: AccountUsage | null): Period | undefined {
  const start = Date.parse(account?.start_time ?? '');
  const end = Date.parse(account?.end_time ?? '');
  return start < end ? { start, end } : undefined;
}

/** The account's limit counts what others use too, so it comes first; a budget counts only what is in our books. */
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
