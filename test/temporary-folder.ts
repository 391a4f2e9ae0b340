/** A folder of its own for a test, removed when the test ends. At once: through other threads, that takes five times as long. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { removeFolder } from './temporary-files-in-memory.ts';

/** @returns its absolute path */
export async function temporaryFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-test-'));
  onTestFinished(() => removeFolder(folder));
  return folder;
}
