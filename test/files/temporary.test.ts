import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import {
  isTemporary,
  removeForeignTemps,
  removeStaleTemporary,
  temporaryName,
} from '../../src/files/temporary.ts';
import { spawnSync } from '../in-time.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const HOUR_MS = 60 * 60 * 1000;

/** The name that a run of a process had; the host is the first half of the run's mark. */
function nameOf(pid: number, { host }: { host: 'this' | 'another' }): string {
  const mark = temporaryName().split('-')[2] ?? '';
  return `.dragoman-${pid}-${host === 'this' ? mark.slice(0, 4) : 'beef'}0000-00000000.tmp`;
}

async function removedAfter(hours: number, name: string): Promise<boolean> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, '');
  const clock: Pick<Clock, 'now'> = { now: () => Date.now() + hours * HOUR_MS };
  return await removeStaleTemporary(path, clock as Clock);
}

test('a temporary file of an ended process goes, and one of a former run with the same number', async () => {
  const ended = spawnSync('true').pid;
  expect(await removedAfter(0, nameOf(ended, { host: 'this' }))).toBe(true);
  expect(await removedAfter(0, nameOf(process.pid, { host: 'this' }))).toBe(true);
});

test('a temporary file of a living process stays for a day, and one of another host for an hour', async () => {
  const living = nameOf(process.ppid, { host: 'this' });
  expect(await removedAfter(23, living)).toBe(false);
  expect(await removedAfter(25, living)).toBe(true);
  const another = nameOf(spawnSync('true').pid, { host: 'another' });
  expect(await removedAfter(0.9, another)).toBe(false);
  expect(await removedAfter(1.1, another)).toBe(true);
});

test.each(['.other.tmp', '.dragoman-1.tmp', 'dragoman-1-00000000-00000000.tmp', '.dragoman.yaml'])(
  'a file named %s is not ours and stays',
  async (name) => {
    expect(isTemporary(name)).toBe(false);
    expect(await removedAfter(1000, name)).toBe(false);
  },
);

test('the temporary files of this run stay', async () => {
  expect(isTemporary(temporaryName())).toBe(true);
  expect(await removedAfter(1000, temporaryName())).toBe(false);
});

test('in a folder of ours alone, everything of other runs goes', async () => {
  const folder = await temporaryFolder();
  const ours = temporaryName();
  const living = nameOf(process.ppid, { host: 'this' });
  for (const name of [ours, living, 'db.json']) await writeFile(join(folder, name), '');
  await mkdir(join(folder, 'de'));
  expect(await removeForeignTemps(folder)).toEqual([living]);
  expect(new Set(await readdir(folder))).toEqual(new Set([ours, 'db.json', 'de']));
  expect(await removeForeignTemps(join(folder, 'not there'))).toEqual([]);
});
