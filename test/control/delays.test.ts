/** The sentence of `status`, the page and `/readyz` about files that wait for the parser. */
import { expect, test } from 'vitest';
import { Delays, parserNote } from '../../src/control/delays.ts';
import { Events } from '../../src/event.ts';
import type { JobId } from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';
import { type ManualClock, manualClock } from '../manual-clock.ts';

const ASKED = { kind: 'request', operation: 'POST /v2/translate', durationMs: 5 } as const;
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
  const delays = new Delays({ events, clock, inForce: { config: { base } } });
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

test.for([
  ['refused a request', (told: Events) => told.emit({ ...ASKED, status: 403 })],
  ['was asked nothing for a long time', (_: Events, clock: ManualClock) => clock.pass(3_600_000)],
] as const)('requests are no longer named as tried again when the service %s', async ([, act]) => {
  const events = new Events();
  const clock = manualClock(Date.parse('2026-11-20T10:00:00.000Z'));
  const delays = new Delays({ events, clock, inForce: { config: { base } } });
  const { operation } = ASKED;
  const failure = { kind: 'unreachable', operation, message: 'refused' } as const;
  events.emit({ kind: 'request-repeated', operation, failure, inMs: 500 });
  await clock.pass(10_000);
  expect(delays.sentences).toHaveLength(1);
  await act(events, clock);
  expect(delays.sentences).toEqual([]);
});

test('a job is named whose file changes at each try, until the job ends or is tried no more', async () => {
  const events = new Events();
  const clock = manualClock(Date.parse('2026-11-20T10:00:00.000Z'));
  const delays = new Delays({ events, clock, inForce: { config: { base } } });
  const ofJob = (name: string) => ({
    job: name as JobId,
    ...({
      project: 'app',
      lane: 'text',
      source: 'en.json',
      language: 'de' as LanguageTag,
    } as const),
  });
  const retried = (name: string) => {
    const failure = { kind: 'changed-meanwhile', file: `/srv/site/${name}.json` } as const;
    events.emit({ kind: 'job-retried', failure, inMs: 500, ...ofJob(name) });
  };
  retried('de');
  expect(delays.sentences).toEqual([]);
  await clock.pass(60_000);
  for (const name of ['de', 'fr']) retried(name);
  expect(delays.sentences).toEqual([
    'de.json has changed at each try since 2026-11-20T10:00:00.000Z: its job waits until it stays the same',
  ]);
  await clock.pass(60_000);
  for (const name of ['de', 'fr']) retried(name);
  expect(delays.sentences).toEqual([
    'de.json has changed at each try since 2026-11-20T10:00:00.000Z: its job waits until it stays the same',
    'fr.json has changed at each try since 2026-11-20T10:01:00.000Z: its job waits until it stays the same',
  ]);
  events.emit({ kind: 'job-delivered', wrote: [], durationMs: 5, ...ofJob('de') });
  expect(delays.sentences).toHaveLength(1);
  // The last try of this file failed by something else.
  const failure = { kind: 'disk-full', file: '/srv/site/de/fr.json', needs: 1 } as const;
  events.emit({ kind: 'job-retried', failure, inMs: 500, ...ofJob('fr') });
  expect(delays.sentences).toEqual([]);
  retried('fr');
  await clock.pass(60_000);
  retried('fr');
  expect(delays.sentences).toHaveLength(1);
  // Its source left, or another daemon has done it.
  await clock.pass(10 * 60_000);
  expect(delays.sentences).toEqual([]);
});
