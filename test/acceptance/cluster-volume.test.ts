/** A daemon on whose machine the volume of the tree is not mounted: it neither leads nor works, and takes nothing for deleted. Real processes. */
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../lanes/document/office.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startTree } from '../tree-rig.ts';

const FILES = 3;

describe.skipIf(NO_POSTGRES !== undefined)('a daemon without the volume of its tree', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  const rootAt = (folder: string) => (yaml: string) =>
    yaml.replace('app: { source', `app: { root: "${folder}", source`);
  const AWAY = `select from @.daemons where trouble like '%none of the files on record is in%'`;

  test('neither leads nor works, says so to all, and leads when the volume is mounted', async () => {
    const { team, member, start, end, count } = await startTree(postgres, { files: FILES });
    await using _team = team;
    const first = await start('both');
    await until(() => count() === FILES);
    await team.until(
      `select from @.tree_jobs where record->'state'->>'kind' = 'done' having count(*) = ${FILES}`,
    );
    expect(await end(first, 'SIGTERM')).toBe(0);
    const folder = join(await temporaryFolder(), 'volume');
    mkdirSync(folder);
    const daemon = await start('both', rootAt(folder));
    await team.until(AWAY);
    expect(daemon.said()).not.toContain('leads the tree');
    const led = await postgres.query(
      `select from ${team.schema}.leases where name = 'tree website'`,
    );
    expect(led).toEqual([]);
    for (const part of ['en', 'de']) {
      cpSync(member.path(part), join(folder, part), { recursive: true, preserveTimestamps: true });
    }
    await until(() => daemon.said().includes('leads the tree'));
    await team.until(`select from @.daemons where trouble is null`);
    expect(await end(daemon, 'SIGTERM')).toBe(0);
    const jobs = await postgres.query(`select id from ${team.schema}.tree_jobs`);
    expect(jobs).toHaveLength(FILES);
    expect(team.sandbox.counters().asked_twice).toEqual([]);
  });

  test('gives the lead to another one when the volume goes away, and takes no source for deleted', async () => {
    const { team, member, start, end, count } = await startTree(postgres, { files: FILES });
    await using _team = team;
    const folder = await temporaryFolder();
    const mount = join(folder, 'mount');
    symlinkSync(member.path('.'), mount);
    const leader = await start('both', rootAt(mount));
    await until(() => count() === FILES);
    await team.until(
      `select from @.tree_jobs where record->'state'->>'kind' = 'done' having count(*) = ${FILES}`,
    );
    const other = await start('both');
    await until(() => other.said().includes('works on the tree'));
    const closed = once(leader.daemon, 'close');
    mkdirSync(join(folder, 'empty'));
    rmSync(mount);
    symlinkSync(join(folder, 'empty'), mount);
    expect(await closed).toEqual([75, null]);
    expect(leader.said()).toContain('none of the files on record is in');
    await until(() => other.said().includes('leads the tree'));
    member.write('en/late.json', '{ "key": "Something new" }');
    await until(() => member.has('de/late.json'));
    expect(count()).toBe(FILES);
    const jobs = await postgres.query(`select id from ${team.schema}.tree_jobs`);
    expect(jobs).toHaveLength(FILES + 1);
    expect(await end(other, 'SIGTERM')).toBe(0);
    expect(team.sandbox.counters().asked_twice).toEqual([]);
  });
});
