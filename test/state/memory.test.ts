import { mkdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Event } from '../../src/event.ts';
import { FolderMemories } from '../../src/state/memories/folder.ts';
import { bought, DE, foundIn, memoriesContract } from '../contracts/memory.ts';
import { temporaryFolder } from '../temporary-folder.ts';

memoriesContract(async () => {
  const folder = await temporaryFolder();
  return { open: async () => new FolderMemories({ folder }) };
});

memoriesContract(async () => {
  const folder = await temporaryFolder();
  return { open: async () => new FolderMemories({ folder, held: 0 }) };
});

test('texts that are no longer in memory are read from the disk: the last translation of each, also after a restart and a rewrite', async () => {
  const folder = await temporaryFolder();
  const wanted = new Map<string, string>();
  for (let start = 0; start < 4; start++) {
    await using memories = new FolderMemories({ folder, held: 2000 });
    const memory = await memories.open('app', DE);
    for (let round = 0; round < 40; round++) {
      const texts = Array.from(
        { length: 150 },
        (_, n) => `text ${(round * 7 + n * (start + 1)) % 500}`,
      );
      const entries = texts.map((text, n) => bought(text, `${text} ü ${start}.${round}.${n}`));
      const written = memory.remember(entries);
      for (const { source, translation } of entries) wanted.set(`${source}`, `${translation}`);
      const [text = ''] = texts;
      expect(await foundIn(memory, text)).toBe(wanted.get(text));
      if (round % 3 === 0) await written;
    }
    const asked = [...wanted.keys(), 'never'].map((text) => bought(text, text)).toReversed();
    const found = await memory.find(asked.map(({ recipe, source }) => ({ recipe, parts: source })));
    expect(found.map((parts) => parts?.[0])).toEqual([
      undefined,
      ...[...wanted.values()].toReversed(),
    ]);
  }
  expect((await reopened(folder)).size).toBe(wanted.size);
});

test('a line that was damaged while its memory was open is not found, and the others are', async () => {
  const folder = await temporaryFolder();
  await using memories = new FolderMemories({ folder, held: 0 });
  const memory = await memories.open('app', DE);
  for (const text of ['one', 'two']) await memory.remember([bought(text, text)]);
  const path = join(folder, 'app', 'de.journal');
  const bytes = await readFile(path);
  bytes.write('X', bytes.indexOf('"one"') + 1);
  await writeFile(path, bytes);
  expect([await foundIn(memory, 'one'), await foundIn(memory, 'two')]).toEqual([undefined, 'two']);
});

async function reopened(folder: string, events: Event[] = []) {
  await using memories = new FolderMemories({ folder, onEvent: (event) => events.push(event) });
  const memory = await memories.open('app', DE);
  return { size: memory.size, of: (text: string) => foundIn(memory, text), memory };
}

test('a torn last line is dropped silently, a damaged line is reported', async () => {
  const folder = await temporaryFolder();
  {
    await using memories = new FolderMemories({ folder });
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
  expect([size, await of('one'), await of('two')]).toEqual([2, undefined, 'two']);
  expect([silent, events]).toEqual([[], [expect.objectContaining({ kind: 'state-recovered' })]]);
});

test('a memory that is mostly superseded is rewritten when it is opened, and forgets nothing', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'app', 'de.journal');
  {
    await using memories = new FolderMemories({ folder });
    const memory = await memories.open('app', DE);
    for (let round = 0; round < 11; round++) {
      const texts = Array.from({ length: 1000 }, (_, n) => `text ${n}`);
      await memory.remember(texts.map((text) => bought(text, `${text} ${round}`, `r${round}`)));
    }
  }
  const before = (await stat(path)).size;
  const { size, of, memory } = await reopened(folder);
  expect([size, await of('text 999')]).toEqual([1000, 'text 999 10']);
  expect((await stat(path)).size).toBeLessThan(before / 9);
  const again = await reopened(folder);
  expect([again.size, await again.of('text 0'), await memory.holdsAnswerTo('r0')]).toEqual([
    1000,
    'text 0 10',
    true,
  ]);
});

test('a memory that cannot be read is a failure and no empty memory, and can be opened when it can', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'app', 'de.journal');
  await mkdir(path, { recursive: true });
  await using memories = new FolderMemories({ folder });
  await expect(memories.open('app', DE)).rejects.toMatchObject({ failure: { kind: 'unreadable' } });
  await rm(path, { recursive: true });
  expect((await memories.open('app', DE)).size).toBe(0);
});

test('translations that are older than they are kept are forgotten, on the disk as well, and newer ones stay', async () => {
  const folder = await temporaryFolder();
  {
    await using memories = new FolderMemories({ folder });
    const memory = await memories.open('app', DE);
    await memory.remember([{ ...bought('Old', 'Alt'), at: '2024-10-19T10:00:00.000Z' }]);
    await memory.remember([{ ...bought('Both', 'Früher'), at: '2024-10-19T10:00:00.000Z' }]);
    await memory.remember([bought('Both', 'Beide'), bought('New', 'Neu')]);
  }
  {
    await using memories = new FolderMemories({ folder, forgetBefore: '2025-01-01T00:00:00.000Z' });
    const memory = await memories.open('app', DE);
    expect([await foundIn(memory, 'Old'), await foundIn(memory, 'New')]).toEqual([
      undefined,
      'Neu',
    ]);
  }
  const { size, of } = await reopened(folder);
  expect(size).toBe(2);
  expect(await of('Both')).toBe('Beide');
});
