/** A target that needs no writing, and a person who writes it at that moment. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashBytes, statOf } from '../../src/files/disk.ts';
import { publish, publishFile } from '../../src/files/publish.ts';
import type { LaneRun } from '../../src/lane.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const OURS = 'what the job read';
const hash = hashBytes(OURS);

async function start() {
  const root = await temporaryFolder();
  const file = join(root, 'a.json');
  await writeFile(file, OURS);
  const save = () => writeFile(file, 'what a person saved');
  const place = { root, path: 'a.json', expectedOld: hash };
  return { file, save, place };
}

const stepping = (step: () => Promise<void>) => ({ step }) as Partial<LaneRun> as LaneRun;
const still = stepping(async () => {});

test('for a target that already has the bytes, its stat is returned', async () => {
  const { file, place } = await start();
  const written = { path: 'a.json', hash, stat: await statOf(file) };
  const bytes = Buffer.from(OURS);
  expect(await publish(still, { ...place, bytes, hash })).toEqual(written);
  expect(await publish(still, { ...place, bytes, hash, statOfOld: written.stat })).toEqual(written);
  expect(await publishFile(still, { ...place, content: OURS })).toEqual(written);
});

test('a file that a person saved in the meantime never counts as the file that was read', async () => {
  const { file, save, place } = await start();
  const bytes = Buffer.from(OURS);
  const changed = /changed while/;
  const statOfOld = await statOf(file);
  for (const known of [{}, { statOfOld }]) {
    const unchanged = { ...place, ...known, bytes, hash };
    await expect(publish(still, { ...unchanged, prepare: save })).rejects.toThrow(changed);
    await writeFile(file, OURS);
  }
  const saving = stepping(save);
  await expect(publishFile(saving, { ...place, content: OURS })).rejects.toThrow(changed);
  expect(await readFile(file, 'utf8')).toBe('what a person saved');
});
