/** The costs of a service that fails, throttles or damages texts. */
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.ts';
import type { SimulatedFault } from '../../src/sandbox/fault.ts';
import { billed, requests } from '../counts.ts';
import { Rig } from '../rig.ts';

const TRANSLATE = 'POST /v2/translate';
const config = (targets: string) => `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: ${targets}
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;

const json = (texts: Record<string, unknown>) => `${JSON.stringify(texts, null, 2)}\n`;

test('one language that answers 500 fails alone, and the next run buys only that language', async () => {
  await using rig = await Rig.start({
    config: config('[de, fr]'),
    files: { 'locales/en/app.json': json({ hello: 'Hello' }) },
    sandbox: { faults: [{ kind: 'status', status: 500, target_lang: 'fr', times: 'always' }] },
  });
  expect(await rig.once()).toMatchObject({ code: 1, delivered: 1, failed: [{ language: 'fr' }] });
  expect(rig.exists('locales/de/app.json')).toBe(true);
  expect(rig.exists('locales/fr/app.json')).toBe(false);
  const before = billed(rig);
  rig.sandbox.faults.clear();
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, unchanged: 1 });
  expect(billed(rig) - before).toBe('Hello'.length);
});

test('a placeholder that the service damages every time is held alone; the rest of the file is delivered', async () => {
  await using rig = await Rig.start({
    config: config('[de]'),
    files: { 'locales/en/app.json': json({ hello: 'Hello, {name}!', bye: 'Goodbye' }) },
    sandbox: { faults: [{ kind: 'damage', how: 'drop', matches: 'Hello', times: 'always' }] },
  });
  const run = await rig.once();
  expect(run).toMatchObject({ code: 2, held: [{ language: 'de' }] });
  expect(run.held[0]?.reason).toContain('hello');
  const written = rig.json('locales/de/app.json');
  expect(Object.keys(written)).toEqual(['bye']);
});

test('retry says what buying a damaged text again would cost, and buys nothing without approval', async () => {
  await using rig = await Rig.start({
    config: config('[de]'),
    files: { 'locales/en/app.json': json({ hello: 'Hello, {name}!', bye: 'Goodbye' }) },
    sandbox: { faults: [{ kind: 'damage', how: 'drop', matches: 'Hello', times: 'always' }] },
  });
  await rig.once();
  const before = billed(rig);
  const asked = await rig.run('retry', 'locales/de/app.json');
  expect(asked.code).toBe(2);
  const [, price] = /up to (\d+) characters/.exec(asked.stdout) ?? [];
  expect(Number(price)).toBeGreaterThan(0);
  rig.sandbox.faults.clear();
  expect((await rig.run('retry', 'locales/de/app.json', '--yes')).code).toBe(0);
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(billed(rig) - before).toBe(Number(price));
});

test('a placeholder that the service damages once is repaired by another try', async () => {
  await using rig = await Rig.start({
    config: config('[de]'),
    files: { 'locales/en/app.json': json({ hello: 'Hello, {name}!' }) },
    sandbox: { faults: [{ kind: 'damage', how: 'drop', matches: 'Hello', times: 1 }] },
  });
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(rig.json('locales/de/app.json')['hello']).toContain('{name}');
});

test('more texts than one request may carry go out in full batches, across files', async () => {
  const file = (n: number) =>
    json(Object.fromEntries(Array.from({ length: 30 }, (_, k) => [`k${k}`, `Text ${n} and ${k}`])));
  await using rig = await Rig.start({
    config: config('[de]'),
    files: Object.fromEntries(
      Array.from({ length: 10 }, (_, n) => [`locales/en/f${n}.json`, file(n)]),
    ),
  });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 10 });
  expect(requests(rig, TRANSLATE)).toBe(6);
});

test('texts of more than 128 KiB in all are cut into requests that fit', async () => {
  const long = 'The harbour lies quiet in the morning. '.repeat(500);
  const texts = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`k${n}`, `${n} ${long}`]));
  await using rig = await Rig.start({
    config: config('[de]'),
    files: { 'locales/en/app.json': json(texts) },
  });
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(requests(rig, TRANSLATE)).toBe(2);
  expect(rig.sandbox.counters().violations).toEqual([]);
});

test('a service that asks to wait is obeyed, and nothing is lost or bought twice', async () => {
  await using rig = await Rig.start({
    config: config('[de]'),
    files: { 'locales/en/app.json': json({ hello: 'Hello' }) },
    sandbox: { faults: [{ kind: 'status', status: 429, retry_after: 1, times: 2 }] },
  });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  expect(billed(rig)).toBe('Hello'.length);
});

test.each([1, 'always'] as const)(
  'a run says what lost answers may have billed (%s)',
  async (times) => {
    await using rig = await Rig.start({
      config: config('[de]'),
      files: { 'locales/en/app.json': json({ hello: 'Hello' }) },
      sandbox: { faults: [{ kind: 'no_answer', how: 'reset', times, operation: TRANSLATE }] },
    });
    const ended = await rig.once();
    const lost = times === 1 ? 5 : 10;
    const note = `answers of the service were lost: up to ${lost} characters more may have been billed`;
    expect(ended).toMatchObject({ notes: [expect.stringContaining(note)] });
  },
);

test('a run says at once that an answer is lost', async () => {
  await using rig = await Rig.start({
    config: config('[de]'),
    files: { 'locales/en/app.json': json({ hello: 'Hello' }) },
    sandbox: { faults: [{ kind: 'no_answer', how: 'reset', operation: TRANSLATE }] },
  });
  const line =
    'lost    app: an answer of the service; up to 5 characters may have been billed for it';
  expect((await rig.run('once')).stderr.split('\n')[0]).toBe(line);
});

test('an exhausted quota stops paid work with exit code 75 and keeps the queue', async () => {
  await using rig = await Rig.start({
    config: config('[de, fr]'),
    files: { 'locales/en/app.json': json({ hello: 'Hello' }) },
    sandbox: { faults: [{ kind: 'status', status: 456, times: 'always', operation: TRANSLATE }] },
  });
  expect(await rig.once()).toMatchObject({ code: 75, delivered: 0, failed: [], notes: [] });
  const current = [expect.stringContaining('the last run was stopped: the character quota')];
  for (const args of [['status'], ['plan'], ['once', '--frozen']]) {
    expect(JSON.parse((await rig.run(...args, '--json')).stdout).notes, args[0]).toEqual(current);
  }
  rig.sandbox.faults.clear();
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 2, notes: [] });
  expect(JSON.parse((await rig.run('status', '--json')).stdout).notes).toEqual([]);
});

test('a refused key ends with exit code 77, and is reported once', async () => {
  await using rig = await Rig.start({
    config: config('[de, fr, es]'),
    files: { 'locales/en/app.json': json({ hello: 'Hello' }) },
    sandbox: { key: 'another' },
  });
  rig.write(
    'dragoman.yaml',
    rig.read('dragoman.yaml').replace('{ env: DRAGOMAN_KEY }', '{ file: key }'),
  );
  rig.write('key', 'wrong\n');
  const reason = expect.stringContaining('refused the key');
  expect(await rig.once()).toMatchObject({ code: 77, delivered: 0, stopped_by: reason });
  const told = (await rig.run('once')).stderr.split('\n').filter((line) => line !== '');
  expect(told).toEqual([reason]);
  const online = await rig.run('check', '--online');
  expect(online).toMatchObject({ code: 77, stderr: expect.not.stringContaining('destroyed') });
});

const AWAY: Readonly<Record<string, SimulatedFault | undefined>> = {
  'cannot be reached': undefined,
  'is overloaded': { kind: 'status', status: 503, times: 'always' },
  'asks to wait': { kind: 'status', status: 429, retry_after: 100, times: 'always' },
};

/** The queue gives running jobs two minutes: here, they never end. */
const NO_END: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms === 120_000 ? MAX_MS : ms, signal),
};
const MAX_MS = 3_600_000;

test.each(Object.entries(AWAY))(
  'a daemon that is told to stop while the service %s does not wait for its running jobs',
  async (_, fault) => {
    await using rig = await Rig.start({
      config: `${config('[de]')}      - { from: "in/**/*.html", to: "out/{locale}/{dir}/{name}.html", lane: document }\n`,
      files: {
        'locales/en/app.json': json({ hello: 'Hello' }),
        'in/page.html': '<html><body><p>Hello</p></body></html>\n',
      },
      sandbox: { faults: fault === undefined ? [] : [fault] },
      clock: NO_END,
    });
    if (fault === undefined) await rig.stopService();
    const daemon = await rig.daemon('--verbose');
    // The others wait for their turn where the service has asked to wait.
    await daemon.logged(({ kind }) => kind === 'request-repeated');
    expect(await daemon.stop()).toBe(0);
  },
);
