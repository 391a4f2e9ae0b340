import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DAY_MS, turnsOf } from '../../src/clock.ts';
import type { Settled } from '../../src/watch/event.ts';
import { ObservedRoot } from '../../src/watch/observed-root.ts';
import { manualClock } from '../manual-clock.ts';
import { closeOpened, folderWith } from './rig.ts';

afterAll(closeOpened);

/** A root that has told of its files, and what it tells from now on; looked at only when asked to. */
async function observed(paths: readonly string[], settle = 20) {
  const path = await folderWith(...paths);
  const clock = manualClock(Date.now());
  const told: Settled[] = [];
  const root = new ObservedRoot(
    { project: 'app', path, wants: () => true, enters: () => true },
    {
      settleOf: () => settle,
      endPatience: 60_000,
      onEvent: (event) => {
        if (event.kind === 'settled') told.push(event);
      },
    },
  );
  const turn = async (thoroughness: 'suspects' | 'files') => {
    await clock.pass(30);
    await root.turn(thoroughness, { clock, turns: turnsOf(8) });
  };
  await turn('files');
  for (let turns = 0; turns <= settle / 30; turns++) await turn('suspects');
  expect(told.flatMap(({ files }) => files)).toHaveLength(paths.length);
  told.length = 0;
  const hint = (name: string) => root.hint(join(path, name), 'file', clock.now());
  const see = async (name: string) => {
    hint(name);
    await turn('suspects');
    await turn('suspects');
  };
  return { path, clock, told, hint, see, turn };
}

test('a new file is reported only when it is known whether another file is missing, also when only the new file caused an event', async () => {
  const { path, told, see } = await observed(['a/x.json', 'b/z.json']);
  await rename(join(path, 'a/x.json'), join(path, 'b/y.json'));
  await see('b/y.json');
  expect(told[0]?.files.map((file) => file.path)).toEqual(['b/y.json']);
  expect(told[0]?.missing).toEqual(new Set(['a/x.json']));
});

test('a file that was renamed after the clock was set back by a day is not new: its old path is looked for', async () => {
  const { path, clock, told, see } = await observed(['a/x.json', 'b/z.json']);
  await rename(join(path, 'b/z.json'), join(path, 'b/w.json'));
  await see('b/w.json');
  told.length = 0;
  clock.setBack(DAY_MS);
  await rename(join(path, 'a/x.json'), join(path, 'b/y.json'));
  await see('b/y.json');
  expect(told[0]?.missing).toContain('a/x.json');
});

test('an edit is reported without a scan of all folders', async () => {
  const { path, told, see } = await observed(['a/x.json', 'b/z.json']);
  await rename(join(path, 'a/x.json'), join(path, 'a/v.json'));
  await writeFile(join(path, 'b/z.json'), 'edited');
  await see('b/z.json');
  expect(told[0]?.files.map((file) => file.path)).toEqual(['b/z.json']);
  expect(told[0]?.missing).toEqual(new Set());
});

test('a missing file is not reported as gone while a new file is being written that may be its new name', async () => {
  const { path, told, hint, turn } = await observed(['a.json'], 100);
  await rename(join(path, 'a.json'), join(path, 'b.json'));
  hint('a.json');
  for (const text of ['1', '12', '123', '1234', '12345', '123456']) {
    await writeFile(join(path, 'b.json'), text);
    hint('b.json');
    await turn('suspects');
  }
  expect(told).toEqual([]);
  for (let turns = 0; turns < 5; turns++) await turn('suspects');
  expect(told).toMatchObject([{ files: [{ path: 'b.json' }], gone: ['a.json'] }]);
});
