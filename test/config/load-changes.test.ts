import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { ConfigOnDisk } from '../../src/config/load-changes.ts';
import { manualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const TEXT = `version: 1
service: { url: "http://127.0.0.1:1" }
projects: { app: { source: en, targets: [de], routes: [{ from: "{locale}/*.json" }] } }
`;

test('a config file differs when its text is not the one that was read: also by a comment, and when it is gone', async () => {
  const file = join(await temporaryFolder(), 'dragoman.yaml');
  const write = (text: string) => writeFile(file, text);
  await write(TEXT);
  const loaded = await loadConfig(file, { env: {} });
  if (loaded.faults !== undefined) throw new Error('refused');
  const inForce = { config: loaded.config, text: loaded.text };
  const onDisk = new ConfigOnDisk({ inForce, clock: manualClock() });
  const differs = async () => {
    await onDisk.check();
    return onDisk.differs;
  };
  expect(await differs()).toBe(false);
  await write(`${TEXT}# a comment\n`);
  expect(await differs()).toBe(true);
  inForce.text = `${TEXT}# a comment\n`;
  expect(await differs()).toBe(false);
  await rm(file);
  expect(await differs()).toBe(true);
  await mkdir(file);
  expect(await differs()).toBe(true);
});
