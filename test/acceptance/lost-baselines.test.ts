/** Baselines that are lost or cut off: texts that may be stale are said, and none is taken for up to date without a word. */
import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}/*.json" }]
`;
const NAMES = ['f1', 'f2', 'f3', 'f4'];
const LOG = '.dragoman/base/log.1';

const source = (word: string) => `${JSON.stringify({ hello: word, stays: 'Good morning' })}\n`;
const sources = (word: string) =>
  Object.fromEntries(NAMES.map((name) => [`locales/en/${name}.json`, source(word)]));

async function translated(): Promise<Rig> {
  const rig = await Rig.start({ config: CONFIG, files: sources('World') });
  expect((await rig.run('once')).code).toBe(0);
  return rig;
}

function edit(rig: Rig): void {
  for (const [path, content] of Object.entries(sources('Earth'))) rig.write(path, content);
}

async function heldSources(rig: Rig): Promise<Set<string>> {
  const { stdout } = await rig.run('status', '--json');
  const { attention } = JSON.parse(stdout) as {
    attention: { code: string; source: string; reason: string }[];
  };
  expect(attention.every(({ reason }) => reason.includes('may be stale'))).toBe(true);
  return new Set(attention.map(({ source: path }) => path));
}

test('without the log of baselines, each text that may be stale waits for a person', async () => {
  await using rig = await translated();
  const before = NAMES.map((name) => rig.read(`locales/de/${name}.json`));
  rmSync(rig.path(LOG));
  edit(rig);
  const paid = billed(rig);
  const check = await rig.run('check');
  expect(check.code).toBe(1);
  for (const name of NAMES) {
    expect.soft(check.stdout).toContain(`en/${name}.json:1:1 may be stale in de`);
  }
  const plan = await rig.run('plan');
  expect(`${plan.stdout}${plan.stderr}`).toContain('may be stale');
  expect((await rig.run('once', '--frozen')).code).toBe(1);
  const once = await rig.run('once');
  expect(once.code).toBe(2);
  expect(`${once.stdout}${once.stderr}`).toContain('may be stale');
  expect(billed(rig)).toBe(paid);
  expect(NAMES.map((name) => rig.read(`locales/de/${name}.json`))).toEqual(before);
  expect(await heldSources(rig)).toEqual(new Set(Object.keys(sources(''))));
  for (const command of ['once', 'once --frozen', 'check']) {
    const { code } = await rig.run(...command.split(' '));
    expect.soft({ command, code }).not.toEqual({ command, code: 0 });
  }

  expect((await rig.run('resolve', 'locales/de/f1.json', '--machine')).code).toBe(0);
  await rig.run('once');
  expect(await heldSources(rig)).toHaveProperty('size', NAMES.length - 1);
  expect(JSON.parse(rig.read('locales/de/f1.json')).stays).toBe(JSON.parse(before[0] ?? '').stays);
  expect(rig.read('locales/de/f1.json')).not.toBe(before[0]);
});

test('where the log of baselines is cut off, each file is translated anew or waits', async () => {
  await using rig = await translated();
  const before = new Map(NAMES.map((name) => [name, rig.read(`locales/de/${name}.json`)]));
  const log = rig.read(LOG);
  writeFileSync(rig.path(LOG), log.slice(0, log.length / 2));
  edit(rig);
  await rig.run('once');
  const held = await heldSources(rig);
  const stale = NAMES.filter((name) => rig.read(`locales/de/${name}.json`) === before.get(name));
  expect(held).toEqual(new Set(stale.map((name) => `locales/en/${name}.json`)));
  expect(held.size).toBeGreaterThan(0);
});

test('where the source did not change, nothing is asked: the translation belongs to it', async () => {
  await using rig = await translated();
  rmSync(rig.path(LOG));
  rig.write('locales/en/f5.json', source('World'));
  expect((await rig.run('once')).code).toBe(0);
  expect(await heldSources(rig)).toEqual(new Set());
});
