/** A snapshot of the daemon for the page: overview, account, forecast of the period, and faults of the config. */

import { accountPeriod, periodUsage } from '../control/period.ts';
import type { Cut, Overview, WorkLine } from '../control/report.ts';
import type { ReviewProgress } from '../control/review-report.ts';
import type { AccountUsage, PeriodUsage } from '../control/usage.ts';
import type { Sums } from '../state/books.ts';
import type { Remote } from '../sync/remote.ts';
import type { TerminologyInForce } from '../sync/terminology-in-force.ts';
import type { LanePace } from './pace.ts';
import { type TerminologyState, terminologyStates } from './terminology-states.ts';

/** A line of work with the estimated time for its other languages; null when there is no estimate. */
interface TimedWorkLine extends WorkLine {
  readonly seconds_left: number | null;
}

export interface PageSnapshot extends Omit<Overview, 'work'> {
  readonly work: Cut<TimedWorkLine>;
  readonly usage: PeriodUsage;
  readonly rules: readonly TerminologyState[];
  /** Faults of glossary and style files. */
  readonly rule_faults: readonly string[];
  readonly config_faults: readonly string[];
  /** Texts that wait for a review; null: they are not counted yet. */
  readonly unreviewed: number | null;
}

/** The glossaries and style lists in force, as the page shows them. */
export interface ShownTerminology extends Pick<TerminologyInForce, 'faults'> {
  readonly remote: Pick<Remote, 'isDifferent'>;
}

export interface SnapshotInput {
  readonly overview: Overview;
  readonly account: AccountUsage | null;
  /** Null: not read yet. */
  readonly reviews: readonly ReviewProgress[] | null;
  readonly configFaults: readonly string[];
  readonly terminology: ShownTerminology;
  readonly sums: Pick<Sums, 'since'>;
  readonly pace: Pick<LanePace, 'secondsFor'>;
  readonly now: number;
}

export function makeSnapshot(input: SnapshotInput): PageSnapshot {
  const { overview, account, configFaults, terminology, sums } = input;
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
    rules: terminologyStates(overview.rules, terminology.remote),
    rule_faults: terminology.faults,
    config_faults: configFaults,
    unreviewed: unreviewedIn(input.reviews),
  };
}

function unreviewedIn(reviews: SnapshotInput['reviews']): number | null {
  return reviews?.reduce((sum, { counts }) => sum + counts.unreviewed, 0) ?? null;
}

/** Adds estimates. Files of one lane that run at the same time share its pace. */
export function timed(
  { lines, total }: Cut<WorkLine>,
  pace: Pick<LanePace, 'secondsFor'>,
): PageSnapshot['work'] {
  return {
    total,
    lines: lines.map((line) => {
      const left = line.languages.total - line.languages.done;
      return { ...line, seconds_left: pace.secondsFor(line.lane, left * line.beside) };
    }),
  };
}
