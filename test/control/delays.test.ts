/** The sentences of `status`, the page and `/readyz` about what delays the work. */
import { expect, test } from 'vitest';
import { describeDelays, parserNote } from '../../src/control/delays.ts';
import type { ChangingFile } from '../../src/jobs/changing-files.ts';
import type { JobRunner } from '../../src/jobs/runner.ts';
import type { RepeatedRequests } from '../../src/service/contact.ts';

const now = 100_000;
const base = '/srv/site';
const file = (name: string, since: number) => ({ file: `/srv/site/docs/${name}`, since });

test('files that wait are counted once each, beside the file that has been read longest', () => {
  const load = {
    reading: [file('quick.md', 99_900), file('slow.md', 95_000)],
    waiting: [file('a.md', 94_000), file('a.md', 99_000), file('b.md', 99_000)],
  };
  expect(parserNote({ load, now, base })).toBe(
    '2 files wait for the parser, which has read docs/slow.md for 5 s',
  );
});

test('a slow file is named also while no other file waits', () => {
  const load = { reading: [file('slow.md', 90_000)], waiting: [] };
  expect(parserNote({ load, now, base })).toBe('the parser has read docs/slow.md for 10 s');
});

test('nothing is said of files that are read and wait for a moment', () => {
  const load = { reading: [file('a.md', 99_000)], waiting: [file('b.md', 98_000)] };
  expect(parserNote({ load, now, base })).toBeUndefined();
});

const SINCE = Date.parse('2026-11-20T10:00:00.000Z');

/** @param known what the parts of a daemon know */
function delaysOf(known: {
  repeated?: RepeatedRequests;
  changingFiles?: readonly ChangingFile[];
  delayedRecordings?: JobRunner['delayedRecordings'];
}) {
  const { repeated, changingFiles = [], delayedRecordings = [] } = known;
  return describeDelays({
    workspace: { service: { contact: { repeated } } },
    runner: { changingFiles, delayedRecordings },
    inForce: { config: { base } },
  });
}

test('requests that are tried again are named with their reason when that lasts', () => {
  const failure = {
    kind: 'unreachable',
    operation: 'POST /v2/translate',
    message: 'refused',
  } as const;
  expect(delaysOf({})).toEqual([]);
  expect(delaysOf({ repeated: { since: SINCE, ago: 4000, failure } })).toEqual([]);
  expect(delaysOf({ repeated: { since: SINCE, ago: 60_000, failure } })).toEqual([
    expect.stringContaining('requests are tried again since 2026-11-20T10:00:00.000Z: the service'),
  ]);
});

test('a file that changes at each try is named when that lasts', () => {
  const changing = (name: string, ago: number) => ({
    file: `/srv/site/${name}.json`,
    since: SINCE,
    ago,
  });
  expect(delaysOf({ changingFiles: [changing('de', 60_000), changing('fr', 20_000)] })).toEqual([
    'de.json has changed at each try since 2026-11-20T10:00:00.000Z: its job waits until it stays the same',
  ]);
});

test('a recording whose paid results do not come is named with the reason when that lasts', () => {
  const reason = 'the service failed (500)';
  const delayed = (ago: number) => [{ source: 'in/a.wav', since: SINCE, ago, reason }];
  expect(delaysOf({ delayedRecordings: delayed(4000) })).toEqual([]);
  expect(delaysOf({ delayedRecordings: delayed(60_000) })).toEqual([
    `in/a.wav: its results, which are paid, do not come since 2026-11-20T10:00:00.000Z (${reason}); they are asked for again`,
  ]);
});
