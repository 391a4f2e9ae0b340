/** Translations that are in place while there is no lock of their language: it was removed, or no run has written it yet. */
import type { Config } from '../config.ts';
import { wasCommitted } from '../files/git-history.ts';
import { findWorkTree } from '../files/work-tree.ts';
import { plural } from '../language.ts';
import { LockFiles, type LockName } from '../state/lock-file.ts';
import type { Blocker } from './blockers.ts';

/**
 * Adds that the lock was not written. Nothing is added where the last commit of the lock is used, or where its lines are known to be missing.
 * @param jobs how many have their targets, and no lock of their language
 */
export function withUnwritten(known: readonly Blocker[], jobs: number): readonly Blocker[] {
  const isSaid = known.some(({ kind }) => kind === 'lock-lost' || kind === 'lock-behind');
  return jobs === 0 || isSaid
    ? known
    : [...known, { kind: 'lock-behind', jobs, isUnwritten: true }];
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
    `git has no lock of ${files} in any commit: the first run takes what is there for up to date, and writes the lock`,
  ];
}
