/** A tree whose state is in a database: daemons come and go, each with a folder of its own. Real processes, one service that counts. */
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { type Member, Team } from '../shared-team.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';

const NOTES = { 'en/notes.txt': 'Some notes on the matter.\n' };

describe.skipIf(NO_POSTGRES !== undefined)('a tree with its state in a database', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  /** One tree; `moveTo` gives the next process another state folder. */
  async function tree(options: { readonly texts: number; readonly slowMs?: number }) {
    const settings = { members: 1, files: NOTES, tree: 'website' };
    const team = await Team.start(postgres, { ...settings, ...options });
    const [member] = team.members as [Member];
    let folder = '';
    const enter = () => {
      member.configure(team.schema, '', {
        state: `, folder: "${folder}", key: { env: STATE_KEY }, tree: website`,
      });
    };
    const moveTo = async () => {
      folder = await temporaryFolder();
      enter();
    };
    await moveTo();
    return { team, member, moveTo, enter, folder: () => folder };
  }

  test('a shared tree comes to the same targets for the same bill as one in a folder, and another folder can continue it', async () => {
    const { team, member, moveTo } = await tree({ texts: 60 });
    await using _team = team;
    await using alone = await Team.start(postgres, { members: 1, texts: 60, files: NOTES });
    const [other] = alone.members as [Member];
    const [here, there] = [await member.once(), await other.once()];
    // How many texts are bought together depends on how fast jobs are taken up.
    expect({ ...here, requests: 0 }).toEqual({ ...there, requests: 0 });
    expect(here).toMatchObject({ code: 0, failed: [], held: [] });
    const paths = ['de/notes.txt', ...[0, 10, 50].map((n) => `de/file_${n}.json`)];
    expect(paths.map((path) => member.read(path))).toEqual(paths.map((path) => other.read(path)));
    const bill = alone.sandbox.counters().billed_characters;
    expect(team.sandbox.counters()).toMatchObject({ billed_characters: bill, asked_twice: [] });
    expect(await team.books()).toEqual({ charged: bill, requests: 0, leases: 0 });
    const calls = team.sandbox.counters().operations;
    await moveTo();
    expect(await member.once()).toMatchObject({ code: 0, billed_characters: 0 });
    expect(team.sandbox.counters().operations).toEqual(calls);
    // Only what changed is bought: the baselines are known as well.
    member.write(
      'de/file_0.json',
      member.read('de/file_0.json').replace(/"key_1": ".*"/, '"key_1": "Meins"'),
    );
    member.write('en/file_0.json', member.read('en/file_0.json').replace('number 0', 'changed'));
    await moveTo();
    const changed = await member.once();
    expect(changed).toMatchObject({ code: 0, billed_characters: 'Text changed'.length });
    expect(member.read('de/file_0.json')).toContain('"key_1": "Meins"');
  });

  test('a shared tree continues the jobs of a folder that worked alone, and refuses the folder until they are pushed', async () => {
    const { team, member, enter, folder } = await tree({ texts: 20 });
    await using _team = team;
    member.configureAlone();
    expect(await member.once()).toMatchObject({ code: 0 });
    member.write(
      'de/file_0.json',
      member.read('de/file_0.json').replace(/"key_1": ".*"/, '"key_1": "Meins"'),
    );
    cpSync(member.path('.dragoman'), folder(), { recursive: true });
    enter();
    const ended = async (...args: [string, ...string[]]) => {
      const { code, stdout, stderr } = await member.run(args[0], {}, ...args.slice(1));
      return { code, said: `${stdout}${stderr}` };
    };
    expect(await ended('once')).toMatchObject({
      code: 78,
      said: expect.stringContaining('state push'),
    });
    expect((await ended('state', 'push', '--dry-run')).said).toContain('and 3 jobs');
    expect((await ended('state', 'push')).said).toContain('and 3 jobs copied to the team');
    expect((await ended('state', 'push')).said).toContain('0 charges and 0 jobs');
    const before = team.sandbox.counters().billed_characters;
    member.write('en/file_0.json', member.read('en/file_0.json').replace('number 0', 'changed'));
    expect(await member.once()).toMatchObject({ code: 0, held: [], failed: [] });
    expect(team.sandbox.counters().billed_characters - before).toBe('Text changed'.length);
    expect(member.read('de/file_0.json')).toContain('"key_1": "Meins"');
    expect((await ended('check')).said).not.toContain('nothing is known');
  });

  test('a tree whose copy of a folder was broken off is refused by all until it is copied again, and no text of a person is replaced', async () => {
    const { team, member, enter, moveTo, folder } = await tree({ texts: 20 });
    await using _team = team;
    member.configureAlone();
    expect(await member.once()).toMatchObject({ code: 0 });
    const text = 'de/file_0.json';
    member.write(text, member.read(text).replace(/"key_1": ".*"/, '"key_1": "Meins"'));
    member.write('en/file_0.json', member.read('en/file_0.json').replace('number 1"', 'one"'));
    const edited = member.read(text);
    cpSync(member.path('.dragoman'), folder(), { recursive: true });
    enter();
    // The sources are there, the jobs are not.
    await postgres.query(`create function ${team.schema}.halt() returns trigger language plpgsql as
      $$ begin perform pg_sleep(3600); return new; end $$;
      create trigger halt before insert on ${team.schema}.tree_jobs execute function ${team.schema}.halt()`);
    const push = member.spawn('state', {}, 'push');
    const [asleep, died] = [
      `from pg_stat_activity where wait_event = 'PgSleep'`,
      once(push, 'close'),
    ];
    await team.until(`select ${asleep}`);
    push.kill('SIGKILL');
    await died;
    await postgres.query(`select pg_terminate_backend(pid) ${asleep}`);
    await postgres.query(`drop function ${team.schema}.halt cascade`);
    const run = async (...words: readonly [string, ...string[]]) =>
      await member.run(words[0], {}, ...words.slice(1));
    const pushed = member.read('dragoman.yaml');
    // Another machine.
    await moveTo();
    const under = { code: 78, stderr: expect.stringMatching(/state push" on \S+ fills it from/) };
    expect(await run('once')).toMatchObject(under);
    await postgres.query(`update ${team.schema}.leases set until = clock_timestamp()`);
    for (const words of ['once', 'run', 'status', 'plan']) {
      const { code, stderr } = await run(words);
      const said = expect.stringMatching(/broken off: run "dragoman state push" there again/);
      expect([words, code, stderr]).toEqual([words, 78, said]);
    }
    const { stdout } = await run('doctor');
    expect(stdout).toContain('was broken off');
    expect(member.read(text)).toBe(edited);
    const another = expect.stringContaining('was broken off');
    expect(await run('state', 'push')).toMatchObject({ code: 78, stderr: another });
    member.write('dragoman.yaml', pushed);
    expect((await run('state', 'push')).stdout).toContain('and 3 jobs copied to the team');
    await moveTo();
    const after = await member.once();
    expect(after).toMatchObject({ held: [{ target: text, code: 'conflict' }], failed: [] });
    expect(member.read(text)).toContain('"Meins"');
  });

  test('a folder whose jobs were copied to one tree is refused by another tree that has none', async () => {
    const { team, member, folder, enter } = await tree({ texts: 10 });
    await using _team = team;
    await postgres.queues(team.schema, 'other');
    member.configureAlone();
    expect(await member.once()).toMatchObject({ code: 0 });
    cpSync(member.path('.dragoman'), folder(), { recursive: true });
    enter();
    expect(await member.run('state', {}, 'push')).toMatchObject({ code: 0 });
    member.configure(team.schema, '', {
      state: `, folder: "${folder()}", key: { env: STATE_KEY }, tree: other, spool: other`,
    });
    const refused = { code: 78, stderr: expect.stringContaining('the tree "other" has none') };
    expect(await member.run('once')).toMatchObject(refused);
    expect(await member.run('state', {}, 'push')).toMatchObject({ code: 0 });
    expect(await member.once()).toMatchObject({ code: 0, billed_characters: 0 });
  });

  test('a folder that pulls a tree works alone: it buys nothing again, and keeps texts of people', async () => {
    const { team, member, moveTo, folder } = await tree({ texts: 20 });
    await using _team = team;
    expect(await member.once()).toMatchObject({ code: 0 });
    const text = 'de/file_0.json';
    member.write(text, member.read(text).replace(/"key_1": ".*"/, '"key_1": "Meins"'));
    const paid = Buffer.alloc(100_000, 'paid');
    member.write('.dragoman-spool/spool/1234/result.docx', paid);
    await moveTo();
    const { code, stdout } = await member.run('state', {}, 'pull');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/, 3 jobs and \d+ paid files? copied/),
    ]);
    expect(readFileSync(join(folder(), 'spool/1234/result.docx'))).toEqual(paid);
    // It may be repeated.
    expect(await member.run('state', {}, 'pull')).toMatchObject({ code: 0 });
    member.configureAlone({ state: folder() });
    expect(await member.once()).toMatchObject({ code: 0, billed_characters: 0 });
    member.write('en/file_0.json', member.read('en/file_0.json').replace('number 0', 'changed'));
    const changed = await member.once();
    expect(changed).toMatchObject({ code: 0, billed_characters: 'Text changed'.length });
    expect(member.read(text)).toContain('"key_1": "Meins"');
  });

  test('a folder that got only a part of a tree is refused until a pull has ended, and one with jobs of its own is not replaced', async () => {
    const { team, member, moveTo, folder, enter } = await tree({ texts: 10 });
    await using _team = team;
    expect(await member.once()).toMatchObject({ code: 0 });
    await moveTo();
    const run = async (...words: readonly string[]) => await member.run('state', {}, ...words);
    const { schema } = team;
    await postgres.query(`revoke select on ${schema}.tree_baselines from ${schema}_runner`);
    expect(await run('pull')).toMatchObject({ code: 77 });
    const partial = {
      code: 78,
      stderr: expect.stringContaining('pull" of the tree "website" was broken off'),
    };
    expect(await run('push')).toMatchObject(partial);
    member.configureAlone({ state: folder() });
    for (const command of ['once', 'status', 'plan']) {
      expect(await member.run(command)).toMatchObject(partial);
    }
    await postgres.query(`grant select on ${schema}.tree_baselines to ${schema}_runner`);
    enter();
    expect(await run('pull')).toMatchObject({ code: 0 });
    member.configureAlone({ state: folder() });
    expect(await member.once()).toMatchObject({ code: 0, billed_characters: 0 });
    enter();
    const own = { code: 78, stderr: expect.stringContaining('a pull would replace them') };
    expect(await run('pull')).toMatchObject(own);
  });

  test('a pull that was killed can be run again at once', async () => {
    const { team, member, moveTo, folder } = await tree({ texts: 20 });
    await using _team = team;
    expect(await member.once()).toMatchObject({ code: 0 });
    await moveTo();
    const locks = (how: string) =>
      `from pg_locks where relation = '${team.schema}.tree_baselines'::regclass and ${how}`;
    const locking = postgres
      .query(`begin; lock table ${team.schema}.tree_baselines; select pg_sleep(3600)`)
      .catch(() => {});
    await team.until(`select ${locks('granted')}`);
    const pull = member.spawn('state', {}, 'pull');
    const died = once(pull, 'close');
    await team.until(
      `select ${locks('not granted')} and exists (select from @.leases where name = 'tree website')`,
    );
    pull.kill('SIGKILL');
    await died;
    await postgres.query(`select pg_terminate_backend(pid) ${locks('true')}`);
    await locking;
    expect(await member.run('state', {}, 'pull')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('3 jobs'),
    });
    member.configureAlone({ state: folder() });
    expect(await member.once()).toMatchObject({ code: 0, billed_characters: 0 });
  });

  test('a shared tree whose database is restored from a backup is refused until its folder is pushed, and pays for nothing again', async () => {
    const { team, member } = await tree({ texts: 20 });
    await using _team = team;
    expect(await member.once()).toMatchObject({ code: 0 });
    const backup = await tablesOf(team);
    await backup.take();
    member.write('en/file_0.json', member.read('en/file_0.json').replace('number 0', 'changed'));
    member.write('en/notes.txt', 'Other notes on the matter.\n');
    member.write('en/later.txt', 'Later notes.\n');
    member.write('en/later.json', '{ "late": "Later text" }\n');
    expect(await member.once()).toMatchObject({ code: 0, held: [], failed: [] });
    const paths = ['file_0.json', 'file_10.json', 'notes.txt', 'later.txt', 'later.json'];
    const targets = () => paths.map((path) => member.read(`de/${path}`));
    const before = [targets(), team.sandbox.counters().billed_characters];
    await backup.restore();
    for (const command of ['once', 'status', 'plan']) {
      const { code, stderr } = await member.run(command);
      expect([command, code, stderr]).toEqual([command, 78, expect.stringContaining('state push')]);
    }
    const pushed = await member.run('state', {}, 'push');
    expect(pushed).toMatchObject({
      code: 0,
      stdout: '2 translations, 4 charges and 0 jobs copied to the team.\n',
    });
    expect(await member.once()).toMatchObject({
      code: 0,
      held: [],
      failed: [],
      billed_characters: 0,
    });
    expect([targets(), team.sandbox.counters().billed_characters]).toEqual(before);
  });

  /** All tables of the team and of its queues: as `pg_dump` saves and restores them. */
  async function tablesOf({ schema }: Team) {
    const schemas = [schema, `${schema}_queues`];
    const rows = await postgres.query(
      `select c.oid::regclass::text as name, 'kept_' || row_number() over () as kept from pg_class c
       where relnamespace::regnamespace::text in ('${schemas.join("', '")}') and relkind in ('r', 'p') and not relispartition and relname <> 'version'`,
    );
    const each = (sql: (name: string, kept: string) => string) =>
      postgres.query(
        rows.map(({ name, kept }) => sql(String(name), `${schema}.${kept}`)).join(';'),
      );
    return {
      take: () => each((name, kept) => `create table ${kept} as select * from ${name}`),
      restore: async () => {
        await each((name) => `truncate ${name} cascade`);
        // Rows come back in any order.
        await each(
          (name, kept) =>
            `set session_replication_role = replica; insert into ${name} overriding system value select * from ${kept}`,
        );
      },
    };
  }

  test('a daemon that is killed leaves nothing undone and nothing paid twice for the next one', async () => {
    const { team, member, moveTo } = await tree({ texts: 200 });
    await using _team = team;
    const daemon = member.spawn('run');
    daemon.stdout.resume();
    daemon.stderr.resume();
    await until(() => member.has('de/file_0.json'));
    daemon.kill('SIGKILL');
    await once(daemon, 'close');
    await moveTo();
    const { failed, held } = await member.once();
    expect(failed).toEqual([]);
    // A document whose upload had no answer waits for a person: it may be paid.
    for (const job of held) expect(job).toMatchObject({ code: 'in-doubt', source: 'en/notes.txt' });
    for (let n = 0; n < 200; n += 10) expect(member.has(`de/file_${n}.json`)).toBe(true);
    const { sure, doubted, requests, leases, reserved } = await team.account();
    const { billed_characters, asked_twice } = team.sandbox.counters();
    expect({ requests, leases, reserved }).toEqual({ requests: 0, leases: 0, reserved: 0 });
    expect(sure).toBeLessThanOrEqual(billed_characters);
    expect(sure + doubted).toBeGreaterThanOrEqual(billed_characters);
    // Requests that were sent twice were under way when the daemon died, and are booked as such.
    if (doubted === 0) expect(asked_twice).toEqual([]);
  });

  test('one daemon at a time leads a tree: elsewhere a question is answered, a command says who leads, and a second daemon waits', async () => {
    const { team, member, moveTo, folder } = await tree({ texts: 20 });
    await using _team = team;
    const start = (...role: readonly string[]) => {
      const daemon = member.spawn('run', {}, ...role);
      let said = '';
      for (const stream of [daemon.stdout, daemon.stderr]) stream.on('data', (c) => (said += c));
      return { daemon, said: () => said };
    };
    const first = start();
    await until(() => member.has('de/file_10.json') && member.has('de/notes.txt'));
    await team.until(
      `select from @.tree_jobs having count(*) = 3 and bool_and(record->'state'->>'kind' = 'done')`,
    );
    await moveTo();
    const leader = expect.stringMatching(new RegExp(`-${first.daemon.pid}$`));
    const status = async () => {
      const { code, stdout, stderr } = await member.run('status', {}, '--json');
      expect({ code, stderr }).toMatchObject({ code: 0 });
      return JSON.parse(stdout) as { readonly tree: { readonly daemons: readonly object[] } };
    };
    expect(await status()).toMatchObject({
      ...{ state: 'running', jobs: { done: 3, queued: 0 } },
      tree: { name: 'website', leader, daemons: [{ name: leader, state: 'leads', role: 'both' }] },
    });
    const { stdout: explained } = await member.run('explain', {}, 'de/file_0.json', '--json');
    expect(JSON.parse(explained)).toMatchObject({ kind: 'target', jobs: [{ state: 'done' }] });
    const approved = await member.run('approve', {}, '--all');
    expect(approved).toMatchObject({
      code: 75,
      stderr: expect.stringContaining(`-${first.daemon.pid} `),
    });
    expect(readdirSync(folder()).filter((name) => name.startsWith('db'))).toEqual([]);

    const worker = start('--role', 'worker');
    const address = /http:\/\/127\.0\.0\.1:\d+/;
    await until(() => address.test(worker.said()) && worker.said().includes('watching'));
    await team.until(`select from @.daemons where role = 'worker' and places ? 'text'`);
    expect((await status()).tree.daemons).toMatchObject([
      { state: 'leads' },
      { state: 'works', role: 'worker', lanes: [{ lane: 'document' }, { lane: 'text' }, {}] },
    ]);
    const refused = await member.run('approve', {}, '--all');
    expect(refused.stderr).toContain('leads the tree "website", and this daemon works for it');
    expect(refused.code).toBe(75);
    const answered = [
      ['once', '--frozen'],
      ['glossary', 'suggest'],
      ['review', 'list'],
    ] as const;
    for (const [command, ...more] of answered) {
      const { code, stderr } = await member.run(command, {}, ...more);
      // Without a lock nothing is reviewed, and that is told here as well.
      expect({ command, code, stderr }).toMatchObject({
        command,
        code: command === 'review' ? 78 : 0,
      });
      expect(stderr).not.toContain('leads the tree');
    }
    const [page = ''] = address.exec(worker.said()) ?? [];
    const ready = await fetch(`${page}/readyz`);
    expect(await ready.json()).toMatchObject({
      checks: { database: { ok: true }, watcher: { ok: true } },
    });
    expect([ready.status, (await fetch(`${page}/healthz`)).status]).toEqual([200, 200]);
    const metrics = await (await fetch(`${page}/metrics`)).text();
    expect(metrics).toContain('dragoman_tree_leads 0');
    expect(metrics).toContain('dragoman_tree_daemons{state="works"} 1');
    expect(metrics).toContain('dragoman_tree_places{lane="text"} 1000');
    expect(metrics).not.toContain('dragoman_jobs{');
    worker.daemon.kill('SIGKILL');
    await once(worker.daemon, 'close');
    await moveTo();
    const second = start();
    await until(() => second.said().includes('works on the tree'));
    first.daemon.kill('SIGKILL');
    member.write('en/late.json', '{ "key": "Something new" }');
    await until(() => member.has('de/late.json'));
  });

  test('commands can read a tree that nobody leads, and write nothing', async () => {
    const { team, member, moveTo } = await tree({ texts: 20 });
    await using _team = team;
    const rows = async () =>
      await postgres.query(`select (select count(*)::int from ${team.schema}.trees) as trees,
        (select count(*)::int from ${team.schema}.tree_jobs) as jobs,
        (select count(*)::int from ${team.schema}.tree_records) as records`);
    const planned = JSON.parse((await member.run('plan', {}, '--json')).stdout) as object;
    expect(planned).toMatchObject({ jobs: [{}, {}, {}] });
    expect(await rows()).toEqual([{ trees: 0, jobs: 0, records: 0 }]);
    expect(await member.once()).toMatchObject({ code: 0 });
    await moveTo();
    const before = await rows();
    // A renamed file: the command foretells the result, and does nothing.
    member.write('en/moved.txt', member.read('en/notes.txt'));
    member.remove('en/notes.txt');
    member.write('en/file_0.json', member.read('en/file_0.json').replace('number 0', 'changed'));
    const { stdout } = await member.run('plan', {}, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ estimated_characters: 'Text changed'.length });
    expect(await rows()).toEqual(before);
  });
});
