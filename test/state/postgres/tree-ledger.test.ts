/** The ledger of a tree in a database: the promises of every ledger, and changes by several daemons at the same time. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.ts';
import { type JobId, type Step, sourceId } from '../../../src/job.ts';
import {
  type Claim,
  commitDecision,
  type Fact,
  type JobRecord,
  type Ledger,
  type LedgerView,
  type RemoteRecord,
  type SourceRecord,
  StaleClaim,
  StaleRecord,
} from '../../../src/ledger.ts';
import { openLedger } from '../../../src/state/json-ledger.ts';
import { Database } from '../../../src/state/postgres/database.ts';
import { Seal } from '../../../src/state/postgres/seal.ts';
import { TreeBaselines } from '../../../src/state/postgres/tree-baselines.ts';
import { TreeLedger } from '../../../src/state/postgres/tree-ledger.ts';
import type { TreeView } from '../../../src/state/postgres/tree-mirror.ts';
import { baselinesContract, KEY } from '../../contracts/baseline.ts';
import {
  charge,
  jobRecord,
  ledgerContract,
  presentJob,
  sourceRecord,
} from '../../contracts/ledger.ts';
import { manualClock } from '../../manual-clock.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../../postgres.ts';
import { TcpProxy } from '../../tcp-proxy.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';

describe.skipIf(NO_POSTGRES !== undefined)(`a tree in PostgreSQL ${NO_POSTGRES ?? ''}`, () => {
  let postgres: Postgres;
  let schema: string;
  let database: Database;
  const seal = Seal.from('7'.repeat(64)) as Seal;
  let trees = 0;
  beforeAll(async () => {
    postgres = await openPostgres();
    schema = await postgres.schema();
    database = open();
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  function open(url = postgres.runner): Database {
    return new Database({
      url,
      schema,
      clock: systemClock,
      patienceMs: 60_000,
      onAway: () => {},
      onBack: () => {},
    });
  }

  /** It looks when it is told to. */
  function treeAt(
    tree: string,
    view: TreeView = 'tree',
    clock: Clock = manualClock(),
  ): Promise<TreeLedger> {
    return TreeLedger.open({ database, clock, tree, view, seal });
  }

  /** @returns the runner that leads it */
  async function leads(tree: string): Promise<string> {
    const runner = randomUUID();
    await database.call('take_lease', `tree ${tree}`, runner, 3600);
    return runner;
  }

  ledgerContract(async () => {
    const tree = `tree-${++trees}`;
    return { open: () => treeAt(tree), hasQueue: true };
  });

  baselinesContract(async () => {
    const tree = `tree-${++trees}`;
    const ledger = await treeAt(tree);
    await ledger[Symbol.asyncDispose]();
    const leader = await leads(tree);
    return { open: async () => new TreeBaselines({ database, tree, leader }) };
  });

  describe('with several writers', () => {
    const queued = { kind: 'queued' } as const;
    const done = { kind: 'done', at: 'now' } as const;

    /** Ledgers of one tree, as of daemons that hear nothing of each other until they look. */
    async function writers(
      count: number,
      clock?: Clock,
    ): Promise<{ tree: string; ledgers: TreeLedger[] }> {
      const tree = `tree-${++trees}`;
      const ledgers: TreeLedger[] = [];
      for (let n = 0; n < count; n++) ledgers.push(await treeAt(tree, 'tree', clock));
      onTestFinished(async () => {
        for (const ledger of ledgers) await ledger[Symbol.asyncDispose]();
      });
      return { tree, ledgers };
    }

    test('refuses what was decided from a job that another daemon changed, takes it back here, and goes on', async () => {
      const { ledgers } = await writers(2);
      const [a, b] = ledgers as [TreeLedger, TreeLedger];
      await a.commit([{ table: 'jobs', add: jobRecord('j') }]);
      await b.refresh();
      await a.commit([{ table: 'jobs', from: presentJob(a, 'j'), set: { estimate: 5 } }]);
      const refused = b.commit([
        { table: 'sources', put: sourceRecord('s'), from: undefined },
        { table: 'jobs', from: presentJob(b, 'j'), set: { estimate: 9 } },
      ]);
      // Changes that follow from it are refused, too.
      const follows = b.commit([
        { table: 'jobs', from: presentJob(b, 'j'), set: { estimate: 10 } },
      ]);
      await expect(refused).rejects.toThrow(StaleRecord);
      await expect(follows).rejects.toThrow(StaleRecord);
      expect(b.get('jobs', 'j')).toEqual(jobRecord('j', { estimate: 5 }));
      expect(b.size('sources')).toBe(0);
      await b.commit([{ table: 'jobs', from: presentJob(b, 'j'), set: { estimate: 6 } }]);
      await a.refresh();
      expect(a.get('jobs', 'j')).toEqual(jobRecord('j', { estimate: 6 }));
    });

    test('a daemon that was suspended overwrites no newer record of a source or a remote object, and decides again', async () => {
      const { ledgers } = await writers(2);
      const [a, b] = ledgers as [TreeLedger, TreeLedger];
      const remote: RemoteRecord = { id: 'document 1', kind: 'spool', value: { stage: 'closing' } };
      const source = sourceRecord('s', 'old');
      await a.commit([
        { table: 'sources', put: source, from: undefined },
        { table: 'remotes', put: remote, from: undefined },
      ]);
      await b.refresh();
      const [sent, newer] = [{ ...remote, value: { stage: 'uploaded' } }, sourceRecord('s', 'new')];
      await b.commit([
        { table: 'remotes', put: sent, from: b.get('remotes', remote.id) },
        { table: 'sources', put: newer, from: b.get('sources', 's') },
      ]);
      // A change that was under way when the daemon was suspended, and the changes that followed from it.
      const late = [
        a.commit([{ table: 'remotes', put: { ...remote, value: {} }, from: remote }]),
        a.commit([{ table: 'sources', remove: source }]),
      ];
      const followed = a.commit([{ table: 'sources', put: source, from: undefined }]);
      for (const each of [...late, followed]) await expect(each).rejects.toThrow(StaleRecord);
      expect([a.get('remotes', remote.id), a.get('sources', 's')]).toEqual([sent, newer]);
      // A change that was decided before the other daemon wrote, and sent after this one got the other record.
      await b.commit([{ table: 'sources', put: source, from: newer }]);
      const heard = a.get('sources', 's');
      await a.refresh();
      const stale = a.commit([{ table: 'sources', put: newer, from: heard }]);
      await expect(stale).rejects.toThrow(StaleRecord);
      await commitDecision(a, () => [
        { table: 'sources', put: sourceRecord('s', 'last'), from: a.get('sources', 's') },
      ]);
      await b.refresh();
      expect(b.get('sources', 's')).toEqual(sourceRecord('s', 'last'));
    });

    test('when two daemons add the same record at once, one decides again', async () => {
      const { tree, ledgers } = await writers(2);
      const [a] = ledgers as [TreeLedger];
      const slow = new pg.Client({ connectionString: postgres.owner, ssl: false });
      await slow.connect();
      onTestFinished(async () => await slow.end());
      const puts = [
        { tbl: 'sources', id: 's', mark: 'theirs', expect: null, record: sourceRecord('s') },
      ];
      const write = { tree, by: 'them', n: 1, ids: [], ops: [{ kind: 'commit', puts }] };
      await slow.query('begin');
      await slow.query(`select ${schema}.tree_write($1)`, [JSON.stringify(write)]);
      const mine = a.commit([{ table: 'sources', put: sourceRecord('s', 'bb'), from: undefined }]);
      await Promise.all([
        expect(mine).rejects.toThrow(StaleRecord),
        slow.query(`select pg_sleep(0.05)`).then(() => slow.query('commit')),
      ]);
      expect(a.get('sources', 's')).toEqual(sourceRecord('s'));
    });

    test('changes by a daemon of the eighth version are seen, and refuse what was decided before them', async () => {
      const { tree, ledgers } = await writers(2);
      const [a, b] = ledgers as [TreeLedger, TreeLedger];
      await a.commit([{ table: 'sources', put: sourceRecord('s'), from: undefined }]);
      await b.refresh();
      const puts = [{ tbl: 'sources', id: 's', record: sourceRecord('s', 'bb') }];
      const removes = [{ tbl: 'sources', id: 'none' }];
      for (const n of [1, 2]) {
        const ops = [{ kind: 'commit', jobs: [], puts, removes }];
        const write = JSON.stringify({ tree, by: 'older', n, ids: [], ops });
        expect(await database.call('tree_write', write)).toEqual([{}]);
        const from = a.get('sources', 's');
        const late = a.commit([{ table: 'sources', put: sourceRecord('s', 'cc'), from }]);
        await expect(late).rejects.toThrow(StaleRecord);
      }
      await b.refresh();
      const from = b.get('sources', 's');
      expect(from).toEqual(sourceRecord('s', 'bb'));
      await b.commit([{ table: 'sources', put: sourceRecord('s', 'cc'), from }]);
    });

    test('lets a daemon decide again from a job that another one changed, so that no change is lost', async () => {
      const { ledgers } = await writers(2);
      const [a, b] = ledgers as [TreeLedger, TreeLedger];
      await a.commit([{ table: 'jobs', add: jobRecord('j', { estimate: 0 }) }]);
      await b.refresh();
      await a.commit([{ table: 'jobs', from: presentJob(a, 'j'), set: { estimate: 5 } }]);
      const seen: number[] = [];
      await commitDecision(b, () => {
        const from = presentJob(b, 'j');
        seen.push(from.estimate);
        return [{ table: 'jobs', from, set: { fence: from.fence + from.estimate } }];
      });
      expect(seen).toEqual([0, 5]);
      await a.refresh();
      expect(a.get('jobs', 'j')).toMatchObject({ estimate: 5, fence: jobRecord('j').fence + 5 });
    });

    test('lets daemons decide at the same time, each as often as it must, and every decision counts once', async () => {
      const { ledgers } = await writers(3);
      await ledgers[0]?.commit([{ table: 'jobs', add: jobRecord('j', { estimate: 0 }) }]);
      for (const ledger of ledgers) await ledger.refresh();
      const add = (ledger: TreeLedger) =>
        commitDecision(ledger, () => {
          const from = presentJob(ledger, 'j');
          return [{ table: 'jobs', from, set: { estimate: from.estimate + 1 } }];
        });
      await Promise.all(ledgers.flatMap((ledger) => [add(ledger), add(ledger), add(ledger)]));
      for (const ledger of ledgers) await ledger.refresh();
      expect(ledgers.map((ledger) => ledger.get('jobs', 'j')?.estimate)).toEqual([9, 9, 9]);
    });

    test('a job has one claim at a time: the last one counts, also when others do not know of it yet', async () => {
      const { ledgers } = await writers(2);
      const [a, b] = ledgers as [TreeLedger, TreeLedger];
      await a.commit([{ table: 'jobs', add: jobRecord('j') }]);
      const first = (await a.claim('j' as JobId)) as Claim;
      // This one has never heard of the job.
      const second = (await b.claim('j' as JobId)) as Claim;
      expect([first.fence, second.fence]).toEqual([1, 2]);
      expect(b.get('jobs', 'j')).toMatchObject({ fence: 2, state: { kind: 'running' } });
      const charges = [{ table: 'charges', put: charge('c', 7) }] as const;
      await expect(a.settle(first, { state: done, facts: charges })).rejects.toThrow(StaleClaim);
      expect(a.size('charges')).toBe(0);
      expect(a.get('jobs', 'j')).toMatchObject({ fence: 2 });
      await b.settle(second, { state: done, facts: charges });
      expect(await a.claim('j' as JobId)).toBeUndefined();
      expect(a.get('jobs', 'j')?.state).toEqual(done);
      // Without looking, this one takes it for running; the database knows better.
      await a.refresh();
      expect(a.size('charges')).toBe(1);
    });

    const placing = { kind: 'publishing', path: 'de/j.md', hash: 'h1', expectedOld: null } as Step;

    /** A worker that puts the target of a job in place, and a leader that knows it. */
    async function placed() {
      const { tree, ledgers } = await writers(2, systemClock);
      const [worker, leader] = ledgers as [TreeLedger, TreeLedger];
      await worker.commit([{ table: 'jobs', add: jobRecord('j') }]);
      const claim = (await worker.claim('j' as JobId)) as Claim;
      expect(worker.mayPublish(claim)).toBe(false);
      await worker.step(claim, placing);
      expect(worker.mayPublish(claim)).toBe(true);
      await leader.refresh();
      const lapse = () =>
        postgres.query(`update ${schema}.tree_jobs set held_until = now() where tree = '${tree}'`);
      return { worker, leader, claim, lapse };
    }

    test('lets nobody else change a job whose target is put in place, until its worker has settled', async () => {
      const { worker, leader, claim } = await placed();
      const seen: string[] = [];
      const replanned = commitDecision(leader, () => {
        const from = presentJob(leader, 'j');
        seen.push(from.state.kind);
        // There is nothing to claim, in any order of the notifications that it is free.
        return [{ table: 'jobs', from, set: { estimate: 7 } }];
      });
      const other = leader.claim('j' as JobId);
      // Both have their first answer.
      await leader.checkpoint();
      await worker.refresh();
      expect(worker.mayPublish(claim)).toBe(true);
      await worker.settle(claim, { state: done });
      expect(await other).toBeUndefined();
      await replanned;
      expect(seen.at(-1)).toBe('done');
      expect(presentJob(leader, 'j')).toMatchObject({ state: done, estimate: 7, fence: 1 });
    });

    test('gives no right to put a target in place to a worker that was suspended, or whose job another one has', async () => {
      const { worker, leader, claim, lapse } = await placed();
      await lapse();
      const again = (await leader.claim('j' as JobId)) as Claim;
      await worker.refresh();
      expect(worker.mayPublish(claim)).toBe(false);
      await expect(worker.step(claim, placing)).rejects.toThrow(StaleClaim);
      await leader.step(again, placing);
      expect([worker.mayPublish(claim), leader.mayPublish(again)]).toEqual([false, true]);
    });

    test('a job that is taken from its worker is claimed by nobody else until its taker has changed it', async () => {
      const { worker, leader, claim, lapse } = await placed();
      await lapse();
      await commitDecision(leader, () => {
        const from = presentJob(leader, 'j');
        return [{ table: 'jobs', from, set: { fence: from.fence + 1 } }];
      });
      await expect(worker.step(claim, placing)).rejects.toThrow(StaleClaim);
      let got: Claim | undefined;
      const claiming = worker.claim('j' as JobId).then((next) => {
        got = next;
      });
      await worker.checkpoint();
      expect(got).toBeUndefined();
      await leader.commit([
        { table: 'jobs', drop: presentJob(leader, 'j') },
        { table: 'jobs', add: jobRecord('j', { fence: 3 }) },
      ]);
      await claiming;
      expect(got).toEqual({ id: 'j', fence: 4 });
    });

    test('a worker may note something of its job while it puts a target in place, and is alone with it afterwards', async () => {
      const { worker, leader, claim, lapse } = await placed();
      await commitDecision(worker, () => {
        const from = presentJob(worker, 'j');
        return [{ table: 'jobs', from, set: { estimate: 3 } }];
      });
      let isDone = false;
      await leader.refresh();
      const from = presentJob(leader, 'j');
      const change = leader.commit([{ table: 'jobs', from, set: { estimate: 4 } }]);
      const refused = expect(change)
        .rejects.toThrow(StaleRecord)
        .then(() => {
          isDone = true;
        });
      await leader.checkpoint();
      expect([isDone, worker.mayPublish(claim)]).toEqual([false, true]);
      await lapse();
      await refused;
    });

    test('a worker that was suspended asks again before it puts a target in place', async () => {
      const tree = `tree-${++trees}`;
      const clock = manualClock();
      await using ledger = await TreeLedger.open({ database, clock, tree, view: 'claims', seal });
      await ledger.commit([{ table: 'jobs', add: jobRecord('j') }]);
      const claim = (await ledger.claim('j' as JobId)) as Claim;
      await ledger.step(claim, placing);
      await clock.pass(3999);
      expect(ledger.mayPublish(claim)).toBe(true);
      await clock.pass(1);
      expect(ledger.mayPublish(claim)).toBe(false);
      await ledger.step(claim, placing);
      expect(ledger.mayPublish(claim)).toBe(true);
    });

    test('takes no baseline from a worker that lost its claim, nor from a leader that leads no more', async () => {
      const { leader, claim, lapse } = await placed();
      const tree = `tree-${trees}`;
      const runner = await leads(tree);
      const theirs = new TreeBaselines({ database, tree, leader: undefined });
      const ours = new TreeBaselines({ database, tree, leader: runner });
      await theirs.of(KEY, undefined, claim).stored.write(Buffer.from('first'));
      await lapse();
      const again = (await leader.claim('j' as JobId)) as Claim;
      const late = theirs.of(KEY, undefined, claim).stored.write(Buffer.from('late'));
      await expect(late).rejects.toThrow(StaleClaim);
      expect(String(await ours.copyOf(KEY))).toBe('first');
      await theirs.of(KEY, undefined, again).stored.write(Buffer.from('second'));
      await ours.putBack(KEY, Buffer.from('put back'));
      await postgres.query(`delete from ${schema}.leases`);
      const taken = { failure: { kind: 'team-state', problem: 'taken' } };
      await expect(ours.putBack(KEY, Buffer.from('late'))).rejects.toMatchObject(taken);
      await expect(ours.remove(KEY)).rejects.toMatchObject(taken);
      await expect(ours.move([{ from: KEY, to: KEY }])).rejects.toMatchObject(taken);
      expect(String(await ours.copyOf(KEY))).toBe('put back');
    });

    test('settles a job whose plan another daemon changed meanwhile, and keeps both', async () => {
      const { ledgers } = await writers(2);
      const [worker, planner] = ledgers as [TreeLedger, TreeLedger];
      await planner.commit([{ table: 'jobs', add: jobRecord('j') }]);
      const claim = (await worker.claim('j' as JobId)) as Claim;
      await planner.refresh();
      await planner.commit([
        { table: 'jobs', from: presentJob(planner, 'j'), set: { estimate: 99 } },
      ]);
      await worker.step(claim, { kind: 'voice', voiceJob: 'v' });
      expect(worker.get('jobs', 'j')).toMatchObject({
        estimate: 99,
        state: { step: { voiceJob: 'v' } },
      });
      await worker.settle(claim, { state: queued });
      await planner.refresh();
      expect(planner.get('jobs', 'j')).toMatchObject({ estimate: 99, state: queued });
    });

    /** A writer whose job `early` is written and not yet committed. */
    async function slowWriter(tree: string): Promise<pg.Client> {
      const slow = new pg.Client({ connectionString: postgres.owner, ssl: false });
      await slow.connect();
      onTestFinished(() => slow.end());
      const { fence: _, ...early } = jobRecord('early');
      const jobs = [{ id: 'early', expect: null, mark: 'early', fence: 0, record: early }];
      const write = { tree, by: 'slow', n: 1, ids: [], ops: [{ kind: 'commit', jobs }] };
      await slow.query('begin');
      await slow.query(`select ${schema}.tree_write($1)`, [JSON.stringify(write)]);
      return slow;
    }

    test('misses nothing of what is committed later than what began after it', async () => {
      const { tree, ledgers } = await writers(2);
      const [a, b] = ledgers as [TreeLedger, TreeLedger];
      const slow = await slowWriter(tree);
      for (let n = 0; n < 3; n++) {
        await b.commit([{ table: 'sources', put: sourceRecord(`late-${n}`), from: undefined }]);
        await a.refresh();
      }
      expect([...a.all('sources')].map(({ id }) => id)).toEqual(['late-0', 'late-1', 'late-2']);
      await slow.query('commit');
      await a.refresh();
      expect(a.get('jobs', 'early')).toEqual(jobRecord('early'));
      // It sees the earlier state again, which does no harm.
      await a.commit([{ table: 'sources', remove: presentSource(a, 'late-1') }]);
      await a.refresh();
      expect(a.get('sources', 'late-1')).toBeUndefined();
      await b.refresh();
      expect(b.size('sources')).toBe(2);
    });

    test('misses nothing of what was under way while it loaded, though others committed meanwhile', async () => {
      const { tree, ledgers } = await writers(1);
      const [a] = ledgers as [TreeLedger];
      const slow = await slowWriter(tree);
      await a.commit([{ table: 'sources', put: sourceRecord('late'), from: undefined }]);
      await using loaded = await treeAt(tree);
      expect(loaded.get('jobs', 'early')).toBeUndefined();
      await slow.query('commit');
      await loaded.refresh();
      expect(loaded.get('jobs', 'early')).toEqual(jobRecord('early'));
    });

    test('makes a change once, also where its answer is lost', async () => {
      await using proxy = await TcpProxy.open(postgres.port);
      await using through = open(postgres.runner.replace(`:${postgres.port}`, `:${proxy.port}`));
      const tree = `tree-${++trees}`;
      const options = { database: through, clock: systemClock, tree, view: 'tree', seal } as const;
      await using ledger = await TreeLedger.open(options);
      await ledger.commit([{ table: 'jobs', add: jobRecord('j') }]);
      for (let n = 1; n < 4; n++) {
        proxy.cutAnswers(1);
        await ledger.commit([
          { table: 'jobs', from: presentJob(ledger, 'j'), set: { estimate: n } },
        ]);
        proxy.cutAnswers(1);
        expect(await ledger.claim('j' as JobId)).toEqual({ id: 'j', fence: n });
        proxy.cutAnswers(1);
        await ledger.settle({ id: 'j' as JobId, fence: n }, { state: queued });
      }
      await using again = await treeAt(tree);
      expect(again.get('jobs', 'j')).toEqual(jobRecord('j', { estimate: 3, fence: 3 }));
    });

    test('reads no more of a large tree than what a change is about, also before the database has counted it', async () => {
      const { tree, ledgers } = await writers(1);
      const [a] = ledgers as [TreeLedger];
      const jobs = Array.from({ length: 3000 }, (_, n) => jobRecord(`job ${n}`));
      await a.commit(jobs.map((add) => ({ table: 'jobs', add })));
      const client = new pg.Client({ connectionString: postgres.owner, ssl: false });
      await client.connect();
      onTestFinished(() => client.end());
      const claim = { kind: 'claim', id: 'job 7', expect: null, mark: 'm' };
      const settle = { kind: 'settle', id: 'job 7', fence: 1, mark: 'n', news: { state: done } };
      const ops = [claim, { ...settle, keepsRelease: false }, { kind: 'commit', puts: [] }];
      const write = { tree, by: 'one', n: 1, ids: ['job 7'], ops };
      await client.query('begin');
      await client.query(`select ${schema}.tree_write($1)`, [JSON.stringify(write)]);
      const { rows } = await client.query<{ read: number }>(
        `select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
         where relid = '${schema}.tree_jobs'::regclass`,
      );
      expect(rows[0]?.read).toBeLessThan(50);
    });

    test('gets the changes of others by itself', async () => {
      await using listening = open();
      await listening.listen();
      const { tree, ledgers } = await writers(1);
      const [a] = ledgers as [TreeLedger];
      const options = {
        database: listening,
        clock: manualClock(),
        tree,
        view: 'tree',
        seal,
      } as const;
      await using b = await TreeLedger.open(options);
      await a.commit([{ table: 'jobs', add: jobRecord('j') }]);
      await until(() => b.get('jobs', 'j') !== undefined);
      await a.commit([{ table: 'jobs', drop: presentJob(a, 'j') }]);
      await until(() => b.get('jobs', 'j') === undefined);
      expect(b.size('jobs')).toBe(0);
    });

    test('encrypts the handles of sent requests for readers of the database, and keeps every character of a record', async () => {
      const { tree, ledgers } = await writers(1);
      const [a] = ledgers as [TreeLedger];
      const put = { id: 'document 1', kind: 'spool', value: { handle: 'very secret' } } as const;
      const odd = sourceRecord('odd', 'zero \0, half \ud800, \ue000, \\u0000, "\n');
      await a.commit([
        { table: 'remotes', put, from: undefined },
        { table: 'sources', put: odd, from: undefined },
      ]);
      const rows = await postgres.query(
        `select record::text from ${schema}.tree_records where tree = '${tree}'`,
      );
      expect(JSON.stringify(rows)).not.toContain('very secret');
      await using again = await treeAt(tree);
      expect(again.get('remotes', put.id)).toEqual(put);
      expect(again.get('sources', 'odd')).toEqual(odd);
      const other = Seal.from('8'.repeat(64)) as Seal;
      const opened = TreeLedger.open({
        database,
        clock: systemClock,
        tree,
        view: 'tree',
        seal: other,
      });
      await expect(opened).rejects.toThrow(/one key/);
    });

    test('a worker holds what its claims brought, and the remotes', async () => {
      const { tree, ledgers } = await writers(1);
      const [leader] = ledgers as [TreeLedger];
      const jobs = ['a', 'b'].map((id) => jobRecord(id));
      const source = sourceRecord(sourceId('app', jobs[0]?.source ?? ''));
      await leader.commit([
        ...jobs.map((add) => ({ table: 'jobs', add }) as const),
        { table: 'sources', put: source, from: undefined },
        { table: 'remotes', put: { id: 'g', kind: 'glossary', value: 1 }, from: undefined },
      ]);
      await using worker = await treeAt(tree, 'claims');
      expect([worker.size('jobs'), worker.size('sources'), worker.size('remotes')]).toEqual([
        0, 0, 1,
      ]);
      const claim = (await worker.claim('a' as JobId)) as Claim;
      expect(worker.get('jobs', 'a')).toMatchObject({ fence: 1, state: { kind: 'running' } });
      expect([...worker.all('sources')]).toEqual([source]);
      await leader.refresh();
      await leader.commit([{ table: 'jobs', from: presentJob(leader, 'a'), set: { estimate: 3 } }]);
      await worker.refresh();
      expect(worker.get('jobs', 'a')).toMatchObject({ estimate: 3 });
      await worker.settle(claim, { state: done });
      expect([worker.size('jobs'), worker.size('sources')]).toEqual([0, 0]);
      await leader.refresh();
      expect(leader.get('jobs', 'a')).toMatchObject({ estimate: 3, state: done });
    });

    test('a worker that lost a claim claims the job again with its present source, whatever it kept of it', async () => {
      const { tree, ledgers } = await writers(1);
      const [leader] = ledgers as [TreeLedger];
      const id = sourceId('app', jobRecord('a').source);
      await leader.commit([
        { table: 'jobs', add: jobRecord('a') },
        { table: 'sources', put: sourceRecord(id, 'aa'), from: undefined },
      ]);
      await using worker = await treeAt(tree, 'claims');
      const lost = (await worker.claim('a' as JobId)) as Claim;
      await leader.refresh();
      const { fence } = presentJob(leader, 'a');
      await leader.commit([
        { table: 'jobs', from: presentJob(leader, 'a'), set: { fence: fence + 1, state: queued } },
        { table: 'sources', put: sourceRecord(id, 'bb'), from: leader.get('sources', id) },
      ]);
      await expect(worker.settle(lost, { state: done })).rejects.toThrow(StaleClaim);
      await worker.refresh();
      expect(await worker.claim('a' as JobId)).toMatchObject({ fence: fence + 2 });
      expect(worker.get('sources', id)).toMatchObject({ hash: 'bb' });
    });

    const id = fc.constantFrom('a', 'b', 'c');
    const who = fc.nat({ max: 2 });
    const step = fc.record({
      who,
      id,
      n: fc.nat({ max: 9 }),
      act: fc.constantFrom('add', 'set', 'drop', 'claim', 'settle', 'put', 'remove', 'look'),
    });

    test('after any changes by three daemons, it equals an embedded ledger with the same changes', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          const { tree, ledgers } = await writers(3);
          const folder = await temporaryFolder();
          await using model = await openLedger({ folder, clock: systemClock });
          for (const { who, ...one } of steps) await act(ledgers[who] as TreeLedger, model, one);
          for (const ledger of ledgers) {
            await ledger.refresh();
            expect(contentsOf(ledger)).toEqual(contentsOf(model));
          }
          await using fresh = await treeAt(tree);
          expect(contentsOf(fresh)).toEqual(contentsOf(model));
        }),
        { numRuns: 25 },
      );
    });

    /**
     * Makes the same change in both. If it was decided from an older record than the model has, the ledger refuses it, and the model
     * does not change.
     */
    async function act(
      ledger: TreeLedger,
      model: Ledger,
      { id, n, act }: { id: string; n: number; act: string },
    ): Promise<void> {
      const [here, there] = [ledger.get('jobs', id), model.get('jobs', id)];
      const isSame = isDeepStrictEqual(here, there);
      const facts = (from: JobRecord | undefined): readonly Fact[] => {
        if (act === 'add') return [{ table: 'jobs', add: jobRecord(id, { estimate: n }) }];
        if (from === undefined) return [];
        return act === 'set'
          ? [{ table: 'jobs', from, set: { estimate: n } }]
          : [{ table: 'jobs', drop: from }];
      };
      if (act === 'look') return await ledger.refresh();
      if (act === 'put' || act === 'remove') return await actOnSource(ledger, model, { id, act });
      // Who has not heard of it decides nothing on it.
      if (here === undefined && ['set', 'drop', 'settle'].includes(act)) return;
      if (act === 'claim') {
        const [one, other] = [await ledger.claim(id as JobId), await model.claim(id as JobId)];
        expect(one).toEqual(other);
        expect(ledger.get('jobs', id)).toEqual(model.get('jobs', id));
        return;
      }
      if (act === 'settle') {
        const claim = { id: id as JobId, fence: here?.fence ?? 0 };
        const charges = [{ table: 'charges', put: charge(`${id}${n}`, n) }] as const;
        const ends = [ledger, model].map((each) =>
          each.settle(claim, { state: n < 5 ? done : queued, facts: charges }),
        );
        const [one, other] = await Promise.allSettled(ends);
        return expect(one?.status).toBe(other?.status);
      }
      const isRefused = await ledger.commit(facts(here)).then(
        () => false,
        () => true,
      );
      // Who drops what is dropped already has come to the same.
      if (act === 'drop' && there === undefined) return;
      else if (act === 'add') expect(isRefused).toBe(here !== undefined || there !== undefined);
      else if (isSame && here !== undefined) expect(isRefused).toBe(false);
      else if (here !== undefined) expect(isRefused).toBe(true);
      if (!isRefused) await model.commit(facts(there));
    }

    let written = 0;

    /** Each writing differs from all others: whether a daemon has heard of the last one shows. */
    async function actOnSource(
      ledger: TreeLedger,
      model: Ledger,
      { id, act }: { id: string; act: 'put' | 'remove' },
    ): Promise<void> {
      const [here, there] = [ledger, model].map((each) => each.get('sources', id));
      const put = sourceRecord(id, `${++written}`);
      const fact = (from: SourceRecord | undefined): readonly Fact[] => {
        if (act === 'put') return [{ table: 'sources', put, from }];
        return from === undefined ? [] : [{ table: 'sources', remove: from }];
      };
      const decided = ledger.commit(fact(here));
      if (fact(here).length > 0 && !isDeepStrictEqual(here, there)) {
        return await expect(decided).rejects.toThrow(StaleRecord);
      }
      await decided;
      if (here !== undefined || act === 'put') await model.commit(fact(there));
    }
  });
});

function presentSource(ledger: LedgerView, id: string): SourceRecord {
  const source = ledger.get('sources', id);
  if (source === undefined) throw new Error(`no source ${id}`);
  return source;
}

function contentsOf(ledger: LedgerView): object {
  const tables = ['sources', 'jobs', 'charges'] as const;
  return Object.fromEntries(
    tables.map((table) => [table, new Map([...ledger.all(table)].map((each) => [each.id, each]))]),
  );
}
