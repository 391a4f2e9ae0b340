/** Damaged, locked and lost state: nothing is bought again. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
log: { level: debug }
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;

async function translated(): Promise<Rig> {
  const rig = await Rig.start({
    config: CONFIG,
    files: { 'locales/en/app.json': '{"hello":"Hello","bye":"Goodbye"}\n' },
  });
  await rig.once();
  return rig;
}

const stateFiles = (rig: Rig, pattern: RegExp) =>
  readdirSync(rig.path('.dragoman')).filter((name) => pattern.test(name));

test('a damaged snapshot is repaired from the one before, and kept aside', async () => {
  await using rig = await translated();
  const before = billed(rig);
  rig.write('.dragoman/db.json', 'rotten');
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 0, billed_characters: 0 });
  expect(billed(rig)).toBe(before);
  expect(stateFiles(rig, /corrupt|damaged/)).toHaveLength(1);
});

test('a ledger without any usable record is built again from sources and targets, and nothing is bought', async () => {
  await using rig = await translated();
  const before = billed(rig);
  for (const name of stateFiles(rig, /^(db|journal)/)) {
    const file = join(rig.path('.dragoman'), name);
    writeFileSync(file, readFileSync(file).fill(0x2a));
  }
  const run = await rig.once();
  expect(run).toMatchObject({ code: 0, billed_characters: 0, held: [], failed: [] });
  expect(billed(rig)).toBe(before);
});

test('a second run while a daemon works ends with exit code 75, and status asks the daemon', async () => {
  await using rig = await translated();
  const daemon = await rig.daemon();
  expect((await rig.run('once')).code).toBe(75);
  const { code, stdout } = await rig.run('status', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'running', jobs: { done: 1 } });
  expect(await daemon.stop()).toBe(0);
});

test('a paused daemon buys nothing until it is resumed', async () => {
  await using rig = await translated();
  const daemon = await rig.daemon();
  expect((await rig.run('pause')).code).toBe(0);
  const before = billed(rig);
  rig.write('locales/en/more.json', '{"more":"More words"}\n');
  await daemon.logged(
    ({ kind, msg }) => kind === 'job-queued' && msg?.includes('more.json') === true,
  );
  expect(billed(rig)).toBe(before);
  const { stdout } = await rig.run('status');
  expect(stdout).toContain('Nothing is bought until "dragoman resume".');
  expect(stdout).not.toContain('Nothing needs you');
  expect((await rig.run('resume')).code).toBe(0);
  await daemon.logged(({ msg }) => msg?.includes('wrote locales/de/more.json') === true);
  expect(await daemon.stop()).toBe(0);
});

test('the ledger of an earlier day is brought back with restore, and nothing is bought for it', async () => {
  await using rig = await translated();
  const before = billed(rig);
  for (const name of stateFiles(rig, /^(db|journal)/)) rig.remove(join('.dragoman', name));
  expect(await rig.run('restore', '--ledger')).toMatchObject({ code: 2 });
  const restored = await rig.run('restore', '--ledger', '--yes', '--json');
  expect(restored.code).toBe(0);
  const { ledgers } = JSON.parse((await rig.run('restore', '--list', '--json')).stdout) as {
    ledgers: string[];
  };
  expect(JSON.parse(restored.stdout)).toEqual({ restored: ledgers[0] });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 0, billed_characters: 0 });
  expect(billed(rig)).toBe(before);
});

test('a ledger of a day that was not kept is refused with the days that were', async () => {
  await using rig = await translated();
  const { code, stderr } = await rig.run('restore', '--ledger', '2020-01-01', '--yes');
  expect(code).toBe(1);
  expect(stderr).toMatch(/no copy of the ledger of 2020-01-01: there are: \d{4}-\d\d-\d\d/);
});
