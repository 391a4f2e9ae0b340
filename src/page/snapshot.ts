/** One picture of the daemon for the page: the overview, the account, where the period leads to, and what is wrong with the config. */
import { budgetPeriod } from '../budget.ts';
import type { AccountUsage } from '../control.ts';
import type { Overview } from '../overview.ts';
import { forecast } from '../reports/days.ts';
import type { RuleState, RulesState } from './rules-state.ts';

export interface Snapshot extends Overview {
  readonly usage: PeriodUsage;
  readonly rules: readonly RuleState[];
  /** Of glossary and style files. */
  readonly rule_faults: readonly string[];
  readonly config_faults: readonly string[];
}

export interface PeriodUsage {
  readonly used: number;
  /** The account's limit, else the month budget; null when neither is known. */
  readonly limit: number | null;
  readonly limited_by: 'account' | 'budget' | null;
  /** ISO 8601. */
  readonly period_end: string;
  /** Free and classic accounts tell no period: then it is the calendar month. */
  readonly period_from: 'account' | 'calendar';
  /** Used at the end of the period when work goes on as in the last seven days. */
  readonly forecast: number;
}

export interface SnapshotInput {
  readonly overview: Overview;
  readonly account: AccountUsage | null;
  readonly configFaults: readonly string[];
  readonly rules: Pick<RulesState, 'of' | 'faults'>;
  readonly now: number;
}

export function makeSnapshot(input: SnapshotInput): Snapshot {
  const { overview, configFaults, rules } = input;
  return {
    ...overview,
    usage: periodUsage(input),
    rules: rules.of(overview.rules),
    rule_faults: rules.faults,
    config_faults: configFaults,
  };
}

function periodUsage({
  overview,
  account,
  now,
}: Pick<SnapshotInput, 'overview' | 'account' | 'now'>): PeriodUsage {
  const own = accountPeriod(account);
  const period = budgetPeriod(now, own);
  const limited = limitOf(overview, account);
  const used = limited?.used ?? account?.character_count ?? usedSince(overview, period.start);
  return {
    used,
    limit: limited?.limit ?? null,
    limited_by: limited?.by ?? null,
    period_end: new Date(period.end).toISOString(),
    period_from: period === own ? 'account' : 'calendar',
    forecast: forecast({ period, now, used, days: overview.days }),
  };
}

/** The account's limit counts what others use too, so it comes first; a budget counts only what is in our books. */
function limitOf(
  { budget }: Overview,
  account: AccountUsage | null,
): { by: 'account' | 'budget'; used: number; limit: number } | undefined {
  if (account !== null && account.character_limit !== null) {
    return { by: 'account', used: account.character_count, limit: account.character_limit };
  }
  const month = budget.find(({ scope }) => scope === 'month');
  return month === undefined ? undefined : { by: 'budget', used: month.used, limit: month.limit };
}

function accountPeriod(account: AccountUsage | null) {
  const start = Date.parse(account?.start_time ?? '');
  const end = Date.parse(account?.end_time ?? '');
  return Number.isNaN(start) || Number.isNaN(end) ? undefined : { start, end };
}

function usedSince({ days }: Overview, start: number): number {
  return days
    .filter(({ day }) => Date.parse(day) >= start)
    .reduce((sum, { billed_characters }) => sum + billed_characters, 0);
}
