import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.ts';
import { END_PATIENCE_MS } from '../../src/files/completeness.ts';
import { temporaryName } from '../../src/files/temporary.ts';
import { INCOMPLETE_AFTER_MS } from '../../src/watch/unfinished.ts';
import { openWatch } from '../../src/watch/watch.ts';
import { spawnSync } from '../in-time.ts';
import { closeOpened, folderWith, watchFolder } from './rig.ts';

afterAll(closeOpened);

/** The system's clock, until somebody sets it. */
function settableClock(): Clock & { set(aheadMs: number): void } {
  let ahead = 0;
  return {
    now: () => systemClock.now() + ahead,
    sleep: systemClock.sleep,
    set: (aheadMs) => {
      ahead = aheadMs;
    },
  };
}

test.for([2 * 3_600_000, -2 * 3_600_000])(
  'after the clock jumped by %i ms everything is looked at',
  async (jump) => {
    const clock = settableClock();
    const watched = await watchFolder({ clock, hints: 'none', root: await folderWith('a.json') });
    await watched.watch.settle();
    writeFileSync(join(watched.root, 'a.json'), 'edited while the machine slept');
    clock.set(jump);
    await watched.told(2);
    expect(watched.changes).toEqual(['a.json', 'a.json']);
  },
);

test('a change that was seen before the clock was set back is waited for', async () => {
  const clock = settableClock();
  const watched = await watchFolder({
    ...{ clock, hints: 'none', root: await folderWith('a.json'), settleOf: () => 100 },
  });
  await watched.watch.settle();
  writeFileSync(join(watched.root, 'a.json'), 'edited');
  await watched.watch.rescan();
  clock.set(-2 * 3_600_000);
  await watched.watch.settle();
  expect(watched.changes).toEqual(['a.json', 'a.json']);
});

test('a full pass is fresh for a few times as long as it took, and then a look at the folders finds new and replaced files', async () => {
  let stoppedAt: number | undefined = systemClock.now();
  const clock = { now: () => stoppedAt ?? systemClock.now(), sleep: systemClock.sleep };
  const root = await folderWith('a.json', 'below/b.json');
  const watched = await watchFolder({
    ...{ clock, hints: 'none', root, settleOf: () => 0, pace: { manyFiles: 0 } },
  });
  expect(watched.watch.isFresh).toBe(true);
  stoppedAt = undefined;
  await watched.watch.settle();
  await watched.write('below/c.json');
  await watched.write('new', 'other content');
  await rename(join(root, 'new'), join(root, 'a.json'));
  await watched.watch.lookAtFolders();
  await watched.watch.settle();
  expect(watched.changes.slice(2).sort()).toEqual(['a.json', 'below/c.json']);
  stoppedAt = systemClock.now() + 60_000;
  expect(watched.watch.isFresh).toBe(false);
});

test('a full pass over a few files is never fresh: it is made again', async () => {
  const watched = await watchFolder({ hints: 'none', root: await folderWith('a.json') });
  expect(watched.watch.isFresh).toBe(false);
});

test('a file that stays unfinished for ten minutes is reported as incomplete, once', async () => {
  const clock = settableClock();
  const watched = await watchFolder({ clock, hints: 'none' });
  await watched.write('a.docx', 'PK\x03\x04 half');
  while (watched.watch.unfinished().length === 0) await watched.watch.rescan();
  clock.set(INCOMPLETE_AFTER_MS);
  expect(await watched.event('incomplete')).toMatchObject({ path: 'a.docx' });
  await watched.write('b.json');
  await watched.told(1);
  expect(watched.events.filter(({ kind }) => kind === 'incomplete')).toHaveLength(1);
});

test('HTML without its end tag waits a minute for the rest, and is then taken as it is', async () => {
  const clock = settableClock();
  const watched = await watchFolder({ clock, hints: 'none' });
  await watched.write('a.html', '<html><body><p>The end tag may be left out');
  while (watched.watch.unfinished().length === 0) await watched.watch.rescan();
  expect(watched.changes).toEqual([]);
  clock.set(END_PATIENCE_MS);
  await watched.told(1);
  expect(watched.changes).toEqual(['a.html']);
  expect(watched.watch.unfinished()).toEqual([]);
});

test('the first pass removes temporary files that a killed run left, and no others', async () => {
  const [, , run = ''] = temporaryName().split('-');
  const left = `.dragoman-${spawnSync('true').pid}-${run.slice(0, 4)}0000-00000000.tmp`;
  const root = await folderWith('a.json', 'de/a.json');
  for (const name of [`de/${left}`, left, 'de/.own.tmp', `de/${temporaryName()}`]) {
    writeFileSync(join(root, name), 'x');
  }
  const watched = await watchFolder({ hints: 'none', root });
  await watched.watch.settle();
  expect(readdirSync(root).sort()).toEqual(['a.json', 'de']);
  expect(readdirSync(join(root, 'de')).sort()).toEqual([
    expect.stringMatching(/^\.dragoman-/),
    '.own.tmp',
    'a.json',
  ]);
});

test('a later pass removes temporary files of another process, when it was killed', async () => {
  const [, , run = ''] = temporaryName().split('-');
  const other = spawn('sleep', ['600']);
  onTestFinished(() => void other.kill());
  const left = `.dragoman-${other.pid}-${run.slice(0, 4)}0000-00000000.tmp`;
  const root = await folderWith('de/a.json');
  const watched = await watchFolder({ hints: 'none', root });
  await watched.watch.settle();
  writeFileSync(join(root, 'de', left), 'x');
  await watched.watch.lookAtFolders();
  expect(readdirSync(join(root, 'de'))).toContain(left);
  other.kill('SIGKILL');
  await once(other, 'close');
  await watched.watch.lookAtFolders();
  expect(readdirSync(join(root, 'de'))).toEqual(['a.json']);
});

test('a listener that throws ends the watch, and all callers that wait get its error', async () => {
  const root = await folderWith('a.json');
  const watch = await openWatch({
    roots: [{ project: 'webapp', path: root, wants: () => true, enters: () => true }],
    clock: systemClock,
    settleOf: () => 200,
    hints: 'none',
    onEvent: (event) => {
      if (event.kind === 'settled') throw new Error('no more');
    },
  });
  await expect(watch.settle()).rejects.toThrow('no more');
  await expect(watch.ended).rejects.toThrow('no more');
  await expect(watch.rescan()).rejects.toThrow('no more');
  await expect(watch[Symbol.asyncDispose]()).resolves.toBeUndefined();
});

test('a closed watch reports nothing, and callers that wait get an error', async () => {
  const watched = await watchFolder({ settleOf: () => 60_000 });
  await watched.write('a.json');
  await watched.watch.rescan();
  const settling = watched.watch.settle();
  const refused = expect(settling).rejects.toThrow('stopped');
  await watched.watch[Symbol.asyncDispose]();
  await refused;
  expect(watched.changes).toEqual([]);
});

test('each of two projects in one folder gets the files that it wants', async () => {
  const root = await folderWith('a.json', 'b.md');
  const told: string[] = [];
  await using watch = await openWatch({
    roots: ['json', 'md'].map((project) => ({
      project,
      path: root,
      wants: (path) => path.endsWith(project),
      enters: () => true,
    })),
    clock: systemClock,
    settleOf: () => 0,
    hints: 'events',
    onEvent: (event) => {
      if (event.kind !== 'settled') return;
      for (const { path } of event.files) told.push(`${event.project}: ${path}`);
    },
  });
  await watch.settle();
  await writeFile(join(root, 'c.json'), 'new');
  while (told.length < 3) await systemClock.sleep(20);
  expect(told.toSorted((a, b) => a.localeCompare(b))).toEqual([
    'json: a.json',
    'json: c.json',
    'md: b.md',
  ]);
});

test('a file that did not change for long enough before the start is reported without waiting', async () => {
  const root = await folderWith('old.json', 'fresh.json');
  const old = new Date(systemClock.now() - 3_600_000);
  await utimes(join(root, 'old.json'), old, old);
  await systemClock.sleep(600);
  await writeFile(join(root, 'fresh.json'), 'just now');
  const watched = await watchFolder({ root, hints: 'none', settleOf: () => 2000 });
  expect(watched.changes).toEqual(['old.json']);
});
