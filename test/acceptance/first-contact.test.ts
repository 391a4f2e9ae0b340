/** The first run over existing translations, and runs without a change. */
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

const json = (texts: Record<string, unknown>) => `${JSON.stringify(texts, null, 2)}\n`;

test('a first run over existing human translations adopts them and bills only what is missing', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    files: {
      'locales/en/app.json': json({ hello: 'Hello', bye: 'Goodbye', thanks: 'Thank you' }),
      'locales/de/app.json': json({ hello: 'Grüß Gott', bye: 'Pfiat di' }),
    },
  });
  const run = await rig.once();
  expect(run).toMatchObject({ code: 0, delivered: 1, billed_characters: 'Thank you'.length });
  expect(billed(rig)).toBe('Thank you'.length);
  expect(rig.json('locales/de/app.json')).toMatchObject({ hello: 'Grüß Gott', bye: 'Pfiat di' });
  expect(rig.json('locales/de/app.json')['thanks']).not.toBe('Thank you');
});

test('a second run with nothing changed sends no request and rewrites no target', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'locales/en/app.json': json({ hello: 'Hello' }) },
  });
  await rig.once();
  const before = requests(rig);
  const modified = rig.modified('locales/de/app.json');
  const run = await rig.once();
  expect(run).toMatchObject({ code: 0, delivered: 0, unchanged: 1, requests: 0 });
  expect(requests(rig)).toBe(before);
  expect(rig.modified('locales/de/app.json')).toBe(modified);
});

test('one changed string is the only one that is bought', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'locales/en/app.json': json({ hello: 'Hello', bye: 'Goodbye' }) },
  });
  await rig.once();
  const before = billed(rig);
  rig.write('locales/en/app.json', json({ hello: 'Hello there', bye: 'Goodbye' }));
  const run = await rig.once();
  expect(run).toMatchObject({ code: 0, billed_characters: 'Hello there'.length });
  expect(billed(rig) - before).toBe('Hello there'.length);
});

test('twenty equal strings are sent once', async () => {
  const texts = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [`key${n}`, 'Save changes']),
  );
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'locales/en/app.json': json(texts) },
  });
  await rig.once();
  expect(billed(rig)).toBe('Save changes'.length);
  expect(rig.sandbox.counters().operations['POST /v2/translate']?.texts).toBe(1);
  const written = rig.json('locales/de/app.json');
  expect(new Set(Object.values(written)).size).toBe(1);
  expect(Object.keys(written)).toHaveLength(20);
});

test('a lost state folder is rebuilt from sources and targets, and nothing is billed', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'locales/en/app.json': json({ hello: 'Hello', bye: 'Goodbye' }) },
  });
  await rig.once();
  const written = rig.read('locales/de/app.json');
  const before = billed(rig);
  rig.remove('.dragoman');
  const run = await rig.once();
  expect(run).toMatchObject({ code: 0, billed_characters: 0 });
  expect(billed(rig)).toBe(before);
  expect(rig.read('locales/de/app.json')).toBe(written);
});

test('a deleted target is rebuilt from the memory, and nothing is billed', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'locales/en/app.json': json({ hello: 'Hello', bye: 'Goodbye' }) },
  });
  await rig.once();
  const written = rig.read('locales/de/app.json');
  const before = billed(rig);
  rig.remove('locales/de/app.json');
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 0 });
  expect(rig.read('locales/de/app.json')).toBe(written);
  expect(billed(rig)).toBe(before);
});
