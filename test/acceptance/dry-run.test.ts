/** A dry run reports moves, removals and work that waits for a person, and touches nothing on the disk. */
import { renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { PlanReport } from '../../src/control/plan-report.ts';
import { Rig } from '../rig.ts';

const config = (policies = '') => `
defaults: { settle_ms: 0${policies} }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "l/{locale}/**/*.json" }]
`;

const json = (texts: Record<string, string>) => `${JSON.stringify(texts, null, 2)}\n`;

async function planOf(rig: Rig): Promise<PlanReport> {
  return JSON.parse((await rig.run('plan', '--json')).stdout) as PlanReport;
}

test('plan and --frozen report sources that moved or disappeared, and leave their targets where they are', async () => {
  await using rig = await Rig.start({
    config: config(', deleted_source: delete'),
    files: { 'l/en/a.json': json({ a: 'Alpha' }), 'l/en/b.json': json({ b: 'Beta' }) },
  });
  await rig.once();
  renameSync(rig.path('l/en/a.json'), rig.path('l/en/z.json'));
  rig.remove('l/en/b.json');

  const plan = await planOf(rig);
  expect(plan).toMatchObject({ unchanged: 0, estimated_characters: 0 });
  expect(plan.jobs.map(({ source, target, reason }) => ({ source, target, reason }))).toEqual([
    { source: 'l/en/z.json', target: 'l/de/z.json', reason: 'source moved' },
    { source: 'l/en/b.json', target: 'l/de/b.json', reason: 'source gone: delete' },
  ]);
  expect((await rig.run('once', '--frozen')).code).toBe(1);
  expect([rig.exists('l/de/a.json'), rig.exists('l/de/b.json')]).toEqual([true, true]);

  const followed = await rig.run('once');
  expect(followed.code).toBe(0);
  expect(followed.stderr).toContain('moved   l/en/a.json -> l/en/z.json');
  expect(followed.stderr).toContain('deleted l/de/b.json');
  expect([rig.exists('l/de/a.json'), rig.exists('l/de/b.json')]).toEqual([false, false]);
  expect(rig.exists('l/de/z.json')).toBe(true);
  expect((await rig.run('once', '--frozen')).code).toBe(0);
});

test('plan and once agree about a folder of sources that moved together with its route', async () => {
  await using rig = await Rig.start({
    config: config(),
    files: { 'l/en/a.json': json({ a: 'Alpha' }), 'l/en/b.json': json({ b: 'Beta' }) },
  });
  await rig.once();
  renameSync(rig.path('l'), rig.path('texts'));
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('l/{locale}', 'texts/{locale}'));

  const planned = await rig.run('plan', '--json');
  const plan = JSON.parse(planned.stdout) as PlanReport;
  expect(plan.jobs.map(({ source, reason }) => ({ source, reason }))).toEqual([
    { source: 'texts/en/a.json', reason: 'source moved' },
    { source: 'texts/en/b.json', reason: 'source moved' },
  ]);
  expect(plan).toMatchObject({ attention: [], skipped: [], notes: [], estimated_characters: 0 });
  expect(planned.code).toBe(0);
  expect((await rig.run('once')).code).toBe(0);
  expect(rig.read('texts/de/a.json')).not.toBe(rig.read('texts/en/a.json'));
});

test('a text that was bought before is listed apart from one that must be bought', async () => {
  await using rig = await Rig.start({
    config: config(),
    files: { 'l/en/a.json': json({ a: 'Alpha', b: 'Beta' }) },
  });
  await rig.once();
  rig.remove('l/de/a.json');
  rig.write('l/en/a.json', json({ a: 'Alpha', b: 'Beta', c: 'Gamma' }));
  const plan = await planOf(rig);
  expect(plan.languages).toMatchObject([{ bought: 1, from_memory: 2, estimated_characters: 5 }]);
  expect((await rig.run('plan')).stdout).toContain('buys 1, 2 from memory');
});

test('--frozen does not pass while something is held', async () => {
  await using rig = await Rig.start({
    config: config(),
    files: { 'l/en/a.json': json({ a: 'Alpha' }) },
  });
  await rig.once();
  rig.write('l/de/a.json', json({ a: 'Von Hand' }));
  rig.write('l/en/a.json', json({ a: 'Alpha changed' }));
  expect(await rig.once()).toMatchObject({ code: 2 });

  const frozen = await rig.run('once', '--frozen');
  expect(frozen.code).toBe(2);
  expect(frozen.stdout).toContain('l/en/a.json -> de');
});

test('an unknown project, language or path is refused: a run for nothing would say that all is done', async () => {
  await using rig = await Rig.start({
    config: config(),
    files: { 'l/en/a.json': json({ a: 'Alpha' }) },
  });
  const misspelt = await rig.run('once', '--project', 'apq');
  expect(misspelt).toMatchObject({ code: 64 });
  expect(misspelt.stderr).toContain('did you mean "app"?');
  expect((await rig.run('once', '--language', 'it')).code).toBe(64);
  expect((await rig.run('once', 'l/en/b.json')).code).toBe(64);
  expect((await rig.run('once', '--frozen', 'nowhere')).code).toBe(64);
  expect((await rig.run('once', 'l/de', '--language', 'DE')).code).toBe(0);
  expect(rig.exists('l/de/a.json')).toBe(true);
});

test('--frozen passes in a fresh checkout that holds all translations, and finds what is missing there', async () => {
  const routes = `
      - { from: "l/{locale}/**/*.json" }
      - { from: "subs/{locale}/*.srt" }
      - { from: "pages/{locale}/*.txt", lane: document }`;
  await using rig = await Rig.start({
    config: `
projects:
  app:
    source: en
    targets: [de]
    routes:${routes}`,
    files: {
      'l/en/a.json': json({ a: 'Alpha', b: 'Beta' }),
      'subs/en/s.srt': '1\n00:00:01,000 --> 00:00:03,000\nHello my friend.\n',
      'pages/en/p.txt': 'A page of words.\n',
    },
    sandbox: { timeScale: 20 },
  });
  await rig.once();
  const requests = rig.sandbox.log().length;
  rig.remove('.dragoman');
  const fresh = await rig.run('once', '--frozen');
  expect(fresh.stdout).toBe('Nothing to do.\n');
  expect(fresh.code).toBe(0);

  rig.write('l/de/a.json', json({ a: 'Alpha' }));
  rig.remove('subs/de/s.srt');
  const open = await rig.run('once', '--frozen');
  expect(open.code).toBe(1);
  expect(open.stdout).toContain('l/en/a.json -> de: new');
  expect(open.stdout).toContain('subs/en/s.srt -> de: new');
  expect(open.stdout).not.toContain('pages');
  expect(rig.sandbox.log().length).toBe(requests);
});

test('plan reports sources that disappeared together since the last run', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 26 }, (_, n) => [`l/en/${n}.json`, json({ text: `Text ${n}` })]),
  );
  await using rig = await Rig.start({ config: config(), files });
  await rig.once();
  for (let n = 0; n < 25; n++) rig.remove(`l/en/${n}.json`);
  const { skipped } = await planOf(rig);
  expect(skipped.map(({ reason }) => reason)).toEqual(['25 of 26 files vanished at once']);
});
