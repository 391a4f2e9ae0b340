/** Checkouts of a team that share one database, and one service that counts. */
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schemaSql } from '../../src/state/postgres/schema.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { type Member, Team } from '../shared-team.ts';
import { until } from '../until.ts';
import { waitingClock } from '../waiting-clock.ts';

describe.skipIf(NO_POSTGRES !== undefined)('a team with one database', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  test('four processes that want the same texts at once buy each of them once', async () => {
    await using team = await Team.start(postgres, { members: 4, texts: 120 });
    const ended = await Promise.all(team.members.map((member) => member.onceApart()));
    expect(ended.map(({ code, failed }) => ({ code, failed }))).toEqual(
      ended.map(() => ({ code: 0, failed: [] })),
    );
    const { asked_twice, billed_characters } = team.sandbox.counters();
    expect(asked_twice).toEqual([]);
    expect(ended.reduce((sum, each) => sum + each.billed_characters, 0)).toBe(billed_characters);
    expect(await team.books()).toEqual({ charged: billed_characters, requests: 0, leases: 0 });
    const [first, second] = team.members;
    expect(first?.read('de/file_0.json')).toBe(second?.read('de/file_0.json'));
    // A checkout that comes later pays nothing.
    await using late = await team.join('late');
    expect(await late.once()).toMatchObject({ code: 0, billed_characters: 0 });
  });

  test('a daemon says who works and what all were billed, names who bought a text, and does free work without the database', async () => {
    await using team = await Team.start(postgres, { members: 2, texts: 20 });
    const [buyer, other] = team.members as [Member, Member];
    const bought = buyer.spawn('once');
    const runner = expect.stringMatching(new RegExp(`-${bought.pid}$`));
    bought.stdout.resume();
    bought.stderr.resume();
    await once(bought, 'close');
    const ask = async <T>(command: string, ...args: string[]) =>
      JSON.parse((await other.run(command, {}, ...args, '--json')).stdout) as T;
    other.start('run');
    await until(() => other.has('de/file_10.json'));
    const { billed_characters } = team.sandbox.counters();
    const status = await ask<{ team: unknown }>('status');
    expect(status.team).toMatchObject({
      ...{ away_since: null, waiting_answers: 0, billed_characters, possibly_billed_twice: 0 },
      runners: [{ login: 'runner', is_this: true }],
    });
    const explained = await ask<{ segment: unknown }>('explain', 'en/file_0.json', 'key_3');
    expect(explained).toMatchObject({
      segment: { bought_by: { runner } },
      jobs: [{ bought_by: [{ runner }] }],
    });
    await postgres.stop();
    try {
      // Its new text is wanted in vain, and the other file is gone.
      other.write('en/file_0.json', '{ "key_0": "Something new" }');
      other.remove('en/file_10.json');
      await until(() => !other.has('de/file_10.json'));
      // It is away for the daemon when the daemon next asks it something.
      await expect
        .poll(async () => (await ask<{ notes: string[] }>('status')).notes.join())
        .toMatch(/is away since .*: nobody answers there/);
    } finally {
      await postgres.start();
    }
    await until(() => !other.read('de/file_0.json').includes('key_1'));
  });

  test('a month budget that four processes spend at once is not exceeded', async () => {
    const max = 700;
    await using team = await Team.start(postgres, {
      members: 4,
      texts: 60,
      own: true,
      more: `budget: { month: ${max} }`,
    });
    const ended = await Promise.all(team.members.map((member) => member.onceApart()));
    expect(ended.some(({ held }) => held.length > 0)).toBe(true);
    const { billed_characters } = team.sandbox.counters();
    expect(billed_characters).toBeLessThanOrEqual(max);
    expect(billed_characters).toBeGreaterThan(0);
    expect(await team.books()).toMatchObject({ charged: billed_characters, requests: 0 });
    const [budget] = await postgres.query(`select spent, reserved from ${team.schema}.budgets`);
    expect(budget).toEqual({ spent: billed_characters, reserved: 0 });
  });

  test('single commands are billed outside of the team’s books and budget, and need no database', async () => {
    await using team = await Team.start(postgres, {
      members: 1,
      texts: 0,
      more: 'budget: { month: 1, runner: 1 }',
    });
    const [member] = team.members as [Member];
    const nowhere = 'postgres://runner@127.0.0.1:1/postgres';
    const asked = [['translate', '--to', 'de'], ['improve'], ['detect']] as const;
    for (const [command, ...options] of asked) {
      for (const url of [postgres.runner, nowhere]) {
        const { code } = await member.run(command, { url }, ...options, 'Good morning, everybody');
        expect({ command, code }).toEqual({ command, code: 0 });
      }
    }
    expect(team.sandbox.counters().billed_characters).toBeGreaterThan(0);
    expect(await team.books()).toEqual({ charged: 0, requests: 0, leases: 0 });
  });

  test('another process buys the texts of one that was killed while it bought, and the books say what may be billed twice', async () => {
    await using team = await Team.start(postgres, { members: 2, texts: 30, slowMs: 15_000 });
    const [victim, other] = team.members as [Member, Member];
    const child = victim.spawn('once');
    await team.until('select 1 from @.requests');
    child.kill('SIGKILL');
    await once(child, 'close');
    const { code, failed } = await other.once();
    expect({ code, failed }).toEqual({ code: 0, failed: [] });
    const kinds = await postgres.query(
      `select record->>'kind' as kind, sum(characters)::int as characters from ${team.schema}.charges group by 1 order by 1`,
    );
    const characters = Array.from({ length: 30 }, (_, n) => `Text number ${n}`).join('').length;
    expect(kinds).toEqual([
      { kind: 'billed', characters },
      { kind: 'possibly-twice', characters },
    ]);
    expect(await team.books()).toMatchObject({ requests: 0, leases: 0 });
  });

  test('a database that goes away in the middle of a run costs nothing twice', async () => {
    await using team = await Team.start(postgres, { members: 2, texts: 100, slowMs: 2000 });
    const running = team.members.map((member) => member.onceApart());
    await team.until('select 1 from @.requests');
    await postgres.stop();
    await postgres.start();
    const ended = await Promise.all(running);
    expect(ended.map(({ code, failed }) => ({ code, failed }))).toEqual(
      ended.map(() => ({ code: 0, failed: [] })),
    );
    const { asked_twice, billed_characters } = team.sandbox.counters();
    expect(asked_twice).toEqual([]);
    expect(await team.books()).toMatchObject({ charged: billed_characters, requests: 0 });
  });

  test('a folder that worked alone buys nothing again: it refuses to work until it has sent its records to the team', async () => {
    await using team = await Team.start(postgres, { members: 1, texts: 3 });
    const [member] = team.members as [Member];
    const ended = async (command: string, url: string, ...args: string[]) => {
      const { code, stdout, stderr } = await member.run(command, { url }, ...args);
      return { code, said: `${stdout}${stderr}` };
    };
    const state = (url: string, ...args: string[]) => ended('state', url, ...args);
    member.configureAlone();
    expect(await member.once()).toMatchObject({ code: 0 });
    member.configure(team.schema, '');
    // It would buy the same texts again.
    expect(await ended('once', postgres.runner)).toMatchObject({
      code: 78,
      said: expect.stringContaining('dragoman state push'),
    });
    const pushed = await state(postgres.runner, 'push');
    expect(pushed).toMatchObject({ code: 0, said: expect.stringContaining('3 translations') });
    await using late = await team.join('late');
    expect(await late.once()).toMatchObject({ code: 0, billed_characters: 0 });
    expect((await state(postgres.runner, 'push')).said).toContain('0 translations and 0 charges');
    expect(await state(postgres.runner, 'forget', '--project', 'app', '--yes')).toMatchObject({
      code: 77,
    });
    expect((await state(postgres.owner, 'forget', '--project', 'app', '--yes')).said).toContain(
      '3 translations',
    );
    const { billed_characters } = team.sandbox.counters();
    expect(await team.books()).toMatchObject({ charged: billed_characters });
  });

  test('a folder that worked alone for a while, and one whose database is new, send their purchases to the team before they go on', async () => {
    await using team = await Team.start(postgres, { members: 2, texts: 3 });
    const [member, other] = team.members as [Member, Member];
    const state = async (action: string) => (await member.run('state', {}, action)).stdout;
    const refused = async () => {
      expect(await member.run('once')).toMatchObject({
        code: 78,
        stderr: expect.stringContaining('dragoman state push'),
      });
    };
    expect(await member.once()).toMatchObject({ code: 0 });
    expect(await state('pull')).toContain('3 translations');
    member.configureAlone();
    for (const each of team.members) each.write('en/later.json', '{ "key": "A later text" }');
    expect(await member.once()).toMatchObject({ code: 0 });
    member.configure(team.schema, '');
    await refused();
    expect(await state('push')).toContain('1 translation and 1 charge');
    expect(await member.once()).toMatchObject({ code: 0, billed_characters: 0 });
    expect(await other.once()).toMatchObject({ code: 0, billed_characters: 0 });
    await postgres.query(
      `drop schema ${team.schema} cascade; begin; ${schemaSql(team.schema)}; commit`,
    );
    await refused();
    expect(await state('push')).toContain('4 translations and 2 charges');
    await using late = await team.join('late');
    late.write('en/later.json', '{ "key": "A later text" }');
    expect(await late.once()).toMatchObject({ code: 0, billed_characters: 0 });
    expect(team.sandbox.counters().asked_twice).toEqual([]);
  });

  test('a restored backup that has forgotten what was paid is refused', async () => {
    await using team = await Team.start(postgres, { members: 1, texts: 20 });
    const [member] = team.members as [Member];
    expect(await member.once()).toMatchObject({ code: 0 });
    await postgres.query(`select setval('${team.schema}.charges_seq_seq', 1)`);
    const refused = { code: 78, stderr: expect.stringContaining('backup') };
    expect(await member.run('once')).toMatchObject(refused);
  });

  test('purchases that a restored backup lacks are sent again by the folder that paid for them, and nobody buys them', async () => {
    await using team = await Team.start(postgres, { members: 2, texts: 10 });
    const [member, other] = team.members as [Member, Member];
    expect(await member.once()).toMatchObject({ code: 0 });
    const tables = ['memory', 'charges'];
    const each = (sql: string) => tables.map((table) => sql.replaceAll('T', table)).join(';');
    await postgres.query(
      `set search_path = ${team.schema}; ${each('create table kept_T as table T')}`,
    );
    const more = JSON.stringify({ key: 'A later text', other: 'Another one' });
    for (const { write } of [member, other].map((each) => ({ write: each.write.bind(each) }))) {
      write('en/later.json', more);
    }
    expect(await member.once()).toMatchObject({ code: 0 });
    const books = await team.books();
    await postgres.query(`set search_path = ${team.schema};
      ${each('delete from T; insert into T overriding system value select * from kept_T')};
      select setval('charges_seq_seq', 1)`);
    const push = async (...args: string[]) =>
      (await member.run('state', {}, 'push', ...args)).stdout;
    expect(await push('--dry-run')).toContain('2 translations and 1 charge');
    expect(await push()).toContain('2 translations and 1 charge');
    expect(await push()).toContain('0 translations and 0 charges');
    expect(await team.books()).toEqual(books);
    expect(await other.once()).toMatchObject({ code: 0, billed_characters: 0 });
    expect(team.sandbox.counters().asked_twice).toEqual([]);
  });

  test('each state of the database has its message and its exit code', async () => {
    await using team = await Team.start(postgres, { members: 1, texts: 1 });
    const [member] = team.members as [Member];
    const told = async (url: string, schema = team.schema) => {
      member.configure(schema, '');
      // A server that is away is asked for ten seconds.
      const clock = waitingClock();
      return await member.run('state', { url, clock }, 'status');
    };
    const wrong = await told(postgres.runner.replace('runner:runner', 'runner:secret-word'));
    expect(wrong).toMatchObject({
      code: 77,
      stderr: expect.stringContaining('refuses this login'),
    });
    expect(wrong.stderr).not.toContain('secret-word');
    expect(await told(postgres.owner, 'nobody_made')).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('dragoman state migrate'),
    });
    expect(await told('postgres://runner:runner@127.0.0.1:1/postgres')).toMatchObject({
      code: 75,
      stderr: expect.stringContaining('is away'),
    });
    expect(await told('postgres://runner:runner@127.0.0.1:1/postgres')).toMatchObject({
      stderr: expect.not.stringContaining('runner:runner'),
    });
  });
});
