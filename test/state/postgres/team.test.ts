/** The contracts of the state on a real PostgreSQL. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.ts';
import type { JobId } from '../../../src/job.ts';
import type { Charge } from '../../../src/ledger.ts';
import { Sums } from '../../../src/state/books.ts';
import type { SharedLimit } from '../../../src/state/funds.ts';
import { Database } from '../../../src/state/postgres/database.ts';
import { OutboxDelivery } from '../../../src/state/postgres/delivery.ts';
import { openTeam, type TeamOptions } from '../../../src/state/postgres/open-team.ts';
import { Outbox } from '../../../src/state/postgres/outbox.ts';
import { SeenCharges } from '../../../src/state/postgres/seen.ts';
import { TeamBooks } from '../../../src/state/postgres/team-books.ts';
import { TeamFunds } from '../../../src/state/postgres/team-funds.ts';
import { TeamMemories } from '../../../src/state/postgres/team-memory.ts';
import { TeamRate } from '../../../src/state/postgres/team-rate.ts';
import { TeamTill } from '../../../src/state/postgres/team-till.ts';
import { TeamTime } from '../../../src/state/postgres/team-time.ts';
import { bought, memoriesContract } from '../../contracts/memory.ts';
import { moneyContract } from '../../contracts/money.ts';
import { rateContract } from '../../contracts/rate.ts';
import { charge, request, tillContract, toBuy } from '../../contracts/till.ts';
import { spawnSync } from '../../in-time.ts';
import { manualClock } from '../../manual-clock.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../../postgres.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const EPOCH = '1970-01-01T00:00:00.000Z';

describe.skipIf(NO_POSTGRES !== undefined)('on PostgreSQL', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  function connect(schema: string): Database {
    return new Database({
      url: postgres.runner,
      schema,
      clock: systemClock,
      patienceMs: 20_000,
      onAway: () => {},
      onBack: () => {},
    });
  }

  /** One runner of a team. */
  async function join(
    schema: string,
    limits: readonly SharedLimit[] = [],
    { folder, clock = systemClock, since = EPOCH, approved = [] }: JoinOptions = {},
  ) {
    const database = connect(schema);
    await database.listen();
    const runner = { id: randomUUID(), name: 'here' };
    const place = folder ?? (await temporaryFolder());
    const outbox = await Outbox.open(`${place}/outbox.log`);
    const seen = new SeenCharges({ folder: place, clock, seen: {} });
    const onTaken = ({ charge }: { readonly charge?: string }) => seen.took(charge);
    const delivery = new OutboxDelivery({ database, outbox, onTaken, onRefused: () => {} });
    const time = new TeamTime(clock);
    const till = new TeamTill({
      ...{ database, delivery, clock, runner, since, time, seen },
      limits: () => limits,
      isApproved: (job) => approved.includes(job),
    });
    const books = new TeamBooks(database);
    return {
      database,
      runner,
      outbox,
      delivery,
      till,
      books,
      memories: new TeamMemories({ database, name: runner.name, since: EPOCH }),
      funds: new TeamFunds({ database, time, seen, runner, login: 'runner' }),
      // A charge of an open request is in the database soon after it is booked.
      charges: async () => {
        await delivery.delivered();
        return [...(await books.charges())];
      },
      requests: async () => [...(await books.requests())],
      async [Symbol.asyncDispose]() {
        await outbox[Symbol.asyncDispose]();
        await database[Symbol.asyncDispose]();
      },
    };
  }

  memoriesContract(async () => {
    const schema = await postgres.schema();
    return {
      open: async () => {
        const database = connect(schema);
        const memories = new TeamMemories({ database, name: 'here', since: EPOCH });
        return {
          open: (project, language) => memories.open(project, language),
          of: (owner) => memories.of(owner),
          [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
        };
      },
    };
  });

  tillContract(async () => {
    const schema = await postgres.schema();
    return { open: () => join(schema) };
  });

  /** All jobs in one request. */
  moneyContract(async (month) => {
    const schema = await postgres.schema();
    return {
      async offer(jobs) {
        const approved = jobs.filter(({ isApproved }) => isApproved).map(({ job }) => job);
        await using one = await join(schema, [limit(month)], { approved });
        const texts = jobs.map(({ job, characters }) => ({
          ...toBuy(`text of ${job}`, job as JobId),
          characters,
        }));
        const turns = await one.till.begin(request('q1'), texts);
        const bought = turns.flatMap(({ kind }, index) => (kind === 'ours' ? [jobs[index]] : []));
        const [open] = await one.requests();
        expect(open).toMatchObject({
          jobs: bought.map((each) => each?.job),
          characters: bought.reduce((sum, each) => sum + (each?.characters ?? 0), 0),
        });
        expect(await sumsIn(schema)).toEqual({ spent: 0, reserved: open?.characters });
        // A held text is free for others.
        await using other = await join(schema);
        const again = await other.till.begin(request('q2'), texts);
        expect(again).toEqual(
          turns.map(({ kind }) => ({ kind: kind === 'ours' ? 'busy' : 'ours' })),
        );
        return turns.map((turn) => {
          if (turn.kind !== 'held') return 'bought';
          return { needs: turn.hold.needs, left: turn.hold.left };
        });
      },
      async [Symbol.asyncDispose]() {},
    };
  });

  rateContract(async (perSecond) => {
    const database = connect(await postgres.schema());
    const clock = manualClock();
    const rate = await TeamRate.open({ database, clock, key: 'k', perSecond });
    // The database decides by its own clock, and says how long to wait.
    return { rate, clock, now: () => performance.now() + clock.now() };
  });

  test('when two runners want a text, one buys it, and the other takes it when it is there', async () => {
    const schema = await postgres.schema();
    await using one = await join(schema);
    await using two = await join(schema);
    const texts = [toBuy('Save'), toBuy('Open')];
    expect(await one.till.begin(request('q1'), texts.slice(0, 1))).toEqual([{ kind: 'ours' }]);
    expect(await two.till.begin(request('q2'), texts)).toEqual([
      { kind: 'busy' },
      { kind: 'ours' },
    ]);
    const others = two.till.othersEnd(NEVER);
    const entries = [bought('Save', 'Sichern', 'q1')];
    await one.till.end(request('q1'), { entries, charges: [charge('q1 a', 4)] });
    await others;
    expect(await two.till.begin(request('q3'), texts)).toEqual([
      { kind: 'known', parts: ['Sichern'] },
      { kind: 'busy' },
    ]);
  });

  test('a limit that many runners spend at once is used up and never exceeded', async () => {
    const schema = await postgres.schema();
    const limits = [limit(100)];
    await using one = await join(schema, limits);
    await using two = await join(schema, limits);
    const asked = Array.from({ length: 30 }, (_, n) => {
      const { till } = n % 2 === 0 ? one : two;
      return { till, sent: request(`q${n}`, 10), text: toBuy(`text ${n}`.padEnd(10)) };
    });
    const begun = (
      await Promise.all(asked.map(({ till, sent, text }) => till.begin(sent, [text])))
    ).flat();
    const ours = asked.filter((_, index) => begun[index]?.kind === 'ours');
    expect(ours).toHaveLength(10);
    const refused = begun.filter(({ kind }) => kind !== 'ours');
    expect(refused).toEqual(
      refused.map(() => ({
        kind: 'held',
        hold: { kind: 'budget', scope: 'month', needs: 10, left: 0 },
      })),
    );
    // Documents and recordings are refused by the same sums.
    expect(await one.funds.reserve('doc', ask(1), limits)).toMatchObject({ left: 0 });
    for (const { till, sent } of ours) {
      await till.end(sent, { entries: [], charges: [charge(`${sent.id} a`, 9)] });
    }
    expect(await sumsIn(schema)).toEqual({ spent: 90, reserved: 0 });
    expect(await two.funds.reserve('doc', ask(10), limits)).toBeUndefined();
    expect(await two.funds.reserve('other', ask(1), limits)).toMatchObject({ left: 0 });
    expect(await two.funds.reserve('doc', ask(9), limits)).toBeUndefined();
    expect(await sumsIn(schema)).toEqual({ spent: 90, reserved: 9 });
  });

  test('a limit that is new counts what is spent and under way already', async () => {
    const schema = await postgres.schema();
    await using one = await join(schema);
    await one.till.begin(request('q1', 4), [toBuy('Save')]);
    await one.till.begin(request('q2', 4), [toBuy('Open')]);
    await one.till.end(request('q2', 4), { entries: [], charges: [charge('q2 a', 5)] });
    await using two = await join(schema, [limit(10)]);
    expect(await two.till.begin(request('q3'), [toBuy('Close')])).toMatchObject([
      { kind: 'held', hold: { needs: 5, left: 1 } },
    ]);
    expect(await two.requests()).toHaveLength(1);
  });

  test('a job that a person approved counts, and is not refused', async () => {
    const schema = await postgres.schema();
    const limits = [limit(10)];
    await using one = await join(schema, limits);
    expect(await one.funds.reserve('doc', { ...ask(50), isApproved: true }, limits)).toBe(
      undefined,
    );
    expect(await one.funds.wouldHold(ask(1), limits)).toMatchObject({ needs: 1, left: 0 });
  });

  test('the work of a runner that is given up is free, and its answer is booked once when it comes after all', async () => {
    const schema = await postgres.schema();
    const limits = [limit(100)];
    await using silent = await join(schema, limits);
    await using other = await join(schema, limits);
    await silent.till.begin(request('q1', 4), [toBuy('Save')]);
    expect(await other.till.begin(request('q2', 4), [toBuy('Save')])).toEqual([{ kind: 'busy' }]);
    const given = await other.database.call('give_up', silent.runner.id);
    expect(given).toEqual({ name: 'here', requests: 1, characters: 4 });
    expect(await kinds(other)).toEqual(['possibly-twice 4']);
    expect(await sumsIn(schema)).toEqual({ spent: 4, reserved: 0 });
    expect(await other.till.begin(request('q3', 4), [toBuy('Save')])).toEqual([{ kind: 'ours' }]);
    const entries = [bought('Save', 'Sichern', 'q1')];
    await silent.till.end(request('q1', 4), { entries, charges: [charge('q1 a', 4)] });
    expect(await kinds(other)).toEqual(['billed 4']);
    expect(await sumsIn(schema)).toEqual({ spent: 4, reserved: 4 });
  });

  test('a text that two runners have paid is on the books as possibly billed twice, whichever answer is stored first', async () => {
    const entries = (id: string) => [bought('Save', 'Sichern', id)];
    for (const isLateFirst of [true, false]) {
      const schema = await postgres.schema();
      await using silent = await join(schema, [limit(100)]);
      await using other = await join(schema, [limit(100)]);
      await silent.till.begin(request('q1', 4), [toBuy('Save')]);
      await other.database.call('give_up', silent.runner.id);
      await other.till.begin(request('q2', 4), [toBuy('Save')]);
      const late = () =>
        silent.till.end(request('q1', 4), { entries: entries('q1'), charges: [charge('q1 a', 4)] });
      if (isLateFirst) await late();
      await other.till.end(request('q2', 4), {
        entries: entries('q2'),
        charges: [charge('q2 a', 4)],
      });
      if (!isLateFirst) await late();
      expect((await kinds(other)).toSorted()).toEqual(['billed 4', 'possibly-twice 4']);
      expect(await sumsIn(schema)).toEqual({ spent: 8, reserved: 0 });
    }
  });

  test('a text that is too old to be used, and one that was imported, are not paid twice when they are bought', async () => {
    const schema = await postgres.schema();
    await using one = await join(schema);
    await using later = await join(schema, [], { since: '2027-01-01T00:00:00.000Z' });
    const buy = async ({ till }: typeof one, id: string, at: string) => {
      expect(await till.begin(request(id, 4), [toBuy('Save')])).toEqual([{ kind: 'ours' }]);
      const entries = [{ ...bought('Save', 'Sichern', id), at }];
      await till.end(request(id, 4), { entries, charges: [charge(`${id} a`, 4)] });
    };
    await buy(one, 'q1', '2026-01-01T00:00:00.000Z');
    await buy(later, 'q2', '2027-01-02T00:00:00.000Z');
    expect(await kinds(one)).toEqual(['billed 4', 'billed 4']);
  });

  test('only a runner that was in touch for the whole silence gives another one up', async () => {
    const schema = await postgres.schema();
    await using silent = await join(schema);
    await using other = await join(schema);
    const beat = ({ runner }: typeof other) =>
      other.database.call('beat', JSON.stringify({ ...runner, waiting: 0 }));
    const reap = () => other.database.rows('select @.reap($1, 6)', [other.runner.id]);
    const backdate = (column: string, { runner }: typeof other) =>
      postgres.query(
        `update ${schema}.runners set ${column} = now() - interval '60 s' where id = '${runner.id}'`,
      );
    await beat(silent);
    await beat(other);
    // The database was away: both look dead.
    await backdate('beat', silent);
    await backdate('beat', other);
    await beat(other);
    expect(await reap()).toEqual([]);
    await backdate('steady', other);
    expect(await reap()).toHaveLength(1);
    expect(await reap()).toEqual([]);
  });

  test('what a statement of a dead runner records after that runner was given up is free soon', async () => {
    const schema = await postgres.schema();
    const limits = [limit(100)];
    await using dies = await join(schema, limits);
    await using other = await join(schema, limits);
    const beat = ({ runner }: typeof other) =>
      other.database.call('beat', JSON.stringify({ ...runner, waiting: 0 }));
    await beat(dies);
    await beat(other);
    await postgres.query(
      `update ${schema}.runners set steady = now() - interval '60 s' where id = '${other.runner.id}'`,
    );
    await other.funds.reserve('old', ask(1), limits);
    const leads = ({ database, runner }: typeof other) =>
      database.call<boolean>('take_lease', 'tree site', runner.id, 10 * 365 * 86_400);
    const slow = new pg.Client({ connectionString: postgres.owner });
    await slow.connect();
    await slow.query(`begin; select from ${schema}.budgets for update`);
    const statements = Promise.all([
      dies.till.begin(request('q1', 4), [toBuy('Save')]),
      dies.funds.reserve('doc', ask(9), limits),
    ]);
    await postgres.until(
      "select from pg_stat_activity where wait_event_type = 'Lock' having count(*) = 2",
    );
    await other.database.call('give_up', dies.runner.id);
    await slow.query('commit');
    await slow.end();
    await statements;
    expect(await leads(dies)).toBe(true);
    expect(await sumsIn(schema)).toEqual({ spent: 0, reserved: 14 });
    const given = await other.database.rows('select @.reap($1, 6) as given', [other.runner.id]);
    expect(given).toEqual([{ given: { name: dies.runner.id, requests: 1, characters: 4 } }]);
    expect(await sumsIn(schema)).toEqual({ spent: 4, reserved: 1 });
    expect(await other.till.begin(request('q2', 4), [toBuy('Save')])).toEqual([{ kind: 'ours' }]);
    expect(await leads(other)).toBe(true);
  });

  test('a reservation that is released before the database has it is gone when the database has it', async () => {
    const schema = await postgres.schema();
    const limits = [limit(100)];
    await using one = await join(schema, limits);
    await one.funds.reserve('old', ask(1), limits);
    const slow = new pg.Client({ connectionString: postgres.owner });
    await slow.connect();
    await slow.query(`begin; select from ${schema}.budgets for update`);
    const reserving = one.funds.reserve('doc', ask(9), limits);
    await postgres.until("select from pg_stat_activity where wait_event_type = 'Lock'");
    one.funds.release('doc');
    // An answer behind the release, were it sent at once.
    expect(await one.funds.spent(limits)).toEqual([0]);
    await slow.query('commit');
    await slow.end();
    await reserving;
    await postgres.until(`select from ${schema}.budgets where reserved = 1`);
  });

  test('a runner that comes back at the moment when another one looks for dead ones keeps what it has', async () => {
    const schema = await postgres.schema();
    await using back = await join(schema);
    await using other = await join(schema);
    await other.database.call('beat', JSON.stringify({ ...other.runner, waiting: 0 }));
    await postgres.query(
      `update ${schema}.runners set steady = now() - interval '60 s' where id = '${other.runner.id}'`,
    );
    expect(await back.database.call('take_lease', 'tree x', back.runner.id, 864_000)).toBe(true);
    const beating = new pg.Client({ connectionString: postgres.owner });
    await beating.connect();
    const told = JSON.stringify({ ...back.runner, waiting: 0 });
    await beating.query(`begin; select ${schema}.beat('${told}')`);
    const given = other.database.rows('select @.reap($1, 6)', [other.runner.id]);
    await postgres.until("select from pg_stat_activity where wait_event_type = 'Lock'");
    await beating.query('commit');
    await beating.end();
    expect(await given).toEqual([]);
    expect(await postgres.query(`select name from ${schema}.leases`)).toEqual([{ name: 'tree x' }]);
  });

  test('the end of a purchase ends the reservations of all runners that worked on it, and no others', async () => {
    const schema = await postgres.schema();
    const limits = [limit(100)];
    await using one = await join(schema, limits);
    await using other = await join(schema, limits);
    await one.funds.reserve('app/de/a c0ffee', ask(7), limits);
    await other.funds.reserve('app/de/a c0ffee', ask(7), limits);
    await other.funds.reserve('app/fr/a beef', ask(5), limits);
    await other.funds.reserve('app/de/c0ffee', ask(3), limits);
    one.funds.releasePurchase('c0ffee');
    await postgres.until(`select from ${schema}.budgets where reserved = 8`);
    expect(await sumsIn(schema)).toEqual({ spent: 0, reserved: 8 });
  });

  async function teamOptions(schema: string): Promise<TeamOptions> {
    return {
      ...{ url: postgres.runner, schema, key: undefined, folder: await temporaryFolder() },
      ...{ clock: systemClock, patienceMs: 20_000, ending: undefined, since: undefined },
      service: { url: 'http://service', key: undefined, perSecond: undefined },
      onAway: () => {},
      onBack: () => {},
      onGivenUp: () => {},
      onRefused: () => {},
    };
  }

  test('the heart of a daemon beats from the start, also while its event loop is blocked', async () => {
    const schema = await postgres.schema();
    await using _team = await openTeam({ ...(await teamOptions(schema)), isDaemon: true });
    const [first] = await postgres.query(`select beat::text from ${schema}.runners`);
    const waits = `
      import pg from 'pg';
      const client = new pg.Client({ connectionString: ${JSON.stringify(postgres.owner)} });
      await client.connect();
      const isLater = "select from ${schema}.runners where beat > '${String(first?.['beat'])}'";
      while ((await client.query(isLater)).rowCount === 0);
      await client.end();`;
    // This process does nothing else until the program ends.
    const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', waits], {
      timeout: 20_000,
    });
    expect(status).toBe(0);
  });

  test('a runner that ends is gone, at whatever moment of its beat', async () => {
    const schema = await postgres.schema();
    for (let looks = 0; looks < 60; looks += 3) {
      const isDaemon = looks % 2 === 0;
      await using team = await openTeam({ ...(await teamOptions(schema)), isDaemon });
      for (let n = 0; n < looks; n++) await team.work();
    }
    expect(await postgres.query(`select name from ${schema}.runners`)).toEqual([]);
  });

  test('an answer that came while the database was away reaches it from the disk, by the next process too', async () => {
    const schema = await postgres.schema();
    const folder = await temporaryFolder();
    const sent = request('q1', 4);
    const entries = [bought('Save', 'Sichern', 'q1')];
    {
      await using one = await join(schema, [], { folder });
      await one.till.begin(sent, [toBuy('Save')]);
      await postgres.stop();
      try {
        const ended = one.till.end(sent, { entries, charges: [charge('q1 a', 4)] });
        await expect(
          Promise.race([ended, one.database[Symbol.asyncDispose]().then(() => ended)]),
        ).rejects.toThrow('stopped');
        expect(one.delivery.waiting).toBe(1);
      } finally {
        await postgres.start();
      }
    }
    await using next = await join(schema, [], { folder });
    await next.till.recover();
    expect(next.delivery.waiting).toBe(0);
    expect(await kinds(next)).toEqual(['billed 4']);
    expect(await next.till.begin(request('q2', 4), [toBuy('Save')])).toMatchObject([
      { kind: 'known' },
    ]);
  });

  test('an answer that the disk of its runner cannot take goes to the database, and the runner is told of its disk', async () => {
    const schema = await postgres.schema();
    await using one = await join(schema);
    const [mine, broken] = [request('q1', 5), request('q2', 5)];
    await one.till.begin(mine, [toBuy('Hello')]);
    await one.till.begin(broken, [toBuy('Other')]);
    // From now on it writes nothing.
    await one.outbox[Symbol.asyncDispose]();
    const answer = { entries: [bought('Hello', 'Hallo', 'q1')], charges: [charge('q1 a', 4)] };
    await expect(one.till.end(mine, answer)).rejects.toThrow();
    await expect(one.till.lost(broken, [charge('q2 a', 5)])).rejects.toThrow();
    await using other = await join(schema);
    expect(await other.till.begin(request('q3'), [toBuy('Hello')])).toMatchObject([
      { kind: 'known', parts: ['Hallo'] },
    ]);
    expect((await other.charges()).map(({ id }) => id)).toEqual(['q1 a', 'q2 a']);
  });

  test('connections that are cut at any moment lose nothing and book nothing twice', async () => {
    const schema = await postgres.schema();
    const limits = [limit(100_000)];
    await using one = await join(schema, limits);
    await using two = await join(schema, limits);
    let isOver = false;
    const cutting = (async () => {
      for (let cuts = 0; !isOver && cuts < 30; cuts++) {
        await postgres.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'runner'`,
        );
      }
    })();
    const buy = async ({ till }: typeof one, n: number, id: string) => {
      for (;;) {
        const sent = request(id, 4);
        const [turn] = await till.begin(sent, [toBuy(`t${n}`.padEnd(4))]);
        if (turn?.kind === 'known') return 0;
        if (turn?.kind === 'busy') {
          await till.othersEnd(NEVER);
          continue;
        }
        const entries = [bought(`t${n}`.padEnd(4), 'x', id)];
        await till.end(sent, { entries, charges: [charge(`${id} a`, 4)] });
        return 1;
      }
    };
    const times = await Promise.all(
      Array.from({ length: 24 }, async (_, n) => {
        const both = [buy(one, n, `one ${n}`), buy(two, n, `two ${n}`)];
        return (await Promise.all(both)).reduce<number>((sum, count) => sum + count, 0);
      }),
    );
    isOver = true;
    await cutting;
    expect(times).toEqual(times.map(() => 1));
    expect(await one.charges()).toHaveLength(24);
    expect(await sumsIn(schema)).toEqual({ spent: 96, reserved: 0 });
    expect(await one.requests()).toEqual([]);
  });

  test('a runner acts by the functions alone, and a reader sees the books and no text', async () => {
    const schema = await postgres.schema();
    await using one = await join(schema);
    for (const forbidden of [
      `update ${schema}.charges set characters = 0`,
      `delete from ${schema}.charges`,
      `insert into ${schema}.budgets (scope, unit, starts, ends) values ('x', 'seconds', now(), now())`,
      `select ${schema}.add_charges('x', '[]')`,
      `drop table ${schema}.memory`,
      `create table ${schema}.mine (a int)`,
    ]) {
      await expect(one.database.rows(forbidden), forbidden).rejects.toMatchObject({
        failure: { kind: 'team-state', problem: 'refused' },
      });
    }
    await postgres.query(`set role ${schema}_reader; select count(*) from ${schema}.charges`);
    for (const table of ['memory', 'rate']) {
      await expect(
        postgres.query(`set role ${schema}_reader; select * from ${schema}.${table}`),
      ).rejects.toThrow('permission denied');
    }
  });

  test('an answer is taken however strange its text is', async () => {
    await using one = await join(await postgres.schema());
    await one.till.begin(request('q1', 4), [toBuy('a\ud800\u0000b')]);
    const entries = [bought('a\ud800\u0000b', 'x\udfff\u0000', 'q1')];
    await one.till.end(request('q1', 4), { entries, charges: [charge('q1 a', 4)] });
    expect(await one.till.begin(request('q2'), [toBuy('a\ud800\u0000b')])).toMatchObject([
      { kind: 'known' },
    ]);
  });

  test('sums that are kept up agree with the charges', async () => {
    await using one = await join(await postgres.schema());
    for (let round = 1; round <= 3; round++) {
      await one.delivery.book(`q${round}`, [charge(`q${round} a`, round)]);
      await one.delivery.delivered();
      const charges = await one.charges();
      const billed = charges.reduce((sum, { characters }) => sum + (characters ?? 0), 0);
      expect((await one.books.sums()).billed()).toBe(billed);
    }
  });

  test('sums that are kept up know that what was in doubt has its bill now', async () => {
    const schema = await postgres.schema();
    await using one = await join(schema);
    await using two = await join(schema);
    await one.till.begin(request('q1', 4), [toBuy('Save')]);
    await two.database.call('give_up', one.runner.id);
    expect((await two.books.sums()).doubted()).toBe(4);
    const entries = [bought('Save', 'x', 'q1')];
    await one.till.end(request('q1', 4), { entries, charges: [charge('q1 a', 4)] });
    const sums = await two.books.sums();
    expect({ doubted: sums.doubted(), billed: sums.billed() }).toEqual({ doubted: 0, billed: 4 });
  });

  test('sums are those of all charges in a database that was moved to another server, and stay so', async () => {
    const schema = await postgres.schema();
    await using one = await join(schema);
    for (const id of ['q1', 'q2']) await one.delivery.book(id, [charge(`${id} a`, 4)]);
    await one.delivery.delivered();
    // Transactions of the former server have numbers that this one has not reached.
    await postgres.query(
      `update ${schema}.charges set rev = (pg_current_xact_id()::text::bigint + 3)::text::xid8 where id = 'q1 a'`,
    );
    const books = new TeamBooks(one.database);
    expect((await books.sums()).billed()).toBe(8);
    for (let n = 3; n < 12; n++) {
      await one.delivery.book(`q${n}`, [charge(`q${n} a`, 4)]);
      await one.delivery.delivered();
      expect((await books.sums()).billed()).toBe(4 * n);
    }
    // The sums that the database returns to a new process equal the sum of all charges.
    const doubted = { kind: 'possibly-twice', characters: 7 } as const;
    const minutes = { kind: 'counted', characters: null, seconds: 3 } as const;
    const others = [doubted, minutes].map((set, n) => ({ ...charge(`q12 ${n}`, 0), ...set }));
    await one.delivery.book('q12', others);
    await one.delivery.delivered();
    const [anew, counted] = [await new TeamBooks(one.database).sums(), new Sums()];
    for (const each of await books.charges()) counted.add(each);
    const figures = (sums: Sums) => {
      const { job, at } = charge('q1 a', 4);
      const of = [sums.billed(), sums.doubted(), sums.onDay(at.slice(0, 10))];
      return [...of, job === null ? null : sums.forJob(job), ...sums.byLane()];
    };
    expect(figures(anew)).toEqual(figures(counted));
    expect(anew.doubted()).toBe(7);
  });

  test('a runner that the service asks to wait makes the others wait too', async () => {
    const schema = await postgres.schema();
    await using one = await join(schema);
    await using two = await join(schema);
    const [first, second] = await Promise.all(
      [one, two].map(({ database }) => TeamRate.open({ database, clock: systemClock, key: 'k' })),
    );
    const heard = new Promise<number>((resolve) => second?.onPause(resolve));
    first?.pause(700);
    expect(await heard).toBe(700);
    const late = await TeamRate.open({ database: one.database, clock: systemClock, key: 'k' });
    const other = await TeamRate.open({ database: one.database, clock: systemClock, key: 'other' });
    const pauses: number[] = [];
    late.onPause((ms) => pauses.push(ms));
    other.onPause((ms) => pauses.push(ms));
    expect(pauses.length).toBeLessThanOrEqual(1);
  });

  function limit(max: number): SharedLimit {
    return {
      ...{
        key: 'month',
        project: null,
        login: null,
        unit: 'characters',
        scope: 'month',
        max,
        limit: max,
      },
      starts: '2026-10-01T00:00:00.000Z',
      ends: '2100-01-01T00:00:00.000Z',
    };
  }

  test('a limit of one login counts what that login spends, and no other one', async () => {
    const schema = await postgres.schema();
    const own = [
      limit(100),
      { ...limit(10), key: 'runner', login: 'runner', scope: 'runner' as const },
    ];
    await using one = await join(schema, own);
    const as = `set session authorization owner; select ${schema}`;
    await postgres.query(`${as}.book('x', '${JSON.stringify([charge('of another login', 50)])}')`);
    expect(await one.funds.reserve('doc', ask(11), own)).toMatchObject({
      scope: 'runner',
      left: 10,
    });
    expect(await one.funds.reserve('doc', ask(4), own)).toBeUndefined();
    await one.till.begin(request('q1', 4), [toBuy('Save')]);
    expect(await one.till.begin(request('q2', 4), [toBuy('Open')])).toMatchObject([
      { kind: 'held', hold: { scope: 'runner', needs: 4, left: 2 } },
    ]);
    await one.till.end(request('q1', 4), { entries: [], charges: [charge('q1 a', 4)] });
    expect(await one.funds.spent(own)).toEqual([54, 4]);
  });

  async function sumsIn(schema: string) {
    const [row] = await postgres.query(`select spent, reserved from ${schema}.budgets`);
    return row;
  }

  async function kinds({ charges }: { charges(): Promise<readonly Charge[]> }) {
    return (await charges()).map(({ kind, characters }) => `${kind} ${characters}`);
  }
});

interface JoinOptions {
  readonly folder?: string;
  readonly clock?: Clock;
  /** ISO 8601; see `TeamTillOptions`. */
  readonly since?: string;
  /** Jobs. */
  readonly approved?: readonly string[];
}

const NEVER = new AbortController().signal;

function ask(characters: number) {
  return { project: 'app', characters, seconds: 0, isApproved: false };
}
