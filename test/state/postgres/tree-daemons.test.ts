/** The daemons of a tree: their reports about themselves, and the records about a dead daemon. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.ts';
import { treeNotes, treeReport } from '../../../src/control/tree-report.ts';
import { openBaselines } from '../../../src/state/baseline.ts';
import { openLedger } from '../../../src/state/json-ledger.ts';
import { Administration } from '../../../src/state/postgres/administer.ts';
import { Database } from '../../../src/state/postgres/database.ts';
import { TreeDaemons } from '../../../src/state/postgres/tree-daemons.ts';
import type { OwnDaemon } from '../../../src/state/tree.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../../postgres.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

describe.skipIf(NO_POSTGRES !== undefined)('daemons of a tree', () => {
  let postgres: Postgres;
  let schema: string;
  let database: Database;
  let trees = 0;
  beforeAll(async () => {
    postgres = await openPostgres();
    schema = await postgres.schema();
    database = new Database({
      ...{ url: postgres.runner, schema, clock: systemClock, patienceMs: 5000 },
      onAway: () => {},
      onBack: () => {},
    });
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  /** A runner that lives. */
  async function daemon(tree: string, own: Partial<OwnDaemon> = {}, former?: string) {
    const runner = { id: randomUUID(), name: `host-${own.role ?? 'both'}` };
    await database.call('beat', JSON.stringify({ ...runner, waiting: 0 }));
    const daemons = new TreeDaemons({ database, clock: systemClock, tree, runner });
    await daemons.enter({ role: 'both', version: '1.0.0', volume: 'v', ...own }, former);
    return { runner, daemons };
  }

  const fallSilent = (id: string) =>
    postgres.query(
      `update ${schema}.runners set beat = beat - interval '1 minute' where id = '${id}'`,
    );

  async function deadLeader() {
    const tree = `tree-${++trees}`;
    const leader = await daemon(tree);
    await postgres.query(`insert into ${schema}.trees (name) values ('${tree}')`);
    await database.call('take_lease', `tree ${tree}`, leader.runner.id, 3600);
    await fallSilent(leader.runner.id);
    return { tree, ...leader };
  }

  test('are shown with role, version, lanes and what each works at', async () => {
    const tree = `tree-${++trees}`;
    const leader = await daemon(tree);
    const worker = await daemon(tree, { role: 'worker', version: '1.1.0' });
    await database.call('take_lease', `tree ${tree}`, leader.runner.id, 60);
    const places = { text: 10, subtitle: 0, document: 2, voice: 0 };
    const troubles = ['no light', 'no air'];
    await worker.daemons.publish({ places, settled: 41, troubles, volume: 'v2' });
    await postgres.query(`insert into ${schema}.trees (name) values ('${tree}')`);
    const record = { project: 'app', language: 'de', source: 'en/a.json' };
    await postgres.query(
      `insert into ${schema}.tree_jobs (tree, id, record, fence, mark, by)
       values ('${tree}', 'app/de/en/a.json', '${JSON.stringify(record)}', 1, 'm', 'b')`,
    );
    const turns = Array.from({ length: 7 }, (_, n) => {
      const job = n === 0 ? 'app/de/en/a.json' : `app/de/gone ${n}`;
      return { id: randomUUID(), lane: n < 6 ? 'text' : 'document', job, record: {} };
    });
    for (const turn of turns) {
      const told = [worker.runner.id, worker.runner.name, JSON.stringify([turn])] as const;
      await database.call('take_turns', tree, ...told);
    }
    const [first, second] = (await leader.daemons.lines()).value;
    expect(first).toMatchObject({
      name: 'host-both',
      state: 'leads',
      isThis: true,
      lanes: [],
      trouble: null,
    });
    expect(second).toMatchObject({
      ...{ role: 'worker', state: 'works', version: '1.1.0', isThis: false, settled: 41 },
      ...{ trouble: 'no light; no air', volume: 'v2' },
      lanes: [
        { lane: 'document', places: 2, running: 1 },
        { lane: 'text', places: 10, running: 6 },
      ],
      work: [{ project: 'app', language: 'de', source: 'en/a.json', lane: 'text' }],
    });
  });

  test('are silent when they were given up, until one starts in the same folder or a day has passed', async () => {
    const tree = `tree-${++trees}`;
    const [stays, dies] = [await daemon(tree), await daemon(tree, { role: 'worker' })];
    await postgres.query(
      `update ${schema}.runners set beat = beat - interval '1 hour' where id = '${dies.runner.id}'`,
    );
    await database.call('give_up', dies.runner.id);
    const [waits, silent] = (await stays.daemons.lines()).value;
    expect(waits).toMatchObject({ state: 'waits', silentSeconds: expect.any(Number) });
    expect(silent).toMatchObject({ state: 'silent', name: 'host-worker' });
    expect(silent?.silentSeconds).toBeGreaterThanOrEqual(3600);
    const back = await daemon(tree, { role: 'worker' }, dies.runner.id);
    const states = async () => (await stays.daemons.lines()).value.map(({ state }) => state);
    expect(await states()).toEqual(['waits', 'works']);
    await database.call('give_up', back.runner.id);
    expect(await states()).toEqual(['waits', 'silent']);
    await postgres.query(`update ${schema}.daemons set seen = seen - interval '25 hours'`);
    await daemon(tree, { role: 'worker' });
    expect(await states()).toEqual(['waits', 'works']);
  });

  test('are short of one that takes texts where all of them only lead', async () => {
    const tree = `tree-${++trees}`;
    const leader = await daemon(tree, { role: 'leader' });
    const notes = async () =>
      treeNotes(await treeReport({ name: tree, daemons: leader.daemons })).join();
    expect(await notes()).toContain('takes texts and documents: start one');
    expect(await notes()).toMatch(/until it is led by host-\w+, which waits for that/);
    await daemon(tree, { role: 'worker' });
    expect(await notes()).not.toContain('takes texts and documents');
  });

  test('are silent, and lead nothing, also where all died and nobody is left to give them up', async () => {
    const { tree, daemons } = await deadLeader();
    const [line] = (await daemons.lines()).value;
    expect(line).toMatchObject({ state: 'silent', epoch: null });
    const told = await treeReport({ name: tree, daemons });
    expect(told.leader).toBe(null);
    expect(treeNotes(told).join()).toContain('its work waits for "dragoman run"');
    // A read-only database takes no heartbeat: nobody is silent for that reason.
    expect(treeNotes(told, { isAway: true }).join()).not.toContain('silent');
  });

  test('never count as ended because the database does not say who works', async () => {
    const tree = `tree-${++trees}`;
    await daemon(tree);
    const { runner: url } = postgres;
    await using state = new Administration({ url, schema, clock: systemClock, patienceMs: 5000 });
    expect(await state.working(tree)).toHaveLength(1);
    await postgres.query(`alter table ${schema}.turns rename to turns_away`);
    try {
      await expect(state.working(tree)).rejects.toThrow(/turns/);
    } finally {
      await postgres.query(`alter table ${schema}.turns_away rename to turns`);
    }
  });

  test('do not keep others from copying a folder to the tree when the leader is dead, and do when it lives', async () => {
    const { tree, runner } = await deadLeader();
    const folder = await temporaryFolder();
    // A second of the wait is ten of the database.
    const clock: Clock = {
      now: systemClock.now,
      sleep: async () => {
        await postgres.query(
          `update ${schema}.runners set steady = steady - interval '10 s' where name = 'state push'`,
        );
      },
    };
    await using ledger = await openLedger({ folder, clock });
    await using baselines = openBaselines(folder);
    await using there = new Administration({ url: postgres.runner, schema, clock, patienceMs: 0 });
    const push = () =>
      there.pushTree(
        {
          ...{ tree, key: Buffer.alloc(32, 7).toString('base64'), ledger, baselines, folder },
          mark: { push: 'one', leader: randomUUID(), earlier: undefined },
        },
        'real',
      );
    await database.call('beat', JSON.stringify({ ...runner, waiting: 0 }));
    await expect(push()).rejects.toMatchObject({ failure: { problem: 'taken' } });
    await fallSilent(runner.id);
    expect(await push()).toBe(0);
    expect(
      await postgres.query(`select name from ${schema}.runners where name = 'state push'`),
    ).toEqual([]);
  });

  test('that wake up after they were given up are shown as before, and those that end are not', async () => {
    const tree = `tree-${++trees}`;
    const [watcher, sleeper] = [await daemon(tree), await daemon(tree, { role: 'worker' })];
    await database.call('give_up', sleeper.runner.id);
    await database.call('beat', JSON.stringify({ ...sleeper.runner, waiting: 0 }));
    expect((await watcher.daemons.lines()).value.map(({ state }) => state)).toEqual([
      'waits',
      'works',
    ]);
    await sleeper.daemons.leave();
    expect((await watcher.daemons.lines()).value).toHaveLength(1);
  });
});
