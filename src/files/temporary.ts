/** Names of dragoman's temporary files, and the removal of those that a killed process left. */
import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Clock, DAY_MS } from '../clock.ts';
import { isAbsent, namesIn } from './disk.ts';

const TEMP = /^\.dragoman-(\d+)-([0-9a-f]{8})-[0-9a-f]{8}\.tmp$/;
// In a container, every run may have the same pid. This distinguishes the files of this run from those of an earlier run or of another
// container.
const THIS_HOST = createHash('sha256').update(hostAndPids()).digest('hex').slice(0, 4);
const THIS_RUN = THIS_HOST + randomBytes(2).toString('hex');
/**
 * A running process with the pid of the writer may be another program: the file is removed when it is unchanged for so many
 * milliseconds.
 */
const SAME_PID_MS = DAY_MS;
/**
 * The processes of another host are unknown. Its files are renamed within seconds, and change while they are written: so this
 * is long enough.
 */
const OTHER_HOST_MS = 60 * 60 * 1000;

/** A new name. The watch ignores it, because it begins with a dot. */
export function temporaryName(): string {
  return `.dragoman-${process.pid}-${THIS_RUN}-${randomBytes(4).toString('hex')}.tmp`;
}

/** Whether a file has the name of a temporary file of dragoman; no other program uses such names. */
export function isTemporary(name: string): boolean {
  return name.startsWith('.dragoman-') && TEMP.test(name);
}

/**
 * Removes a temporary file whose process has ended. A file that is in use stays, and so does one that this process may not remove.
 * @param path absolute
 * @returns whether it is gone now
 */
export async function removeStaleTemporary(path: string, clock: Clock): Promise<boolean> {
  try {
    const [, pid, run = ''] = TEMP.exec(path.slice(path.lastIndexOf('/') + 1)) ?? [];
    if (pid === undefined) return false;
    const { mtimeMs, ctimeMs } = await lstat(path);
    if (run === THIS_RUN) return false;
    const age = clock.now() - Math.max(mtimeMs, ctimeMs);
    if (age < patienceWith(Number(pid), run)) return false;
    await rm(path);
    return true;
  } catch (error) {
    return isAbsent(error);
  }
}

/** Milliseconds that a file must be unchanged before it is removed. */
function patienceWith(pid: number, run: string): number {
  if (!run.startsWith(THIS_HOST)) return OTHER_HOST_MS;
  return isAlive(pid) ? SAME_PID_MS : Number.NEGATIVE_INFINITY;
}

/** Removes the temporary files of all other runs, in a folder that only this process uses. @returns their names */
export async function removeForeignTemps(folder: string): Promise<string[]> {
  const removed: string[] = [];
  for (const name of await namesIn(folder)) {
    const run = TEMP.exec(name)?.[2];
    if (run === undefined || run === THIS_RUN) continue;
    await rm(join(folder, name), { force: true });
    removed.push(name);
  }
  return removed;
}

/** Names the host and its space of pids: a pid means something only there. */
function hostAndPids(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
