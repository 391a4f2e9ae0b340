import { afterAll, expect, test } from 'vitest';
import type { WatchEvent } from '../../src/watch/event.ts';
import { HintSource } from '../../src/watch/hint-source.ts';
import type { HintRequest } from '../../src/watch/hints.ts';
import { ObservedRoot } from '../../src/watch/observed-root.ts';
import { manualClock } from '../manual-clock.ts';
import { closeOpened, folderWith } from './rig.ts';

afterAll(closeOpened);

/** A source whose system does what the test says. */
async function hintSource(...paths: string[]) {
  const clock = manualClock();
  const requests: HintRequest[] = [];
  const events: WatchEvent[] = [];
  const doubts = { count: 0 };
  const onEvent = (event: WatchEvent) => events.push(event);
  const folders = paths.length > 0 ? paths : [await folderWith('a.json')];
  const roots = folders.map(
    (path) =>
      new ObservedRoot(
        { project: path, path, wants: () => true, enters: () => true },
        { onEvent, settleOf: () => 0, endPatience: 60_000 },
      ),
  );
  const source = new HintSource({
    roots,
    clock,
    open: (request) => {
      requests.push(request);
      return Promise.resolve({ close: () => Promise.resolve() });
    },
    retryMs: 60_000,
    onEvent,
    onDoubt: () => {
      doubts.count += 1;
    },
    onReady: () => {},
  });
  await source.refresh();
  const refuse = () => requests.at(-1)?.onError(Object.assign(new Error('no'), { code: 'ENOSPC' }));
  return { source, clock, requests, doubts, refuse, kinds: () => events.map(({ kind }) => kind) };
}

test('a refusal by the kernel is reported once, for any number of folders', async () => {
  const { source, refuse, kinds } = await hintSource();
  refuse();
  refuse();
  expect(kinds()).toEqual(['degraded']);
  expect(source.isDegraded).toBe(true);
});

test('a folder that cannot be read does not stop the events of others', async () => {
  const { source, requests, kinds } = await hintSource();
  requests[0]?.onError(Object.assign(new Error('no'), { code: 'EACCES' }));
  expect(kinds()).toEqual([]);
  expect(source.isDegraded).toBe(false);
});

test('refused hints are tried again after a minute, then less and less often', async () => {
  const { source, clock, requests, refuse, kinds } = await hintSource();
  refuse();
  const tries: number[] = [];
  const start = clock.now();
  for (let minute = 1; minute <= 20; minute++) {
    await clock.pass(60_000);
    const before = requests.length;
    await source.refresh();
    if (requests.length === before) continue;
    tries.push((clock.now() - start) / 60_000);
    refuse();
  }
  expect(tries).toEqual([1, 3, 7, 15]);
  expect(kinds()).toEqual(['degraded']);
});

test('the return of hints is reported', async () => {
  const { source, clock, requests, refuse, kinds } = await hintSource();
  refuse();
  await clock.pass(60_000);
  await source.refresh();
  requests.at(-1)?.onReady();
  expect(kinds()).toEqual(['degraded', 'recovered']);
  expect(source.isDegraded).toBe(false);
});

test('after so many hints that some may be lost, everything is scanned', async () => {
  const { source, requests, doubts } = await hintSource();
  for (let n = 0; n <= 8000; n++) requests[0]?.onHint(`/elsewhere/${n}`, 'file');
  await source.refresh();
  expect(doubts.count).toBe(1);
});

test('a root within another is watched once', async () => {
  const outer = await folderWith('inner/a.json');
  const { requests } = await hintSource(outer, `${outer}/inner`, outer);
  expect(requests[0]?.folders).toEqual([outer]);
});
