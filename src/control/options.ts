/** The inputs of all answers. */

import type { Clock } from '../clock.ts';
import type { Failure } from '../failure.ts';
import type { FollowUp } from '../intake/leaving.ts';
import type { SavedFile } from '../intake/pending-changes.ts';
import type { JobId } from '../job.ts';
import type { ForeseenRun } from '../jobs/lock-foresight.ts';
import type { RunState } from '../jobs/run-state.ts';
import type { Workspace } from '../jobs/workspace.ts';
import type { Estimate, LaneWorker } from '../lane.ts';
import type { JobRecord, SourceRecord } from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';
import type { Plan } from '../plan/plan.ts';
import type { Spending } from '../plan/spending.ts';
import type { LockAmendment } from '../segments/review.ts';
import type { LockFiles, LockName } from '../state/lock-file.ts';
import type { Tree } from '../state/tree.ts';
import type { TerminologyInForce } from '../sync/terminology-in-force.ts';
import type { Blocker } from './blockers.ts';
import type { Scope } from './control.ts';
import type { DaemonCondition } from './daemon-condition.ts';
import type { LockReport } from './report.ts';
import type { AccountUsage } from './usage.ts';

/** The state that the answers read and change. */
type OpenState = 'ledger' | 'baselines' | 'memories' | 'books' | 'team' | 'trash' | 'right';
type OpenTools = 'writers' | 'reservations' | 'undo' | 'links' | 'edits' | 'service';

export interface LocalControlOptions extends Pick<Workspace, OpenState | OpenTools> {
  /** Absent: the config names no tree that daemons share. */
  readonly tree?: Pick<Tree, 'name' | 'task' | 'daemons' | 'counted'>;
  readonly spending: Spending;
  readonly terminology: TerminologyInForce;
  readonly clock: Clock;
  readonly inForce: InForce;
  readonly condition: Pick<
    DaemonCondition,
    'state' | 'report' | 'delays' | 'page' | 'visit' | 'lookAtConfig'
  >;
  readonly runState: Pick<RunState, 'isBusy'>;
  /** Absent: the config names no lock. */
  readonly lock?: Pick<
    LockFiles,
    'folder' | 'pathOf' | 'elsewhere' | 'writings' | 'version' | 'index' | 'indexOf' | 'has'
  >;
  /** Scans the disk, so that a plan is about the files as they are now. */
  scan(): Promise<DiskScan>;
  /** The plan, also with regard to the lock of the team. */
  plan(): Promise<Plan>;
  /** Asks the lane what a job would bill. */
  estimate(...asked: Parameters<LaneWorker['estimate']>): Promise<Estimate>;
  /** Brings the lock up to date. */
  bringLock(orphans: 'keep' | 'drop'): Promise<LockReport>;
  /** Brings the lock of a language that has none up to date, unless a daemon at work will do it. It may wait for jobs. */
  prepareLock(name: LockName): Promise<void>;
  /** Writes a person's decisions about pairs of texts into the lock, if the config names one. @param path of their source */
  amendLock(name: LockName, path: string, amendment: LockAmendment): Promise<void>;
  /** The planned treatment of targets whose source moved or is gone; empty in a running daemon, which has already done it. */
  followUps(scope: Scope): readonly FollowUp[];
  /** Why the lock cannot take what a run would write into it; undefined: it can, or there is nothing to write. */
  whyLockStays(run: ForeseenRun): Promise<Failure | undefined>;
  /** Finished jobs whose lines the lock lacks, because it was put back; none while this process works and writes the lock itself. */
  jobsPutBack(isPlanned: (job: JobRecord) => boolean): Promise<readonly JobRecord[]>;
  /** Whether a lock that is there says nothing about texts that are up to date. @param estimate with records */
  isUnsaid(estimate: Estimate): Promise<boolean>;
  /** Blockers: matters beside the jobs that need a person. */
  blockers(): readonly Blocker[];
  /** A person confirms that sources which vanished together were deleted on purpose. */
  confirmDeletions(): Promise<void>;
  /** Stores a new answer about the account's limits. */
  learnAccount(account: AccountUsage): Promise<void>;
  /** Reports that a person saves texts into a file; called before the file is written. */
  saves(file: SavedFile): void;
  /** Reports that a file is as it was before a run. */
  tookBack(file: TookBack): void;
  /** Offers released jobs to the queue. */
  offer(jobs: readonly JobId[]): void;
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** A target that `undo` restored, with the new records of the ledger. */
export interface TookBack {
  readonly jobs: readonly JobId[];
  /** Set when one file has all languages. */
  readonly source?: SourceRecord;
}

/** Files that a scan of the disk left out, with the reason. */
export interface DiskScan {
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}
