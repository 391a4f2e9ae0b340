/** A team whose database has forgotten something, as after a restored backup, and runners whose clocks are wrong. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Clock, isoTime, systemClock } from '../../../src/clock.ts';
import { budgetPeriod } from '../../../src/plan/budget.ts';
import { sharedLimits } from '../../../src/plan/shared-limits.ts';
import { openTeam } from '../../../src/state/postgres/open-team.ts';
import { copySeen, seenIn } from '../../../src/state/postgres/seen.ts';
import type { Team } from '../../../src/state/team.ts';
import { SEEN } from '../../../src/state/team.ts';
import { bought, DE } from '../../contracts/memory.ts';
import { charge, request, toBuy } from '../../contracts/till.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../../postgres.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const DAY_MS = 86_400_000;
const OLDER = { failure: { kind: 'team-state', problem: 'older' } };
const NEVER = new AbortController().signal;

describe.skipIf(NO_POSTGRES !== undefined)('a team', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  async function open(
    schema: string,
    { folder, clock = systemClock, keepMs }: Opening = {},
  ): Promise<Opened> {
    const away = Promise.withResolvers<string>();
    const back = Promise.withResolvers<void>();
    const team = await openTeam({
      ...{ url: postgres.runner, schema, key: undefined, clock, patienceMs: 20_000 },
      folder: folder ?? (await temporaryFolder()),
      ending: undefined,
      since: keepMs === undefined ? undefined : new Date(clock.now() - keepMs).toISOString(),
      service: { url: 'http://service', key: undefined, perSecond: undefined },
      onAway: (_host, reason) => away.resolve(reason),
      onBack: () => back.resolve(),
      onGivenUp: () => {},
      onRefused: () => {},
    });
    return {
      team,
      away: away.promise,
      back: back.promise,
      clock,
      [Symbol.asyncDispose]: () => team[Symbol.asyncDispose](),
    };
  }

  /** Buys a text of four characters, as of now on the clock of that machine. */
  async function buy({ team, clock }: Opened, text: string, id: string) {
    const at = isoTime(clock);
    const sent = { ...request(id, 4), at };
    const turns = await team.till.begin(sent, [toBuy(text)]);
    if (turns[0]?.kind !== 'ours') return turns;
    const entries = [{ ...bought(text, 'x', id), at }];
    await team.till.end(sent, { entries, charges: [{ ...charge(`${id} a`, 4), at }] });
    return turns;
  }

  const forget = (schema: string, id: string) =>
    postgres.query(
      `delete from ${schema}.memory; delete from ${schema}.charges where id = '${id} a'`,
    );

  test('that is restored from a backup while a runner works is noticed there, and nothing is bought until its records are complete again', async () => {
    const schema = await postgres.schema();
    await using one = await open(schema);
    await buy(one, 'Save', 'q1');
    const kept = await postgres.query(`select record::text as record from ${schema}.charges`);
    await forget(schema, 'q1');
    const { team } = one;
    await expect(team.till.begin(request('q2', 4), [toBuy('Save')])).rejects.toMatchObject(OLDER);
    const wanted = { project: 'app', characters: 4, seconds: 0, isApproved: true };
    await expect(team.funds.reserve('document', wanted, [])).rejects.toMatchObject(OLDER);
    const purchase = { id: 'document', project: 'app', charge: { language: DE, lane: 'document' } };
    await expect(team.purchases.claim(purchase, 'buy')).rejects.toMatchObject(OLDER);
    // Without a purchase, too.
    expect(await one.away).toMatch(/forgotten charge "q1 a".*restored backup.*state push/);
    expect(team.status().away?.reason).toContain('restored backup');
    // The paid result is stored nevertheless.
    await team.till.end(request('q3', 4), {
      entries: [bought('Open', 'x', 'q3')],
      charges: [charge('q3 a', 4)],
    });
    await postgres.query(`select ${schema}.book('q1', '[${kept[0]?.['record']}]')`);
    await one.back;
    expect(team.status().away).toBeUndefined();
    expect(await buy(one, 'Save', 'q4')).toEqual([{ kind: 'ours' }]);
  });

  test('that has forgotten what another runner bought is noticed by a runner that has seen the purchase', async () => {
    const schema = await postgres.schema();
    await using one = await open(schema);
    await using two = await open(schema);
    await buy(one, 'Save', 'q1');
    expect(await buy(two, 'Save', 'q2')).toMatchObject([{ kind: 'known' }]);
    await forget(schema, 'q1');
    await expect(buy(two, 'Save', 'q3')).rejects.toMatchObject(OLDER);
  });

  test('that has forgotten something is refused by a command that only looks, which leaves the daemon of the folder alone', async () => {
    const schema = await postgres.schema();
    const folder = await temporaryFolder();
    await using one = await open(schema, { folder });
    await buy(one, 'Save', 'q1');
    const looks = await temporaryFolder();
    await writeFile(
      join(folder, SEEN),
      JSON.stringify({ ...(await seenIn(folder)), known: ['q1 a'] }),
    );
    await copySeen(folder, looks);
    expect([await seenIn(folder), await seenIn(looks)]).toEqual([
      expect.objectContaining({ runner: expect.any(String) }),
      expect.not.objectContaining({ runner: expect.any(String) }),
    ]);
    await using _sound = await open(schema, { folder: looks });
    await copySeen(folder, looks);
    await forget(schema, 'q1');
    await expect(open(schema, { folder: looks })).rejects.toMatchObject(OLDER);
  });

  test('that has forgotten what another runner bought is noticed by one that did nothing meanwhile', async () => {
    const schema = await postgres.schema();
    await using one = await open(schema);
    await using two = await open(schema);
    await buy(one, 'Save', 'q1');
    const beats = async () =>
      JSON.stringify(await postgres.query(`select id, beat from ${schema}.runners order by id`));
    // After two more beats of each, one that began after the purchase is over.
    for (let n = 0; n < 6; n++) {
      for (const before = await beats(); (await beats()) === before; );
    }
    await forget(schema, 'q1');
    expect(await two.away).toMatch(/forgotten charge "q1 a"/);
    await expect(buy(two, 'Save', 'q3')).rejects.toMatchObject(OLDER);
  });

  test('that was restored and used since is refused by a folder that has seen more, also by the number of charges', async () => {
    const schema = await postgres.schema();
    const folder = await temporaryFolder();
    {
      await using one = await open(schema, { folder });
      await buy(one, 'Save', 'q1');
    }
    await forget(schema, 'q1');
    {
      await using fresh = await open(schema);
      for (const n of [1, 2, 3]) await buy(fresh, `t ${n}`, `fresh ${n}`);
    }
    await expect(open(schema, { folder })).rejects.toMatchObject(OLDER);
  });

  test('uses one clock, whatever the clocks of its machines say, for the month and for the age of its memory', async () => {
    const schema = await postgres.schema();
    const shifted = async (days: number) => {
      const clock = { ...systemClock, now: () => systemClock.now() + days * DAY_MS };
      const opened = await open(schema, { clock, keepMs: 10 * DAY_MS });
      opened.team.follow({
        isApproved: () => false,
        sharedLimits: (project) =>
          sharedLimits(
            { overall: { month: 10, onExceed: 'hold' }, projects: new Map() },
            budgetPeriod(opened.team.funds.now()),
            { project, login: 'runner' },
          ),
      });
      return opened;
    };
    await using ahead = await shifted(40);
    await using behind = await shifted(-40);
    expect(await buy(behind, 'Save', 'q1')).toEqual([{ kind: 'ours' }]);
    expect(await buy(ahead, 'Open', 'q2')).toEqual([{ kind: 'ours' }]);
    const held = [{ kind: 'held', hold: { needs: 4, left: 2 } }];
    expect(await buy(behind, 'Quit', 'q3')).toMatchObject(held);
    expect(await buy(ahead, 'Quit', 'q4')).toMatchObject(held);
    // A result that one runner has just bought is not too old for the other, and nobody removes it.
    await behind.team.purchases.sweep();
    await ahead.team.purchases.sweep();
    expect(await buy(ahead, 'Save', 'q5')).toMatchObject([{ kind: 'known' }]);
    expect(await buy(behind, 'Open', 'q6')).toMatchObject([{ kind: 'known' }]);
    // Documents: set aside, and booked by the ledger of the folder.
    const ask = { project: 'app', characters: 4, seconds: 0, isApproved: false };
    const limits = sharedLimits(
      { overall: { month: 10, onExceed: 'hold' }, projects: new Map() },
      budgetPeriod(ahead.team.funds.now()),
      { project: 'app', login: 'runner' },
    );
    expect(await ahead.team.funds.reserve('document', ask, limits)).toMatchObject({ left: 2 });
    const [{ count } = { count: 0 }] = await postgres.query(
      `select count(*)::int as count from ${schema}.charges where at between now() - interval '1 hour' and now() + interval '1 hour'
       and (record->>'at')::timestamptz = at`,
    );
    expect(count).toBe(2);
    // A lease of one is a lease for the other, and a pause is one.
    const order: string[] = [];
    const began = Promise.withResolvers<void>();
    const first = ahead.team.leases.exclusively('glossary', async () => {
      began.resolve();
      await behind.team.work();
      order.push('ahead');
    });
    await began.promise;
    await behind.team.leases.exclusively('glossary', async () => void order.push('behind'));
    await first;
    expect(order).toEqual(['ahead', 'behind']);
    // What sends requests hears of pauses.
    await ahead.team.rate.slot(NEVER);
    const paused = new Promise<number>((resolve) => ahead.team.rate.onPause(resolve));
    behind.team.rate.pause(500);
    expect(await paused).toBe(500);
    await ahead.team.rate.slot(NEVER);
  });
});

interface Opening {
  readonly folder?: string;
  readonly clock?: Clock;
  readonly keepMs?: number;
}

interface Opened extends AsyncDisposable {
  readonly team: Team;
  readonly away: Promise<string>;
  readonly back: Promise<void>;
  readonly clock: Clock;
}
