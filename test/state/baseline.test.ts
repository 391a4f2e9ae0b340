import {
  appendFile,
  cp,
  mkdir,
  readdir,
  readFile,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Baselines } from '../../src/baseline.ts';
import { hashBytes } from '../../src/files/disk.ts';
import type { JobId } from '../../src/job.ts';
import { openBaselines, readBaselines } from '../../src/state/baseline.ts';
import { journalLine } from '../../src/state/journal-line.ts';
import {
  baselinesContract,
  hash,
  KEY,
  keyOf,
  prepareTwice,
  record,
  textIn,
} from '../contracts/baseline.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const DELIVERED = { found: 'h2', wrote: 'h2' };

baselinesContract(async () => {
  const folder = join(await temporaryFolder(), 'base');
  return { open: async () => openBaselines(folder) };
});

async function opened(folder?: string): Promise<{ folder: string; baselines: Baselines }> {
  const own = folder ?? join(await temporaryFolder(), 'base');
  const baselines = openBaselines(own);
  onTestFinished(() => baselines[Symbol.asyncDispose]());
  return { folder: own, baselines };
}

function logIn(folder: string): string {
  return join(folder, 'log.1');
}

const NAMES = ['a', 'b', 'c', 'd'];

test('a baseline of many texts is written in turns, as it is read', async () => {
  const { folder, baselines } = await opened();
  const [segment] = record('x', 'h').segments;
  const many = (word: string, target: string) => ({
    ...record('x', target),
    segments: Array.from({ length: 3000 }, (_, nth) => ({
      ...segment,
      ...{ id: `k${nth}`, source: `"${word}" \u{1f600} ${nth}\n`.repeat(3) },
    })),
  });
  const [first, second] = [many('one', 'h1'), many('two', 'h2')] as never[];
  const of = () => baselines.of(KEY, hash('h2'));
  await baselines.of(KEY, hash('h1')).prepare(first ?? expect.unreachable(), null);
  await of().prepare(second ?? expect.unreachable(), hash('h1'));
  expect(await of().record(hash('h2'))).toEqual(second);
  expect(await baselines.of(KEY, hash('h1')).record(hash('h1'))).toEqual(first);
  const json = JSON.stringify({
    path: KEY.path,
    prepared: second,
    earlier: first,
    replacing: 'h1',
  });
  expect(await readFile(logIn(folder), 'utf8')).toContain(journalLine(json, 0));
});

test('a large baseline is read as it was written, whatever its texts and their parts look like', async () => {
  const { baselines } = await opened();
  const [segment] = record('x', 'h').segments;
  const part = { raw: '{"id":"x"},{"id":"y"}' };
  const parts = Array.from({ length: 9000 }, (_, id) => ({ id: `${id}`, ...part }));
  const odd = [
    ...Array.from({ length: 2000 }, (_, nth) => ({ id: `k${nth}`, ...segment, target: [part] })),
    { ...segment, id: 'long', target: parts },
    { ...segment, id: 'last', source: '},{"id":'.repeat(60_000) },
  ];
  const whole = { ...record('x', 'h1'), segments: odd } as never;
  await baselines.of(KEY, hash('h1')).prepare(whole, null);
  expect(await baselines.of(KEY, hash('h1')).record(hash('h1'))).toEqual(whole);
});

const claimOf = (fence: number) => ({ id: 'a' as JobId, fence });

test.each([
  ['its next claim finds the save', { found: 'saved', fence: 3 }, 'nothing'],
  ['its next claim finds the file as it was', { found: 'older', fence: 3 }, 'nothing'],
  ['the target was replaced before', { found: 'h1', fence: 3 }, 'first'],
  ['it was delivered and the ledger is lost', { found: 'saved', fence: 2 }, 'first'],
  ['it was delivered and a person saved it', { found: 'saved', wrote: 'h1', fence: 3 }, 'first'],
] as const)(
  'a baseline prepared for a first delivery that a save overtook, when %s',
  async (_name, situation, text) => {
    const { baselines } = await opened();
    await baselines.of(KEY, undefined, claimOf(2)).prepare(record('first', 'h1'), hash('older'));
    const { found, fence } = situation;
    const wrote = 'wrote' in situation ? hash(situation.wrote) : undefined;
    const read = await baselines.of(KEY, wrote, claimOf(fence)).record(hash(found));
    expect(read?.segments[0]?.source ?? 'nothing').toBe(text);
  },
);

test('a baseline of a target that was not there before stays true after a kill and an edit', async () => {
  const { baselines } = await opened();
  const of = (fence: number) => baselines.of(KEY, undefined, claimOf(fence));
  await of(2).prepare(record('first', 'h1'), null);
  expect(await of(3).record(hash('edited'))).toEqual(record('first', 'h1'));
  await of(2).withdraw();
  expect(await of(3).record(hash('edited'))).toBeUndefined();
});

test('a baseline that was withdrawn counts only for the target that has its texts', async () => {
  const { folder, baselines } = await opened();
  const { prepare, withdraw, record: read } = baselines.of(KEY, undefined, claimOf(2));
  await withdraw();
  await prepare(record('first', 'h1'), hash('older'));
  await withdraw();
  expect(await read(hash('saved'))).toBeUndefined();
  expect(await read(hash('h1'))).toEqual(record('first', 'h1'));
  await using reader = await readBaselines(folder);
  expect(await textIn(reader, { found: 'saved' })).toBe('nothing');
});

test('a baseline that a save overtook is not the record before of the next preparation', async () => {
  const { baselines } = await opened();
  const of = (fence: number) => baselines.of(KEY, undefined, claimOf(fence));
  await of(2).prepare(record('first', 'h1'), hash('older'));
  await of(3).prepare(record('second', 'h2'), hash('saved'));
  expect(await of(4).record(hash('saved'))).toBeUndefined();
  expect(await of(4).record(hash('saved again'))).toBeUndefined();
  expect((await of(4).record(hash('h2')))?.segments[0]?.source).toBe('second');
});

test('a baseline of a target that already had its texts stays true when a save overtook it', async () => {
  const { baselines } = await opened();
  const of = (fence: number) => baselines.of(KEY, undefined, claimOf(fence));
  await of(2).prepare(record('first', 'h1'), hash('h1'));
  expect((await of(3).record(hash('saved')))?.segments[0]?.source).toBe('first');
});

test('a log with many outdated records is rewritten with the same content', async () => {
  const { folder, baselines } = await opened();
  const long = 'x'.repeat(300_000);
  await prepareTwice(baselines);
  await prepareTwice(baselines, keyOf('gone'));
  await baselines.move([{ from: keyOf('gone'), to: keyOf('moved') }]);
  const sizes: number[] = [];
  for (let n = 0; n < 30; n++) {
    const text = `${n} ${long}`;
    await baselines.of(keyOf('long'), hash('none')).prepare(record(text, `l${n}`), null);
    const [log = ''] = await readdir(folder);
    sizes.push((await stat(join(folder, log))).size);
    const said = await textIn(baselines, { found: `l${n}`, wrote: `l${n}` }, keyOf('long'));
    expect(said).toBe(text);
  }
  expect(Math.max(...sizes)).toBeLessThan(6_000_000);
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^log\.\d+$/)]);
  await baselines[Symbol.asyncDispose]();
  const { baselines: again } = await opened(folder);
  expect(await textIn(again, DELIVERED)).toBe('second');
  expect(await textIn(again, DELIVERED, keyOf('moved'))).toBe('second');
  expect(await textIn(again, DELIVERED, keyOf('gone'))).toBe('nothing');
  expect(await textIn(again, { found: 'l29' }, keyOf('long'))).toBe(`29 ${long}`);
});

test('a compaction that was killed before its rename, or before the old log went, loses nothing', async () => {
  const { folder, baselines } = await opened();
  await prepareTwice(baselines);
  await baselines[Symbol.asyncDispose]();
  const before = await readFile(logIn(folder));
  const temp = '.dragoman-1-00000000-00000000.tmp';
  await writeFile(join(folder, temp), before.subarray(0, 100));
  await writeFile(join(folder, 'log.2'), before);
  await writeFile(logIn(folder), before.subarray(0, 10));
  const { baselines: again } = await opened(folder);
  expect(await textIn(again, DELIVERED)).toBe('second');
  expect(await readdir(folder)).toEqual([temp, 'log.2']);
});

/** Enough for an index to be worth its file. */
async function manyBaselines() {
  const { folder, baselines } = await opened();
  const long = 'x'.repeat(100_000);
  for (let n = 0; n < 20; n++) {
    const next = record(`${n} ${long}`, 'h1');
    await baselines.of(keyOf(`${n}`), undefined).prepare(next, null);
  }
  await baselines.remove(keyOf('3'));
  await baselines[Symbol.asyncDispose]();
  return folder;
}

async function firstWords(folder: string): Promise<string[]> {
  await using baselines = await readBaselines(folder);
  const all = Array.from({ length: 22 }, (_, n) =>
    textIn(baselines, { found: 'h1' }, keyOf(`${n}`)),
  );
  return (await Promise.all(all)).map((text) => text.split(' ')[0] ?? '');
}

const WORDS = Array.from({ length: 22 }, (_, n) => (n === 3 || n > 19 ? 'nothing' : `${n}`));

test('a large log is closed with an index, which the next start reads in its place', async () => {
  const folder = await manyBaselines();
  expect(await readdir(folder)).toEqual(['index', 'log.1']);
  // An entry in the index is not read again: only a caller who asks for it sees the damage.
  const bytes = await readFile(logIn(folder));
  await writeFile(logIn(folder), bytes.fill('?', 0, 1000));
  expect(await firstWords(folder)).toEqual(WORDS.with(0, 'nothing'));
});

test('a baseline that was written after the index is found beside it', async () => {
  const folder = await manyBaselines();
  const { baselines } = await opened(folder);
  await baselines.of(keyOf('21'), undefined).prepare(record('21', 'h1'), null);
  await baselines.move([{ from: keyOf('4'), to: keyOf('3') }]);
  expect(await firstWords(folder)).toEqual(WORDS.with(21, '21').with(3, '4').with(4, 'nothing'));
});

test.each([
  ['damaged', async (folder: string) => await truncate(join(folder, 'index'), 200)],
  ['of another log', async (folder: string) => await cp(logIn(folder), join(folder, 'log.2'))],
])('an index that is %s is built again from the log', async (_name, spoil) => {
  const folder = await manyBaselines();
  await spoil(folder);
  expect(await firstWords(folder)).toEqual(WORDS);
});

test('an index that knows more than a power cut left of the log is built again from that', async () => {
  const folder = await manyBaselines();
  await truncate(logIn(folder), (await stat(logIn(folder))).size - 10);
  // The removal was the last entry.
  expect(await firstWords(folder)).toEqual(WORDS.with(3, '3'));
});

test('a reader sees what was written before, also while a writer rewrites the log', async () => {
  const { folder, baselines } = await opened();
  await prepareTwice(baselines);
  await using reader = await readBaselines(folder);
  const long = 'x'.repeat(1_000_000);
  for (let n = 0; n < 6; n++) {
    await baselines.of(keyOf('long'), hash('none')).prepare(record(long, 'l'), null);
  }
  expect(await readdir(folder)).not.toContain('log.1');
  expect(await textIn(reader, DELIVERED)).toBe('second');
  await expect(reader.of(KEY, undefined).prepare(record('x', 'y'), null)).rejects.toThrow(
    'only reads',
  );
});

test('a reader of an empty folder finds nothing and creates no file', async () => {
  const folder = join(await temporaryFolder(), 'base');
  await using reader = await readBaselines(folder);
  expect(await textIn(reader, DELIVERED)).toBe('nothing');
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
});

test('a write that the system refuses loses nothing that was there', async () => {
  const folder = join(await temporaryFolder(), 'base');
  await writeFile(folder, 'no folder');
  const { baselines } = await opened(folder);
  await expect(textIn(baselines, DELIVERED)).rejects.toMatchObject({
    failure: { kind: 'unwritable' },
  });
});

/** A file of version 0.1.0. */
async function writeOldFile(folder: string, source: string, at = record('', '').at) {
  const key = keyOf(source);
  const name = hashBytes(`${key.project}\n${key.path}`);
  const file = join(folder, key.language, name.slice(0, 2), `${name.slice(2, 32)}.json`);
  const prepared = { ...record(`old ${source}`, 'h2'), at };
  const stored = { path: key.path, prepared, earlier: record('older', 'h1'), replacing: 'h1' };
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, journalLine(JSON.stringify(stored), 0));
  return file;
}

test('the files of version 0.1.0 go into the log, with both of their records', async () => {
  const folder = join(await temporaryFolder(), 'base');
  for (const name of NAMES) await writeOldFile(folder, name);
  {
    await using reader = await readBaselines(folder);
    expect(await textIn(reader, DELIVERED, keyOf('b'))).toBe('old b');
  }
  const { baselines } = await opened(folder);
  expect(await textIn(baselines, DELIVERED, keyOf('a'))).toBe('old a');
  expect(await textIn(baselines, { found: 'h1', wrote: 'h1' }, keyOf('d'))).toBe('older');
  expect(await readdir(folder)).toEqual(['log.1']);
});

test('baselines that were in the log before the files of version 0.1.0 were removed are not put in again', async () => {
  const folder = join(await temporaryFolder(), 'base');
  for (const name of NAMES) await writeOldFile(folder, name);
  {
    await using baselines = openBaselines(folder);
    await baselines.sources(KEY);
  }
  const { size } = await stat(logIn(folder));
  await writeOldFile(folder, 'a');
  // Somebody went back to the older version for a while.
  await writeOldFile(folder, 'new', '2026-10-20T10:00:00.000Z');
  await writeOldFile(folder, 'b', '2026-10-20T10:00:00.000Z');
  const { baselines } = await opened(folder);
  expect(await textIn(baselines, DELIVERED, keyOf('a'))).toBe('old a');
  expect(await textIn(baselines, DELIVERED, keyOf('new'))).toBe('old new');
  const grown = (await stat(logIn(folder))).size;
  expect((grown - size) / (size / 4)).toBeCloseTo(2, 1);
  expect(await readdir(folder)).toEqual(['log.1']);
});

test('a damaged file of version 0.1.0 is as good as none', async () => {
  const folder = join(await temporaryFolder(), 'base');
  await truncate(await writeOldFile(folder, 'a'), 60);
  await writeOldFile(folder, 'b');
  await appendFile(join(folder, 'de', 'note.txt'), 'a person’s');
  const { baselines } = await opened(folder);
  expect(await textIn(baselines, DELIVERED, keyOf('a'))).toBe('nothing');
  expect(await textIn(baselines, DELIVERED, keyOf('b'))).toBe('old b');
});
