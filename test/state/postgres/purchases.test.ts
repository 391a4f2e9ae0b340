/** Documents and recordings of a team, on a real PostgreSQL: which runner may buy, and who goes on with the work of a dead runner. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { Database } from '../../../src/state/postgres/database.ts';
import { Seal } from '../../../src/state/postgres/seal.ts';
import { TeamPurchases } from '../../../src/state/postgres/team-purchases.ts';
import type { SharedPurchase, SharedStage } from '../../../src/state/shared-purchases.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../../postgres.ts';
import { TcpProxy } from '../../tcp-proxy.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const KEY = Buffer.alloc(32, 1).toString('hex');
const OTHER_KEY = Buffer.alloc(32, 2).toString('base64');
const OF_DOC = {
  id: 'document app k',
  project: 'app',
  charge: { language: 'de', lane: 'document' },
};

describe.skipIf(NO_POSTGRES !== undefined)('purchases of a team', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  async function joined(schema: string, key?: string, url = postgres.runner) {
    const database = new Database({
      ...{ url, schema, clock: systemClock, patienceMs: 20_000 },
      onAway: () => {},
      onBack: () => {},
    });
    onTestFinished(() => database[Symbol.asyncDispose]());
    const runner = { id: randomUUID(), name: 'runner' };
    const seal = key === undefined ? undefined : Seal.from(key);
    const purchases = new TeamPurchases({
      database,
      runner,
      seal,
      seen: { known: [] },
      graceSeconds: 0,
    });
    const dies = () => database.call('give_up', runner.id);
    return { purchases, dies };
  }

  /** Two runners of one team. */
  async function two(keys: { readonly one?: string; readonly other?: string } = {}) {
    const schema = await postgres.schema();
    const [one, other] = [await joined(schema, keys.one), await joined(schema, keys.other)];
    const charges = async () =>
      (await postgres.query(`select record from ${schema}.charges`)).map(({ record }) => record);
    const spent = `select coalesce(sum(characters), 0)::int as sum from ${schema}.charges`;
    return {
      schema,
      one,
      other,
      charges,
      spent: async () => (await postgres.query(spent))[0]?.['sum'],
    };
  }

  test('one of two runners buys, and the other one waits', async () => {
    const { one, other } = await two();
    expect(await one.purchases.claim(OF_DOC, 'buy')).toEqual({ kind: 'ours' });
    expect(await other.purchases.claim(OF_DOC, 'buy')).toMatchObject({
      kind: 'busy',
      runner: 'runner',
    });
    expect(await other.purchases.record(at('closing'))).toBe(false);
    await one.purchases.release(OF_DOC.id);
    expect(await other.purchases.claim(OF_DOC, 'buy')).toEqual({ kind: 'ours' });
  });

  test('of two runners that are told to buy again at the same moment, one buys', async () => {
    const { schema, one, other } = await two();
    await one.purchases.claim(OF_DOC, 'buy');
    await one.purchases.record(at('over'));
    const first = new pg.Client({ connectionString: postgres.owner, ssl: false });
    await first.connect();
    onTestFinished(() => first.end());
    const asked = {
      ...OF_DOC,
      want: 'anew',
      runner: randomUUID(),
      claim: randomUUID(),
      name: 'first',
      grace: 0,
      key: false,
      seen: [],
    };
    await first.query('begin');
    // As in the middle of its claim. An update would also hold up what `other` does before it reads the row.
    await first.query(`select from ${schema}.purchases for update`);
    const second = other.purchases.claim(OF_DOC, 'anew');
    await postgres.until(
      "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%claim_purchase%'",
    );
    const claimed = await first.query(`select ${schema}.claim_purchase($1) as claim`, [
      JSON.stringify(asked),
    ]);
    expect(claimed.rows[0].claim).toEqual({ kind: 'ours' });
    await first.query('commit');
    expect(await second).toMatchObject({ kind: 'busy', runner: 'first' });
  });

  test('a claim whose answer was lost on the way is the same claim when it is asked again', async () => {
    const schema = await postgres.schema();
    await using proxy = await TcpProxy.open(postgres.port);
    const one = await joined(schema, KEY);
    const other = await joined(
      schema,
      KEY,
      postgres.runner.replace(/:[0-9]+\//, `:${proxy.port}/`),
    );
    proxy.cutAnswers(1);
    expect(await other.purchases.claim(OF_DOC, 'buy')).toEqual({ kind: 'ours' });
    await other.purchases.release(OF_DOC.id);
    await one.purchases.claim(OF_DOC, 'buy');
    await one.purchases.record({ ...at('sent'), secret: { document_key: 'k' } });
    await one.dies();
    proxy.cutAnswers(1);
    expect(await other.purchases.claim(OF_DOC, 'buy')).toMatchObject({ kind: 'taken-over' });
    // Another job of this process is told that somebody works on it.
    expect(await other.purchases.claim(OF_DOC, 'buy')).toMatchObject({ kind: 'busy' });
  });

  test('requests that a runner had begun and not sent are free when it dies', async () => {
    const { one, other, charges } = await two();
    await one.purchases.claim(OF_DOC, 'buy');
    await one.purchases.record(at('begun'));
    await one.dies();
    expect(await other.purchases.claim(OF_DOC, 'buy')).toEqual({ kind: 'ours' });
    expect(await charges()).toEqual([]);
  });

  test('an upload without an answer is in doubt for everybody, and on the books as possibly billed', async () => {
    const { one, other, charges, spent } = await two();
    await one.purchases.claim(OF_DOC, 'buy');
    await one.purchases.record(at('closing'));
    await one.dies();
    expect(await other.purchases.claim(OF_DOC, 'buy')).toMatchObject({
      kind: 'over',
      record: { stage: { kind: 'in-doubt', isBooked: true } },
    });
    expect(await charges()).toMatchObject([
      {
        kind: 'possibly-twice',
        characters: 7,
        project: 'app',
        language: 'de',
        lane: 'document',
        job: null,
      },
    ]);
    // It stays there when a person has it bought again.
    expect(await other.purchases.claim(OF_DOC, 'again')).toEqual({ kind: 'ours' });
    await other.purchases.record(at('booked'));
    expect(await spent()).toBe(7);
  });

  test('a runner with the key of the team goes on with what another one had sent; what may have been billed is replaced by the bill', async () => {
    const { one, other, spent } = await two({ one: KEY, other: KEY });
    await one.purchases.claim(OF_DOC, 'buy');
    await one.purchases.record({ ...at('sent'), secret: { document_key: 'k' } });
    await one.dies();
    expect(await spent()).toBe(7);
    expect(await other.purchases.claim(OF_DOC, 'buy')).toMatchObject({
      kind: 'taken-over',
      secret: { document_key: 'k' },
    });
    expect(await other.purchases.record(at('booked'))).toBe(true);
    expect(await spent()).toBe(0);
    // The first one was only silent.
    expect(await one.purchases.record(at('booked'))).toBe(false);
    expect(await one.purchases.claim(OF_DOC, 'buy')).toMatchObject({ kind: 'busy' });
  });

  test.each([
    ['no key', {}],
    ['another key', { one: KEY, other: OTHER_KEY }],
  ])(
    'a runner with %s holds what another one had sent, with its price, and the folder that sent it goes on',
    async (_name, keys) => {
      const { one, other } = await two(keys);
      await one.purchases.claim(OF_DOC, 'buy');
      await one.purchases.record({ ...at('sent'), secret: { document_key: 'k' } });
      await one.dies();
      const claim = { kind: 'out-of-reach', runner: 'runner', characters: 7, seconds: 0 };
      expect(await other.purchases.claim(OF_DOC, 'buy')).toEqual(claim);
      expect(await other.purchases.claim(OF_DOC, 'look')).toEqual({ kind: 'free' });
      expect(await one.purchases.record(at('sent'))).toBe(true);
      expect(await other.purchases.claim(OF_DOC, 'buy')).toMatchObject({ kind: 'busy' });
      await one.dies();
      // A person wants to buy it again.
      expect(await other.purchases.claim(OF_DOC, 'again')).toEqual({ kind: 'ours' });
      expect(await one.purchases.record(at('sent'))).toBe(false);
    },
  );

  test('a result is there for others until it was kept for long enough, and then it is not bought again in silence', async () => {
    const { one, other } = await two();
    const file = join(await temporaryFolder(), 'result');
    const content = Buffer.alloc(9 * 1024 * 1024, 'dragoman');
    await writeFile(file, content);
    await one.purchases.claim(OF_DOC, 'buy');
    await one.purchases.keep(OF_DOC.id, file, 60_000);
    await one.purchases.record(at('kept'));
    expect(await other.purchases.claim(OF_DOC, 'again')).toMatchObject({ kind: 'kept' });
    expect(content.equals((await other.purchases.bytes(OF_DOC.id)) ?? Buffer.of())).toBe(true);
    await other.purchases.sweep();
    expect(await other.purchases.bytes(OF_DOC.id)).toBeDefined();
    expect(await other.purchases.claim(OF_DOC, 'anew')).toEqual({ kind: 'ours' });
    expect(await other.purchases.bytes(OF_DOC.id)).toBeUndefined();
    await other.purchases.keep(OF_DOC.id, file, -1000);
    await other.purchases.record(at('kept'));
    await one.purchases.sweep();
    expect(await one.purchases.bytes(OF_DOC.id)).toBeUndefined();
    expect(await one.purchases.claim(OF_DOC, 'buy')).toMatchObject({ kind: 'kept', characters: 7 });
  });

  test.each([
    ['gives its claim back after a hold', 'release'],
    ['dies before it sends', 'dies'],
  ] as const)(
    'a document in doubt stays in doubt for others when a runner claims it again and %s',
    async (_name, how) => {
      const { one, other, spent } = await two();
      await one.purchases.claim(OF_DOC, 'buy');
      await one.purchases.record(at('closing'));
      await one.dies();
      const doubt = await other.purchases.claim(OF_DOC, 'buy');
      expect(await other.purchases.claim(OF_DOC, 'again')).toEqual({ kind: 'ours' });
      // It was about to send, and the service refused it: nothing is billed.
      for (const stage of ['begun', 'closing', 'begun'] as const) {
        await other.purchases.record(at(stage));
      }
      expect(await other.purchases.claim(OF_DOC, 'again')).toEqual({ kind: 'ours' });
      await (how === 'dies' ? other.dies() : other.purchases.release(OF_DOC.id));
      expect(await one.purchases.claim(OF_DOC, 'buy')).toEqual(doubt);
      expect(doubt).toMatchObject({ kind: 'over', record: { stage: { kind: 'in-doubt' } } });
      expect(await spent()).toBe(7);
      // Sent again, it is in doubt for the second time.
      await one.purchases.claim(OF_DOC, 'again');
      await one.purchases.record(at('closing'));
      await one.dies();
      expect(await other.purchases.claim(OF_DOC, 'buy')).toEqual(doubt);
      expect(await spent()).toBe(14);
    },
  );

  test('what only a silent runner can fetch, and a result, are there again when a claim is given back', async () => {
    const { one, other } = await two({ one: KEY });
    await one.purchases.claim(OF_DOC, 'buy');
    await one.purchases.record({ ...at('sent'), secret: { document_key: 'k' } });
    await one.dies();
    const claim = { kind: 'out-of-reach', runner: 'runner', characters: 7, seconds: 0 };
    expect(await other.purchases.claim(OF_DOC, 'again')).toEqual({ kind: 'ours' });
    await other.purchases.release(OF_DOC.id);
    expect(await other.purchases.claim(OF_DOC, 'buy')).toEqual(claim);
    expect(await one.purchases.record(at('sent'))).toBe(true);
    const file = join(await temporaryFolder(), 'result');
    const content = Buffer.alloc(3 * 1024 * 1024, 'dragoman');
    await writeFile(file, content);
    await one.purchases.keep(OF_DOC.id, file, 60_000);
    await one.purchases.record(at('kept'));
    expect(await other.purchases.claim(OF_DOC, 'anew')).toEqual({ kind: 'ours' });
    await other.purchases.release(OF_DOC.id);
    expect(await other.purchases.claim(OF_DOC, 'buy')).toMatchObject({ kind: 'kept' });
    expect(content.equals((await other.purchases.bytes(OF_DOC.id)) ?? Buffer.of())).toBe(true);
    // The new result is smaller, and nothing of the first one stays.
    await other.purchases.claim(OF_DOC, 'anew');
    await other.purchases.record(at('closing'));
    await other.purchases.record(at('booked'));
    await writeFile(file, 'new');
    await other.purchases.keep(OF_DOC.id, file, 60_000);
    await other.purchases.record(at('kept'));
    expect(String(await one.purchases.bytes(OF_DOC.id))).toBe('new');
  });

  test('a large result comes over a line that brings a small part of it in the time of a statement', async () => {
    const schema = await postgres.schema();
    const file = join(await temporaryFolder(), 'result');
    const content = Buffer.alloc(9 * 1024 * 1024, 'dragoman');
    await writeFile(file, content);
    const one = await joined(schema);
    await one.purchases.claim(OF_DOC, 'buy');
    await one.purchases.keep(OF_DOC.id, file, 60_000);
    await using proxy = await TcpProxy.open(postgres.port);
    proxy.endAfter(4 * 1024 * 1024);
    const url = `postgres://runner:runner@127.0.0.1:${proxy.port}/postgres`;
    const far = await joined(schema, undefined, url);
    expect(content.equals((await far.purchases.bytes(OF_DOC.id)) ?? Buffer.of())).toBe(true);
  });

  test('a result that was paid for counts, also from a runner that was taken for dead', async () => {
    const { one, other } = await two({ one: KEY, other: KEY });
    await one.purchases.claim(OF_DOC, 'buy');
    await one.purchases.record({ ...at('booked'), secret: {} });
    await one.dies();
    await other.purchases.claim(OF_DOC, 'buy');
    expect(await one.purchases.record(at('kept'))).toBe(true);
    expect(await other.purchases.record(at('over'))).toBe(false);
    expect(await other.purchases.claim(OF_DOC, 'buy')).toMatchObject({ kind: 'kept' });
  });
});

test('a sealed record is opened by the same key at the same place only', () => {
  const seal = Seal.from(KEY);
  const sealed = seal?.close('here', 'a secret') ?? '';
  expect(sealed).not.toContain('secret');
  expect(seal?.open('here', sealed)).toBe('a secret');
  expect(seal?.open('there', sealed)).toBeUndefined();
  expect(seal?.open('here', `${sealed.slice(0, -4)}AAA=`)).toBeUndefined();
  expect(Seal.from(OTHER_KEY)?.open('here', sealed)).toBeUndefined();
  expect(Seal.from('too short')).toBeUndefined();
  expect(Seal.from(`${'z'.repeat(63)}!`)).toBeUndefined();
});

function at(stage: SharedStage): SharedPurchase {
  return { ...OF_DOC, stage, characters: 7, seconds: 0, record: { stage: { kind: stage } } };
}
