/** One picture of the daemon for the page: the overview, the account, where the period leads to, and what is wrong with the config. */

import { accountPeriod, periodUsage } from '../control/period.ts';
import type { Overview } from '../control/report.ts';
import type { AccountUsage, PeriodUsage } from '../control/usage.ts';
import type { Sums } from '../state/books.ts';
import type { RuleState, RulesState } from './rules-state.ts';

export interface Snapshot extends Overview {
  readonly usage: PeriodUsage;
  readonly rules: readonly RuleState[];
  /** Of glossary and style files. */
  readonly rule_faults: readonly string[];
  readonly config_faults: readonly string[];
}

export interface SnapshotInput {
  readonly overview: Overview;
  readonly account: AccountUsage | null;
  readonly configFaults: readonly string[];
  readonly rules: Pick<RulesState, 'of' | 'faults'>;
  readonly sums: Pick<Sums, 'since'>;
  readonly now: number;
}

export function makeSnapshot(input: SnapshotInput): Snapshot {
  const { overview, account, configFaults, rules, sums } = input;
  const { budget, days } = overview;
  return {
    ...overview,
    usage: periodUsage({
      ...input,
      usedSince: (start) => sums.since(start),
      own: accountPeriod(account),
      budget,
      days,
    }),
    rules: rules.of(overview.rules),
    rule_faults: rules.faults,
    config_faults: configFaults,
  };
}
