/**
 * Temporary files of tests are in memory, where the system has room for them. On a disk they took an eighth of the processor time,
 * and each flush let the processors wait. What tests leave behind is removed with the folder.
 */
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFileSync } from './in-time.ts';

const MEMORY = '/dev/shm';
/** `f_type` of such a file system on Linux. */
const TMPFS = 0x01021994;
/** All tests together fill less than half of it. Containers have 64 MB by default. */
const NEEDED = 4 * 2 ** 30;
/** Kept short: the path of a socket has at most 107 bytes. */
const PREFIX = 'dt-';

export function setup(): () => void {
  const before = process.env['TMPDIR'];
  // Each project of vitest names this file.
  if (before?.startsWith(join(MEMORY, PREFIX)) || !hasRoom()) return () => {};
  const folder = mkdtempSync(join(MEMORY, PREFIX));
  // Tests start programs as other users.
  chmodSync(folder, 0o1777);
  const remove = () => removeFolder(folder);
  if (!runsPrograms(folder)) {
    remove();
    return () => {};
  }
  // Inherited by the workers, and by the processes of the tests.
  process.env['TMPDIR'] = folder;
  return remove;
}

/** Removes a folder with all in it. A program that ends right now may make a file in it meanwhile. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
}

function hasRoom(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY);
    return type === TMPFS && bavail * bsize >= NEEDED;
  } catch {
    return false;
  }
}

/** Such a file system may be mounted without that right. Tests write scripts and run them. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  try {
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(program);
    rmSync(program);
    return true;
  } catch {
    return false;
  }
}
