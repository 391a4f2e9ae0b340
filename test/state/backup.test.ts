import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Backups } from '../../src/state/backup.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { jobRecord } from '../contracts/ledger.ts';
import { manualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const DAY_MS = 86_400_000;

async function state() {
  const folder = await temporaryFolder();
  const clock = manualClock();
  return { folder, clock, backups: new Backups(folder, clock) };
}

test('the ledger is copied once a day, and copies older than they are kept go', async () => {
  const { folder, clock, backups } = await state();
  await using ledger = await openLedger({ folder, clock });
  const keep = () => backups.keep(() => ledger.checkpoint(), 2 * DAY_MS);
  expect(await keep()).toBe(true);
  expect(await keep()).toBe(false);
  for (let day = 0; day < 4; day++) {
    await clock.pass(DAY_MS);
    expect(await keep()).toBe(true);
  }
  expect(await backups.days()).toEqual(['2026-10-21', '2026-10-22', '2026-10-23']);
});

test('a copy that is brought back holds what the ledger held, and says that later facts are lost', async () => {
  const { folder, clock, backups } = await state();
  {
    await using ledger = await openLedger({ folder, clock });
    await ledger.commit([{ table: 'jobs', add: jobRecord('early') }]);
    await backups.keep(() => ledger.checkpoint(), DAY_MS);
    await ledger.commit([{ table: 'jobs', add: jobRecord('late') }]);
  }
  await backups.restore('2026-10-19');
  await using ledger = await openLedger({ folder, clock });
  expect([...ledger.all('jobs')]).toEqual([jobRecord('early')]);
  expect(ledger.condition).toBe('facts-lost');
});

test('a copy that cannot be read leaves the ledger as it is', async () => {
  const { folder, clock, backups } = await state();
  {
    await using ledger = await openLedger({ folder, clock });
    await ledger.commit([{ table: 'jobs', add: jobRecord('early') }]);
    await backups.keep(() => ledger.checkpoint(), DAY_MS);
  }
  const copy = join(folder, 'backup', '2026-10-19.json.gz');
  const bytes = await readFile(copy);
  const before = await readdir(folder);
  for (const spoil of [() => truncate(copy, bytes.length - 20), () => writeFile(copy, 'no gzip')]) {
    await spoil();
    await expect(backups.restore('2026-10-19')).rejects.toMatchObject({
      failure: { kind: 'damaged-state', file: copy },
    });
  }
  await rm(copy);
  await expect(backups.restore('2026-10-19')).rejects.toMatchObject({
    failure: { kind: 'unreadable', file: copy, code: 'ENOENT' },
  });
  expect(await readdir(folder)).toEqual(before);
  await using ledger = await openLedger({ folder, clock });
  expect(ledger.condition).toBe('intact');
  expect(ledger.size('jobs')).toBe(1);
});
