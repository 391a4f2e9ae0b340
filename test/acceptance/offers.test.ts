/** A daemon that lost a job finds it again by itself. */
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.ts';
import type { JobRecord, Ledger } from '../../src/ledger.ts';
import { daemonHere } from '../daemon-here.ts';
import { Rig } from '../rig.ts';
import { until } from '../until.ts';

const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;

/** Half a minute and more pass at once. */
const HURRIED: Clock = {
  now: () => systemClock.now(),
  sleep: (ms, signal) => systemClock.sleep(ms < 30_000 ? ms : 20, signal),
};

/** Seconds pass at once. */
const QUICK: Clock = {
  now: () => systemClock.now(),
  sleep: (ms, signal) => systemClock.sleep(ms < 10_000 ? Math.min(ms, 20) : ms, signal),
};

test('a queued job that nobody offered is reported as an error and done, without a restart', async () => {
  const files = { 'locales/en/app.json': '{ "hello": "Hello" }\n' };
  await using rig = await Rig.start({ config: CONFIG, files });
  const { daemon, events, heard } = await daemonHere(rig, HURRIED);
  await using _ = daemon;
  // A state that no part of dragoman causes any more: a job is queued again in the ledger, and it has no offer.
  const ledger = daemon.ledger as Ledger;
  const ending = new AbortController();
  const told: unknown[] = [];
  events.subscribe((event) => {
    if (event.kind === 'jobs-not-offered') told.push(event);
    if (event.kind !== 'job-delivered') return;
    if (told.length > 0) ending.abort(new Error('the test ends'));
    const from = ledger.get('jobs', event.job);
    if (from === undefined || told.length > 0) return;
    void ledger.commit([{ table: 'jobs', from, set: { state: { kind: 'queued' } } }]);
  });
  await daemon.run({ drain: ending.signal, abort: new AbortController().signal });
  expect(told).toEqual([
    { kind: 'jobs-not-offered', jobs: 1, first: 'app/de/locales/en/app.json' },
  ]);
  expect(heard.slice(heard.indexOf('jobs-not-offered'))).toContain('job-delivered');
  expect(ledger.get('jobs', 'app/de/locales/en/app.json')?.state.kind).toBe('done');
});

test('a job that failed waits for nothing when its source is removed', async () => {
  const files = { 'locales/en/app.json': '{ "hello": "Hello" }\n' };
  const sandbox = { faults: [{ kind: 'status', status: 500, times: 'always' } as const] };
  await using rig = await Rig.start({ config: CONFIG, files, sandbox });
  const { daemon, heard } = await daemonHere(rig, QUICK);
  await using _ = daemon;
  const ending = new AbortController();
  const ended = daemon.run({ drain: ending.signal, abort: new AbortController().signal });
  await until(() => heard.includes('job-failed') && daemon.runner.queue.waiting === 1);
  rig.remove('locales/en/app.json');
  await until(() => heard.includes('source-changed') && daemon.ledger.size('jobs') === 0);
  expect(daemon.runner.queue.waiting).toBe(0);
  ending.abort(new Error('the test ends'));
  await ended;
});

test('a job that failed again and again during an outage is done as soon as the service is back', async () => {
  const files = { 'locales/en/app.json': '{ "hello": "Hello" }\n' };
  const sandbox = { faults: [{ kind: 'status', status: 500, times: 'always' } as const] };
  await using rig = await Rig.start({ config: CONFIG, files, sandbox });
  let ahead = 0;
  const clock: Clock = {
    now: () => systemClock.now() + ahead,
    // A minute passes at once, but the service may take seconds to answer.
    sleep: (ms, signal) => systemClock.sleep(ms === 5000 || ms > 60_000 ? ms : 20, signal),
  };
  const { daemon, heard } = await daemonHere(rig, clock);
  await using _ = daemon;
  const ending = new AbortController();
  const ended = daemon.run({ drain: ending.signal, abort: new AbortController().signal });
  await until(() => heard.includes('job-failed') && daemon.runner.queue.waiting === 1);
  const ledger = daemon.ledger as Ledger;
  const [from] = [...ledger.all('jobs')] as [JobRecord];
  const state = { ...from.state, attempts: 9 } as JobRecord['state'];
  await ledger.commit([{ table: 'jobs', from, set: { state } }]);
  ahead += 60_000;
  // Its own next try is minutes away now.
  await until(() => (daemon.runner.queue.nextDue ?? 0) - clock.now() > 120_000);
  const asked = () => rig.sandbox.counters().operations['GET /v2/usage']?.calls ?? 0;
  const before = asked();
  await until(() => asked() > before);
  rig.sandbox.faults.clear();
  await until(() => rig.exists('locales/de/app.json'));
  await until(() => heard.includes('job-delivered'));
  expect(rig.exists('locales/de/app.json')).toBe(true);
  ending.abort(new Error('the test ends'));
  await ended;
});
