/** A team whose database is away when a process starts: questions are answered, and a daemon does work that costs nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { type Member, Team } from '../shared-team.ts';
import { until } from '../until.ts';

const NOWHERE = 'postgres://runner:runner@127.0.0.1:1/postgres';

describe.skipIf(NO_POSTGRES !== undefined)('a team whose database is away', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  async function ended(member: Member, command: string, url: string, ...args: string[]) {
    const { code, stdout, stderr } = await member.run(command, { url }, ...args);
    return { code, said: `${stdout}${stderr}` };
  }

  test.each([
    ['nobody answers', NOWHERE, /is away since .*nobody answers there/],
    ['a runner has no secrets', '', /is away since .*STATE_URL is empty/],
  ])('where %s, commands that only read are answered', async (_name, url, says) => {
    await using team = await Team.start(postgres, { members: 1, texts: 3 });
    const [member] = team.members as [Member];
    expect(await member.once()).toMatchObject({ code: 0 });
    expect(await ended(member, 'once', url, '--frozen')).toMatchObject({ code: 0 });
    expect(await ended(member, 'check', url)).toMatchObject({ code: 0 });
    const status = await ended(member, 'status', url);
    expect(status).toMatchObject({ code: 0, said: expect.stringMatching(says) });
    member.write('en/new.json', '{ "key": "Something new" }');
    const plan = await ended(member, 'plan', url);
    expect(plan).toMatchObject({ code: 0, said: expect.stringMatching(says) });
    expect(plan.said).toContain('prices include texts that the team has bought already');
    expect(plan.said).toContain('en/new.json');
    // The paid translations are there as before.
    expect(await member.once()).toMatchObject({ code: 0, billed_characters: 13 });
  });

  test('a daemon that starts without the database does all free work, answers, and buys each text once when the database is there', async () => {
    await using team = await Team.start(postgres, { members: 1, texts: 20 });
    const [member] = team.members as [Member];
    expect(await member.once()).toMatchObject({ code: 0 });
    await postgres.stop();
    try {
      const daemon = member.spawn('run');
      daemon.stdout.resume();
      daemon.stderr.resume();
      await until(() => member.has('.dragoman/control.sock'));
      member.write('en/file_0.json', '{ "key_0": "Something new" }');
      member.remove('en/file_10.json');
      await until(() => !member.has('de/file_10.json'));
      const says = /is away since \S+: \w/;
      const status = await ended(member, 'status', postgres.runner);
      expect(status).toMatchObject({ code: 0, said: expect.stringMatching(says) });
      member.write('en/later.json', '{ "key": "Later" }');
      const plan = await ended(member, 'plan', postgres.runner);
      expect(plan).toMatchObject({ code: 0, said: expect.stringMatching(says) });
    } finally {
      await postgres.start();
    }
    await until(() => member.has('de/later.json'));
    await until(() => !member.read('de/file_0.json').includes('key_1'));
    expect(team.sandbox.counters().asked_twice).toEqual([]);
    const { billed_characters } = team.sandbox.counters();
    expect(await team.books()).toEqual({ charged: billed_characters, requests: 0, leases: 0 });
  });
});
