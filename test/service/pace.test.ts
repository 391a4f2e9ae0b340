import { expect, test } from 'vitest';
import { type Clock, DAY_MS, onwardClock } from '../../src/clock.ts';
import { LANGUAGE_RESOURCES } from '../../src/language.ts';
import { Pace } from '../../src/service/pace.ts';
import { ownRate } from '../../src/service/rate.ts';

/** A clock that a test moves by hand. */
class HandClock implements Clock {
  #now = 0;
  readonly #sleepers: { at: number; wake: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  sleep(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#sleepers.push({ at: this.#now + ms, wake: resolve });
    return promise;
  }

  setBack(ms: number): void {
    this.#now -= ms;
    for (const sleeper of this.#sleepers) sleeper.at -= ms;
  }

  async pass(ms: number): Promise<void> {
    this.#now += ms;
    for (const { at, wake } of this.#sleepers) if (at <= this.#now) wake();
    await new Promise(setImmediate);
  }
}

const TURN = { signal: new AbortController().signal, again: false };

function paceOf(concurrency = 16) {
  const clock = new HandClock();
  return { clock, pace: new Pace({ clock, concurrency }) };
}

test('a pause holds every call of the key, polls included, and ends by itself', async () => {
  const { clock, pace } = paceOf();
  const ran: string[] = [];
  pace.throttled('paid', 5000);
  expect(pace.pausedUntil).toBe(5000);
  for (const traffic of ['paid', 'control', 'glossaries', 'transfers', 'assets'] as const) {
    void pace.run(traffic, async () => ran.push(traffic), TURN);
  }
  await clock.pass(4999);
  expect(ran).toEqual(['assets']);
  await clock.pass(1);
  expect(ran).toHaveLength(5);
  expect(pace.pausedUntil).toBeUndefined();
});

test('a refused glossary request holds back only glossaries', async () => {
  const { clock, pace } = paceOf();
  const ran: string[] = [];
  pace.throttled('glossaries', 5000);
  expect(pace.pausedUntil).toBeUndefined();
  void pace.run('glossaries', async () => ran.push('glossaries'), TURN);
  void pace.run('paid', async () => ran.push('paid'), TURN);
  await clock.pass(0);
  expect(ran).toEqual(['paid']);
  await clock.pass(5000);
  expect(ran).toEqual(['paid', 'glossaries']);
});

test('the languages of all resources are asked for at once, in one round', async () => {
  const { clock, pace } = paceOf();
  const asked: string[] = [];
  const answer = Promise.withResolvers<void>();
  for (const resource of LANGUAGE_RESOURCES) {
    const ask = async () => {
      asked.push(resource);
      await answer.promise;
    };
    void pace.run('control', ask, TURN);
  }
  await clock.pass(0);
  expect(asked).toEqual(LANGUAGE_RESOURCES);
});

test('a longer pause wins over a shorter one, whichever comes first', async () => {
  const { clock, pace } = paceOf();
  let ran = false;
  pace.throttled('paid', 9000);
  pace.throttled('control', 1000);
  void pace.run('paid', async () => (ran = true), TURN);
  await clock.pass(1000);
  expect(ran).toBe(false);
  await clock.pass(8000);
  expect(ran).toBe(true);
});

test('refusals of one moment halve the concurrency once', () => {
  const { pace } = paceOf(16);
  for (let refusal = 0; refusal < 16; refusal += 1) pace.throttled('paid', 1000);
  expect(pace.concurrency).toBe(8);
});

test('each window of refusals halves it again, down to one', async () => {
  const { clock, pace } = paceOf(16);
  for (let window = 0; window < 6; window += 1) {
    pace.throttled('paid', 1000);
    await clock.pass(1001);
  }
  expect(pace.concurrency).toBe(1);
});

test('successes raise it again, one by one, up to the limit', () => {
  const { pace } = paceOf(4);
  pace.throttled('paid', 1000);
  expect(pace.concurrency).toBe(2);
  for (let success = 0; success < 20; success += 1) pace.succeeded('paid');
  expect(pace.concurrency).toBe(3);
  for (let success = 0; success < 200; success += 1) pace.succeeded('paid');
  expect(pace.concurrency).toBe(4);
});

test('a repeated call goes before those that were not tried yet', async () => {
  const { clock, pace } = paceOf(1);
  const ran: string[] = [];
  pace.throttled('paid', 10);
  void pace.run('paid', async () => ran.push('first'), TURN);
  void pace.run('paid', async () => ran.push('again'), { ...TURN, again: true });
  await clock.pass(10);
  expect(ran).toEqual(['again', 'first']);
});

test('a configured rate holds in any window of a second', async () => {
  const clock = new HandClock();
  const pace = new Pace({ clock, concurrency: 50, rate: ownRate(20, clock) });
  const starts: number[] = [];
  for (let call = 0; call < 41; call += 1)
    void pace.run('paid', async () => void starts.push(clock.now()), TURN);
  await clock.pass(0);
  for (let ms = 0; starts.length < 41 && ms < 5000; ms += 50) await clock.pass(50);
  const windows = starts.slice(20).map((start, index) => start - (starts[index] ?? 0));
  expect(windows).toHaveLength(21);
  expect(Math.min(...windows)).toBeGreaterThanOrEqual(1000);
  expect(starts.at(-1)).toBeLessThanOrEqual(2100);
});

test('a clock that is set back by a day neither prolongs a pause nor lets requests through the next one', async () => {
  const wall = new HandClock();
  const pace = new Pace({ clock: onwardClock(wall), concurrency: 16 });
  const ran: string[] = [];
  pace.throttled('paid', 60_000);
  wall.setBack(DAY_MS);
  await wall.pass(60_000);
  expect(pace.pausedUntil).toBeUndefined();
  pace.throttled('paid', 5000);
  void pace.run('paid', async () => ran.push('paid'), TURN);
  await wall.pass(4999);
  expect(ran).toEqual([]);
  await wall.pass(1);
  expect(ran).toEqual(['paid']);
});
