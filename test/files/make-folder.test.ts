import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, makeFolderAtOnce, PRIVATE } from '../../src/files/make-folder.ts';
import { canMount, SmallDisk } from '../faults/small-disk.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('folders are made with those above them, and the first new one is returned', async () => {
  const folder = await temporaryFolder();
  expect(makeFolderAtOnce(join(folder, 'a', 'b'))).toBe(join(folder, 'a'));
  expect(makeFolderAtOnce(join(folder, 'a', 'b'))).toBe(undefined);
  expect(existsSync(join(folder, 'a', 'b'))).toBe(true);
});

test.runIf(canMount())('a read-only disk is called read-only, whatever is to be made', async () => {
  const folder = await temporaryFolder();
  const place = join(folder, 'disk');
  mkdirSync(place);
  using disk = new SmallDisk(place, 1024 * 1024);
  disk.become('read-only');
  const path = join(place, 'a', 'b');
  await expect(makeFolder(path, PRIVATE)).rejects.toMatchObject({ code: 'EROFS' });
  expect(() => makeFolderAtOnce(path)).toThrow(expect.objectContaining({ code: 'EROFS' }));
});
