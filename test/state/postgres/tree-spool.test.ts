/** Whether a daemon has the volume of its tree. */
import { randomUUID } from 'node:crypto';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { Database } from '../../../src/state/postgres/database.ts';
import { TreeAgreement } from '../../../src/state/postgres/tree-agreement.ts';
import { TreeSpool } from '../../../src/state/postgres/tree-spool.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../../postgres.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

describe.skipIf(NO_POSTGRES !== undefined)('the spool of a tree', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  test('that the first leader makes while another daemon looks for it is not taken for another volume', async () => {
    const schema = await postgres.schema();
    await using database = new Database({
      ...{ url: postgres.runner, schema, clock: systemClock, patienceMs: 60_000 },
      ...{ onAway: () => {}, onBack: () => {} },
    });
    const [tree, spool] = ['website', join(await temporaryFolder(), 'spool')];
    await database.call('tree_open', tree);
    const runner = { id: randomUUID() };
    await database.call('take_lease', `tree ${tree}`, runner.id, 3600);
    const leader = new TreeSpool({ database, tree, spool, runner });
    const follower = new TreeSpool({
      ...{ tree, spool, runner: { id: randomUUID() } },
      database: {
        call: (...asked) => database.call(...asked),
        rows: async (...asked) => {
          await leader.take();
          return await database.rows(...asked);
        },
      },
    });
    expect(await follower.problem()).toBeUndefined();
    expect(follower.volume).toBe(leader.volume);
  });

  test('that is a copy lacks the marks that the leader has made since, until a person removes them', async () => {
    const schema = await postgres.schema();
    await using database = new Database({
      ...{ url: postgres.runner, schema, clock: systemClock, patienceMs: 60_000 },
      ...{ onAway: () => {}, onBack: () => {} },
    });
    const [tree, folder] = ['website', await temporaryFolder()];
    const [spool, copy] = [join(folder, 'spool'), join(folder, 'copy')];
    await database.call('tree_open', tree);
    const runner = { id: randomUUID(), name: 'one' };
    await database.call('take_lease', `tree ${tree}`, runner.id, 3600);
    const leader = new TreeSpool({ database, tree, spool, runner });
    const agreement = new TreeAgreement({
      ...{ database, tree, runner, settings: {}, onChange: () => {} },
    });
    await leader.take();
    await agreement.lead(await leader.mark(systemClock));
    cpSync(spool, copy, { recursive: true, preserveTimestamps: true });
    const other = { id: randomUUID() };
    const [here, there] = [spool, copy].map(
      (each) => new TreeSpool({ database, tree, spool: each, runner: other }),
    );
    expect([await here?.problem(), await there?.problem()]).toEqual([undefined, undefined]);
    for (let times = 0; times < 120; times += 1) await leader.mark(systemClock);
    await agreement.mark((await leader.mark(systemClock)) ?? '');
    expect(await here?.problem()).toBeUndefined();
    expect(await there?.problem()).toMatchObject({
      ...{ kind: 'elsewhere', message: expect.stringContaining('is a copy of the volume') },
    });
    expect(readdirSync(join(spool, 'marks')).length).toBeLessThan(110);
    rmSync(join(copy, 'marks'), { recursive: true });
    expect(await there?.problem()).toBeUndefined();
  });
});
