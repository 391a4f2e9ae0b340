/** Trouble with the database of a team during work: the trouble passes, nothing is lost, and nothing is booked twice. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { Administration } from '../../../src/state/postgres/administer.ts';
import { Database } from '../../../src/state/postgres/database.ts';
import { openTeam } from '../../../src/state/postgres/open-team.ts';
import { isInsecure, passingTrouble } from '../../../src/state/postgres/trouble.ts';
import { bought } from '../../contracts/memory.ts';
import { charge, request, toBuy } from '../../contracts/till.ts';
import { Network } from '../../network.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../../postgres.ts';
import { TcpProxy } from '../../tcp-proxy.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';

interface Place {
  readonly postgres: Postgres;
  readonly schema: string;
  readonly proxy: TcpProxy;
}

interface Trouble {
  readonly name: string;
  /** A part of the message for people. */
  readonly says: RegExp;
  /** Before anybody connects. */
  prepare?(place: Place): Promise<unknown>;
  /** @returns what ends it */
  begin(place: Place): Promise<() => Promise<unknown>>;
}

const CUT = `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'runner'`;

/** For all connections of the runner, from now on, and back. */
async function altered({ postgres }: Place, setting: string, back: string) {
  await postgres.query(`alter role runner ${setting}`);
  await postgres.query(CUT);
  return async () => {
    await postgres.query(`alter role runner ${back}`);
    await postgres.query(CUT);
  };
}

const TROUBLES: readonly Trouble[] = [
  {
    name: 'is slow, and its statements have a time limit',
    says: /too slowly \(canceling statement due to statement timeout\)/,
    prepare: ({ postgres }) => postgres.query(`alter role runner set statement_timeout = '300ms'`),
    async begin({ postgres, schema }) {
      const other = new pg.Client({ connectionString: postgres.owner, ssl: false });
      await other.connect();
      await other.query(`begin; lock table ${schema}.charges`);
      return async () => {
        await other.end();
        await postgres.query('alter role runner reset statement_timeout');
      };
    },
  },
  {
    name: 'has a full disk',
    says: /its disk is full \(could not extend file/,
    async begin({ postgres, schema }) {
      await postgres.query(`create function ${schema}.full_disk() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
        create trigger full_disk before insert on ${schema}.charges execute function ${schema}.full_disk()`);
      return () => postgres.query(`drop trigger full_disk on ${schema}.charges`);
    },
  },
  {
    name: 'is read-only',
    says: /it is read-only \(cannot execute/,
    begin: (place) =>
      altered(
        place,
        'set default_transaction_read_only = on',
        'reset default_transaction_read_only',
      ),
  },
  {
    name: 'has no connection left',
    says: /no connection left \(too many connections/,
    begin: (place) => altered(place, 'connection limit 0', 'connection limit -1'),
  },
  {
    name: 'is restarted',
    says: /nobody answers there|the connection broke|it restarts/,
    async begin({ postgres }) {
      await postgres.stop();
      return () => postgres.start();
    },
  },
  {
    name: 'has done what it was asked, and its answers get lost',
    says: /the connection broke/,
    async begin({ proxy }) {
      proxy.cutAnswers(8);
      return async () => {};
    },
  },
];

describe.skipIf(NO_POSTGRES !== undefined)('a team whose database', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  async function open(schema: string, url: string) {
    const heard = Promise.withResolvers<string>();
    const team = await openTeam({
      ...{ url, schema, key: undefined, folder: await temporaryFolder(), clock: systemClock },
      ...{ patienceMs: 60_000, ending: undefined, since: undefined },
      service: { url: 'http://service', key: undefined, perSecond: undefined },
      onAway: (_host, reason) => heard.resolve(reason),
      onBack: () => {},
      onGivenUp: () => {},
      onRefused: (reason) => heard.reject(new Error(reason)),
    });
    return { team, reason: heard.promise };
  }

  test.each(TROUBLES)(
    '$name: nothing is lost or booked twice, and the message says so',
    async ({ says, prepare, begin }) => {
      const schema = await postgres.schema();
      await using proxy = await TcpProxy.open(postgres.port);
      const place = { postgres, schema, proxy };
      await prepare?.(place);
      const { team, reason } = await open(
        schema,
        `postgres://runner:runner@127.0.0.1:${proxy.port}/postgres`,
      );
      await using _team = team;
      const { till } = team;
      expect(await till.begin(request('q1', 4), [toBuy('Save')])).toEqual([{ kind: 'ours' }]);
      const end = await begin(place);
      const answer = (text: string, id: string) =>
        till.end(request(id, 4), {
          entries: [bought(text, 'x', id)],
          charges: [charge(`${id} a`, 4)],
        });
      const ended = answer('Save', 'q1');
      const begun = till.begin(request('q2', 4), [toBuy('Open')]);
      try {
        expect(await reason).toMatch(says);
      } finally {
        await end();
      }
      await ended;
      expect(await begun).toEqual([{ kind: 'ours' }]);
      await answer('Open', 'q2');
      expect(await till.begin(request('q3'), [toBuy('Save')])).toMatchObject([{ kind: 'known' }]);
      expect(team.status()).toEqual({ host: expect.stringMatching(/^127/), waiting: 0 });
      expect([...(await team.books.charges())].map(({ kind }) => kind)).toEqual([
        'billed',
        'billed',
      ]);
      expect(
        await postgres.query(
          `select 1 from ${schema}.requests union all select 1 from ${schema}.text_leases`,
        ),
      ).toEqual([]);
    },
  );

  test('is read-only and then stops says since when it is away, and why now', async () => {
    const schema = await postgres.schema();
    await using proxy = await TcpProxy.open(postgres.port);
    const { team, reason } = await open(schema, postgres.runner);
    await using _team = team;
    const end = await altered(
      { postgres, schema, proxy },
      'set default_transaction_read_only = on',
      'reset default_transaction_read_only',
    );
    const begun = team.till.begin(request('q1', 4), [toBuy('Save')]);
    expect(await reason).toMatch(/it is read-only/);
    const first = team.status().away;
    await postgres.stop();
    try {
      await expect
        .poll(() => team.status().away)
        .toEqual({
          since: first?.since,
          reason: expect.stringMatching(/nobody answers there|the connection broke|it restarts/),
        });
    } finally {
      await postgres.start();
      await end();
    }
    expect(await begun).toEqual([{ kind: 'ours' }]);
    expect(team.status().away).toBeUndefined();
  });

  test('is read-only and answers questions meanwhile is away until it takes changes', async () => {
    const schema = await postgres.schema();
    await using proxy = await TcpProxy.open(postgres.port);
    const away = Promise.withResolvers<string>();
    let backs = 0;
    await using database = new Database({
      ...{ url: postgres.runner, schema, clock: systemClock, patienceMs: 60_000 },
      onAway: away.resolve,
      onBack: () => {
        backs += 1;
      },
    });
    const end = await altered(
      { postgres, schema, proxy },
      'set default_transaction_read_only = on',
      'reset default_transaction_read_only',
    );
    const changed = database.call('drop_lease', 'nothing', randomUUID());
    try {
      expect(await away.promise).toMatch(/it is read-only/);
      expect(await database.rows('select 1 as one')).toEqual([{ one: 1 }]);
      expect([database.isAway, backs]).toEqual([true, 0]);
    } finally {
      await end();
    }
    await changed;
    expect([database.isAway, backs]).toEqual([false, 1]);
  });

  test('is read-only while nothing is bought is away until it takes changes: the heartbeat is refused', async () => {
    const schema = await postgres.schema();
    await using proxy = await TcpProxy.open(postgres.port);
    const { team, reason } = await open(schema, postgres.runner);
    await using _team = team;
    const end = await altered(
      { postgres, schema, proxy },
      'set default_transaction_read_only = on',
      'reset default_transaction_read_only',
    );
    try {
      expect(await reason).toMatch(/it is read-only/);
      expect(team.status().away?.reason).toMatch(/it is read-only/);
      await using state = new Administration({
        ...{ url: postgres.runner, schema, clock: systemClock, patienceMs: 60_000 },
      });
      expect(await state.health()).toMatchObject({ isReadOnly: true });
    } finally {
      await end();
    }
    await until(() => team.status().away === undefined);
  });

  test('is closed while it begins to listen again: no connection stays open, which would keep the process alive', async () => {
    const schema = await postgres.schema();
    await using network = await Network.to(postgres.port);
    const database = new Database({
      ...{ url: network.through(postgres.runner), schema, clock: systemClock, patienceMs: 1000 },
      ...{ onAway: () => {}, onBack: () => {} },
    });
    await database.listen();
    network.disturb('hangs');
    network.reset();
    await until(() => network.accepted === 2);
    await database[Symbol.asyncDispose]();
    network.heal();
    await until(() => !network.isUsed);
    expect(network.isUsed).toBe(false);
  });

  test('loses a machine in the middle of a transaction frees its locks within seconds: the others go on, and its transaction is given up', async () => {
    const schema = await postgres.schema();
    await using network = await Network.to(postgres.port);
    const through = (url: string) =>
      new Database({
        ...{ url, schema, clock: systemClock, patienceMs: 60_000 },
        ...{ onAway: () => {}, onBack: () => {} },
      });
    await using lost = through(network.through(postgres.runner));
    await using other = through(postgres.runner);
    const LOCK = 'select pg_advisory_xact_lock(4711)';
    const [locked, freed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const given = lost.transaction(async (db) => {
      await db.executeSql(LOCK);
      locked.resolve();
      await freed.promise;
    });
    await locked.promise;
    network.disturb('hangs');
    await other.rows(LOCK);
    network.heal();
    freed.resolve();
    await expect(given).rejects.toMatchObject({ failure: { kind: 'team-state', problem: 'away' } });
  });

  test('has messages of others on our channel: they are passed over', async () => {
    const schema = await postgres.schema();
    const options = {
      schema,
      clock: systemClock,
      patienceMs: 1000,
      onAway: () => {},
      onBack: () => {},
    };
    await using database = new Database({ url: postgres.runner, ...options });
    await database.listen();
    const heard = once(database.news, 'paused');
    for (const payload of ['', 'hello', 'null', '[1]', '7', '{ "paused": "key", "ms": 40 }']) {
      await postgres.query(`notify ${schema}, '${payload}'`);
    }
    expect(await heard).toEqual(['key', 40]);
  });

  test('does not speak TLS where it is asked to is refused at once, and the message has no password', async () => {
    const schema = await postgres.schema();
    const refused = open(schema, `${postgres.runner}?sslmode=require`);
    await expect(refused).rejects.toMatchObject({
      failure: {
        kind: 'team-state',
        problem: 'insecure',
        message: expect.not.stringContaining('runner'),
      },
    });
  });
});

test.each([
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'EPROTO',
])('a handshake that ends with %s does not pass by itself', (code) => {
  const error = Object.assign(new Error('handshake'), { code });
  expect(isInsecure(error)).toBe(true);
  expect(passingTrouble(error)).toBeUndefined();
});

test('an error of SQL does not pass by itself', () => {
  const error = Object.assign(new Error('division by zero'), { code: '22012' });
  expect(passingTrouble(error)).toBeUndefined();
});
