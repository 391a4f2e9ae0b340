/** `/healthz` and `/readyz`: the reasons for a negative answer. */
import { expect, onTestFinished, test } from 'vitest';
import { type ExaminedCondition, Health } from '../../src/page/health.ts';
import { manualClock } from '../manual-clock.ts';

const IDLE = { waiting: 0, running: 0, nextDue: undefined };
const REFUSED = { kind: 'key-refused', status: 401, operation: 'POST /v2/translate' } as const;
const USED_UP = {
  kind: 'quota-exceeded',
  scope: 'account',
  operation: 'POST /v2/translate',
} as const;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface Condition extends Mutable<Omit<ExaminedCondition, 'monitor'>> {
  readonly monitor: Mutable<Pick<ExaminedCondition['monitor'], 'isDegraded' | 'offline'>>;
}

/** A daemon that watches; a test changes its condition. */
function healthOf(queue: ExaminedCondition['queue'] = IDLE) {
  const clock = manualClock();
  const condition: Condition = {
    isStarted: true,
    configFaults: [],
    isConfigOutdated: false,
    monitor: { isDegraded: false, offline: () => [] },
    ...{ queue, purchaseStop: undefined, standstill: undefined },
    delays: [],
    lastRequest: 'none',
  };
  const health = new Health({ condition, clock });
  onTestFinished(() => health[Symbol.asyncDispose]());
  return { clock, health, condition };
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
  const { condition } = healthOf();
  const clock = manualClock();
  let late = 0;
  const health = new Health({ condition, clock: { ...clock, now: () => clock.now() + late } });
  onTestFinished(() => health[Symbol.asyncDispose]());
  late = 16_000;
  expect(health.live().scheduler).toEqual({
    ok: false,
    reason: 'the event loop was blocked for 16 s',
  });
});

test('a daemon that watches and has a key is ready', () => {
  expect(healthOf().health.ready()).toEqual({
    config: { ok: true, reason: 'valid' },
    watcher: { ok: true, reason: 'ready' },
    key: { ok: true, reason: 'not used since the start' },
    quota: { ok: true, reason: 'not used up as far as is known' },
    jobs: { ok: true, reason: 'move' },
  });
});

test('it is not ready before it watches', () => {
  const { health, condition } = healthOf();
  condition.isStarted = false;
  expect(health.ready().watcher).toEqual({ ok: false, reason: 'not ready yet' });
});

test('the key is accepted after an answer, and not refused where the last request had none', () => {
  const { health, condition } = healthOf();
  expect(health.ready().key).toEqual({ ok: true, reason: 'not used since the start' });
  condition.lastRequest = 'answered';
  expect(health.ready().key).toEqual({ ok: true, reason: 'accepted' });
  condition.lastRequest = 'lost';
  const reason = 'not refused; the last request was not answered';
  expect(health.ready().key).toEqual({ ok: true, reason });
});

test('a refused key and a used-up quota have different states, which end when work continues', () => {
  const { health, condition } = healthOf();
  condition.purchaseStop = REFUSED;
  expect([health.ready().key.ok, health.ready().quota.ok]).toEqual([false, true]);
  condition.purchaseStop = USED_UP;
  expect([health.ready().key.ok, health.ready().quota.ok]).toEqual([true, false]);
  condition.purchaseStop = undefined;
  expect(health.ready().quota.ok).toBe(true);
});

test('a refused config is not ready until a valid one is read, and its faults stay inside', () => {
  const { health, condition } = healthOf();
  condition.configFaults = ['/etc/dragoman.yaml:1:1 nonsense'];
  expect(health.ready().config.ok).toBe(false);
  expect(JSON.stringify(health.ready())).not.toContain('/etc');
  condition.configFaults = [];
  expect(health.ready().config).toEqual({ ok: true, reason: 'valid' });
});

test('a config file that changed and is not reloaded leaves the daemon ready, and readiness says so', () => {
  const { health, condition } = healthOf();
  condition.isConfigOutdated = true;
  const reason = 'valid, but the file has changed and is not reloaded';
  expect(health.ready().config).toEqual({ ok: true, reason });
});

test('an offline root is not ready, and its path stays inside', () => {
  const { health, condition } = healthOf();
  condition.monitor.offline = () => [{ project: 'app', reason: '/mnt/x is gone' }];
  const ready = health.ready();
  expect(ready.watcher).toEqual({ ok: false, reason: 'the root of 1 project is offline' });
  expect(JSON.stringify(ready)).not.toContain('/mnt');
});

test('a daemon without events of the system is ready and says so, until it has them again', () => {
  const { health, condition } = healthOf();
  condition.monitor.isDegraded = true;
  const reason = 'without events of the system; scanning more often';
  expect(health.ready().watcher).toEqual({ ok: true, reason });
  condition.monitor.isDegraded = false;
  expect(health.ready().watcher).toEqual({ ok: true, reason: 'ready' });
});

test('a daemon whose queued jobs do not move is not ready, and is alive', () => {
  const { health, condition } = healthOf();
  condition.standstill = { jobs: 487, seconds: 75 };
  const reason = '487 jobs are queued, and none has made progress for 75 s';
  expect(health.ready().jobs).toEqual({ ok: false, reason });
  expect(health.live().scheduler.ok).toBe(true);
});

test('readiness says what delays the jobs, and stays', () => {
  const { health, condition } = healthOf();
  condition.delays = ['2 files wait for the parser'];
  expect(health.ready().jobs).toEqual({ ok: true, reason: 'move; 2 files wait for the parser' });
});
