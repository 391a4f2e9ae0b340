/** A folder of its own for a test, removed when the test ends. */
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** @returns its absolute path */
export async function temporaryFolder(): Promise<string> {
  return await folderIn(tmpdir());
}

/**
 * For tests that flush often and do not test the flush itself. It is in memory, if the system can keep files there, which is ten times as
 * fast.
 */
export async function temporaryFolderInMemory(): Promise<string> {
  const memory = '/dev/shm';
  return await access(memory).then(
    () => folderIn(memory),
    () => temporaryFolder(),
  );
}

async function folderIn(parent: string): Promise<string> {
  const folder = await mkdtemp(join(parent, 'dragoman-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
