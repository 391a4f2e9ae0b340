/** A daemon on whose machine the volume of the tree is not mounted: it neither leads nor works, and takes nothing for deleted. */
import { randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VERSION } from '../../src/service/version.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startTree } from '../tree-rig.ts';
import { until } from '../until.ts';

const FILES = 3;
/** None of them is killed. */
const HERE = { daemons: 'here' } as const;

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
    const { team, member, start, end, count } = await startTree(postgres, {
      files: FILES,
      ...HERE,
    });
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
    const { team, member, start, end, count } = await startTree(postgres, {
      files: FILES,
      ...HERE,
    });
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
    mkdirSync(join(folder, 'empty'));
    rmSync(mount);
    symlinkSync(join(folder, 'empty'), mount);
    expect(await leader.code).toBe(75);
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

  const spoolAt = (folder: string) => (yaml: string) =>
    yaml.replace('tree: website', `tree: website, spool: "${folder}"`);
  const SPOOL_AWAY = `select from @.daemons where trouble like '%is not on the volume of the tree%'`;

  test('that started before the leader made the spool is no fault to doctor while it has not looked there again', async () => {
    const { team, member, start, end } = await startTree(postgres, { files: 1, ...HERE });
    await using _team = team;
    const leader = await start('both');
    await team.until('select from @.daemons where volume is not null');
    const id = randomUUID();
    // As a daemon enters that finds no spool: its heartbeat is not late in this test.
    for (const row of [
      `@.runners (id, name, beat) values ('${id}', 'two-977', now() + interval '1 hour')`,
      `@.daemons (id, tree, name, host, role, version) values ('${id}', 'website', 'two-977', 'two', 'worker', '${VERSION}')`,
    ]) {
      await postgres.query(`insert into ${row.replaceAll('@', team.schema)}`);
    }
    const spool = async () => {
      const { stdout } = await member.run('doctor', {}, '--json', '--config', leader.config);
      const { findings } = JSON.parse(stdout) as { findings: { about: string }[] };
      return findings.find(({ about }) => about === 'tree spool');
    };
    expect(await spool()).toMatchObject({
      verdict: 'ok',
      message: expect.stringContaining('two-977 started before it was there and looks again'),
    });
    const told = `update ${team.schema}.daemons set trouble = 'it cannot be read' where id = '${id}'`;
    await postgres.query(told);
    expect(await spool()).toMatchObject({
      verdict: 'fail',
      message: expect.stringContaining('two-977 cannot read'),
    });
    expect(await end(leader, 'SIGTERM')).toBe(0);
  });

  test('that has the files and not the spool neither leads, nor works, nor begins another spool; commands that would lead end with 75', async () => {
    const { team, member, start, end, configure, count } = await startTree(postgres, {
      files: FILES,
      ...HERE,
    });
    await using _team = team;
    const first = await start('both');
    await until(() => count() === FILES);
    const folder = join(await temporaryFolder(), 'spool');
    mkdirSync(folder);
    const worker = await start('worker', spoolAt(folder));
    await team.until(SPOOL_AWAY);
    expect(await end(first, 'SIGTERM')).toBe(0);
    const daemon = await start('both', spoolAt(folder));
    await team.until(`${SPOOL_AWAY} having count(*) = 2`);
    const led = `select from ${team.schema}.leases where name = 'tree website'`;
    expect(await postgres.query(led)).toEqual([]);
    const config = await configure(spoolAt(folder));
    for (const words of [['once'], ['state', 'push']] as const) {
      const { code, stderr } = await member.run(
        words[0],
        {},
        ...words.slice(1),
        '--config',
        config,
      );
      expect([code, stderr]).toEqual([75, expect.stringContaining('is not on the volume of')]);
    }
    const doctor = await member.run('doctor', {}, '--config', config);
    expect(doctor.stdout).toMatch(/fail +tree spool +.*is not on the volume of the tree/);
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
    symlinkSync(member.path('.dragoman-spool'), folder);
    await until(() => daemon.said().includes('leads the tree'));
    await team.until(
      `select from @.daemons having bool_and(trouble is null and volume is not null)`,
    );
    for (const each of [worker, daemon]) expect(await end(each, 'SIGTERM')).toBe(0);
    expect(team.sandbox.counters().asked_twice).toEqual([]);
  });

  test('gives the lead to another one when the spool goes away', async () => {
    const { team, member, start, end, count } = await startTree(postgres, {
      files: FILES,
      ...HERE,
    });
    await using _team = team;
    const folder = await temporaryFolder();
    const spool = join(folder, 'spool');
    mkdirSync(member.path('.dragoman-spool'));
    symlinkSync(member.path('.dragoman-spool'), spool);
    const leader = await start('both', spoolAt(spool));
    await until(() => count() === FILES);
    const other = await start('both');
    await until(() => other.said().includes('works on the tree'));
    mkdirSync(join(folder, 'empty'));
    rmSync(spool);
    symlinkSync(join(folder, 'empty'), spool);
    expect(await leader.code).toBe(75);
    expect(leader.said()).toContain('is not on the volume of the tree');
    await until(() => other.said().includes('leads the tree'));
    member.write('en/late.json', '{ "key": "Something new" }');
    await until(() => member.has('de/late.json'));
    expect(readdirSync(join(folder, 'empty'))).toEqual([]);
    expect(await end(other, 'SIGTERM')).toBe(0);
  });

  test('waits for a spool that went away for all daemons, and leads when it is back', async () => {
    const { team, member, start, end, count } = await startTree(postgres, {
      files: FILES,
      ...HERE,
    });
    await using _team = team;
    const leader = await start('both');
    await until(() => count() === FILES);
    const { schema } = team;
    await postgres.query(`create table ${schema}.asked (what text);
      create function ${schema}.note() returns trigger language plpgsql security definer as
        $$ begin insert into ${schema}.asked values (tg_level); return null; end $$;
      create trigger asked after insert on ${schema}.leases for each statement execute function ${schema}.note();
      create trigger taken after insert on ${schema}.leases for each row execute function ${schema}.note()`);
    const other = await start('both');
    // Once when it starts, then again and again.
    await team.until(`select from @.asked having count(*) > 2`);
    const [spool, away] = [member.path('.dragoman-spool'), member.path('.away')];
    renameSync(spool, away);
    expect(await leader.code).toBe(75);
    await until(() => other.said().includes('is not on the volume of the tree'));
    await team.until(`select from @.asked where what = 'ROW'`);
    renameSync(away, spool);
    const led = until(() => other.said().includes('leads the tree')).then(() => 'leads');
    expect(await Promise.race([other.code, led])).toBe('leads');
    member.write('en/late.json', '{ "key": "Something new" }');
    await until(() => member.has('de/late.json'));
    expect(await end(other, 'SIGTERM')).toBe(0);
  });

  /** The config of a daemon on another machine, where a copy of the whole volume is mounted. */
  const onCopy = (folder: string) => (yaml: string) =>
    spoolAt(join(folder, '.dragoman-spool'))(rootAt(folder)(yaml));
  const COPY = `select from @.daemons where trouble like '%is a copy of the volume of the tree%'`;

  test('that has a copy of the volume, made while others work, takes no jobs and does not lead, and says what to do', async () => {
    const { team, member, start, end, count, configure } = await startTree(postgres, {
      files: FILES,
      ...HERE,
    });
    await using _team = team;
    const leader = await start('both');
    await until(() => count() === FILES);
    await team.until(
      `select from @.tree_jobs where record->'state'->>'kind' = 'done' having count(*) = ${FILES}`,
    );
    const folder = join(await temporaryFolder(), 'copy');
    cpSync(member.path('.'), folder, { recursive: true, preserveTimestamps: true });
    const stranger = await start('both', onCopy(folder));
    await team.until(COPY);
    member.write('en/late.json', '{ "key": "Something new" }');
    await until(() => member.has('de/late.json'));
    expect(await end(leader, 'SIGTERM')).toBe(0);
    await team.until(`select where not exists (select from @.leases where name = 'tree website')`);
    const once = await member.run('once', {}, '--config', await configure(onCopy(folder)));
    expect([once.code, once.stderr]).toEqual([75, expect.stringContaining('is a copy of the')]);
    expect(stranger.said()).not.toContain('leads the tree');
    const successor = await start('both');
    await until(() => successor.said().includes('leads the tree'));
    expect(existsSync(join(folder, 'de/late.json'))).toBe(false);
    for (const each of [stranger, successor]) expect(await end(each, 'SIGTERM')).toBe(0);
    expect(team.sandbox.counters().asked_twice).toEqual([]);
  });

  test('leaves the jobs of a project whose folder is empty on its machine to the others', async () => {
    const { team, member, start, end, count } = await startTree(postgres, {
      ...{ files: FILES, slowMs: 500, ...HERE },
    });
    await using _team = team;
    const docs = (root: string) => (yaml: string) =>
      `${yaml}  docs: { root: "${root}", source: en, targets: [de], routes: [{ from: "{locale}/*.json" }] }\n`;
    const empty = await temporaryFolder();
    const worker = await start('worker', docs(empty));
    const texts = [...'abcdefgh'];
    for (const name of texts) {
      member.write(`docs/en/${name}.json`, JSON.stringify({ text: `A text for ${name}` }));
    }
    const leader = await start('both', docs(member.path('docs')));
    await until(() => count() === FILES);
    await until(() => texts.every((name) => member.has(`docs/de/${name}.json`)));
    await team.until(
      `select from @.tree_jobs where record->'state'->>'kind' = 'done' having count(*) = ${FILES + texts.length}`,
    );
    expect(readdirSync(empty)).toEqual([]);
    for (const each of [worker, leader]) expect(await end(each, 'SIGTERM')).toBe(0);
    expect(team.sandbox.counters().asked_twice).toEqual([]);
  });

  test('jobs of sources that vanish together wait on all machines, and are done when the files are back', async () => {
    const files = 24;
    const { team, member, start, end, count } = await startTree(postgres, { files, ...HERE });
    await using _team = team;
    const leader = await start('leader');
    await team.until(`select from @_queues.job where state = 'created' having count(*) = ${files}`);
    renameSync(member.path('en'), member.path('away'));
    await team.until(
      `select from @.tree_records where tbl = 'sources' and record ? 'vanished' having count(*) = ${files}`,
    );
    // It finds their offers, and not their files.
    const worker = await start('worker');
    const jobs = (state: string) =>
      `select from @.tree_jobs where record->'state'->>'kind' = '${state}' having count(*) = ${files}`;
    await team.until(jobs('queued'));
    await team.until(
      `select where not exists (select from @_queues.job where state < 'completed')`,
    );
    renameSync(member.path('away'), member.path('en'));
    await until(() => count() === files);
    await team.until(jobs('done'));
    for (const each of [worker, leader]) {
      expect(await end(each, 'SIGTERM')).toBe(0);
      expect(each.said()).not.toMatch(/please report|failed:/);
    }
    expect(team.sandbox.counters().asked_twice).toEqual([]);
  });

  test('a worker that meets newer content than the leader has seen waits until it has: the job does not run again and again', async () => {
    const { team, member, start, end, count } = await startTree(postgres, { files: 1, ...HERE });
    await using _team = team;
    const slowly = (yaml: string) => yaml.replace('settle_ms: 50', 'settle_ms: 5000');
    const leader = await start('leader', slowly);
    await team.until(`select from @_queues.job where state = 'created'`);
    member.write('en/file_0.json', '{ "key": "Other content" }');
    const worker = await start('worker');
    await until(() => count() === 1);
    await team.until(`select from @.tree_jobs where record->'state'->>'kind' = 'done'`);
    expect(JSON.parse(member.read('de/file_0.json'))).toHaveProperty('key');
    const [job] = await postgres.query(`select fence::int from ${team.schema}.tree_jobs`);
    expect(job?.['fence']).toBeLessThan(5);
    for (const each of [worker, leader]) expect(await end(each, 'SIGTERM')).toBe(0);
  });
});
