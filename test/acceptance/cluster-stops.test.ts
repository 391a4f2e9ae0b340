/**
 * The reasons why one daemon of a tree stops, and why it goes on: each daemon decides for itself, and all see the reason. Real
 * processes.
 */
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { startTree } from '../tree-rig.ts';
import { until } from '../until.ts';

/** The minutes between two questions to the service are so many times as short. */
const HURRIED = { scale: 60 };

const TREE = { files: 1, daemons: 'here' } as const;

describe.skipIf(NO_POSTGRES !== undefined)('daemons of a tree that stopped', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  test('a daemon that stopped for a used-up quota says so to all, and goes on by itself when there is quota again, also where it only works', async () => {
    const { team, start, end } = await startTree(postgres, TREE);
    await using _team = team;
    team.sandbox.faults.add([{ kind: 'quota', characters: 0 }]);
    const worker = await start('worker', undefined, HURRIED);
    const leader = await start('leader');
    await until(() => worker.said().includes('"kind":"paid-work-stopped"'));
    await team.until(`select from @.daemons where role = 'worker' and trouble like '%quota%'`);
    team.sandbox.faults.clear();
    await until(() => worker.said().includes('"kind":"paid-work-resumed"'));
    await team.until(`select from @.daemons where role = 'worker' and trouble is null`);
    await end(worker, 'SIGKILL');
    expect(await end(leader, 'SIGTERM')).toBe(0);
  });

  test('a daemon takes the place of the dead one in its folder, also when a command worked there meanwhile', async () => {
    const { team, member, startApart, startWith, end, count } = await startTree(postgres, TREE);
    await using _team = team;
    member.write('spoken/nothing', '');
    const dies = await startApart('both');
    await until(() => count() === 1);
    await end(dies, 'SIGKILL');
    const [dead] = await postgres.query(`select id from ${team.schema}.daemons`);
    expect(await member.run('once', {}, '--config', dies.config)).toMatchObject({ code: 0 });
    const daemons = async () => await postgres.query(`select id from ${team.schema}.daemons`);
    // Others see that nobody started the daemon again.
    expect(await daemons()).toEqual([dead]);
    const back = startWith(dies.config, 'both');
    await until(() => back.said().includes('watching'));
    const now = await daemons();
    expect(now).toHaveLength(1);
    expect(now).not.toEqual([dead]);
    expect(await end(back, 'SIGTERM')).toBe(0);
  });

  test('the daemon that bought asks how much of the limit of the account is left, also where it only works', async () => {
    const { team, start, end, count } = await startTree(postgres, TREE);
    await using _team = team;
    const leader = await start('leader');
    const worker = await start('worker', undefined, HURRIED);
    await until(() => count() === 1);
    await until(() => team.sandbox.counters().operations['GET /v2/usage'] !== undefined);
    for (const daemon of [worker, leader]) expect(await end(daemon, 'SIGTERM')).toBe(0);
  });

  test('a daemon that a person paused says so to all, and stays paused when it reads its config again', async () => {
    const { team, member, start, end, count } = await startTree(postgres, TREE);
    await using _team = team;
    const worker = await start('worker');
    await until(() => worker.said().includes('watching'));
    const pause = await member.run('pause', {}, '--config', worker.config);
    expect(pause.code).toBe(0);
    await team.until(`select from @.daemons where trouble like '%paused%'`);
    worker.kill('SIGHUP');
    await until(() => worker.said().includes('config reloaded'));
    const leader = await start('leader');
    await team.until(`select from @_queues.job having count(*) > 0`);
    await team.until(`select from @.daemons where trouble like '%paused%'`);
    expect(count()).toBe(0);
    expect((await member.run('resume', {}, '--config', worker.config)).code).toBe(0);
    await until(() => count() === 1);
    for (const daemon of [worker, leader]) expect(await end(daemon, 'SIGTERM')).toBe(0);
  });

  test('a daemon that cannot write the volume leaves the jobs to others, says so to all, and goes on when it can write', async () => {
    const { team, member, start, end, count } = await startTree(postgres, TREE);
    await using _team = team;
    // A link to itself: as a volume that is read-only or not there, it can be neither read nor written.
    symlinkSync('shut', member.path('shut'));
    const worker = await start('worker', (yaml) =>
      yaml.replace('tree: website', 'tree: website, spool: shut'),
    );
    await team.until(`select from @.daemons where trouble like '%shut cannot be written (ELOOP)%'`);
    const leader = await start('leader');
    await team.until(`select from @_queues.job having count(*) > 0`);
    await team.until(`select from @.daemons where trouble like '%shut cannot be written (ELOOP)%'`);
    expect(count()).toBe(0);
    // An empty folder where the volume is not mounted: it can be written, and the others would find nothing there.
    rmSync(member.path('shut'));
    mkdirSync(member.path('shut'));
    await team.until(`select from @.daemons where trouble like '%shut is not on the volume of%'`);
    expect(count()).toBe(0);
    expect(readdirSync(member.path('shut'))).toEqual([]);
    rmSync(member.path('shut'), { recursive: true });
    symlinkSync('.dragoman-spool', member.path('shut'));
    await until(() => count() === 1);
    for (const daemon of [worker, leader]) expect(await end(daemon, 'SIGTERM')).toBe(0);
  });
});
