/** Moves and removes files of a tree that is shared: only while the right to do so stands, and only what was looked at. */
import { renameSync, rmSync } from 'node:fs';
import type { Hash, Stat } from '../job.ts';
import { hashIfPresent, statAtOnce, statOf } from './disk.ts';
import { changeFile, type Right } from './right.ts';

/** The stat of a file at its old place, and at its new one. */
export interface MovedStat {
  readonly before: Stat;
  readonly after: Stat;
}

/**
 * Moves a file to a place where nothing stands; its folder must be there.
 * @returns undefined where there is nothing to move, or something stands at the new place: then nothing is moved
 */
export async function moveFile(
  right: Right,
  from: string,
  to: string,
): Promise<MovedStat | undefined> {
  return await changeFile(right, () => {
    const before = statAtOnce(from);
    if (before === undefined || statAtOnce(to) !== undefined) return undefined;
    renameSync(from, to);
    // Another process may have taken it away again.
    return { before, after: statAtOnce(to) ?? before };
  });
}

/** Removes a file that holds what is expected. @returns false where something else stands there, or nothing */
export async function removeFile(right: Right, path: string, expected: Hash): Promise<boolean> {
  const seen = await statOf(path);
  if (seen === undefined || (await hashIfPresent(path)) !== expected) return false;
  return await removeUnchanged(right, path, seen);
}

/** The same for a file of which the stat was taken. */
export async function removeUnchanged(right: Right, path: string, seen: Stat): Promise<boolean> {
  return await changeFile(right, () => {
    if (statAtOnce(path) !== seen) return false;
    rmSync(path);
    return true;
  });
}
