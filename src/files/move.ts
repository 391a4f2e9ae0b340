/**
 * Moves and removes files of a shared tree. This process must have the right, and the file must not have changed since this process read
 * its stat.
 */
import { renameSync, unlinkSync } from 'node:fs';
import type { Hash, Stat } from '../job.ts';
import { hashIfPresent, statAtOnce, statOf } from './disk.ts';
import { changeFile, type Right } from './right.ts';

/** The stat of a file at its old path and at its new one. */
export interface MovedStat {
  readonly before: Stat;
  readonly after: Stat;
}

/**
 * Moves a file to a free path; the folder of that path must exist.
 * @returns undefined, and moves nothing, when there is no file or the new path is taken
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
    // Another process may have removed it already.
    return { before, after: statAtOnce(to) ?? before };
  });
}

/** Removes a file with the expected content. @returns false when there is no file, or it has other content */
export async function removeFile(right: Right, path: string, expected: Hash): Promise<boolean> {
  const seen = await statOf(path);
  if (seen === undefined || (await hashIfPresent(path)) !== expected) return false;
  return await removeUnchanged(right, path, seen);
}

/** Removes a file whose stat is still `seen`. @returns false when it is another one */
export async function removeUnchanged(right: Right, path: string, seen: Stat): Promise<boolean> {
  return await changeFile(right, () => {
    if (statAtOnce(path) !== seen) return false;
    unlinkSync(path);
    return true;
  });
}
