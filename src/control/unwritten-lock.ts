/** Translations that are in place while there is no lock of their language: it was removed, or no run has written it yet. */
import type { Config } from '../config.ts';
import type { Failure } from '../failure.ts';
import { wasCommitted } from '../files/git-history.ts';
import { findWorkTree } from '../files/work-tree.ts';
import { plural } from '../language.ts';
import { LockFiles, type LockName } from '../state/lock-file.ts';
import type { Blocker } from './blockers.ts';

/** Why the lock cannot take the lines of these jobs; undefined: it can, or the config names none. */
export function whyLockUnwritable(
  { lock }: Pick<Config, 'lock'>,
  jobs: Iterable<LockName>,
): Failure | undefined {
  return lock === undefined ? undefined : new LockFiles(lock).whyUnwritable(jobs);
}

/**
 * Adds that the lock was not written, or that it cannot be. Nothing is added where the last commit of the lock is used, or where its lines are
 * known to be missing.
 * @param jobs how many have their targets, and no lock of their language @param failure why the next run cannot write the lock
 */
export function withUnwritten(
  known: readonly Blocker[],
  jobs: number,
  failure?: Failure,
): readonly Blocker[] {
  if (known.some(({ kind }) => kind === 'lock-behind')) return known;
  if (failure !== undefined) return [...known, { kind: 'lock-behind', jobs, failure }];
  const isLost = known.some(({ kind }) => kind === 'lock-lost');
  return jobs === 0 || isLost
    ? known
    : [...known, { kind: 'lock-behind', jobs, isUnwritten: true }];
}

export interface UnwrittenJobs {
  /** Their lock may have been removed. */
  readonly behind: number;
  /** Git has no lock of their language in any commit: the first run writes it. */
  readonly first: number;
  /** Why none can be written. */
  readonly failure?: Failure;
}

/** @param names for each job with its targets and without a lock, the name of that lock */
export async function sortUnwritten(
  { lock, base }: Pick<Config, 'lock' | 'base'>,
  names: readonly LockName[],
): Promise<UnwrittenJobs> {
  const none = { behind: names.length, first: 0 };
  if (lock === undefined || names.length === 0) return none;
  const failure = whyLockUnwritable({ lock }, names);
  if (failure !== undefined) return { ...none, failure };
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
    `git has no lock of ${files} in any commit: the first run takes what is there for up to date, and writes the lock`,
  ];
}
