/** `/healthz` and `/readyz`: the reasons for a negative answer. */
import { expect, onTestFinished, test } from 'vitest';
import type { Event } from '../../src/event.ts';
import type { Standstill } from '../../src/jobs/offers.ts';
import { Health, type HealthOptions } from '../../src/page/health.ts';
import { manualClock } from '../manual-clock.ts';

const IDLE = { waiting: 0, running: 0, nextDue: undefined };
const STARTED: Event = { kind: 'started', projects: 1 };
const REFUSED = { kind: 'key-refused', status: 401, operation: 'POST /v2/translate' } as const;
const USED_UP = {
  kind: 'quota-exceeded',
  scope: 'account',
  operation: 'POST /v2/translate',
} as const;

function healthOf(
  queue: HealthOptions['queue'] = IDLE,
  standstill?: Standstill,
  delays: readonly string[] = [],
) {
  const clock = manualClock();
  const health = new Health({
    ...{ clock, queue },
    standstill: () => standstill,
    delays: () => delays,
  });
  onTestFinished(() => health[Symbol.asyncDispose]());
  return { clock, health };
}

function readyAfter(...events: readonly Event[]) {
  const { health } = healthOf();
  for (const event of events) health.listener(event);
  return health.ready();
}

test('an idle scheduler that ticks is alive', async () => {
  const { clock, health } = healthOf();
  await clock.pass(60_000);
  expect(health.live()).toEqual({ scheduler: { ok: true, reason: 'ticks' } });
});

test('a queue that waits for a time is alive', async () => {
  const { clock, health } = healthOf({ waiting: 3, running: 0, nextDue: 1 });
  await clock.pass(60_000);
  expect(health.live().scheduler.ok).toBe(true);
});

test('jobs that are ready and not taken up mean that the scheduler does not work', async () => {
  const { clock, health } = healthOf({ waiting: 3, running: 0, nextDue: undefined });
  await clock.pass(10_000);
  expect(health.live().scheduler.ok).toBe(true);
  await clock.pass(10_000);
  expect(health.live().scheduler).toEqual({ ok: false, reason: 'has started no job for 20 s' });
});

test('a scheduler whose tick is late is not alive', async () => {
  const clock = manualClock();
  let late = 0;
  const health = new Health({
    clock: { ...clock, now: () => clock.now() + late },
    queue: IDLE,
    standstill: () => undefined,
    delays: () => [],
  });
  onTestFinished(() => health[Symbol.asyncDispose]());
  late = 16_000;
  expect(health.live().scheduler).toEqual({
    ok: false,
    reason: 'the event loop was blocked for 16 s',
  });
});

test('a daemon that watches and has a key is ready', () => {
  expect(readyAfter(STARTED)).toEqual({
    config: { ok: true, reason: 'valid' },
    watcher: { ok: true, reason: 'ready' },
    key: { ok: true, reason: 'not used since the start' },
    quota: { ok: true, reason: 'not used up as far as is known' },
    jobs: { ok: true, reason: 'move' },
  });
});

test('it is not ready before it watches', () => {
  expect(readyAfter().watcher).toEqual({ ok: false, reason: 'not ready yet' });
});

test('a refused key and a used-up quota have different states, which end when work continues', () => {
  const refused = readyAfter(STARTED, { kind: 'paid-work-stopped', failure: REFUSED });
  expect([refused.key.ok, refused.quota.ok]).toEqual([false, true]);
  const usedUp = readyAfter(STARTED, { kind: 'paid-work-stopped', failure: USED_UP });
  expect([usedUp.key.ok, usedUp.quota.ok]).toEqual([true, false]);
  const again = readyAfter(
    { kind: 'paid-work-stopped', failure: USED_UP },
    { kind: 'paid-work-resumed' },
  );
  expect(again.quota.ok).toBe(true);
});

test('a refused config is not ready until a valid one is read, and its faults stay inside', () => {
  const { health } = healthOf();
  health.listener({ kind: 'config-refused', faults: ['/etc/dragoman.yaml:1:1 nonsense'] });
  expect(health.ready().config.ok).toBe(false);
  expect(JSON.stringify(health.ready())).not.toContain('/etc');
  expect(health.configFaults).toHaveLength(1);
  health.listener({ kind: 'config-reloaded', changed: [] });
  expect(health.ready().config).toEqual({ ok: true, reason: 'valid' });
});

test('an offline root is not ready, and its path stays inside', () => {
  const offline = { kind: 'root-offline', project: 'app', root: '/mnt/x', reason: 'gone' } as const;
  const ready = readyAfter(STARTED, offline);
  expect(ready.watcher).toEqual({ ok: false, reason: '1 root is offline' });
  expect(JSON.stringify(ready)).not.toContain('/mnt');
});

test('a daemon whose queued jobs do not move is not ready, and is alive', () => {
  const { health } = healthOf(IDLE, { jobs: 487, seconds: 75 });
  health.listener(STARTED);
  const reason = '487 jobs are queued, and none has made progress for 75 s';
  expect(health.ready().jobs).toEqual({ ok: false, reason });
  expect(health.live().scheduler.ok).toBe(true);
});

test('readiness says what delays the jobs, and stays', () => {
  const { health } = healthOf(IDLE, undefined, ['2 files wait for the parser']);
  expect(health.ready().jobs).toEqual({ ok: true, reason: 'move; 2 files wait for the parser' });
});
