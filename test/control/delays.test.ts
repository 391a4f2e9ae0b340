/** The sentence of `status`, the page and `/readyz` about files that wait for the parser. */
import { expect, test } from 'vitest';
import { Delays, parserNote } from '../../src/control/delays.ts';
import { Events } from '../../src/event.ts';
import { manualClock } from '../manual-clock.ts';

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

test('requests that are tried again are named with their reason until one is answered', async () => {
  const events = new Events();
  const clock = manualClock(Date.parse('2026-11-20T10:00:00.000Z'));
  const delays = new Delays({ events, clock, base: () => '/srv/site' });
  const operation = 'POST /v2/translate';
  const failure = { kind: 'unreachable', operation, message: 'refused' } as const;
  events.emit({ kind: 'request-repeated', operation, failure, inMs: 500 });
  expect(delays.sentences).toEqual([]);
  await clock.pass(60_000);
  events.emit({ kind: 'request-repeated', operation, failure, inMs: 500 });
  expect(delays.sentences).toEqual([
    expect.stringContaining('requests are tried again since 2026-11-20T10:00:00.000Z: the service'),
  ]);
  events.emit({ kind: 'request', operation, status: 200, durationMs: 5 });
  expect(delays.sentences).toEqual([]);
});
