/** Ctrl-C: what was sent is paid, so it is finished, booked and told, also to whoever presses twice. */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { billed, requests } from '../counts.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de, fr]
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;

test.each([1, 2])(
  'the report of a run after %i Ctrl-C counts what was still on its way',
  async (times) => {
    await using rig = await Rig.start({
      config: CONFIG,
      files: { 'locales/en/app.json': '{ "hello": "Hello" }\n' },
      sandbox: { faults: [{ kind: 'latency', ms: 2500, target_lang: 'fr', times: 1 }] },
    });
    const child = rig.spawn('once');
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    const closed = once(child, 'close');
    await once(child.stderr, 'data'); // German is written, French on its way
    for (let press = 0; press < times; press++) {
      child.kill('SIGINT');
      await new Promise((resolve) => setImmediate(resolve));
    }
    const [code] = (await closed) as [number | null];
    expect(code).toBe(1);
    expect(billed(rig)).toBe(2 * 'Hello'.length);
    expect(stdout).toContain('2 written');
    expect(stdout).toContain('10 characters billed in 2 requests');
  },
);

test('a second Ctrl-C sends nothing more: only what is on its way is waited for and paid', async () => {
  const texts = Array.from({ length: 500 }, (_, at) => [`k${at}`, `Text number ${at}`] as const);
  await using rig = await Rig.start({
    config: CONFIG.replace('[de, fr]', '[de]'),
    service: '  concurrency: 1',
    files: { 'locales/en/app.json': JSON.stringify(Object.fromEntries(texts)) },
    sandbox: { faults: [{ kind: 'latency', ms: 700, times: 'always' }] },
  });
  const child = rig.spawn('once', '--json');
  const closed = once(child, 'close');
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const isAsked = () => requests(rig, 'POST /v2/translate') > 0;
  while (!isAsked()) await new Promise((resolve) => setTimeout(resolve, 50));
  child.kill('SIGINT');
  await new Promise((resolve) => setTimeout(resolve, 100));
  child.kill('SIGINT');
  await closed;
  expect(requests(rig, 'POST /v2/translate')).toBeLessThanOrEqual(2);
  const [report, notes] = await said;
  expect(notes).toContain('Ctrl-C again ends at once');
  expect(JSON.parse(report)).toMatchObject({
    stopped_by: 'interrupted: 1 job left undone, for the next run',
  });
});

test('after a kill only what was on its way is called possibly billed, not what waited for its turn', async () => {
  const texts = Array.from({ length: 500 }, (_, at) => [`k${at}`, `Text number ${at}`] as const);
  await using rig = await Rig.start({
    config: CONFIG.replace('[de, fr]', '[de]'),
    service: '  concurrency: 1',
    files: { 'locales/en/app.json': JSON.stringify(Object.fromEntries(texts)) },
    sandbox: { faults: [{ kind: 'latency', ms: 3000, times: 'always' }] },
  });
  const child = rig.spawn('once');
  const closed = once(child, 'close');
  while (requests(rig, 'POST /v2/translate') === 0) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill('SIGKILL');
  await closed;
  const { stdout } = await rig.run('usage', '--json');
  const { possibly_billed_twice } = JSON.parse(stdout) as { possibly_billed_twice: number };
  expect(possibly_billed_twice).toBeGreaterThan(0);
  // One on its way, one whose answer had just come, and the next one; the others wait.
  expect(possibly_billed_twice).toBeLessThanOrEqual(3 * 50 * 'Text number 499'.length);
});
