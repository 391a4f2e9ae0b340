/** The exit code of an error or of several outcomes: the first that applies of 78, 77, 74, 69, 75, 1, 2, 0. */
import type { FrozenReport, PlanReport } from '../control/plan-report.ts';
import type { RunReport } from '../control/run-report.ts';
import { type Failure, isFreeSilence, JobFailure } from '../failure.ts';
import { DaemonEnded, DaemonOfOtherConfig, DaemonSilent, StateLocked } from '../files/exclusive.ts';
import type { ExitCode } from './command.ts';

const PRECEDENCE: readonly ExitCode[] = [78, 77, 74, 69, 75, 1, 2, 0];
const WITHOUT_DAEMON = [StateLocked, DaemonSilent, DaemonEnded, DaemonOfOtherConfig] as const;

export function exitCodeFor(error: unknown): ExitCode {
  if (WITHOUT_DAEMON.some((kind) => error instanceof kind)) return 75;
  return error instanceof JobFailure ? exitCodeOfFailure(error.failure) : 1;
}

export function exitCodeOfFailure(failure: Failure): ExitCode {
  switch (failure.kind) {
    case 'damaged-state':
      return 78;
    case 'state-unwritable':
      return 74;
    case 'team-state':
      return TEAM_STATE[failure.problem];
    case 'key-missing':
    case 'key-refused':
      return 77;
    case 'unreachable':
    case 'throttled':
      return 69;
    case 'unanswered':
    case 'bad-answer':
      return isFreeSilence(failure) ? 69 : 1;
    case 'quota-exceeded':
      return failure.scope === 'account' ? 75 : 1;
    case 'forbidden':
    case 'server-error':
    case 'rejected':
    case 'too-large':
    case 'not-found':
    case 'invalid-request':
    case 'unsupported':
    case 'malformed':
    case 'unreadable':
    case 'unwritable':
    case 'disk-full':
    case 'changed-meanwhile':
    case 'program-silent':
    case 'stopped':
    case 'internal':
      return 1;
  }
}

const TEAM_STATE = {
  ...({ away: 75, taken: 75, unled: 75, absent: 75, refused: 77, insecure: 77 } as const),
  ...({ unfit: 78, older: 78, unshared: 78, partial: 78, spool: 78, key: 78 } as const),
};

/** The first of several codes in the order above; 0 when there is none. */
export function gravest(codes: Iterable<ExitCode>): ExitCode {
  const present = new Set(codes);
  return PRECEDENCE.find((code) => present.has(code)) ?? 0;
}

interface RunOutcome {
  /** Failures of the whole run, of its jobs, and of glossaries and style lists. */
  readonly failures: readonly Failure[];
  /** Whether some jobs were not finished. */
  readonly isUndone: boolean;
}

/** 0 means: every target that the config wants is up to date. */
export function exitCodeOfRun(
  { failed, held }: Pick<RunReport, 'failed' | 'held'>,
  { failures, isUndone }: RunOutcome,
): ExitCode {
  const codes: ExitCode[] = failures.map(exitCodeOfFailure);
  if (failed.length > 0 || isUndone) codes.push(1);
  if (held.length > 0) codes.push(2);
  return gravest(codes);
}

export function exitCodeOfFrozen({ jobs, attention }: FrozenReport): ExitCode {
  if (jobs.length > 0 || attention.some(({ state }) => state === 'failed')) return 1;
  return attention.length > 0 ? 2 : 0;
}

/** The exit code that a run would have. 1: a job would fail. 2: a file or a text waits, or would wait, for a person. */
export function exitCodeOfPlan({ jobs, held, attention }: PlanReport): ExitCode {
  const isFailed = ({ state }: { readonly state: string }) => state === 'failed';
  const fails = jobs.some(({ would_fail }) => would_fail !== undefined);
  if (fails || [...held, ...attention].some(isFailed)) return 1;
  const isLeft = held.length > 0 || attention.length > 0 || jobs.some(wouldWait);
  return isLeft ? 2 : 0;
}

function wouldWait({ would_hold, texts }: PlanReport['jobs'][number]): boolean {
  return would_hold !== undefined || (texts?.held ?? 0) + (texts?.conflicts ?? 0) > 0;
}
