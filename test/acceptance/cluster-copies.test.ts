/** Equal documents on a tree that several daemons share: one purchase is enough for all of them, whoever delivers it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UPLOAD } from '../lanes/document/office.ts';
import { wordFile } from '../lanes/document/word-file.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { startTree } from '../tree-rig.ts';
import { until } from '../until.ts';

const NAMES = ['a', 'b', 'c'];

describe.skipIf(NO_POSTGRES !== undefined)('equal documents of a tree', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  test('copies that wait in doubt are delivered for nothing when a worker delivers one that is bought again', async () => {
    const faults = [{ kind: 'no_answer', operation: UPLOAD, times: 1 }] as const;
    const { team, member, start, ended } = await startTree(postgres, {
      ...{ files: 0, faults, daemons: 'here' },
    });
    await using _team = team;
    for (const name of NAMES) member.write(`en/${name}.docx`, wordFile('In doubt'));
    const documents = (yaml: string) =>
      yaml.replace('{ from: "{locale}/*.json" }', '{ from: "{locale}/*.docx" }');
    const leader = await start('leader', documents);
    const first = await start('worker', documents);
    const held = `record->'state'->>'kind' = 'held'`;
    await team.until(`select from @.tree_jobs having count(*) filter (where ${held}) = 3`);
    first.kill('SIGTERM');
    await ended(first);
    // It has claimed none of the other jobs.
    const second = await start('worker', documents);
    await until(() => second.said().includes('working for the tree'));
    const asked = ['de/b.docx', '--yes', '--config', leader.config];
    expect(await member.run('retry', {}, ...asked)).toMatchObject({ code: 0 });
    await until(() => NAMES.every((name) => member.has(`de/${name}.docx`)));
    await team.until(`select from @.tree_jobs having count(*) filter (where ${held}) = 0`);
    for (const each of [second, leader]) each.kill('SIGTERM');
    expect([await ended(second), await ended(leader)]).toEqual([0, 0]);
    expect(team.sandbox.counters().operations[UPLOAD]?.calls).toBe(2);
  });
});
