/** One picture of the daemon for the page: the overview, the account, where the period leads to, and what is wrong with the config. */

import { accountPeriod, periodUsage } from '../control/period.ts';
import type { Cut, Overview, WorkLine } from '../control/report.ts';
import type { AccountUsage, PeriodUsage } from '../control/usage.ts';
import type { Sums } from '../state/books.ts';
import type { LanePace } from './pace.ts';
import type { RuleState, RulesState } from './rules-state.ts';

/** With how long the rest of its languages takes at the pace of the last files; null where nobody knows. */
interface TimedWorkLine extends WorkLine {
  readonly seconds_left: number | null;
}

export interface PageSnapshot extends Omit<Overview, 'work'> {
  readonly work: Cut<TimedWorkLine>;
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
  readonly pace: Pick<LanePace, 'secondsFor'>;
  readonly now: number;
}

export function makeSnapshot(input: SnapshotInput): PageSnapshot {
  const { overview, account, configFaults, rules, sums } = input;
  const { budget, days } = overview;
  return {
    ...overview,
    work: timed(overview.work, input.pace),
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

/** Files of a lane that are worked on at the same time share its pace. */
function timed(
  { lines, total }: Cut<WorkLine>,
  pace: Pick<LanePace, 'secondsFor'>,
): PageSnapshot['work'] {
  return {
    total,
    lines: lines.map((line) => {
      const beside = lines.filter(({ lane }) => lane === line.lane).length;
      const left = line.languages.total - line.languages.done;
      return { ...line, seconds_left: pace.secondsFor(line.lane, left * beside) };
    }),
  };
}
