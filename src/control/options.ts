/** What the answers are made of. */

import type { Baselines } from '../baseline.ts';
import type { Clock } from '../clock.ts';
import type { Right } from '../files/right.ts';
import type { FollowUp } from '../intake/leaving.ts';
import type { JobId } from '../job.ts';
import type { Estimate, LaneWorker } from '../lane.ts';
import type { JobRecord, Ledger, SourceRecord } from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';
import type { Plan } from '../plan/plan.ts';
import type { Spending } from '../plan/spending.ts';
import type { Spoken } from '../segments/review.ts';
import type { Service } from '../service/client.ts';
import type { Books } from '../state/books.ts';
import type { EditLog } from '../state/edit-log.ts';
import type { LockIndex, LockName } from '../state/lock-file.ts';
import type { Memories } from '../state/memory.ts';
import type { ReviewLinks } from '../state/review-links.ts';
import type { Team } from '../state/team.ts';
import type { Trash } from '../state/trash.ts';
import type { Tree } from '../state/tree.ts';
import type { UndoLog } from '../state/undo-log.ts';
import type { TerminologyInForce } from '../sync/terminology-in-force.ts';
import type { Blocker } from './blockers.ts';
import type { Scope } from './control.ts';
import type { LockReport, StatusReport } from './report.ts';
import type { AccountUsage } from './usage.ts';

export interface LocalControlOptions {
  readonly ledger: Ledger;
  readonly baselines: Baselines;
  readonly memories: Memories;
  readonly books: Books;
  /** Absent: the config names no database. */
  readonly team?: Team;
  /** Absent: the config names none. */
  readonly tree?: Pick<Tree, 'name' | 'task' | 'daemons'>;
  readonly trash: Trash;
  /** To change files without a claim. */
  readonly right: Right;
  readonly undo: UndoLog;
  readonly links: ReviewLinks;
  readonly edits: EditLog;
  readonly service: Service;
  readonly spending: Spending;
  readonly terminology: TerminologyInForce;
  readonly clock: Clock;
  readonly inForce: InForce;
  /** An address of the page for one visit; null without a page. */
  visit(): string | null;
  condition(): Pick<StatusReport, 'state' | 'stopped_by' | 'standstill' | 'page'>;
  /** Looks at the disk, so that a plan is about what stands there now. */
  look(): Promise<DiskLook>;
  /** What is to be done, as the lock of the team sees it, too. */
  plan(): Promise<Plan>;
  /** What a job would bill, asked of its lane. */
  estimate(...asked: Parameters<LaneWorker['estimate']>): Promise<Estimate>;
  /** Brings the lock up to date. */
  lock(orphans: 'keep' | 'drop'): Promise<LockReport>;
  /** Differs when the lock says something else of a source. @param path of the source */
  lockVersion(name: LockName, path: string): Promise<string | undefined>;
  /** What the lock states of a language; undefined: there is none. */
  lockIndex(name: LockName): Promise<LockIndex | undefined>;
  /** Whether there is a lock of a language. */
  hasLock(name: LockName): Promise<boolean>;
  /** Writes into the lock what a person said of pairs of texts; the config names one. @param path of their source */
  amendLock(name: LockName, path: string, spoken: Spoken): Promise<void>;
  /** What would become of targets whose source moved or went; nothing in a running daemon, which has done it. */
  followUps(scope: Scope): readonly FollowUp[];
  /** What needs a person beside the jobs. */
  blockers(): readonly Blocker[];
  /** A person says that sources which vanished together are meant to be gone. */
  confirmDeletions(): Promise<void>;
  /** Somebody has asked how much of the account's limits is used. */
  learnAccount(account: AccountUsage): Promise<void>;
  /** Whether a job may be writing now, or soon. */
  isBusy(job: JobRecord): boolean;
  /** A file is as it was before a run. */
  tookBack(file: TookBack): void;
  /** Lets released jobs go. */
  offer(jobs: readonly JobId[]): void;
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** A target that was taken back, as the ledger has it now. */
export interface TookBack {
  readonly jobs: readonly JobId[];
  /** Where one file holds all languages. */
  readonly source?: SourceRecord;
}

/** What a look at the disk found besides changes. */
export interface DiskLook {
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}
