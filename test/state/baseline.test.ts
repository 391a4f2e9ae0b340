import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BaselineRecord } from '../../src/baseline.ts';
import type { Hash, RecipeKey } from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';
import { Baselines } from '../../src/state/baseline.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const KEY = { project: 'app', language: 'de' as LanguageTag, path: 'en/app.json' };
const hash = (name: string) => name as Hash;

function record(text: string, targetHash: string): BaselineRecord {
  return {
    segments: [{ id: 'title', source: text, target: [text], origin: 'machine', state: 'ok' }],
    targetHash: hash(targetHash),
    recipe: 'r' as RecipeKey,
    at: '2026-10-19T10:00:00.000Z',
  };
}

interface Situation {
  readonly found: string | null;
  readonly wrote?: string;
}

/** Which text the base holds for a target found on the disk and the ledger's word of it. */
async function textIn(bases: Baselines, { found, wrote }: Situation): Promise<string> {
  const base = bases.of(KEY, wrote === undefined ? undefined : hash(wrote));
  const segments = await base.read(found === null ? null : hash(found));
  return segments.get('title')?.source ?? 'nothing';
}

async function preparedTwice(): Promise<Baselines> {
  const bases = new Baselines(await temporaryFolder());
  await bases.of(KEY, undefined).prepare(record('first', 'h1'), null);
  await bases.of(KEY, hash('h1')).prepare(record('second', 'h2'), hash('h1'));
  return bases;
}

test('there is no base at first contact', async () => {
  const bases = new Baselines(await temporaryFolder());
  expect(await textIn(bases, { found: 'h1' })).toBe('nothing');
});

test.each([
  ['the target was replaced and the ledger knows', { found: 'h2', wrote: 'h2' }, 'second'],
  [
    'it was replaced and the process died before the ledger',
    { found: 'h2', wrote: 'h1' },
    'second',
  ],
  ['the process died before it was replaced', { found: 'h1', wrote: 'h1' }, 'first'],
  ['a person edited what we wrote', { found: 'edited', wrote: 'h2' }, 'second'],
  ['a person deleted what we wrote', { found: null, wrote: 'h2' }, 'second'],
  ['it was not replaced, and a person edited it', { found: 'edited', wrote: 'h1' }, 'first'],
  ['the ledger is lost, the target stands', { found: 'h2' }, 'second'],
  ['the ledger is lost, a person edited it', { found: 'edited' }, 'second'],
  ['the base is older than what we wrote', { found: 'h3', wrote: 'h3' }, 'nothing'],
] as const)('after two deliveries, when %s', async (_name, situation, text) => {
  expect(await textIn(await preparedTwice(), situation)).toBe(text);
});

test.each([
  ['died before the first target was there', { found: null }, 'nothing'],
  ['wrote the first target and died before the ledger', { found: 'h1' }, 'first'],
] as const)('when the process %s', async (_name, situation, text) => {
  const bases = new Baselines(await temporaryFolder());
  await bases.of(KEY, undefined).prepare(record('first', 'h1'), null);
  expect(await textIn(bases, situation)).toBe(text);
});

test('after one delivery, when the ledger is lost and a person edited the target, the base still holds', async () => {
  const bases = new Baselines(await temporaryFolder());
  await bases.of(KEY, undefined).prepare(record('first', 'h1'), null);
  expect(await textIn(bases, { found: 'edited' })).toBe('first');
});

test('a file that stood there before is still to be adopted when the process died before replacing it', async () => {
  const bases = new Baselines(await temporaryFolder());
  await bases.of(KEY, undefined).prepare(record('first', 'h1'), hash('older'));
  expect(await textIn(bases, { found: 'older' })).toBe('nothing');
});

test('a preparation that was never carried out leaves the true base to the next one', async () => {
  const bases = await preparedTwice();
  await bases.of(KEY, hash('h1')).prepare(record('third', 'h3'), hash('h1'));
  expect(await textIn(bases, { found: 'h1', wrote: 'h1' })).toBe('first');
});

test('a renamed source takes its base along', async () => {
  const bases = await preparedTwice();
  const renamed = { ...KEY, path: 'en/new.json' };
  await bases.move([{ from: KEY, to: renamed }]);
  const moved = await bases.of(renamed, hash('h2')).read(hash('h2'));
  expect(moved.get('title')?.source).toBe('second');
  expect(await textIn(bases, { found: 'h2', wrote: 'h2' })).toBe('nothing');
});

test('a removed base is gone, and removing or moving none is no failure', async () => {
  const bases = await preparedTwice();
  await bases.remove(KEY);
  await bases.remove(KEY);
  await bases.move([{ from: KEY, to: { ...KEY, path: 'other' } }]);
  expect(await textIn(bases, { found: 'h2', wrote: 'h2' })).toBe('nothing');
});

test('a damaged base is as good as none', async () => {
  const folder = await temporaryFolder();
  const bases = new Baselines(folder);
  await bases.of(KEY, undefined).prepare(record('first', 'h1'), null);
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name);
    await writeFile(path, (await readFile(path)).subarray(0, 60));
  }
  expect(await textIn(bases, { found: 'h1', wrote: 'h1' })).toBe('nothing');
});
