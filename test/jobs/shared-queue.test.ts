/** The queue of several daemons on a real PostgreSQL. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { JobId } from '../../src/job.ts';
import type { Offer, OfferOutcome } from '../../src/jobs/queue.ts';
import { SharedQueue } from '../../src/jobs/shared-queue.ts';
import { migrateQueues, TreeQueues } from '../../src/state/postgres/boss.ts';
import { Database } from '../../src/state/postgres/database.ts';
import { type QueueSetup, queueContract } from '../contracts/queue.ts';
import { manualClock } from '../manual-clock.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';

const ONE_EACH = { text: 1, subtitle: 1, document: 1, voice: 1 };

describe.skipIf(NO_POSTGRES !== undefined)('on PostgreSQL', () => {
  let postgres: Postgres;
  let trees = 0;
  let schema = '';

  beforeAll(async () => {
    postgres = await openPostgres();
    schema = await postgres.schema();
    await using owner = connect(postgres.owner);
    await migrateQueues(owner, 'tree0');
    // The time of the queues is the test's.
    await postgres.query(`create table ${schema}_queues.test_time (now timestamptz);
      insert into ${schema}_queues.test_time values (now());
      grant select on ${schema}_queues.test_time to public;
      create or replace function ${schema}_queues.job_now() returns timestamptz language sql stable
        as 'select now from ${schema}_queues.test_time'`);
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  function connect(url: string): Database {
    const quiet = { onAway: () => {}, onBack: () => {} };
    return new Database({ url, schema, clock: systemClock, patienceMs: 20_000, ...quiet });
  }

  /** A tree of its own, its time, and as many daemons as are wanted. */
  async function bench() {
    const stack = new AsyncDisposableStack();
    trees += 1;
    const tree = `tree${trees}`;
    const owner = stack.use(connect(postgres.owner));
    await migrateQueues(owner, tree);
    const queues: SharedQueue[] = [];
    const turn = async () => {
      for (const queue of queues) await queue.refresh();
    };
    const clock = manualClock(undefined, async (now) => {
      const at = new Date(now).toISOString();
      await owner.rows(`update ${schema}_queues.test_time set now = $1`, [at]);
      await turn();
    });
    await clock.pass(0);
    return {
      ...{ clock, turn, owner },
      async join(setup: Omit<QueueSetup, 'clock'>) {
        const database = stack.use(connect(postgres.runner));
        const runner = { id: randomUUID(), name: 'here' };
        const turns = stack.use(await TreeQueues.open({ database, tree, runner }));
        const daemon = { takesJobs: true };
        const around = { clock, runState: daemon, onBroken: () => {} };
        const queue = new SharedQueue({ queues: turns, ...around, ...setup });
        queues.push(queue);
        const die = async () => {
          daemon.takesJobs = false;
          queues.splice(queues.indexOf(queue), 1);
          // The step under way ends: from then on it takes nothing.
          await queue.refresh();
        };
        const pause = (is: boolean) => {
          daemon.takesJobs = !is;
        };
        return { queue, runner, die, pause };
      },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  }

  queueContract(async () => {
    const { join, ...place } = await bench();
    return { ...place, many: 1000, open: async (setup) => (await join(setup)).queue };
  });

  test('jobs of a daemon that was given up go to another one, and its late report changes nothing', async () => {
    await using place = await bench();
    const { turn, owner, join } = place;
    const late = Promise.withResolvers<OfferOutcome>();
    const first = await join({ worker: () => late.promise, windows: ONE_EACH });
    first.queue.offer({ id: 'a' as JobId, lane: 'text' });
    await turn();
    const started: string[] = [];
    const second = await join({
      worker: async ({ id }) => {
        started.push(id);
        return { kind: 'over' };
      },
      windows: ONE_EACH,
    });
    await turn();
    expect([started, second.queue.running]).toEqual([[], 1]);
    await owner.call('give_up', first.runner.id);
    // Real time: nobody looks for the dead more often than twice a second.
    while (started.length === 0) await second.queue.refresh();
    await turn();
    late.resolve({ kind: 'again', notBefore: 0 });
    await turn();
    expect([started, second.queue.waiting, second.queue.running]).toEqual([['a'], 0, 0]);
  });

  test('a daemon that ends leaves its texts to others soon, and goes on with a document for longer', async () => {
    await using place = await bench();
    const { clock, turn, join } = place;
    const signals: Record<string, AbortSignal> = {};
    const ends = {
      t: Promise.withResolvers<OfferOutcome>(),
      d: Promise.withResolvers<OfferOutcome>(),
    };
    const first = await join({
      worker: ({ id }, signal) => {
        signals[id] = signal;
        return ends[id as 't' | 'd'].promise;
      },
      windows: ONE_EACH,
    });
    first.queue.offer({ id: 't' as JobId, lane: 'text' });
    first.queue.offer({ id: 'd' as JobId, lane: 'document' });
    await turn();
    const drained = first.queue.drain(120_000);
    await clock.pass(15_000);
    expect([signals['t']?.aborted, signals['d']?.aborted]).toEqual([true, false]);
    ends.t.resolve({ kind: 'not-taken' });
    await turn();
    const started: string[] = [];
    await join({
      worker: async ({ id }) => {
        started.push(id);
        return { kind: 'over' };
      },
      windows: ONE_EACH,
    });
    await turn();
    expect(started).toEqual(['t']);
    ends.d.resolve({ kind: 'over' });
    await drained;
  });

  test('jobs of a daemon that ends with an error go to another one at once', async () => {
    await using place = await bench();
    const { turn, join } = place;
    const first = await join({
      worker: async () => {
        throw new Error('the disk of its state folder is full');
      },
      windows: { ...ONE_EACH, text: 2 },
    });
    first.queue.offer({ id: 'a' as JobId, lane: 'text' });
    first.queue.offer({ id: 'b' as JobId, lane: 'text' });
    await expect(first.queue.idle()).rejects.toThrow('full');
    await first.queue[Symbol.asyncDispose]();
    const started: string[] = [];
    const second = await join({
      worker: async ({ id }) => {
        started.push(id);
        return { kind: 'over' };
      },
      windows: ONE_EACH,
    });
    for (let turns = 0; turns < 5; turns++) await turn();
    await second.queue.idle();
    expect(new Set(started)).toEqual(new Set(['a', 'b']));
  });

  test('a job that one daemon does not take goes to another one, waits while nobody takes any, and lets all become idle', async () => {
    await using place = await bench();
    const { turn, join } = place;
    const started: string[] = [];
    const first = await join({
      worker: async ({ id }) => {
        started.push(`first ${id}`);
        // Like a key that the service refuses while jobs run.
        first.pause(true);
        return { kind: 'not-taken' };
      },
      windows: ONE_EACH,
    });
    first.queue.offer({ id: 'a' as JobId, lane: 'text' });
    while (started.length === 0) await turn();
    for (let turns = 0; turns < 5; turns++) await turn();
    await first.queue.idle();
    // The offer waits, but not for the daemon that takes no jobs: otherwise that daemon would count as stuck, and be restarted.
    expect([started, first.queue.has('a' as JobId)]).toEqual([['first a'], true]);
    expect([first.queue.waiting, first.queue.running]).toEqual([0, 0]);
    const second = await join({
      worker: async ({ id }) => {
        started.push(`second ${id}`);
        return { kind: 'over' };
      },
      windows: ONE_EACH,
    });
    while (started.length === 1) await turn();
    await turn();
    expect([started, second.queue.waiting]).toEqual([['first a', 'second a'], 0]);
    second.pause(true);
    first.pause(false);
    second.queue.offer({ id: 'b' as JobId, lane: 'text' });
    while (started.length === 2) await turn();
    expect(started[2]).toBe('first b');
  });

  test('any order of offers, ends and deaths runs every job after its last offer, and never at two living daemons at once', async () => {
    const job = fc.integer({ min: 0, max: 5 });
    const act = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('offer' as const), job }) },
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('end' as const), job }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('again' as const), job }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('die' as const), job }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 25 }), async (acts) => {
        await using place = await bench();
        const model = new QueueModel(place);
        for (let n = 0; n < 3; n++) await model.join();
        for (const { kind, job: n } of acts) await model.act(kind, `job ${n}`);
        await model.finish();
        expect(model.left()).toEqual([]);
        expect(model.doubled).toEqual([]);
      }),
      { numRuns: 12 },
    );
  });

  type Place = Awaited<ReturnType<typeof bench>>;

  /** Three daemons, and what becomes of each job. */
  class QueueModel {
    readonly doubled: string[] = [];
    readonly #place: Place;
    readonly #daemons: (Awaited<ReturnType<Place['join']>> & {
      readonly runs: Map<string, Run>;
    })[] = [];
    /** Jobs that must still be begun. */
    readonly #wanted = new Set<string>();

    constructor(place: Place) {
      this.#place = place;
    }

    async join(): Promise<void> {
      const runs = new Map<string, Run>();
      const worker = (offer: Offer) => {
        if (this.#runOf(offer.id) !== undefined) this.doubled.push(offer.id);
        const run = Promise.withResolvers<OfferOutcome>();
        runs.set(offer.id, run);
        this.#wanted.delete(offer.id);
        return run.promise.finally(() => runs.delete(offer.id));
      };
      const windows = { ...ONE_EACH, text: 2 };
      this.#daemons.push({ ...(await this.#place.join({ worker, windows })), runs });
    }

    async act(kind: 'offer' | 'end' | 'again' | 'die', job: string): Promise<void> {
      const { turn, clock, owner } = this.#place;
      const [first] = this.#daemons;
      if (kind === 'offer' && first !== undefined) {
        this.#wanted.add(job);
        first.queue.offer({ id: job as JobId, lane: 'text' });
      }
      if (kind === 'end') this.#runOf(job)?.resolve({ kind: 'over' });
      if (kind === 'again') {
        const run = this.#runOf(job);
        if (run !== undefined) this.#wanted.add(job);
        run?.resolve({ kind: 'again', notBefore: clock.now() + 100 });
      }
      if (kind === 'die' && first !== undefined && this.#daemons.length > 1) {
        // It has reported every offer that it made: no process is killed between the two here.
        await turn();
        await first.die();
        for (const [lost] of first.runs) this.#wanted.add(lost);
        this.#daemons.shift();
        await owner.call('give_up', first.runner.id);
      }
      await turn();
    }

    async finish(): Promise<void> {
      for (let tries = 0; tries < 400 && this.#wanted.size + this.#running() > 0; tries++) {
        for (const { runs } of this.#daemons) {
          for (const run of runs.values()) run.resolve({ kind: 'over' });
        }
        await this.#place.clock.pass(100);
      }
    }

    left(): readonly string[] {
      return [...this.#wanted];
    }

    #running(): number {
      return this.#daemons.reduce((sum, { runs }) => sum + runs.size, 0);
    }

    #runOf(job: string): Run | undefined {
      return this.#daemons.map(({ runs }) => runs.get(job)).find((run) => run !== undefined);
    }
  }
});

type Run = PromiseWithResolvers<OfferOutcome>;
