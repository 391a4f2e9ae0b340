/** Bad input: one clear line each, only what it concerns is held, nothing is lost. */
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { expect, test } from 'vitest';
import { billed, requests } from '../counts.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;

const GOOD = { 'locales/en/good.json': '{"hello":"Hello"}\n' };

async function rigWith(files: Record<string, string | Uint8Array>): Promise<Rig> {
  return await Rig.start({ config: CONFIG, files: { ...GOOD, ...files } });
}

interface PlanJson {
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

async function skippedBy(rig: Rig): Promise<PlanJson['skipped']> {
  const { stdout } = await rig.run('plan', '--json');
  return (JSON.parse(stdout) as PlanJson).skipped;
}

test('a file that is no JSON fails with its line and column, and the others are translated', async () => {
  await using rig = await rigWith({ 'locales/en/bad.json': '{\n  "a": "b",\n  "c": oops\n}\n' });
  const run = await rig.once();
  expect(run).toMatchObject({ code: 1, delivered: 1, failed: [{ source: 'locales/en/bad.json' }] });
  expect(run.failed[0]?.reason).toMatch(/bad\.json:3:8/);
  expect(rig.exists('locales/de/bad.json')).toBe(false);
});

test('a file that is not UTF-8 fails with its name, and the others are translated', async () => {
  await using rig = await rigWith({ 'locales/en/bad.json': new Uint8Array([0x22, 0xe9, 0x22]) });
  const run = await rig.once();
  expect(run).toMatchObject({ code: 1, delivered: 1, failed: [{ source: 'locales/en/bad.json' }] });
  expect(run.failed[0]?.reason).toMatch(/bad\.json.*UTF-8/);
});

test('an empty file waits for its content, and the others are translated', async () => {
  await using rig = await rigWith({ 'locales/en/empty.json': '' });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, failed: [] });
});

test('a file of 200 MB is refused before it is read', async () => {
  await using rig = await rigWith({ 'locales/en/huge.json': '{}' });
  truncateSync(rig.path('locales/en/huge.json'), 200 * 1024 * 1024);
  const run = await rig.once();
  expect(run).toMatchObject({
    code: 1,
    delivered: 1,
    failed: [{ source: 'locales/en/huge.json' }],
  });
  expect(run.failed[0]?.reason).toContain('more than the limit of the text lane');
});

test('a folder named like a file, links out of the root and link loops are skipped, each with its reason', async () => {
  await using rig = await rigWith({ 'outside.json': '{"secret":"Secret"}' });
  mkdirSync(rig.path('locales/en/folder.json'));
  symlinkSync(rig.path('outside.json'), rig.path('locales/en/link.json'));
  symlinkSync(rig.path('locales/en'), rig.path('locales/en/loop'));
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(billed(rig)).toBe('Hello'.length);
  const reasons = Object.fromEntries(
    (await skippedBy(rig)).map(({ path, reason }) => [path.slice(rig.root.length + 1), reason]),
  );
  expect(reasons['locales/en/link.json']).toContain('link');
});

test('names with a newline and with decomposed accents are translated like any other', async () => {
  await using rig = await rigWith({
    'locales/en/two\nlines.json': '{"a":"First"}',
    'locales/en/cafe\u0301.json': '{"a":"Second"}',
  });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 3 });
  expect(rig.exists('locales/de/two\nlines.json')).toBe(true);
  expect(rig.exists('locales/de/caf\u00e9.json')).toBe(true);
});

test('a file that two routes match is not translated, and the run ends with 1, naming both', async () => {
  await using rig = await Rig.start({
    config: `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "en/*.json", to: "de/{name}.{ext}" }
      - { from: "en/a*.json", to: "other/{locale}/{name}.{ext}" }
`,
    files: { 'en/app.json': '{"a":"One"}', 'en/main.json': '{"a":"Two"}' },
  });
  expect(await rig.once()).toMatchObject({
    ...{ code: 1, delivered: 1 },
    failed: [{ source: 'en/app.json', code: 'contested' }],
  });
  expect((await skippedBy(rig))[0]?.reason).toMatch(/matched by .* and .*/);
});

test('a target that cannot be written fails with its name before it is paid for', async () => {
  await using rig = await rigWith({});
  rig.write('locales/de', 'a file where the folder should be');
  expect(await rig.once()).toMatchObject({ code: 1, failed: [{ source: 'locales/en/good.json' }] });
  expect(billed(rig)).toBe(0);
  rig.remove('locales/de');
  const next = await rig.once();
  expect(next).toMatchObject({ code: 0, delivered: 1 });
  expect(billed(rig)).toBe(next.billed_characters);
});

test('a config that becomes invalid while the daemon runs changes nothing, and the log says what is wrong', async () => {
  await using rig = await rigWith({});
  const daemon = await rig.daemon();
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('targets:', 'targts:'));
  daemon.kill('SIGHUP');
  const line = await daemon.logged(({ kind }) => kind === 'config-refused');
  expect(line.msg).toContain('did you mean "targets"');
  rig.write('locales/en/later.json', '{"later":"Later"}');
  await daemon.logged(({ msg }) => msg?.includes('later.json') === true);
  expect(await daemon.stop()).toBe(0);
});

test('a target that is no JSON any more is left alone, and the job says so', async () => {
  await using rig = await rigWith({});
  await rig.once();
  rig.write('locales/de/good.json', '{ broken');
  const run = await rig.once();
  expect(run.code).toBe(1);
  expect(run.failed[0]?.reason).toMatch(/locales\/de\/good\.json/);
  expect(rig.read('locales/de/good.json')).toBe('{ broken');
  rig.write('locales/de/good.json', '{ "hello": "Servus" }');
  expect(await rig.once()).toMatchObject({ code: 0, failed: [] });
  expect(rig.json('locales/de/good.json')).toEqual({ hello: 'Servus' });
});

test('a config with several faults names all of them with line and column, and nothing is sent', async () => {
  await using rig = await rigWith({});
  rig.write(
    'dragoman.yaml',
    `${rig.read('dragoman.yaml')}\nbudgt: 1\n`.replace('source: en', 'source: english-ish-!'),
  );
  const { code, stderr } = await rig.run('once');
  expect(code).toBe(78);
  expect(stderr).toMatch(/dragoman\.yaml:\d+:\d+ .*did you mean "budget"/);
  expect(stderr).toMatch(/dragoman\.yaml:\d+:\d+ projects\.app\.source/);
  expect(requests(rig)).toBe(0);
});

test('two sources that would write one file are both held, and neither is translated', async () => {
  await using rig = await Rig.start({
    config: `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "en/*.{json,jsonc}", to: "de/{name}.json" }
`,
    files: { 'en/app.json': '{"a":"One"}', 'en/app.jsonc': '{"a":"Two"}' },
  });
  const run = await rig.once();
  expect(run).toMatchObject({ code: 2, delivered: 0, held: [{}, {}] });
  expect(run.held[0]?.reason).toMatch(/en\/app\.json and en\/app\.jsonc/);
  expect(requests(rig)).toBe(0);
});

test('many sources that vanish at once delete nothing until a person says so', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 25 }, (_, n) => [`locales/en/f${n}.json`, `{"k":"Text ${n}"}`]),
  );
  await using rig = await rigWith(files);
  await rig.once();
  for (const file of Object.keys(files)) rig.remove(file);
  const run = await rig.once();
  expect(run).toMatchObject({ code: 2, held: [{}] });
  expect(run.held[0]?.reason).toContain('25 of 26 files vanished at once');
  expect(rig.exists('locales/de/f3.json')).toBe(true);
  const daemon = await rig.daemon();
  await daemon.logged(({ kind }) => kind === 'mass-deletion');
  const { code, stdout } = await rig.run('approve', '--all');
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: '25 vanished files counted as deleted, with the translations\n',
  });
  expect(rig.exists('locales/de/f3.json')).toBe(false);
  expect(await daemon.stop()).toBe(0);
});
