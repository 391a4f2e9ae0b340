/** A folder of its own for a test, removed when the test ends. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** @returns its absolute path */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
