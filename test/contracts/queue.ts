/** What every queue promises, as a suite that an implementation runs. */
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import type { JobId, Lane } from '../../src/job.ts';
import type { Offer, Outcome, Queue, Worker } from '../../src/jobs/queue.ts';
import { manualClock } from '../manual-clock.ts';

export interface QueueSetup {
  readonly worker: Worker;
  readonly windows: Readonly<Record<Lane, number>>;
  readonly clock: Clock;
}

const OVER: Outcome = { kind: 'over' };

function offer(id: string, changes: Partial<Offer> = {}): Offer {
  return { id: id as JobId, lane: 'text', ...changes };
}

/** A worker whose jobs end when the test says so. */
function handWorker() {
  const started: string[] = [];
  const running = new Map<string, PromiseWithResolvers<Outcome>>();
  const signals: AbortSignal[] = [];
  return {
    started,
    signals,
    worker: ({ id }: Offer, signal: AbortSignal) => {
      const done = Promise.withResolvers<Outcome>();
      started.push(id);
      signals.push(signal);
      running.set(id, done);
      return done.promise;
    },
    /** Ends a running job and lets everything happen that follows from it. */
    async end(id: string, outcome: Outcome = OVER) {
      running.get(id)?.resolve(outcome);
      await turn();
    },
  };
}

/** Lets everything happen that is ready to. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export function queueContract(make: (setup: QueueSetup) => Queue): void {
  function setup(window = 2) {
    const clock = manualClock();
    const hand = handWorker();
    const windows = { text: window, document: 1, subtitle: 1, voice: 1 };
    return { ...hand, clock, queue: make({ worker: hand.worker, windows, clock }) };
  }

  describe('a queue', () => {
    test('runs at most as many jobs of a lane as its window allows', async () => {
      const { queue, started, end } = setup(2);
      for (const id of ['a', 'b', 'c']) queue.offer(offer(id));
      await turn();
      expect([started, queue.running, queue.waiting]).toEqual([['a', 'b'], 2, 1]);
      await end('a');
      expect([started, queue.running, queue.waiting]).toEqual([['a', 'b', 'c'], 2, 0]);
    });

    test('has a job as long as it waits for a slot or a time, or runs', async () => {
      const { queue, clock, end } = setup(1);
      const has = () => ['running', 'ready', 'timed'].map((id) => queue.has(id as JobId));
      expect(has()).toEqual([false, false, false]);
      queue.offer(offer('running'));
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

    test('lets a full lane keep no other lane waiting', async () => {
      const { queue, started } = setup(1);
      for (const id of ['a', 'b']) queue.offer(offer(id));
      queue.offer(offer('v', { lane: 'voice' }));
      await turn();
      expect(started).toEqual(['a', 'v']);
    });

    test('runs the smallest priority number first', async () => {
      const { queue, started, end } = setup(1);
      queue.offer(offer('running'));
      queue.offer(offer('late', { priority: 9 }));
      queue.offer(offer('usual'));
      queue.offer(offer('urgent', { priority: -5 }));
      for (const id of ['running', 'urgent', 'usual']) await end(id);
      expect(started).toEqual(['running', 'urgent', 'usual', 'late']);
    });

    test('runs an offer once, however often it is offered while it waits', async () => {
      const { queue, started, end } = setup(1);
      queue.offer(offer('first'));
      for (let n = 0; n < 3; n++) queue.offer(offer('a'));
      expect(queue.waiting).toBe(1);
      await end('first');
      await end('a');
      expect([started, queue.waiting, queue.running]).toEqual([['first', 'a'], 0, 0]);
    });

    test('runs a job again, afterwards, when it was offered while it ran', async () => {
      const { queue, started, end } = setup(2);
      queue.offer(offer('a'));
      await turn();
      queue.offer(offer('a'));
      await turn();
      expect(started).toEqual(['a']);
      await end('a');
      expect(started).toEqual(['a', 'a']);
    });

    test('waits for the time of an offer without taking a slot', async () => {
      const { queue, started, clock } = setup(1);
      queue.offer(offer('later', { notBefore: clock.now() + 1000 }));
      queue.offer(offer('now'));
      await turn();
      expect([started, queue.nextDue]).toEqual([['now'], clock.now() + 1000]);
    });

    test('gives the slot back for a job that wants to go on later, and runs it then', async () => {
      const { queue, started, clock, end } = setup(1);
      queue.offer(offer('poll'));
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
      const { queue, started, clock } = setup();
      const start = clock.now();
      queue.offer(offer('a', { notBefore: start + 9000 }));
      queue.offer(offer('b', { notBefore: start + 1000 }));
      queue.offer(offer('a', { notBefore: start + 2000 }));
      queue.offer(offer('b', { notBefore: start + 8000 }));
      await clock.pass(2000);
      expect([started, queue.nextDue]).toEqual([['a'], start + 8000]);
      queue.offer(offer('b'));
      await turn();
      expect(started).toEqual(['a', 'b']);
    });

    test('holds ten thousand waiting polls on one timer', async () => {
      const { queue, started, clock, end } = setup(10_000);
      const start = clock.now();
      for (let n = 0; n < 10_000; n++) {
        queue.offer(offer(`${n}`, { notBefore: start + ((n * 7919) % 10_000) + 1 }));
      }
      expect([clock.timers, queue.waiting]).toEqual([1, 10_000]);
      await clock.pass(5000);
      expect([started.length, clock.timers]).toEqual([5000, 1]);
      await clock.pass(5000);
      for (const id of started) await end(id);
      expect([new Set(started).size, queue.waiting, clock.timers]).toEqual([10_000, 0, 0]);
    });

    test('forgets a withdrawn offer, and leaves a running one alone', async () => {
      const { queue, started, clock, end } = setup(1);
      queue.offer(offer('running'));
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
      const { queue, clock, end } = setup();
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
      const { queue, started, signals, end } = setup(1);
      queue.offer(offer('a'));
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
      const { queue, signals, clock, end } = setup();
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

    test('stops at an error that escapes from a worker, and idle throws it', async () => {
      const started: string[] = [];
      const worker: Worker = async ({ id }) => {
        started.push(id);
        throw new Error('a bug');
      };
      const windows = { text: 1, document: 1, subtitle: 1, voice: 1 };
      const queue = make({ worker, windows, clock: manualClock() });
      queue.offer(offer('a'));
      queue.offer(offer('b'));
      await expect(queue.idle()).rejects.toThrow('a bug');
      expect(started).toEqual(['a']);
    });
  });
}
