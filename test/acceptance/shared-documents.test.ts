/** Documents of a team with one database: real processes, one service that counts uploads. */
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { type Member, Team } from '../shared-team.ts';

const UPLOAD = 'POST /v2/document';
const WITH_KEY = ', key: { env: STATE_KEY }';

describe.skipIf(NO_POSTGRES !== undefined)('documents of a team with one database', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  test.each([2, 4])(
    '%i processes that want the same documents upload each of them once',
    async (members) => {
      await using team = await Team.start(postgres, {
        ...{ members, texts: 0, files: documents(3), timeScale: 20 },
      });
      const ended = await Promise.all(team.members.map((member) => member.onceApart()));
      expect(ended.map(({ code, failed }) => ({ code, failed }))).toEqual(
        ended.map(() => ({ code: 0, failed: [] })),
      );
      expect(uploads(team)).toBe(3);
      const { billed_characters } = team.sandbox.counters();
      expect(ended.reduce((sum, each) => sum + each.billed_characters, 0)).toBe(billed_characters);
      expect(await team.books()).toMatchObject({ charged: billed_characters });
      for (const { read } of contents(team)) expect(read).toEqual(contents(team)[0]?.read);
      // A checkout that comes later pays nothing.
      await using late = await team.join('late');
      expect(await late.once()).toMatchObject({ code: 0, billed_characters: 0 });
      expect(uploads(team)).toBe(3);
      const { stdout } = await late.run('explain', {}, 'en/page_0.txt', '--json');
      const explained = JSON.parse(stdout) as unknown;
      const buyer = { runner: expect.stringMatching(/-\d+$/), at: expect.stringMatching(/Z$/) };
      expect(explained).toMatchObject({ jobs: [{ language: 'de', bought_by: [buyer] }] });
    },
  );

  test('a document that a killed process had sent is fetched by another one that has the key of the team', async () => {
    await using team = await Team.start(postgres, {
      ...{ members: 2, texts: 0, files: documents(2), state: WITH_KEY },
    });
    const [victim, other] = team.members as [Member, Member];
    const child = victim.spawn('once');
    await team.until("select 1 from @.purchases where stage = 'sent' having count(*) = 2");
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await other.once()).toMatchObject({ code: 0, failed: [] });
    expect(uploads(team)).toBe(2);
    const { billed_characters } = team.sandbox.counters();
    expect(await charges(team)).toEqual([{ kind: 'billed', characters: billed_characters }]);
    // No secret is in the database as it is.
    const rows = await postgres.query(
      `select record::text || secret as told from ${team.schema}.purchases`,
    );
    expect(JSON.stringify(rows)).not.toContain('document_key');
    // The folder of the one that was killed takes what is paid.
    expect(await victim.once()).toMatchObject({ code: 0, failed: [], billed_characters: 0 });
    expect(uploads(team)).toBe(2);
    expect(victim.read('de/page_0.txt')).toBe(other.read('de/page_0.txt'));
  });

  function uploads({ sandbox }: Team): number {
    return sandbox.counters().operations[UPLOAD]?.calls ?? 0;
  }

  async function charges({ schema }: Team) {
    return await postgres.query(
      `select record->>'kind' as kind, sum(characters)::int as characters from ${schema}.charges group by 1 order by 1`,
    );
  }
});

function documents(count: number): Record<string, string> {
  const names = Array.from({ length: count }, (_, n) => `en/page_${n}.txt`);
  return Object.fromEntries(names.map((name) => [name, `Good morning. This is ${name}.\n`]));
}

function contents({ members }: Team) {
  return members.map((member) => ({ read: [0, 1, 2].map((n) => member.read(`de/page_${n}.txt`)) }));
}
