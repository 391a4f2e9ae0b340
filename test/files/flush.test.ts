import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { flushFolder } from '../../src/files/flush.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('who waits for the same folder waits for one flush, which begins after the last of them asked', async () => {
  const [folder, other] = [await temporaryFolder(), await temporaryFolder()];
  const first = flushFolder(folder);
  expect(flushFolder(folder)).toBe(first);
  expect(flushFolder(other)).not.toBe(first);
  await Promise.resolve();
  // It has begun: what was renamed since needs another one.
  const second = flushFolder(folder);
  expect(second).not.toBe(first);
  expect(flushFolder(folder)).toBe(second);
  await Promise.all([first, second]);
  expect(flushFolder(folder)).not.toBe(second);
});

test('a flush that fails is told to those who asked for it, and the next one is tried', async () => {
  const folder = join(await temporaryFolder(), 'later');
  await expect(flushFolder(folder)).rejects.toThrow('ENOENT');
  await mkdir(folder);
  await flushFolder(folder);
});
