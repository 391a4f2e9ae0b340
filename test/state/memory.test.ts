import { mkdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Event } from '../../src/event.ts';
import type { Part } from '../../src/format.ts';
import type { RecipeKey } from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';
import { Memories } from '../../src/state/memory.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const DE = 'de' as LanguageTag;
const PLAIN = 'plain' as RecipeKey;

function bought(source: string | Part[], translation: string | Part[], request = 'r1') {
  const parts = (text: string | Part[]) => (typeof text === 'string' ? [text] : text);
  return {
    recipe: PLAIN,
    source: parts(source),
    translation: parts(translation),
    request,
    at: '2026-10-19T10:00:00.000Z',
  };
}

async function reopened(folder: string, events: Event[] = []) {
  await using memories = new Memories({ folder, onEvent: (event) => events.push(event) });
  const memory = await memories.open('app', DE);
  return { size: memory.size, of: (text: string) => memory.lookup(PLAIN, [text])?.[0], memory };
}

test('a translation is found at once and after a restart, by its text and recipe', async () => {
  const folder = await temporaryFolder();
  {
    await using memories = new Memories({ folder });
    const memory = await memories.open('app', DE);
    const durable = memory.remember([bought('Save', 'Sichern')]);
    expect(memory.lookup(PLAIN, ['Save'])).toEqual(['Sichern']);
    await durable;
  }
  const { memory } = await reopened(folder);
  expect(memory.lookup(PLAIN, ['Sa', 've'])).toEqual(['Sichern']);
  expect(memory.lookup('formal' as RecipeKey, ['Save'])).toBeUndefined();
});

test('projects and languages have memories of their own', async () => {
  await using memories = new Memories({ folder: await temporaryFolder() });
  const memory = await memories.open('app', DE);
  await memory.remember([bought('Save', 'Sichern')]);
  for (const other of [memories.open('..', DE), memories.open('app', 'fr' as LanguageTag)]) {
    expect((await other).lookup(PLAIN, ['Save'])).toBeUndefined();
  }
});

test('text that looks like raw syntax is another text', async () => {
  await using memories = new Memories({ folder: await temporaryFolder() });
  const memory = await memories.open('app', DE);
  const raw: Part[] = ['Press ', { raw: '<b>', pair: { id: 7, side: 'open' } }, 'it'];
  await memory.remember([
    bought(raw, ['Drück ', { raw: '<b>', pair: { id: 7, side: 'open' } }, 'es']),
    bought('Press <b>it', 'wörtlich'),
    bought('\u0000["x"]', 'NUL'),
  ]);
  const elsewhere: Part[] = ['Press ', { raw: '<b>', pair: { id: 1, side: 'open' } }, 'it'];
  expect([
    memory.lookup(PLAIN, elsewhere),
    memory.lookup(PLAIN, ['Press <b>it']),
    memory.lookup(PLAIN, ['\u0000["x"]']),
    memory.lookup(PLAIN, ['x']),
  ]).toEqual([
    ['Drück ', { raw: '<b>', pair: { id: 7, side: 'open' } }, 'es'],
    ['wörtlich'],
    ['NUL'],
    undefined,
  ]);
});

test('the translation bought last is the one that counts', async () => {
  const folder = await temporaryFolder();
  await using memories = new Memories({ folder });
  const memory = await memories.open('app', DE);
  await memory.remember([bought('Save', 'Sichern')]);
  await memory.remember([bought('Save', 'Speichern', 'r2')]);
  expect((await reopened(folder)).of('Save')).toBe('Speichern');
});

test('it knows which requests were answered, also after a restart', async () => {
  const folder = await temporaryFolder();
  await using memories = new Memories({ folder });
  await (await memories.open('app', DE)).remember([bought('Save', 'Sichern', 'r7')]);
  const { memory } = await reopened(folder);
  expect([memory.holdsAnswerTo('r7'), memory.holdsAnswerTo('r8')]).toEqual([true, false]);
});

test('everything bought can be listed with its request and time', async () => {
  await using memories = new Memories({ folder: await temporaryFolder() });
  const memory = await memories.open('app', DE);
  const entries = [bought('Save', 'Sichern'), bought(['a', { raw: '%s' }], 'b', 'r2')];
  await memory.remember(entries);
  expect(await Array.fromAsync(memory.entries())).toEqual(entries);
});

test('a torn last line is dropped silently, a damaged line is reported', async () => {
  const folder = await temporaryFolder();
  {
    await using memories = new Memories({ folder });
    const memory = await memories.open('app', DE);
    for (const text of ['one', 'two', 'three', 'four']) await memory.remember([bought(text, text)]);
  }
  const path = join(folder, 'app', 'de.journal');
  await truncate(path, (await stat(path)).size - 3);
  const silent: Event[] = [];
  expect((await reopened(folder, silent)).size).toBe(3);
  const bytes = await readFile(path);
  bytes.write('X', bytes.indexOf('"one"') + 1);
  await writeFile(path, bytes);
  const events: Event[] = [];
  const { size, of } = await reopened(folder, events);
  expect([size, of('one'), of('two')]).toEqual([2, undefined, 'two']);
  expect([silent, events]).toEqual([[], [expect.objectContaining({ kind: 'state-recovered' })]]);
});

test('a memory that is mostly superseded is rewritten when it is opened, and forgets nothing', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'app', 'de.journal');
  {
    await using memories = new Memories({ folder });
    const memory = await memories.open('app', DE);
    for (let round = 0; round < 11; round++) {
      const texts = Array.from({ length: 1000 }, (_, n) => `text ${n}`);
      await memory.remember(texts.map((text) => bought(text, `${text} ${round}`, `r${round}`)));
    }
  }
  const before = (await stat(path)).size;
  const { size, of, memory } = await reopened(folder);
  expect([size, of('text 999')]).toEqual([1000, 'text 999 10']);
  expect((await stat(path)).size).toBeLessThan(before / 9);
  const again = await reopened(folder);
  expect([again.size, again.of('text 0'), memory.holdsAnswerTo('r0')]).toEqual([
    1000,
    'text 0 10',
    true,
  ]);
});

test('a memory that cannot be read is a failure and no empty memory, and can be opened when it can', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'app', 'de.journal');
  await mkdir(path, { recursive: true });
  await using memories = new Memories({ folder });
  await expect(memories.open('app', DE)).rejects.toMatchObject({ failure: { kind: 'unreadable' } });
  await rm(path, { recursive: true });
  expect((await memories.open('app', DE)).size).toBe(0);
});

test('translations that are older than they are kept are forgotten, on the disk as well, and newer ones stay', async () => {
  const folder = await temporaryFolder();
  {
    await using memories = new Memories({ folder });
    const memory = await memories.open('app', DE);
    await memory.remember([{ ...bought('Old', 'Alt'), at: '2024-10-19T10:00:00.000Z' }]);
    await memory.remember([{ ...bought('Both', 'Früher'), at: '2024-10-19T10:00:00.000Z' }]);
    await memory.remember([bought('Both', 'Beide'), bought('New', 'Neu')]);
  }
  {
    await using memories = new Memories({ folder, forgetBefore: '2025-01-01T00:00:00.000Z' });
    const memory = await memories.open('app', DE);
    expect(memory.lookup(PLAIN, ['Old'])).toBeUndefined();
    expect(memory.lookup(PLAIN, ['New'])).toEqual(['Neu']);
  }
  const { size, of } = await reopened(folder);
  expect(size).toBe(2);
  expect(of('Both')).toBe('Beide');
});

test('of two languages that share what is bought, the own one is asked first and the other one is told', async () => {
  const folder = await temporaryFolder();
  await using memories = new Memories({ folder });
  const keys = { own: 'in' as RecipeKey, shared: 'bd' as RecipeKey };
  const [bangladesh, india] = ['bn-BD', 'bn-IN'].map((code) => code as LanguageTag) as [
    LanguageTag,
    LanguageTag,
  ];
  const own = await memories.open('app', india);
  await own.remember([{ ...bought('Save', 'imported'), recipe: keys.own }]);
  const memory = await memories.of({
    project: 'app',
    key: keys.own,
    target: india,
    shared: { key: keys.shared, target: bangladesh },
  });
  await memory.remember([
    { ...bought('Save', 'bought'), recipe: keys.shared },
    { ...bought('Open', 'bought', 'r2'), recipe: `${keys.shared}/t1` as RecipeKey },
  ]);
  expect(memory.lookup(keys.shared, ['Save'])).toEqual(['imported']);
  expect(memory.lookup(`${keys.shared}/t1` as RecipeKey, ['Open'])).toEqual(['bought']);
  expect(memory.holdsAnswerTo('r2')).toBe(true);
  const other = await memories.open('app', bangladesh);
  expect(other.lookup(keys.shared, ['Save'])).toEqual(['bought']);
});
