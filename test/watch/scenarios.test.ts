import { writeFileSync } from 'node:fs';
import { appendFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import {
  closeOpened,
  folderWith,
  ownTime,
  quiet,
  SETTLE_MS,
  type Watched,
  watchFolder,
} from './rig.ts';

afterAll(closeOpened);

// How people and programs change files: nothing lost, nothing told twice. DRAGOMAN_FULL=1 runs them at full size.
const isFull = process.env['DRAGOMAN_FULL'] === '1';
const FILES = isFull ? 5000 : 1000;

const names = Array.from({ length: FILES }, (_, n) => `f${n}.json`);
const nested = names.map((name, n) => `d${n % 50}/e${n % 7}/${name}`);

describe.for(['events', 'none'] as const)('with hints: %s', (hints) => {
  test('files dropped into one folder at once', async () => {
    const watched = await watchFolder({ hints });
    await writeAll(watched.root, names);
    await expectOnce(watched, names);
  });

  test('files dropped into new nested folders', async () => {
    const watched = await watchFolder({ hints });
    await writeAll(watched.root, nested);
    await expectOnce(watched, nested);
  });

  test('files renamed into place', async () => {
    const outside = await folderWith();
    await writeAll(outside, names);
    const watched = await watchFolder({ hints });
    for (const name of names) await rename(join(outside, name), join(watched.root, name));
    await expectOnce(watched, names);
  });

  test('a folder moved in with everything below it', async () => {
    const outside = await folderWith();
    await writeAll(join(outside, 'in'), nested);
    const watched = await watchFolder({ hints });
    await rename(join(outside, 'in'), join(watched.root, 'in'));
    await expectOnce(
      watched,
      nested.map((path) => `in/${path}`),
    );
  });

  test('a tree that is removed and made again', async () => {
    const watched = await watchFolder({ hints });
    const some = nested.slice(0, FILES / 5);
    await writeAll(watched.root, some);
    await watched.told(some.length);
    await rm(watched.root, { recursive: true });
    await writeAll(watched.root, some);
    // Told again, since they are other files; on a slow machine some are gone for long enough to be told as that.
    const arrivals = () => watched.changes.filter((change) => !change.startsWith('-'));
    while (arrivals().length < 2 * some.length) await watched.told(watched.changes.length + 1);
    await quiet(watched);
    expect(arrivals().slice(some.length).toSorted(inOrder)).toEqual(some.toSorted(inOrder));
  });
});

test('files rewritten in place', async () => {
  const watched = await watchFolder();
  const some = nested.slice(0, FILES / 5);
  await writeAll(watched.root, some);
  await watched.told(some.length);
  await watched.ready();
  await watched.watch.settle();
  for (const path of some) await writeFile(join(watched.root, path), `${path} again`);
  await watched.told(2 * some.length);
  await quiet(watched);
  expect(watched.changes).toHaveLength(2 * some.length);
});

test('renames while the loop is blocked and the kernel drops events', async () => {
  const count = isFull ? 20_000 : 2000;
  const outside = await folderWith();
  const many = Array.from({ length: count }, (_, n) => `g${n}.json`);
  await writeAll(outside, many);
  const watched = await watchFolder();
  await watched.ready();
  const renaming = Promise.all(
    many.map((name) => rename(join(outside, name), join(watched.root, name))),
  );
  block(isFull ? 3000 : 1200);
  await renaming;
  await expectOnce(watched, many);
});

test('after a blocked loop a full pass finds edits in place without any hint', async () => {
  const watched = await watchFolder({ hints: 'none', root: await folderWith('a.json') });
  await watched.watch.settle();
  writeFileSync(join(watched.root, 'a.json'), 'edited');
  block(1500);
  await watched.told(2);
  expect(watched.changes).toEqual(['a.json', 'a.json']);
});

test('a file whose writer pauses for less than the settling time is reported once, at the end', async () => {
  const settle = 2000;
  let now = systemClock.now();
  const clock = { ...systemClock, now: () => now };
  const watched = await watchFolder({ clock, settleOf: () => settle });
  await watched.ready();
  const parts = isFull ? 44 : 16;
  for (let part = 0; part < parts; part++) {
    await appendFile(join(watched.root, 'slow.json'), `${part}\n`.repeat(1000));
    // The watch has seen this part, however busy the machine is.
    await watched.watch.rescan();
    now += settle / 2;
  }
  expect(watched.changes).toEqual([]);
  const over = new AbortController();
  const told = watched.told(1).finally(() => over.abort());
  while (!over.signal.aborted) {
    now += settle;
    await systemClock.sleep(20);
  }
  await told;
  await quiet(watched);
  expect(watched.changes).toEqual(['slow.json']);
});

test('a file is reported after its settling time and half a second', async () => {
  const clock = ownTime();
  const watched = await watchFolder({ clock, hints: 'none', pace: { turn: 250 } });
  const started = new Map<string, number>();
  for (const name of names.slice(0, 50)) {
    await writeFile(join(watched.root, name), name);
    watched.watch.suspect({ project: 'webapp', raw: name });
    started.set(name, clock.now());
    await systemClock.sleep(20);
  }
  await watched.told(50);
  const delays = [...started].map(([name, at]) => (watched.at.get(name) ?? 0) - at - SETTLE_MS);
  expect(Math.max(...delays)).toBeLessThanOrEqual(500);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
});

async function writeAll(root: string, paths: readonly string[]): Promise<void> {
  const folders = new Set(paths.map((path) => join(root, path, '..')));
  for (const folder of folders) await mkdir(folder, { recursive: true });
  // In portions: a process may have so many files open only.
  for (let at = 0; at < paths.length; at += 500) {
    const portion = paths.slice(at, at + 500);
    await Promise.all(portion.map((path) => writeFile(join(root, path), path)));
  }
}

async function expectOnce(watched: Watched, paths: readonly string[]): Promise<void> {
  await watched.told(paths.length);
  await quiet(watched);
  expect(watched.changes.toSorted(inOrder)).toEqual(paths.toSorted(inOrder));
}

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

const inOrder = (a: string, b: string) => (a < b ? -1 : 1);
