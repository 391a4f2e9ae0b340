/** The answers of commands when something is missing, broken or waiting: they are true, and the exit code agrees. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PlanReport } from '../../src/control/plan-report.ts';
import { Rig } from '../rig.ts';

const config = (more = '') => `
${more}
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;

const json = (texts: Record<string, string>) => `${JSON.stringify(texts, null, 2)}\n`;
const STYLE = `name: german
language: de
configured_rules:
  punctuation: { apostrophe: use_straight_apostrophes }
`;
const FILES = { 'locales/en/app.json': json({ hello: 'Hello' }) };

test('plan says which jobs would fail and which would be held, and counts neither as billed', async () => {
  await using rig = await Rig.start({
    config: config('budget: { file: 10 }'),
    files: {
      ...FILES,
      'locales/en/broken.json': '{ "a": ',
      'locales/en/dear.json': json({ long: 'Far too dear for it' }),
    },
  });
  const plan = JSON.parse((await rig.run('plan', '--json')).stdout) as PlanReport;
  expect(plan.estimated_characters).toBe('Hello'.length);
  const of = (name: string) => plan.jobs.find(({ source }) => source.endsWith(name));
  expect(of('broken.json')).toMatchObject({ would_fail: expect.stringContaining('broken.json') });
  expect(of('broken.json')).not.toHaveProperty('would_hold');
  expect(of('dear.json')).toMatchObject({ would_hold: expect.stringContaining('file budget') });
  const told = (await rig.run('plan')).stdout;
  expect(told).toContain('broken.json -> de would fail: ');
  expect(told).toContain('5 characters to be billed, 19 more when what is held is released');
});

test('in every lane, plan names a target that cannot be written, and no run buys it', async () => {
  const talk = join(import.meta.dirname, '..', 'upgrade', 'sources', 'settled', 'talks');
  await using rig = await Rig.start({
    config: `${config()}      - { from: "docs/{locale}/*.txt" }
      - { from: "film/{locale}/*.srt" }
      - { from: "talks/*.wav", to: { transcript: "talks/{locale}/{name}.txt" } }
`,
    files: {
      ...FILES,
      'docs/en/a.txt': 'Hello\n',
      'film/en/a.srt': '1\n00:00:01,000 --> 00:00:02,000\nHello\n',
    },
  });
  rig.write('talks/a.wav', readFileSync(join(talk, 'welcome.wav')));
  for (const folder of ['locales', 'docs', 'film', 'talks']) {
    rig.write(`${folder}/de`, 'a file where a folder is to be\n');
  }
  const plan = await rig.run('plan', '--json');
  expect(plan.code).toBe(1);
  const { jobs, estimated_characters } = JSON.parse(plan.stdout) as PlanReport;
  expect(estimated_characters).toBe(0);
  expect(jobs.map(({ would_fail = '' }) => / cannot be written /.test(would_fail))).toEqual([
    ...[true, true, true, true],
  ]);
  const run = await rig.once();
  expect(run).toMatchObject({ code: 1, delivered: 0, billed_characters: 0 });
  expect(run.failed).toHaveLength(4);
  const { operations } = rig.sandbox.counters();
  const paid = Object.keys(operations).filter((name) => /translate|document|voice/.test(name));
  expect(paid).toEqual([]);
  rig.remove('locales/de');
  rig.write('locales/en/linked.json', json({ a: 'Linked' }));
  mkdirSync(rig.path('locales/de'));
  symlinkSync('nowhere', rig.path('locales/de/linked.json'));
  rig.remove('docs/de');
  mkdirSync(rig.path('docs/de/a.txt'), { recursive: true });
  const linked = JSON.parse((await rig.run('plan', '--json')).stdout) as PlanReport;
  expect(linked.estimated_characters).toBe('Hello'.length);
  const next = await rig.once();
  expect(next).toMatchObject({ code: 1, delivered: 1, billed_characters: 'Hello'.length });
  expect(next.failed).toHaveLength(4);
});

test('plan says what fails for a key that may use no style lists, and has no price for it', async () => {
  await using rig = await Rig.start({
    config: config()
      .replace('[de]', '[de, de-AT, fr]')
      .replace('routes:', 'style: { de: de.yaml }\n    routes:'),
    files: { ...FILES, 'de.yaml': STYLE },
  });
  const message = 'Access denied: this account may not use styles.';
  const operation = 'GET /v3/style_rules';
  rig.sandbox.faults.add([{ kind: 'status', status: 403, operation, message, times: 'always' }]);
  const planned = await rig.run('plan', '--json');
  const plan = JSON.parse(planned.stdout) as PlanReport;
  const failing = plan.jobs.filter((job) => job.would_fail).map(({ language }) => language);
  expect(failing).toEqual(['de', 'de-AT']);
  expect(plan.estimated_characters).toBe('Hello'.length);
  const run = await rig.once();
  expect(run.failed.map(({ language }) => language)).toEqual(failing);
  expect(run.billed_characters).toBe(plan.estimated_characters);
  expect([planned.code, run.code]).toEqual([1, 1]);
});

test('explain shows the project whose route has the file, also where another project has the same root or a root around it', async () => {
  await using rig = await Rig.start({
    config: `
projects:
  around: { source: en, targets: [de], routes: [{ from: "{locale}/*.json" }] }
  beside: { source: en, targets: [de], routes: [{ from: "pages/{locale}/*.md" }] }
  within: { root: part, source: en, targets: [de], routes: [{ from: "{locale}/*.json" }] }
`,
    files: { 'en/a.json': json({ a: 'A' }), 'pages/en/b.md': 'B\n', 'part/en/c.json': '{}' },
  });
  const told = async (file: string) =>
    JSON.parse((await rig.run('explain', file, '--json')).stdout) as object;
  expect(await told('en/a.json')).toMatchObject({ kind: 'source', project: 'around' });
  expect(await told('pages/en/b.md')).toMatchObject({ kind: 'source', project: 'beside' });
  expect(await told('part/en/c.json')).toMatchObject({ kind: 'source', project: 'within' });
  rig.write('part/en/d.exe', 'x');
  expect(await told('part/en/d.exe')).toMatchObject({ kind: 'skipped', project: 'within' });
});

test('explain of a missing file ends with 64; a deleted target is still explained', async () => {
  await using rig = await Rig.start({ config: config(), files: FILES });
  await rig.once();
  const missing = await rig.run('explain', 'locales/en/nowhere.json');
  expect(missing).toMatchObject({ code: 64 });
  expect(missing.stderr).toContain('locales/en/nowhere.json does not exist');
  const unknown = await rig.run('explain', 'locales/en/app.json', 'helo');
  expect(unknown).toMatchObject({ code: 64, stderr: expect.stringContaining('no key "helo"') });
  const told = await rig.run('explain', 'locales/en/app.json');
  expect(told.code).toBe(0);
  expect(told.stdout.match(/^project\b/gm)).toHaveLength(1);
  rig.remove('locales/de/app.json');
  expect((await rig.run('explain', 'locales/de/app.json')).code).toBe(0);
});

test('status, pause and resume reach a daemon whose config was broken meanwhile', async () => {
  await using rig = await Rig.start({ config: config(), files: FILES });
  const daemon = await rig.daemon();
  rig.write('dragoman.yaml', `${rig.read('dragoman.yaml')}\nnonsense: [`);
  const status = await rig.run('status', '--json');
  expect(status.code).toBe(0);
  expect(JSON.parse(status.stdout)).toMatchObject({ state: 'running' });
  expect(status.stderr).toContain('the daemon still uses the previous one');
  expect((await rig.run('pause')).code).toBe(0);
  expect((await rig.run('resume')).code).toBe(0);
  expect(await daemon.stop()).toBe(0);
  expect((await rig.run('status')).code).toBe(78);
});

test('after a refused key stopped a run, status does not say that nothing needs a person', async () => {
  await using rig = await Rig.start({
    config: config(),
    files: FILES,
    sandbox: { faults: [{ kind: 'status', status: 401, times: 'always' }] },
  });
  expect(await rig.once()).toMatchObject({ code: 77 });
  const { stdout } = await rig.run('status');
  expect(stdout).not.toContain('Nothing needs you');
  expect(stdout).toContain('1 job not done yet, and dragoman does not run: start "dragoman once"');
});

test('a count of one is written in the singular', async () => {
  await using rig = await Rig.start({
    config: config(),
    files: { 'locales/en/app.json': json({ a: 'A' }) },
  });
  expect((await rig.run('plan')).stdout).toContain(
    '1 job, 1 character to be billed; 0 targets are',
  );
  expect((await rig.run('once')).stdout).toContain('1 character billed in 1 request\n');
  expect((await rig.run('plan')).stdout).toContain('Nothing to do: 1 target is up to date.');
});
