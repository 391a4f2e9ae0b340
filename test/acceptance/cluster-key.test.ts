/** Daemons of one tree have one key: another one is refused before anything is encrypted by it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { startTree } from '../tree-rig.ts';
import { until } from '../until.ts';

const OTHER = Buffer.alloc(32, 9).toString('base64');

describe.skipIf(NO_POSTGRES !== undefined)('the key of a tree', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  async function tree() {
    const started = await startTree(postgres, { files: 2, daemons: 'here' });
    started.member.write('other.key', `${OTHER}\n`);
    const withOther = (yaml: string) => yaml.replace('{ env: STATE_KEY }', '{ file: other.key }');
    return { ...started, withOther };
  }

  test('the key is known from the first lead on: a daemon, a command and doctor refuse another key although nothing is encrypted yet', async () => {
    const { team, member, start, ended, end, count, configure, withOther } = await tree();
    await using _team = team;
    const leader = await start('both');
    await until(() => count() === 2);
    for (const role of ['worker', 'leader', 'both']) {
      const stranger = await start(role, withOther);
      expect(await ended(stranger)).toBe(78);
      expect(stranger.said()).toMatch(/the tree \\?"website\\?" has another key, known since \S+/);
    }
    const config = await configure(withOther);
    const asked = await member.run('status', {}, '--config', config);
    expect(asked).toMatchObject({ code: 78, stderr: expect.stringContaining('another key') });
    const doctor = await member.run('doctor', {}, '--config', config);
    expect(doctor.stdout).toMatch(/fail +tree key +state\.key cannot be used: the tree "website"/i);
    const right = await member.run('doctor', {}, '--config', leader.config);
    expect(right.stdout).toMatch(/tree key +it is the key of the tree/);
    expect(await end(leader, 'SIGTERM')).toBe(0);
    // It counts when nobody is there, too.
    const later = await start('both', withOther);
    expect(await ended(later)).toBe(78);
    const [rows] = await postgres.query(
      `select count(*)::int as daemons from ${team.schema}.daemons`,
    );
    expect(rows).toEqual({ daemons: 0 });
  });

  test('of an earlier version is known after the first daemon that decrypts something there', async () => {
    const { team, member, start, ended, end, withOther } = await tree();
    await using _team = team;
    member.write('en/page.txt', 'Good morning.\n');
    const first = await start('both');
    await until(() => member.has('de/page.txt'));
    expect(await end(first, 'SIGTERM')).toBe(0);
    await postgres.query(`update ${team.schema}.trees set sealed = null`);
    const stranger = await start('both', withOther);
    expect(await ended(stranger)).toBe(78);
    expect(stranger.said()).toContain('does not open what the tree');
    const next = await start('both');
    await team.until('select from @.trees where sealed is not null');
    expect(await end(next, 'SIGTERM')).toBe(0);
  });

  test('a daemon that cannot decrypt a record, and so cannot follow the others, says so until it can', async () => {
    const { team, member, start, end, count, pageOf } = await tree();
    await using _team = team;
    const [leader, worker] = [await start('both'), await start('worker')];
    await until(() => count() === 2);
    const pages = [await pageOf(leader), await pageOf(worker)];
    const troubled = async () => {
      const answers = await Promise.all(pages.map((page) => fetch(`${page}/readyz`)));
      return answers.filter(({ status }) => status === 503).length;
    };
    const record = { id: 'spool x', kind: 'spool', value: 'AAAA' };
    await postgres.query(
      `insert into ${team.schema}.tree_records (tree, tbl, id, record, by, mark)
       values ('website', 'remotes', 'spool x', '${JSON.stringify(record)}', 'stranger', 'm')`,
    );
    for (const daemon of [leader, worker]) {
      await until(() => daemon.said().includes('does not see what other daemons do'));
    }
    await until(async () => (await troubled()) === 2);
    await team.until(`select from @.daemons having count(trouble) = 2`);
    const told = /does not see what other daemons do: state\.key cannot be used/;
    for (const command of ['status', 'doctor']) {
      const { stdout } = await member.run(command, {}, '--config', leader.config);
      expect(stdout).toMatch(told);
    }
    await postgres.query(`delete from ${team.schema}.tree_records where id = 'spool x'`);
    for (const daemon of [leader, worker]) {
      await until(() => daemon.said().includes('this daemon can work on the tree'));
    }
    await until(async () => (await troubled()) === 0);
    expect([await end(worker, 'SIGTERM'), await end(leader, 'SIGTERM')]).toEqual([0, 0]);
  });
});
