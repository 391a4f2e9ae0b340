/** Names of our temporary files, and the removal of those that a killed process left behind. */
import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Clock, DAY_MS } from '../clock.ts';
import { isAbsent } from './disk.ts';

const TEMP = /^\.dragoman-(\d+)-([0-9a-f]{8})-[0-9a-f]{8}\.tmp$/;
// In a container every run has the same pid: this tells ours from those of the run before, and of another container.
const THIS_HOST = createHash('sha256').update(hostAndPids()).digest('hex').slice(0, 4);
const THIS_RUN = THIS_HOST + randomBytes(2).toString('hex');
/** A living process with the number of the one that wrote the file need not be that one: age decides then. */
const SAME_PID_MS = DAY_MS;
/** Of another host nothing is known but that its files are put in place within seconds, and change while they are written. */
const OTHER_HOST_MS = 60 * 60 * 1000;

/** A name that is free, and that the watcher ignores because it begins with a dot. */
export function temporaryName(): string {
  return `.dragoman-${process.pid}-${THIS_RUN}-${randomBytes(4).toString('hex')}.tmp`;
}

/** Whether a file is named as our temporary files are; nobody else names theirs so. */
export function isTemporary(name: string): boolean {
  return name.startsWith('.dragoman-') && TEMP.test(name);
}

/**
 * Removes a temporary file whose process is gone. One that is in use stays, and so does one that may not be removed.
 * @param path absolute
 * @returns whether it was removed
 */
export async function removeStaleTemporary(path: string, clock: Clock): Promise<boolean> {
  try {
    const [, pid, run = ''] = TEMP.exec(path.slice(path.lastIndexOf('/') + 1)) ?? [];
    if (pid === undefined || run === THIS_RUN) return false;
    const { mtimeMs, ctimeMs } = await lstat(path);
    const age = clock.now() - Math.max(mtimeMs, ctimeMs);
    if (age < patienceWith(Number(pid), run)) return false;
    await rm(path);
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds that a file must have stood unchanged. */
function patienceWith(pid: number, run: string): number {
  if (!run.startsWith(THIS_HOST)) return OTHER_HOST_MS;
  return isAlive(pid) ? SAME_PID_MS : Number.NEGATIVE_INFINITY;
}

/** Removes the temporary files of all other runs: for a folder that this process has to itself, if it is there. */
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

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/** Where a process number means something: the same name of a host and the same space of process numbers. */
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
