import { spawnSync } from 'node:child_process';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { removeForeignTemps, removeStaleTemps, temporaryName } from '../../src/files/temporary.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('temporary files of ended processes go, those of this one and of living ones stay', async () => {
  const folder = await temporaryFolder();
  const ended = spawnSync('true').pid;
  const ours = temporaryName();
  const names = {
    ended: `.dragoman-${ended}-00000000-00000000.tmp`,
    samePid: `.dragoman-${process.pid}-00000000-00000000.tmp`,
    living: `.dragoman-${process.ppid}-00000000-00000000.tmp`,
    livingButOld: `.dragoman-${process.ppid}-00000000-00000001.tmp`,
    foreign: '.other.tmp',
  };
  for (const name of [ours, ...Object.values(names)]) await writeFile(join(folder, name), '');
  await utimes(join(folder, names.livingButOld), 1000, 1000);
  const removed = await removeStaleTemps(folder, systemClock);
  expect(new Set(removed)).toEqual(new Set([names.ended, names.samePid, names.livingButOld]));
  expect(new Set(await readdir(folder))).toEqual(new Set([ours, names.living, names.foreign]));
});

test('in a folder of ours alone, everything of other runs goes', async () => {
  const folder = await temporaryFolder();
  const ours = temporaryName();
  const living = `.dragoman-${process.ppid}-00000000-00000000.tmp`;
  for (const name of [ours, living, 'db.json']) await writeFile(join(folder, name), '');
  expect(await removeForeignTemps(folder)).toEqual([living]);
});
