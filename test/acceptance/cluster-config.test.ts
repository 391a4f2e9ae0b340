/** Daemons of one tree have one config: the leader's counts, and who has another one rests until both agree. Real processes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { type StartedDaemon, startTree, type TreeOptions } from '../tree-rig.ts';
import { until } from '../until.ts';

const RESTS = 'it takes no jobs, because its config is not that of';
const AGREES = 'this daemon can work on the tree';

describe.skipIf(NO_POSTGRES !== undefined)('the config of a tree', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  async function tree(options: Pick<TreeOptions, 'slowMs' | 'daemons'> = {}) {
    const started = await startTree(postgres, { files: 4, daemons: 'here', ...options });
    const { member, team } = started;
    /** A person changes the file of a daemon, and tells it. */
    const change = (daemon: StartedDaemon, to: (yaml: string) => string) => {
      member.write(daemon.config, to(member.read(daemon.config)));
      daemon.kill('SIGHUP');
    };
    const failed = async () =>
      await postgres.query(
        `select id, record->'state' as state from ${team.schema}.tree_jobs where record->'state'->>'kind' in ('failed', 'held')`,
      );
    return { ...started, change, failed };
  }
  const withRoute = (yaml: string) =>
    yaml.replace('routes: [', 'routes: [{ from: "{locale}/*.yaml" }, ');
  const formal = (yaml: string) =>
    yaml.replace('targets: [de],', 'targets: [de], formality: more,');
  const times = (daemon: StartedDaemon, words: string) => daemon.said().split(words).length - 1;

  test('a worker whose config differs takes no jobs, says so everywhere, and goes on by itself when both configs agree', async () => {
    const { team, member, start, end, change, failed, pageOf, count } = await tree();
    await using _team = team;
    const worker = await start('worker');
    const leader = await start('leader', withRoute);
    await until(() => worker.said().includes(RESTS));
    expect(worker.said()).toContain('projects.app.routes.from');
    member.write('en/more.yaml', 'key: Something more\n');
    await team.until(`select from @.tree_jobs having count(*) = 5`);
    const page = await pageOf(worker);
    expect((await fetch(`${page}/readyz`)).status).toBe(503);
    await team.until('select from @.daemons where trouble is not null');
    for (const command of ['status', 'doctor']) {
      const { stdout } = await member.run(command, {}, '--config', leader.config);
      expect(stdout).toContain(RESTS);
    }
    await postgres.query(`comment on table ${team.schema}.version is null`);
    const own = await member.run('doctor', {}, '--config', worker.config);
    expect(own.stdout).toMatch(/warn +team functions +.*earlier dragoman/);
    expect(own.stdout).toMatch(/fail +tree config +.*projects\.app\.routes\.from/);
    expect([count(), await failed()]).toEqual([0, []]);
    // On the side of the worker.
    change(worker, withRoute);
    await until(() => count() === 4 && member.has('de/more.yaml'));
    expect(worker.said()).toContain(AGREES);
    // And on the side of the leader: a job that was planned by a config that it does not have any more fails nowhere.
    change(leader, formal);
    await until(() => times(worker, RESTS) === 2);
    member.write('en/late.json', '{ "key": "Something late" }');
    change(leader, (yaml) => yaml.replace(' formality: more,', ''));
    await until(() => times(worker, AGREES) === 2 && member.has('de/late.json'));
    expect(await failed()).toEqual([]);
    expect([await end(worker, 'SIGTERM'), await end(leader, 'SIGTERM')]).toEqual([0, 0]);
  });

  test('a leader that cannot put a config in force ends with the reason, as at a start: it never has parts of two configs', async () => {
    const { team, start, end, ended, count, change } = await tree();
    await using _team = team;
    const leader = await start('leader', formal);
    const worker = await start('worker', formal);
    await until(() => count() === 4);
    await postgres.query(`alter function ${team.schema}.tree_lead rename to gone`);
    const code = ended(leader);
    change(leader, withRoute);
    expect(await code).toBe(78);
    expect(leader.said()).toContain('.tree_lead(');
    expect(leader.said()).not.toContain('config reloaded');
    expect(await end(worker, 'SIGTERM')).toBe(0);
  });

  test('the config names a spool of this tree only: daemons, commands and doctor of another tree refuse it and touch nothing there', async () => {
    const { team, member, start, ended, end, configure, count } = await tree();
    await using _team = team;
    await postgres.queues(team.schema, 'docs');
    const other = (yaml: string) => yaml.replace('tree: website', 'tree: docs');
    const first = await start('both');
    await until(() => count() === 4);
    for (const role of ['worker', 'both']) {
      const stranger = await start(role, other);
      expect(await ended(stranger)).toBe(78);
      expect(stranger.said()).toContain('belongs to the tree "website"');
    }
    const config = await configure(other);
    for (const [command, ...args] of [['once'], ['undo'], ['state', 'push']] as const) {
      const { code, stderr } = await member.run(command, {}, ...args, '--config', config);
      expect([code, stderr]).toEqual([
        78,
        expect.stringContaining('belongs to the tree "website"'),
      ]);
    }
    const doctor = await member.run('doctor', {}, '--config', config);
    expect(doctor.stdout).toMatch(/fail +tree spool +.*belongs to the tree "website"/);
    expect(await end(first, 'SIGTERM')).toBe(0);
    const own = await start('both', (yaml) =>
      other(yaml).replace('tree: docs', 'tree: docs, spool: docs-spool'),
    );
    await until(() => own.said().includes('leads the tree'));
    expect(await end(own, 'SIGTERM')).toBe(0);
  });

  test.each(['the leader first', 'the workers first'])(
    'the config is changed while all daemons run, %s: nothing fails, and the new config decides about all work',
    async (order) => {
      const { team, member, start, end, change, failed, count } = await tree({ slowMs: 300 });
      await using _team = team;
      const workers = [await start('worker'), await start('worker')];
      const leader = await start('leader');
      await until(() => count() > 0);
      const all = order === 'the leader first' ? [leader, ...workers] : [...workers, leader];
      for (const daemon of all) {
        const n = all.indexOf(daemon);
        change(daemon, (yaml) => formal(withRoute(yaml)));
        member.write(`en/more-${n}.yaml`, `key: Something more of ${n}\n`);
        member.write(`en/late_${n}.json`, `{ "key": "Something late of ${n}" }`);
        await until(() => daemon.said().includes('config reloaded'));
      }
      const files = all.flatMap((_, n) => [`de/more-${n}.yaml`, `de/late_${n}.json`]);
      await until(() => files.every((path) => member.has(path)));
      await team.until(
        `select from @.tree_jobs having count(*) = 10 and bool_and(record->'state'->>'kind' = 'done')`,
      );
      expect(await failed()).toEqual([]);
      for (const daemon of all) {
        expect(daemon.said()).not.toContain('no route matches');
        expect(await end(daemon, 'SIGTERM')).toBe(0);
      }
      expect(leader.said()).toContain('leads the tree \\"website\\", epoch 1');
    },
  );

  test('a worker buys no texts in a language or of a route that no config has any more, nothing counts them, and they are bought when it is back', async () => {
    const { team, member, start, startWith, end, pageOf, count } = await tree();
    await using _team = team;
    const targets = (to: string) => (yaml: string) =>
      yaml.replace(/targets: \[[^\]]*\]/, `targets: [${to}]`);
    const less = (yaml: string) =>
      targets('de')(yaml).replace('routes: [{', 'routes: [{ exclude: ["en/file_30.json"],');
    const more = (yaml: string) => targets('de, fr')(yaml).replace(/exclude: \[[^\]]*\],/, '');
    const planner = await start('leader', targets('de, fr'));
    await team.until(`select from @.tree_jobs having count(*) = 8`);
    await team.until(`select from @_queues.job where state = 'created' having count(*) = 8`);
    expect(await end(planner, 'SIGTERM')).toBe(0);
    member.write(planner.config, less(member.read(planner.config)));
    const leader = startWith(planner.config, 'leader');
    const worker = await start('worker', less);
    await until(() => count() === 3);
    await team.until(
      `select where not exists (select from @_queues.job where state in ('created', 'active', 'retry'))`,
    );
    const french = (kind: string) =>
      `select from @.tree_jobs where record->>'language' = 'fr' and record->'state'->>'kind' = '${kind}' having count(*) = 4`;
    expect(member.has('fr/file_0.json')).toBe(false);
    await team.until(french('queued'));
    for (const { config } of [leader, worker]) {
      const { stdout } = await member.run('status', {}, '--json', '--config', config);
      const { jobs, projects } = JSON.parse(stdout);
      expect(jobs).toMatchObject({ queued: 0, done: 3 });
      expect(projects[0].languages).toMatchObject([{ language: 'de', total: 3 }]);
    }
    const metrics = await (await fetch(`${await pageOf(leader)}/metrics`)).text();
    expect(metrics).toContain('dragoman_jobs{project="app",lane="text",state="queued"} 0');
    expect(metrics).toContain('dragoman_jobs{project="app",lane="text",state="done"} 3');
    for (const daemon of [leader, worker]) {
      member.write(daemon.config, more(member.read(daemon.config)));
      daemon.kill('SIGHUP');
    }
    await team.until(french('done'));
    await until(() => count() === 4);
    expect([await end(worker, 'SIGTERM'), await end(leader, 'SIGTERM')]).toEqual([0, 0]);
  });

  test('terms that change are read by each daemon, and sent by the leader, also when nobody led at that moment', async () => {
    const { team, member, start, end, ended, count } = await tree({ daemons: 'process' });
    await using _team = team;
    const write = (term: string) => member.write('l10n/en-de.csv', `Text,${term}\n`);
    write('Wortlaut');
    const withTerms = (yaml: string) =>
      yaml.replace(
        'targets: [de],',
        'targets: [de], glossary: { name: shop, csv: "l10n/{source}-{locale}.csv" },',
      );
    const worker = await start('worker', withTerms);
    const leader = await start('leader', withTerms);
    await until(() => count() === 4);
    const standby = await start('leader', withTerms);
    await until(() => standby.said().includes('waiting to lead'));
    const calls = () =>
      Object.entries(team.sandbox.counters().operations)
        .filter(([name]) => /^(POST|PUT|PATCH|DELETE) .v3.glossaries/.test(name))
        .reduce((sum, [, operation]) => sum + operation.calls, 0);
    const [before, synced] = [calls(), times(leader, 'rules-synced')];
    write('Satz');
    await until(() => [worker, leader, standby].every((each) => times(each, 'rules-changed') > 0));
    await until(() => times(leader, 'rules-synced') > synced);
    member.write('en/late.json', '{ "key": "Text that is late" }');
    await until(() => member.has('de/late.json'));
    expect(calls()).toBe(before + 1);
    leader.kill('SIGKILL');
    await ended(leader);
    write('Spruch');
    await until(() => standby.said().includes('rules-synced'));
    member.write('en/last.json', '{ "key": "Text that is last" }');
    await until(() => member.has('de/last.json'));
    expect(calls()).toBe(before + 2);
    expect([await end(worker, 'SIGTERM'), await end(standby, 'SIGTERM')]).toEqual([0, 0]);
  });
});
