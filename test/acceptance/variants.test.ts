/** Targets that are variants of the source go to text improvement, whole or in pieces, never to translation. */
import { expect, test } from 'vitest';
import { billed, requests } from '../counts.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
projects:
  app:
    source: en
    targets: [en-GB, de]
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;
const start = (texts: Record<string, string>, config = CONFIG) =>
  Rig.start({ config, files: { 'locales/en/app.json': `${JSON.stringify(texts, null, 2)}\n` } });

test('a variant is converted by text improvement, and booked as planned', async () => {
  await using rig = await start({ a: 'The color of the center', b: 'Your favorites' });
  const plan = JSON.parse((await rig.run('plan', '--json', '--language', 'en-GB')).stdout);
  expect(plan.estimated_characters).toBe('The color of the centerYour favorites'.length);
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: billed(rig) });
  expect(rig.json('locales/en-GB/app.json')['a']).toMatch(/^\[en-GB·improved /);
  expect(requests(rig, 'POST /v2/write/rephrase')).toBe(1);
  expect(requests(rig, 'POST /v2/translate')).toBe(1);
  expect(await rig.once()).toMatchObject({ requests: 0 });
});

test('placeholders and markup are never sent to text improvement, and keep their places', async () => {
  await using rig = await start({
    a: 'Hello {name}, your <b>color</b> is here',
    b: '{count, plural, one {# color} other {# colors}}',
    c: '{only}',
  });
  await rig.once('--language', 'en-GB');
  const sent = rig.sandbox.log().flatMap(({ texts = [] }) => texts);
  expect(sent.join('')).not.toMatch(/[{}<>#]/);
  const { a, b, c } = rig.json('locales/en-GB/app.json');
  expect(String(a).replaceAll(/\[en-GB·improved [^\]]+\]/g, '*')).toBe('* {name}* <b>*</b> *');
  expect(b).toMatch(/^\{count, plural, one \{# \[.+\]\} other \{# \[.+\]\}\}$/);
  expect(c).toBe('{only}');
});

test('requests to text improvement keep its 10 KiB, and a text that is longer is held alone', async () => {
  const texts = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [
      `k${n}`,
      `Color number ${n} ${'of the center '.repeat(60)}`,
    ]),
  );
  await using rig = await start({ ...texts, long: 'The color '.repeat(1200) });
  const { held } = await rig.once('--language', 'en-GB');
  expect(held).toMatchObject([{ language: 'en-GB', reason: expect.stringContaining('long') }]);
  expect(rig.sandbox.counters().violations).toEqual([]);
  expect(requests(rig, 'POST /v2/write/rephrase')).toBeGreaterThan(2);
  expect(Object.keys(rig.json('locales/en-GB/app.json'))).toHaveLength(30);
});

test('every command reports a variant that nothing converts into, with exit code 1', async () => {
  await using rig = await start(
    { a: 'Hallo' },
    CONFIG.replace('[en-GB, de]', '[de-AT, fr]')
      .replace('source: en', 'source: de')
      .replaceAll('en/', 'de/'),
  );
  const said = 'nothing is written for de-AT';
  const attention = [{ code: 'unwritten-language', language: 'de-AT', state: 'failed' }];
  const plan = await rig.run('plan');
  expect(plan).toMatchObject({ code: 1, stdout: expect.stringContaining(said) });
  expect(await rig.once()).toMatchObject({ code: 1, failed: attention });
  expect(await rig.run('check')).toMatchObject({ code: 1, stdout: expect.stringContaining(said) });
  expect((await rig.run('once', '--frozen')).code).toBe(1);
  expect(JSON.parse((await rig.run('status', '--json')).stdout)).toMatchObject({ attention });
});

test('a document cannot become a variant of its language: it is not bought, and plan says so', async () => {
  await using rig = await Rig.start({
    config: CONFIG.replace('locales/{locale}/**/*.json', '{locale}/**/*'),
    files: { 'en/a.txt': 'Hello\n', 'en/b.json': '{"a":"Hello"}' },
  });
  const planned = async () => JSON.parse((await rig.run('plan', '--json')).stdout);
  const { jobs, attention } = await planned();
  expect(jobs).toHaveLength(3);
  expect(attention).toMatchObject([
    {
      ...{ project: 'app', language: 'en-GB', code: 'unwritten-language' },
      reason: expect.stringMatching(/^no documents and recordings are written for en-GB/),
    },
  ]);
  rig.remove('en/a.txt');
  expect((await planned()).attention).toEqual([]);
});
