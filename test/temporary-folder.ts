/** A folder of its own for a test, removed when the test ends. At once: through other threads, that takes five times as long. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** @returns its absolute path */
export async function temporaryFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-test-'));
  // A program that works in the folder may make a file meanwhile.
  const patience = { maxRetries: 10, retryDelay: 20 };
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, ...patience }));
  return folder;
}
