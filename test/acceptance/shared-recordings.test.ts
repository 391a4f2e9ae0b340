/** Recordings of a team with one database: real processes, one service that counts uploads. */
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silence, UPLOAD } from '../lanes/voice/voice-rig.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { type Member, Team } from '../shared-team.ts';

const FILES = { 'spoken/talk.wav': silence(8) };
const ROUTE =
  ', { from: "spoken/*.wav", to: { transcript: "heard/{locale}/{name}.txt", speech: "heard/{locale}/{name}.wav" }, settle_ms: 0 }';
const HEARD = ['heard/de/talk.txt', 'heard/de/talk.wav'];

describe.skipIf(NO_POSTGRES !== undefined)('recordings of a team with one database', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  test('two processes that want the same recording send it once', async () => {
    await using team = await Team.start(postgres, {
      ...{ members: 2, texts: 1, files: FILES, routes: ROUTE },
    });
    const ended = await Promise.all(team.members.map((member) => member.onceApart()));
    expect(ended.map(({ code, failed }) => ({ code, failed }))).toEqual(
      ended.map(() => ({ code: 0, failed: [] })),
    );
    expect(uploads(team)).toBe(1);
    expect(await seconds(team)).toEqual([{ kind: 'counted', seconds: 8 }]);
    const [one, other] = team.members as [Member, Member];
    for (const path of HEARD) expect(one.read(path)).toBe(other.read(path));
    // A checkout that comes later sends nothing.
    await using late = await team.join('late');
    expect(await late.once()).toMatchObject({ code: 0 });
    expect(uploads(team)).toBe(1);
    expect(late.read(HEARD[0] ?? '')).toBe(one.read(HEARD[0] ?? ''));
    const { stdout } = await late.run('explain', {}, 'spoken/talk.wav', '--json');
    const buyer = { runner: expect.stringMatching(/-\d+$/) };
    expect(JSON.parse(stdout)).toMatchObject({ jobs: [{ bought_by: [buyer] }] });
  });

  test('a recording that a killed process had sent is fetched by another one that has the key of the team', async () => {
    await using team = await Team.start(postgres, {
      ...{ members: 2, texts: 1, files: FILES, routes: ROUTE, state: ', key: { env: STATE_KEY }' },
    });
    const [victim, other] = team.members as [Member, Member];
    const child = victim.spawn('once');
    await team.until("select 1 from @.purchases where stage = 'booked' having count(*) = 2");
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await other.once()).toMatchObject({ code: 0, failed: [] });
    expect(uploads(team)).toBe(1);
    expect(await seconds(team)).toEqual([{ kind: 'counted', seconds: 8 }]);
    expect(await victim.once()).toMatchObject({ code: 0, failed: [] });
    expect(uploads(team)).toBe(1);
    for (const path of HEARD) expect(victim.read(path)).toBe(other.read(path));
  });

  function uploads({ sandbox }: Team): number {
    return sandbox.counters().operations[UPLOAD]?.calls ?? 0;
  }

  async function seconds({ schema }: Team) {
    return await postgres.query(
      `select record->>'kind' as kind, sum(seconds)::int as seconds from ${schema}.charges where seconds > 0 group by 1`,
    );
  }
});
