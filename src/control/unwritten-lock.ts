/** Translations that are in place while the lock does not have them: it was removed, put back, not committed, or not written yet. */
import type { Config } from '../config.ts';
import type { Failure } from '../failure.ts';
import { wasCommitted } from '../files/git-history.ts';
import { findWorkTree } from '../files/work-tree.ts';
import { plural } from '../language.ts';
import type { PlannedJob } from '../plan/plan.ts';
import { LockFiles, type LockName } from '../state/lock-file.ts';
import type { Blocker } from './blockers.ts';
import type { Scope } from './control.ts';
import type { LocalControlOptions } from './options.ts';
import { inScope, isEverything } from './scope.ts';

/** What a run has to write into a lock that is there. */
export interface ForeseenLock {
  /** Why it cannot. */
  readonly failure: Failure | undefined;
  /** How many jobs are finished here, while the lock is of an earlier time. */
  readonly putBack: number;
}

export const NOTHING_FORESEEN: ForeseenLock = { failure: undefined, putBack: 0 };

/** Whether the lock lacks something, and could take what a run over these jobs would write. @param planned of the plan, in the scope */
export async function foreseeLock(
  options: Pick<LocalControlOptions, 'whyLockStays' | 'followUps' | 'jobsPutBack' | 'inForce'>,
  scope: Scope,
  planned: readonly PlannedJob[],
): Promise<ForeseenLock> {
  const failure = await options.whyLockStays({
    planned: planned.map(({ job }) => job),
    leaving: options.followUps(scope).map(({ job }) => job),
    orphans: isEverything(scope) ? 'drop' : 'keep',
  });
  const ids = new Set(planned.map(({ job }) => job.id));
  const rootOf = (project: string) => options.inForce.planner.project(project)?.root;
  const missed = await options.jobsPutBack(
    (job) => ids.has(job.id) || !inScope(scope, job, rootOf),
  );
  return { failure, putBack: missed.length };
}

/**
 * Adds that the lock was not written, or that it cannot be. Nothing is added where the last commit of the lock is used, or where its lines are
 * known to be missing.
 * @param jobs how many have their targets, and no lock of their language
 */
export function withUnwritten(
  known: readonly Blocker[],
  jobs: number,
  { failure, putBack }: ForeseenLock,
): readonly Blocker[] {
  if (known.some(({ kind }) => kind === 'lock-behind')) return known;
  if (failure !== undefined) return [...known, { kind: 'lock-behind', jobs, failure }];
  const isLost = known.some(({ kind }) => kind === 'lock-lost');
  if (jobs > 0 && !isLost) return [...known, { kind: 'lock-behind', jobs, why: 'unwritten' }];
  if (putBack > 0) return [...known, { kind: 'lock-behind', jobs: putBack, why: 'put-back' }];
  return known;
}

export interface UnwrittenJobs {
  /** Their lock may have been removed. */
  readonly behind: number;
  /** Git has no lock of their language in any commit: the first run writes it. */
  readonly first: number;
}

/** @param names for each job with its targets and without a lock, the name of that lock */
export async function sortUnwritten(
  { lock, base }: Pick<Config, 'lock' | 'base'>,
  names: readonly LockName[],
): Promise<UnwrittenJobs> {
  const none = { behind: names.length, first: 0 };
  if (lock === undefined || names.length === 0) return none;
  const tree = findWorkTree(base);
  if (tree === undefined) return none;
  const files = new LockFiles(lock);
  let first = 0;
  for (const [path, jobs] of Map.groupBy(names, (name) => files.pathOf(name))) {
    if ((await wasCommitted(tree, path)) === false) first += jobs.length;
  }
  return { behind: names.length - first, first };
}

export function firstLockNotes({ first }: UnwrittenJobs): string[] {
  if (first === 0) return [];
  const files = plural(first, 'translated file');
  return [
    `git has no lock of ${files} in any commit: the first run treats the existing files as up to date, and writes the lock`,
  ];
}
