/** What is at the place of a file of the lock. A folder, a pipe or a broken link there can neither be read nor written. */
import { lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { JobFailure } from '../failure.ts';
import { isAbsent } from '../files/disk.ts';
import { shellWords } from '../job.ts';

/**
 * A lock that is a file itself is not refused: it has no file of any language.
 * @param path of a file of the lock @throws JobFailure `damaged-state` for what is neither file nor folder, and for a folder in the file's place
 */
export function refuseStrangers(path: string): void {
  const folder = dirname(path);
  for (const each of [dirname(folder), folder, path]) {
    const kind = kindAtPlace(each);
    if (kind === undefined || kind === 'a file') continue;
    if (kind === 'a folder' && each !== path) continue;
    const message = `${kind} is in its place; "git checkout HEAD -- ${shellWords(each)}" brings the lock back; without git, delete it`;
    throw new JobFailure({ kind: 'damaged-state', file: each, message });
  }
}

/** In words; undefined: there is nothing, or the system does not tell it. */
function kindAtPlace(path: string): string | undefined {
  let isLink = false;
  try {
    isLink = lstatSync(path).isSymbolicLink();
    const stats = statSync(path);
    if (stats.isDirectory()) return 'a folder';
    return stats.isFile() ? 'a file' : 'a pipe, a socket or a device';
  } catch (error) {
    if (!isLink) return undefined;
    return isAbsent(error) ? 'a symbolic link to nowhere' : 'a symbolic link in a loop';
  }
}
