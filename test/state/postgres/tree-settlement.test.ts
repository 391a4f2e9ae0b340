/**
 * A job of a tree is settled in one transaction with its offer: no death comes between them. A daemon that lost its turn at the job puts
 * no target in place.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import type { Hash, JobId, Lane, Stat } from '../../../src/job.ts';
import { StaleClaim } from '../../../src/ledger.ts';
import { TreeQueues } from '../../../src/state/postgres/boss.ts';
import { Database } from '../../../src/state/postgres/database.ts';
import { Seal } from '../../../src/state/postgres/seal.ts';
import { TreeLedger } from '../../../src/state/postgres/tree-ledger.ts';
import { jobRecord, presentJob } from '../../contracts/ledger.ts';
import { manualClock } from '../../manual-clock.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../../postgres.ts';

const JOB = 'j' as JobId;
const ONE = new Map<Lane, number>([['text', 1]]);
const WROTE = { path: 'de/x', hash: 'h' as Hash, stat: 's' as Stat };
const PUBLISHING = {
  kind: 'publishing',
  path: 'de/x',
  hash: 'h' as Hash,
  expectedOld: null,
} as const;
const DONE = { state: { kind: 'done', at: '2026-01-01T00:00:00.000Z' } } as const;

describe.skipIf(NO_POSTGRES !== undefined)('the settlement of a job', () => {
  let postgres: Postgres;
  let schema: string;
  let database: Database;
  let trees = 0;
  const open = () =>
    new Database({
      ...{ url: postgres.runner, schema, clock: systemClock, patienceMs: 60_000 },
      onAway: () => {},
      onBack: () => {},
    });
  beforeAll(async () => {
    postgres = await openPostgres();
    schema = await postgres.schema();
    database = open();
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  async function process(tree: string) {
    const runner = { id: randomUUID(), name: 'one' };
    await database.call('beat', JSON.stringify({ ...runner, waiting: 0 }));
    const queues = await TreeQueues.open({ database, tree, runner });
    const seal = Seal.from('7'.repeat(64)) as Seal;
    const clock = manualClock();
    const options = { database, clock, tree, seal, queues, hasLock: true };
    const ledger = await TreeLedger.open({ ...options, view: 'tree' });
    return { runner, queues, ledger, clock };
  }

  /** A daemon that has taken and claimed the only job. */
  async function working() {
    const tree = `tree-${++trees}`;
    await postgres.queues(schema, tree);
    const daemon = await process(tree);
    await daemon.ledger.commit([{ table: 'jobs', add: jobRecord('j') }]);
    await daemon.queues.offer([{ id: JOB, lane: 'text', priority: 0, inMs: 0 }]);
    expect(await daemon.queues.take(ONE)).toHaveLength(1);
    const claim = await daemon.ledger.claim(JOB);
    if (claim === undefined) throw new Error('no claim');
    const state = async () => {
      const [row] = await postgres.query(
        `select (select record->'state'->>'kind' from ${schema}.tree_jobs where tree = '${tree}') as job,
          (select count(*)::int from ${schema}.turns where tree = '${tree}') as turns,
          (select count(*)::int from ${schema}_queues.job where name = '${tree}.text') as offers`,
      );
      return row;
    };
    return { ...daemon, tree, claim, state };
  }

  test('is the end of its offer', async () => {
    const { ledger, claim, state } = await working();
    expect(await state()).toEqual({ job: 'running', turns: 1, offers: 1 });
    await ledger.settle(claim, DONE, 'over');
    expect(await state()).toEqual({ job: 'done', turns: 0, offers: 0 });
  });

  test('notes that the lock lacks its lines, until they are written', async () => {
    const { ledger, claim, tree } = await working();
    const noted = async () =>
      await postgres.query(
        `select record->'lockLacks' as noted from ${schema}.tree_jobs where tree = '${tree}'`,
      );
    expect(await noted()).toEqual([{ noted: null }]);
    await ledger.settle(claim, { ...DONE, wrote: [WROTE] }, 'over');
    expect(await noted()).toEqual([{ noted: true }]);
    const from = ledger.get('jobs', JOB);
    if (from === undefined) throw new Error('no job');
    expect(from).toMatchObject({ lockLacks: true });
    await ledger.commit([{ table: 'jobs', from, set: { lockLacks: undefined } }]);
    expect(await noted()).toEqual([{ noted: null }]);
  });

  test('offers it again at a time, and what its daemon says later of that turn changes nothing', async () => {
    const { ledger, queues, clock, claim, state } = await working();
    const taken = queues.takenOffer(JOB);
    const again = { againAt: clock.now() + 60_000 };
    await ledger.settle(claim, { state: { kind: 'queued' } }, again);
    expect(await state()).toEqual({ job: 'queued', turns: 0, offers: 1 });
    if (taken !== undefined) await queues.end([{ taken }]);
    expect(await state()).toEqual({ job: 'queued', turns: 0, offers: 1 });
    const [offer] = await queues.open();
    expect(offer).toMatchObject({ id: 'j', isRunning: false });
    expect(offer?.inMs).toBeGreaterThan(50_000);
  });

  test('that breaks off between job and offer leaves both as they were, and the job goes on elsewhere', async () => {
    const { runner, ledger, tree, claim, state } = await working();
    await postgres.query(
      `create function ${schema}.die() returns trigger language plpgsql as $$ begin raise exception 'the process is gone'; end $$;
       create trigger die before delete on ${schema}.turns for each row when (old.tree = '${tree}') execute function ${schema}.die()`,
    );
    await expect(ledger.settle(claim, DONE, 'over')).rejects.toThrow('the process is gone');
    expect(await state()).toEqual({ job: 'running', turns: 1, offers: 1 });
    await postgres.query(`drop trigger die on ${schema}.turns`);
    await database.call('give_up', runner.id);
    const next = await process(tree);
    await next.queues.giveBack('all');
    expect(await next.queues.take(ONE)).toHaveLength(1);
    const again = await next.ledger.claim(JOB);
    expect(again?.fence).toBe(claim.fence + 1);
    if (again !== undefined) await next.ledger.settle(again, DONE, 'over');
    expect(await state()).toEqual({ job: 'done', turns: 0, offers: 0 });
  });

  test('a daemon whose turn was given to others puts no target in place, and records what it paid for', async () => {
    const { runner, ledger, tree, claim } = await working();
    await database.call('give_up', runner.id);
    const next = await process(tree);
    await next.queues.giveBack('all');
    await expect(ledger.step(claim, PUBLISHING)).rejects.toThrow(StaleClaim);
    expect(ledger.mayPublish(claim)).toBe(false);
    await ledger.step(claim, { kind: 'uploaded' });
    expect(ledger.get('jobs', JOB)?.state).toMatchObject({ step: { kind: 'uploaded' } });
  });

  test('a daemon whose turn was given to others claims nothing with it', async () => {
    const { runner, ledger, tree } = await working();
    await database.call('give_up', runner.id);
    const next = await process(tree);
    await next.queues.giveBack('all');
    expect(await ledger.claim(JOB)).toBeUndefined();
    expect(await next.queues.take(ONE)).toHaveLength(1);
    expect(await next.ledger.claim(JOB)).toBeDefined();
  });

  test('the turn of a silent daemon is given to others when it may put no target in place any more', async () => {
    const { runner, ledger, tree, claim, state } = await working();
    await ledger.step(claim, PUBLISHING);
    await database.call('give_up', runner.id);
    const next = await process(tree);
    await next.queues.giveBack('all');
    expect(ledger.mayPublish(claim)).toBe(true);
    expect(await state()).toEqual({ job: 'running', turns: 1, offers: 1 });
    expect(await next.queues.take(ONE)).toEqual([]);
    await postgres.query(
      `update ${schema}.tree_jobs set held_until = clock_timestamp() where tree = '${tree}'`,
    );
    await next.queues.giveBack('all');
    expect(await next.queues.take(ONE)).toHaveLength(1);
  });

  test('the turn of a silent daemon is given to others where its job is gone', async () => {
    const { runner, tree, state } = await working();
    await postgres.query(`delete from ${schema}.tree_jobs where tree = '${tree}'`);
    await database.call('give_up', runner.id);
    const next = await process(tree);
    await next.queues.giveBack('all');
    expect(await state()).toMatchObject({ turns: 0 });
    expect(await next.queues.take(ONE)).toHaveLength(1);
  });

  test('that is refused does not end the offer', async () => {
    const { ledger, tree, claim, state } = await working();
    const other = await process(tree);
    await other.ledger.claim(JOB);
    await expect(ledger.settle(claim, DONE, 'over')).rejects.toThrow();
    expect(await state()).toEqual({ job: 'running', turns: 1, offers: 1 });
  });

  test('or what ends it otherwise removes the offer that waits, and no other one', async () => {
    const { ledger, queues, claim, state } = await working();
    const waiting = async () => (await queues.open()).filter(({ isRunning }) => !isRunning);
    const later = (id: string) =>
      ({ id: id as JobId, lane: 'text', priority: 0, inMs: 240_000 }) as const;
    await ledger.commit([
      { table: 'jobs', add: jobRecord('dropped') },
      { table: 'jobs', add: jobRecord('held') },
    ]);
    // The job that runs has one more offer, for afterwards.
    await queues.offer(['j', 'dropped', 'held', 'other'].map(later));
    expect(await waiting()).toHaveLength(4);
    const from = presentJob(ledger, 'held');
    await ledger.commit([
      { table: 'jobs', drop: presentJob(ledger, 'dropped') },
      { table: 'jobs', from, set: { state: DONE.state } },
    ]);
    expect((await waiting()).map(({ id }) => id).toSorted()).toEqual(['j', 'other']);
    await ledger.commit([{ table: 'jobs', drop: presentJob(ledger, 'j') }]);
    expect((await waiting()).map(({ id }) => id)).toEqual(['other']);
    expect(await state()).toMatchObject({ turns: 1, offers: 2 });
    await expect(ledger.settle(claim, DONE, 'over')).rejects.toThrow();
  });
});
