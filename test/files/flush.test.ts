import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { flushFolder } from '../../src/files/flush.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('requests to flush the same folder share one flush, which begins after the last request', async () => {
  const [folder, other] = [await temporaryFolder(), await temporaryFolder()];
  const first = flushFolder(folder);
  expect(flushFolder(folder)).toBe(first);
  expect(flushFolder(other)).not.toBe(first);
  await Promise.resolve();
  // This flush has begun: files that were renamed since then need another one.
  const second = flushFolder(folder);
  expect(second).not.toBe(first);
  expect(flushFolder(folder)).toBe(second);
  await Promise.all([first, second]);
  expect(flushFolder(folder)).not.toBe(second);
});

test('a failed flush rejects its own requests, and the next flush is tried', async () => {
  const folder = join(await temporaryFolder(), 'later');
  await expect(flushFolder(folder)).rejects.toThrow('ENOENT');
  await mkdir(folder);
  await flushFolder(folder);
});
