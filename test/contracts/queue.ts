/** The promises of every queue, as a suite that an implementation runs. */
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import type { JobId, Lane } from '../../src/job.ts';
import {
  GREATEST_PRIORITY,
  type Offer,
  type OfferOutcome,
  type Queue,
  type Worker,
} from '../../src/jobs/queue.ts';
import type { ManualClock } from '../manual-clock.ts';

export interface QueueSetup {
  readonly worker: Worker;
  readonly windows: Readonly<Record<Lane, number>>;
  readonly clock: Clock;
}

/** The surroundings of a tested queue: its clock, and a function that lets all ready work happen. */
export interface QueueBench extends AsyncDisposable {
  readonly clock: ManualClock;
  open(setup: QueueSetup): Promise<Queue>;
  turn(): Promise<void>;
  /** How many offers are many for it. */
  readonly many: number;
}

const OVER: OfferOutcome = { kind: 'over' };

function offer(id: string, changes: Partial<Offer> = {}): Offer {
  return { id: id as JobId, lane: 'text', ...changes };
}

/** A worker whose jobs end when the test says so. */
function handWorker({ turn }: Pick<QueueBench, 'turn'>) {
  const started: string[] = [];
  const running = new Map<string, PromiseWithResolvers<OfferOutcome>>();
  const signals: AbortSignal[] = [];
  const end = async (ids: readonly string[], outcome: OfferOutcome) => {
    for (const id of ids) running.get(id)?.resolve(outcome);
    await turn();
  };
  return {
    started,
    signals,
    worker: ({ id }: Offer, signal: AbortSignal) => {
      const done = Promise.withResolvers<OfferOutcome>();
      started.push(id);
      signals.push(signal);
      running.set(id, done);
      return done.promise;
    },
    /** Ends a running job and lets everything happen that follows from it. */
    end: async (id: string, outcome: OfferOutcome = OVER) => await end([id], outcome),
    endAll: async (ids: readonly string[]) => await end(ids, OVER),
  };
}

export function queueContract(start: () => Promise<QueueBench>): void {
  async function setup(window = 2) {
    const bench = await start();
    const { clock, turn, many } = bench;
    const hand = handWorker(bench);
    const windows = { text: window, document: 1, subtitle: 1, voice: 1 };
    const queue = await bench.open({ worker: hand.worker, windows, clock });
    const dispose = async () => {
      const ended = queue[Symbol.asyncDispose]();
      await hand.endAll(hand.started);
      await ended;
      await bench[Symbol.asyncDispose]();
    };
    return { ...hand, clock, turn, many, queue, windows, [Symbol.asyncDispose]: dispose };
  }

  describe('a queue', () => {
    test('runs at most as many jobs of a lane as its window allows', async () => {
      await using bench = await setup(2);
      const { queue, started, end, turn } = bench;
      for (const id of ['a', 'b', 'c']) queue.offer(offer(id));
      await turn();
      expect([started, queue.running, queue.waiting]).toEqual([['a', 'b'], 2, 1]);
      await end('a');
      expect([started, queue.running, queue.waiting]).toEqual([['a', 'b', 'c'], 2, 0]);
    });

    test('has a job as long as it waits for a slot or a time, or runs', async () => {
      await using bench = await setup(1);
      const { queue, clock, end, turn } = bench;
      const has = () => ['running', 'ready', 'timed'].map((id) => queue.has(id as JobId));
      expect(has()).toEqual([false, false, false]);
      queue.offer(offer('running'));
      await turn();
      queue.offer(offer('ready'));
      queue.offer(offer('timed', { notBefore: clock.now() + 1000 }));
      await turn();
      expect(has()).toEqual([true, true, true]);
      queue.withdraw('ready' as JobId);
      await end('running', { kind: 'again', notBefore: clock.now() + 1000 });
      expect(has()).toEqual([true, false, true]);
      await clock.pass(1000);
      await end('timed');
      await end('running');
      expect(has()).toEqual([false, false, false]);
    });

    test('runs other lanes while one lane is full', async () => {
      await using bench = await setup(1);
      const { queue, started, turn } = bench;
      for (const id of ['a', 'b']) queue.offer(offer(id));
      queue.offer(offer('v', { lane: 'voice' }));
      await turn();
      expect(started).toEqual(['a', 'v']);
    });

    test('runs the smallest priority number first', async () => {
      await using bench = await setup(1);
      const { queue, started, end, turn } = bench;
      queue.offer(offer('running'));
      await turn();
      queue.offer(offer('late', { priority: 9 }));
      queue.offer(offer('usual'));
      queue.offer(offer('urgent', { priority: -5 }));
      queue.offer(offer('last', { priority: GREATEST_PRIORITY }));
      queue.offer(offer('first', { priority: -GREATEST_PRIORITY }));
      for (const id of ['running', 'first', 'urgent', 'usual', 'late']) await end(id);
      expect(started).toEqual(['running', 'first', 'urgent', 'usual', 'late', 'last']);
    });

    test('runs an offer once, however often it is offered while it waits', async () => {
      await using bench = await setup(1);
      const { queue, started, end, turn } = bench;
      queue.offer(offer('first'));
      await turn();
      for (let n = 0; n < 3; n++) queue.offer(offer('a'));
      expect(queue.waiting).toBe(1);
      await end('first');
      await end('a');
      expect([started, queue.waiting, queue.running]).toEqual([['first', 'a'], 0, 0]);
    });

    test('runs a job again, afterwards, when it was offered while it ran', async () => {
      await using bench = await setup(2);
      const { queue, started, end, turn } = bench;
      queue.offer(offer('a'));
      await turn();
      queue.offer(offer('a'));
      await turn();
      expect(started).toEqual(['a']);
      await end('a');
      expect(started).toEqual(['a', 'a']);
    });

    test('waits for the time of an offer without taking a slot', async () => {
      await using bench = await setup(1);
      const { queue, started, clock, turn } = bench;
      queue.offer(offer('later', { notBefore: clock.now() + 1000 }));
      queue.offer(offer('now'));
      await turn();
      expect([started, queue.nextDue]).toEqual([['now'], clock.now() + 1000]);
    });

    test('gives the slot back for a job that wants to go on later, and runs it then', async () => {
      await using bench = await setup(1);
      const { queue, started, clock, end, turn } = bench;
      queue.offer(offer('poll'));
      await turn();
      queue.offer(offer('other'));
      await turn();
      await end('poll', { kind: 'again', notBefore: clock.now() + 5000 });
      await end('other');
      expect(started).toEqual(['poll', 'other']);
      await clock.pass(4999);
      expect(started).toHaveLength(2);
      await clock.pass(1);
      expect(started).toEqual(['poll', 'other', 'poll']);
      expect(queue.nextDue).toBeUndefined();
    });

    test('takes an earlier and a later time for an offer that waits', async () => {
      await using bench = await setup();
      const { queue, started, clock, turn } = bench;
      const start = clock.now();
      queue.offer(offer('a', { notBefore: start + 9000 }));
      queue.offer(offer('b', { notBefore: start + 1000 }));
      queue.offer(offer('a', { notBefore: start + 2000 }));
      queue.offer(offer('b', { notBefore: start + 8000 }));
      await turn();
      await clock.pass(2000);
      expect([started, queue.nextDue]).toEqual([['a'], start + 8000]);
      queue.offer(offer('b'));
      await turn();
      expect(started).toEqual(['a', 'b']);
    });

    test('holds many waiting polls on one timer', async () => {
      await using bench = await setup(10_000);
      const { queue, started, clock, endAll, turn, many } = bench;
      const start = clock.now();
      for (let n = 0; n < many; n++) {
        queue.offer(offer(`${n}`, { notBefore: start + ((n * 7919) % many) + 1 }));
      }
      await turn();
      expect([clock.timers <= 1, queue.waiting]).toEqual([true, many]);
      await clock.pass(many / 2);
      expect([started.length, clock.timers <= 1]).toEqual([many / 2, true]);
      await clock.pass(many / 2);
      await endAll(started);
      expect([new Set(started).size, queue.waiting, clock.timers <= 1]).toEqual([many, 0, true]);
    });

    test('forgets a withdrawn offer, and leaves a running one alone', async () => {
      await using bench = await setup(1);
      const { queue, started, clock, end, turn } = bench;
      queue.offer(offer('running'));
      await turn();
      queue.offer(offer('ready'));
      queue.offer(offer('timed', { notBefore: clock.now() + 10 }));
      await turn();
      for (const id of ['running', 'ready', 'timed']) queue.withdraw(id as JobId);
      expect([queue.running, queue.waiting, queue.nextDue]).toEqual([1, 0, undefined]);
      await end('running');
      await clock.pass(10);
      expect(started).toEqual(['running']);
    });

    test('is idle when nothing runs and nothing waits, not even for a time', async () => {
      await using bench = await setup();
      const { queue, clock, end, turn } = bench;
      await queue.idle();
      queue.offer(offer('a'));
      let idle = false;
      const waiting = queue.idle().then(() => {
        idle = true;
      });
      await turn();
      await end('a', { kind: 'again', notBefore: clock.now() + 10 });
      expect(idle).toBe(false);
      await clock.pass(10);
      await end('a');
      await waiting;
      expect(idle).toBe(true);
    });

    test('drains: takes no new work and waits for what runs', async () => {
      await using bench = await setup(1);
      const { queue, started, signals, end, turn } = bench;
      queue.offer(offer('a'));
      await turn();
      queue.offer(offer('b'));
      await turn();
      const drained = queue.drain(60_000);
      queue.offer(offer('c', { lane: 'voice' }));
      await end('a');
      await drained;
      expect([started, queue.running, queue.waiting, signals[0]?.aborted]).toEqual([
        ['a'],
        0,
        2,
        false,
      ]);
      await queue.idle();
    });

    test('aborts what still runs after the deadline', async () => {
      await using bench = await setup();
      const { queue, signals, clock, end, turn } = bench;
      queue.offer(offer('a'));
      await turn();
      const drained = queue.drain(1000);
      await clock.pass(999);
      expect(signals[0]?.aborted).toBe(false);
      await clock.pass(1);
      expect(signals[0]?.aborted).toBe(true);
      await end('a');
      await drained;
      expect([queue.running, clock.timers]).toEqual([0, 0]);
    });

    test('counts how many jobs of some lanes wait for a slot, and how many run', async () => {
      await using bench = await setup(2);
      const { queue, clock, turn } = bench;
      for (const id of ['a', 'b', 'c']) queue.offer(offer(id));
      queue.offer(offer('later', { notBefore: clock.now() + 1000 }));
      queue.offer(offer('v', { lane: 'voice' }));
      await turn();
      expect([queue.load(['text', 'subtitle']), queue.load(['voice'])]).toEqual([
        { waiting: 1, running: 2 },
        { waiting: 0, running: 1 },
      ]);
    });

    test('a wider window starts more jobs at once, and under a narrower one the running jobs go on', async () => {
      await using bench = await setup(1);
      const { queue, started, windows, turn, end } = bench;
      for (const id of ['a', 'b', 'c', 'd']) queue.offer(offer(id));
      await turn();
      queue.resize({ ...windows, text: 3 });
      await turn();
      expect(started).toEqual(['a', 'b', 'c']);
      queue.resize({ ...windows, text: 1 });
      await end('a');
      expect([started.length, queue.load(['text'])]).toEqual([3, { waiting: 1, running: 2 }]);
    });

    test('stops at an error that escapes from a worker, and idle throws it', async () => {
      const started: string[] = [];
      const worker: Worker = async ({ id }) => {
        started.push(id);
        throw new Error('a bug');
      };
      const windows = { text: 1, document: 1, subtitle: 1, voice: 1 };
      await using bench = await start();
      await using queue = await bench.open({ worker, windows, clock: bench.clock });
      queue.offer(offer('a'));
      queue.offer(offer('b'));
      await expect(queue.idle()).rejects.toThrow('a bug');
      expect(started).toEqual(['a']);
    });
  });
}
