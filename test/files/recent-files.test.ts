import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RecentFiles } from '../../src/files/recent-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const LIMIT = 1024 * 1024;
/** For it, each file changed long ago. */
const LATER = { now: () => Number.MAX_SAFE_INTEGER };

async function newFile(content = 'one') {
  const path = join(await temporaryFolder(), 'a.txt');
  await writeFile(path, content);
  return path;
}

test('a file that has its stat is not read again', async () => {
  const path = await newFile();
  const files = new RecentFiles(LATER);
  const first = await files.read(path, LIMIT);
  expect(first?.bytes.toString()).toBe('one');
  expect(await files.read(path, LIMIT)).toBe(first);
});

test('a changed file is read again, and a removed one is no longer there', async () => {
  const path = await newFile();
  const files = new RecentFiles(LATER);
  await files.read(path, LIMIT);
  await appendFile(path, ' and two');
  expect((await files.read(path, LIMIT))?.bytes.toString()).toBe('one and two');
  await rm(path);
  expect(await files.read(path, LIMIT)).toBeUndefined();
  await mkdir(path);
  await expect(files.read(path, LIMIT)).rejects.toMatchObject({ failure: { kind: 'unreadable' } });
});

test('a file that changed a moment ago is read each time: its next change may leave the same stat', async () => {
  const path = await newFile();
  const files = new RecentFiles({ now: () => 0 });
  const first = await files.read(path, LIMIT);
  const second = await files.read(path, LIMIT);
  expect(second).toEqual(first);
  expect(second).not.toBe(first);
});

test('only some files are kept, and a large one is not', async () => {
  const folder = await temporaryFolder();
  const files = new RecentFiles(LATER);
  const paths = Array.from({ length: 40 }, (_, n) => join(folder, `${n}.txt`));
  for (const path of paths) await writeFile(path, 'x'.repeat(60_000));
  const [oldest = '', newest = ''] = [paths[0], paths.at(-1)];
  const first = await files.read(oldest, LIMIT);
  for (const path of paths.slice(1, -1)) await files.read(path, LIMIT);
  const last = await files.read(newest, LIMIT);
  expect(await files.read(newest, LIMIT)).toBe(last);
  expect(await files.read(oldest, LIMIT)).not.toBe(first);
  await writeFile(oldest, 'x'.repeat(70_000));
  const large = await files.read(oldest, LIMIT);
  expect(large?.bytes).toHaveLength(70_000);
  expect(await files.read(oldest, LIMIT)).not.toBe(large);
  await expect(files.read(oldest, 69_000)).rejects.toMatchObject({
    failure: { kind: 'unsupported' },
  });
});
