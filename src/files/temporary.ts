/** Names of our temporary files, and the removal of those that a killed process left behind. */
import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { isAbsent, readFailure } from './disk.ts';

const TEMP = /^\.dragoman-(\d+)-([0-9a-f]{8})-[0-9a-f]{8}\.tmp$/;
// In a container every run has the same pid: this tells ours from those of the run before.
const THIS_RUN = randomBytes(4).toString('hex');
const STALE_AFTER_MS = 24 * 60 * 60 * 1000;

/** A name that is free, and that the watcher ignores because it begins with a dot. */
export function temporaryName(): string {
  return `.dragoman-${process.pid}-${THIS_RUN}-${randomBytes(4).toString('hex')}.tmp`;
}

/**
 * Removes temporary files whose process is gone.
 * @returns their names
 */
export async function removeStaleTemps(folder: string, clock: Clock): Promise<string[]> {
  return removeTemps(folder, async (name, pid) => {
    return !isAlive(pid) || (await age(join(folder, name), clock)) >= STALE_AFTER_MS;
  });
}

/** Removes the temporary files of all other runs: for a folder that this process has to itself. */
export async function removeForeignTemps(folder: string): Promise<string[]> {
  return removeTemps(folder, async () => true);
}

async function removeTemps(
  folder: string,
  isStale: (name: string, pid: number) => Promise<boolean>,
): Promise<string[]> {
  const removed: string[] = [];
  for (const name of await readdir(folder)) {
    const [, pid, run] = TEMP.exec(name) ?? [];
    if (run === undefined || run === THIS_RUN || !(await isStale(name, Number(pid)))) continue;
    await rm(join(folder, name), { force: true });
    removed.push(name);
  }
  return removed;
}

// A living process with that number need not be the one that wrote the file: age decides then.
async function age(path: string, clock: Clock): Promise<number> {
  try {
    return clock.now() - (await stat(path)).mtimeMs;
  } catch (error) {
    if (isAbsent(error)) return Number.POSITIVE_INFINITY;
    throw readFailure(path, error);
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
