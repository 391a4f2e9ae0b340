/** How a team's tables are made and brought up to date, by whom, and which records can be deleted. */
import { hash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import type { JobId } from '../../../src/job.ts';
import { foldsOf } from '../../../src/state/folding.ts';
import { openLedger } from '../../../src/state/json-ledger.ts';
import { FolderMemories } from '../../../src/state/memories/folder.ts';
import { Administration } from '../../../src/state/postgres/administer.ts';
import { queuesSql, TreeQueues } from '../../../src/state/postgres/boss.ts';
import { Database } from '../../../src/state/postgres/database.ts';
import { openTeam } from '../../../src/state/postgres/open-team.ts';
import {
  FUNCTIONS_VERSION,
  SCHEMA_VERSION,
  schemaSql,
} from '../../../src/state/postgres/schema.ts';
import { bought } from '../../contracts/memory.ts';
import { charge, request, toBuy } from '../../contracts/till.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../../postgres.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const DAY_MS = 24 * 3600 * 1000;

describe.skipIf(NO_POSTGRES !== undefined)('the tables of a team', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  async function open(schema: string, url: string, since?: string) {
    return await openTeam({
      ...{ url, schema, key: undefined, folder: await temporaryFolder(), clock: systemClock },
      ...{ patienceMs: 0, ending: undefined, since, projects: ['app'] },
      service: { url: 'http://service', key: undefined, perSecond: undefined },
      onAway: () => {},
      onBack: () => {},
      onGivenUp: () => {},
      onRefused: () => {},
    });
  }

  /** Buys a text at a time that is so long ago. */
  async function buy(schema: string, url: string, agoMs = 0) {
    await using team = await open(schema, url);
    const at = new Date(Date.now() - agoMs).toISOString();
    const id = `q ${at}`;
    const sent = { ...request(id, 4), at };
    const [turn] = await team.till.begin(sent, [toBuy(`Save ${agoMs}`)]);
    const entries = [{ ...bought(`Save ${agoMs}`, 'Sichern', id), at }];
    await team.till.end(sent, { entries, charges: [charge(`${id} a`, 4)] });
    return turn?.kind;
  }

  const urlOf = (login: string) => `postgres://${login}:secret@127.0.0.1:${postgres.port}/postgres`;
  const administer = (schema: string, url = postgres.owner) =>
    new Administration({ url, schema, clock: systemClock, patienceMs: 0 });
  const count = async (table: string) =>
    (await postgres.query(`select count(*)::int as n from ${table}`))[0]?.['n'];

  test('are made by a role that may make schemas and roles and no more, and a login of theirs works with no right of its own', async () => {
    await postgres.query(`create role maker login password 'secret' createrole;
      grant create on database postgres to maker`);
    await using made = administer('made', urlOf('maker'));
    expect(await made.migrate()).toBe(true);
    await postgres.query(`set session authorization maker;
      create role ci login password 'secret' in role made_runner`);
    expect(await buy('made', urlOf('ci'))).toBe('ours');
    await using runner = administer('made', urlOf('ci'));
    expect((await runner.health()).excess).toEqual([]);
    expect((await runner.report()).billed_characters).toBe(4);
    await expect(runner.forget({ project: 'app' })).rejects.toMatchObject({
      failure: { problem: 'refused' },
    });
    await expect(runner.migrate()).rejects.toMatchObject({ failure: { problem: 'refused' } });
  });

  test('show a reader the books and who works, and say that it is no runner', async () => {
    const schema = await postgres.schema();
    await buy(schema, postgres.runner);
    await postgres.query(`create role auditor login password 'secret' in role ${schema}_reader`);
    await using reader = administer(schema, urlOf('auditor'));
    expect(await reader.report()).toMatchObject({ texts: null, billed_characters: 4, runners: [] });
    expect(await reader.health()).toMatchObject({ isRunner: false, excess: [] });
    await using runner = administer(schema, postgres.runner);
    expect(await runner.report()).toMatchObject({ texts: 1 });
    expect(await runner.health()).toMatchObject({ isRunner: true });
  });

  test('may lie in a schema whose name is a word of SQL', async () => {
    await using owner = administer('user');
    expect(await owner.migrate()).toBe(true);
    expect(await owner.migrate()).toBe(false);
    await postgres.query(`create role worker login password 'secret' in role user_runner`);
    expect(await buy('user', urlOf('worker'))).toBe('ours');
    await using runner = administer('user', urlOf('worker'));
    expect(await runner.report()).toMatchObject({ texts: 1, billed_characters: 4, runners: [] });
    expect(await runner.health()).toMatchObject({ isRunner: true, excess: [] });
  });

  test('printed for somebody else to run, make the queues of a tree too, as often as they are run', async () => {
    const sql = `begin;\n${schemaSql('order')}${queuesSql('order', 'our-app')}commit;`;
    await postgres.query(sql);
    await postgres.query(sql);
    await using owner = administer('order');
    expect(await owner.migrate('our-app')).toBe(false);
    await postgres.query(`create role carrier login password 'secret' in role order_runner`);
    await using database = new Database({
      ...{ url: urlOf('carrier'), schema: 'order', clock: systemClock, patienceMs: 0 },
      onAway: () => {},
      onBack: () => {},
    });
    const runner = { id: randomUUID(), name: 'here' };
    await using queues = await TreeQueues.open({ database, tree: 'our-app', runner });
    await queues.offer([{ id: 'a' as JobId, lane: 'text', inMs: 0, priority: 0 }]);
    expect(await queues.open()).toMatchObject([{ id: 'a', lane: 'text', isRunning: false }]);
    await postgres.query(`update order_queues.version set version = 1`);
    await expect(postgres.query(sql)).rejects.toThrow('run dragoman state migrate as the owner');
  });

  test('have functions with a number, which grows with each change of them', async () => {
    const functions = schemaSql('x').replace(/comment on table version is 'functions \d+';$/, '');
    // If this differs: raise FUNCTIONS_VERSION, and put the new hash here.
    expect([FUNCTIONS_VERSION, hash('sha256', functions).slice(0, 12)]).toEqual([
      7,
      '6f311d15d792',
    ]);
    const schema = await postgres.schema();
    await using owner = administer(schema);
    expect((await owner.report()).functions).toBe(FUNCTIONS_VERSION);
    expect(await owner.migrate()).toBe(false);
    await postgres.query(`comment on table ${schema}.version is null`);
    expect((await owner.report()).functions).toBe(0);
    expect(await owner.migrate()).toBe(true);
    await postgres.query(`comment on table ${schema}.version is 'functions 1000'`);
    expect(await owner.migrate()).toBe(false);
    expect((await owner.report()).functions).toBe(1000);
  });

  test('of the tenth version get the volume of each tree from its leader', async () => {
    const schema = await postgres.schema();
    const leader = randomUUID();
    await postgres.query(`set search_path = ${schema}; alter table trees drop column volume, drop column filling;
      delete from version where version > 10; insert into trees (name) values ('led'), ('not led');
      insert into leases (name, runner, until) values ('tree led', '${leader}', 'infinity');
      insert into daemons (id, tree, name, host, role, version, volume)
        select id, 'led', 'd', 'h', 'both', '1', id::text from unnest(array['${leader}', '${randomUUID()}']::uuid[]) id`);
    await using owner = administer(schema);
    expect(await owner.migrate()).toBe(true);
    expect(await postgres.query(`select name, volume from ${schema}.trees order by name`)).toEqual([
      { name: 'led', volume: leader },
      { name: 'not led', volume: null },
    ]);
  });

  test('of an earlier version are refused with what to do, and brought up to date without losing what they hold', async () => {
    const schema = await postgres.schema();
    expect(await buy(schema, postgres.runner)).toBe('ours');
    await postgres.query(`set search_path = ${schema}; alter table purchases drop column claim, drop column kept;
      alter table results drop column at; delete from version where version > 1;
      drop table daemons, tree_jobs, tree_records, tree_removals, tree_writers, tree_baselines, trees, turns cascade`);
    await expect(open(schema, postgres.runner)).rejects.toMatchObject({
      failure: { problem: 'unfit', message: expect.stringContaining('of version 1') },
    });
    await using owner = administer(schema);
    expect(await owner.migrate()).toBe(true);
    expect(await owner.migrate()).toBe(false);
    expect((await owner.report()).version).toBe(SCHEMA_VERSION);
    expect(await buy(schema, postgres.runner)).toBe('known');
    expect(await count(`(select distinct generation from ${schema}.version) g`)).toBe(1);
  });

  test('forget texts and kept documents when their owner says so, and what a config keeps no longer; charges stay', async () => {
    const schema = await postgres.schema();
    for (const days of [0, 2, 40]) await buy(schema, postgres.runner, days * DAY_MS);
    await postgres.query(`set search_path = ${schema};
      insert into purchases (id, project, name, stage, charge) values ('d', 'app', 'x', 'kept', '{}');
      insert into results (id, part, bytes) values ('d', 0, 'words')`);
    // Another config of the team keeps its texts for ever.
    await postgres.query(`set search_path = ${schema};
      insert into memory (key, project, language, recipe, source, translation, request, at)
        select gen_random_uuid(), 'other', language, recipe, source, translation, request, at from memory`);
    const others = () => count(`${schema}.memory where project = 'other'`);
    const before = new Date(Date.now() - 30 * DAY_MS).toISOString();
    await using team = await open(schema, postgres.runner, before);
    await team.purchases.sweep();
    const own = () => count(`${schema}.memory where project = 'app'`);
    expect(await own()).toBe(2);
    // A login that leaked cannot make the team pay for everything again.
    await postgres.query(
      `set session authorization runner; select ${schema}.sweep_memory(0, '["app"]')`,
    );
    expect(await own()).toBe(1);
    await using owner = administer(schema);
    expect(await others()).toBe(3);
    expect(await owner.forget({ project: 'app' })).toBe(1);
    expect(await others()).toBe(3);
    expect(await count(`${schema}.results`)).toBe(0);
    expect(await count(`${schema}.charges`)).toBe(3);
  });

  test('take the charges of a folder once, also after the folder has put sums in the place of old ones', async () => {
    const schema = await postgres.schema();
    await using owner = administer(schema);
    const folder = await temporaryFolder();
    await using ledger = await openLedger({ folder, clock: systemClock });
    await using memories = new FolderMemories({ folder: join(folder, 'memory') });
    const told = { ledger, memories, scopes: [], async *letters() {} };
    const put = async (day: string, ...ids: string[]) => {
      const charges = ids.map((id) => ({ ...charge(id, 4), at: `${day}T10:00:00.000Z` }));
      await ledger.commit(charges.map((each) => ({ table: 'charges', put: each }) as const));
    };
    const fold = async () => {
      for (const facts of foldsOf(ledger, Date.parse('2026-06-01'))) await ledger.commit(facts);
    };
    await put('2026-01-05', 'a', 'b', 'c');
    expect(await owner.push(told, 'real')).toEqual({ texts: 0, charges: 3 });
    await fold();
    expect(await owner.push(told, 'real')).toEqual({ texts: 0, charges: 0 });
    expect((await owner.report()).billed_characters).toBe(12);
    // Charges that were folded before anybody read them are reported as a sum.
    await put('2026-01-06', 'd', 'e');
    await fold();
    expect(await owner.push(told, 'real')).toEqual({ texts: 0, charges: 1 });
    expect((await owner.report()).billed_characters).toBe(20);
  });

  test('give the difference between the clock of a machine and that of the server', async () => {
    const schema = await postgres.schema();
    const clock = { ...systemClock, now: () => Date.now() + DAY_MS };
    const options = { url: postgres.runner, schema, patienceMs: 0 };
    await using late = new Administration({ ...options, clock });
    expect(Math.abs((await late.health()).aheadSeconds - 86_400)).toBeLessThan(60);
  });

  test.each([
    ['is wrong', (url: string) => url.replace(':runner@', ':pass-word@')],
    ['goes to nobody', () => 'postgres://runner:pass-word@127.0.0.1:1/postgres'],
    [
      'would go unencrypted',
      (url: string) => `${url.replace(':runner@', ':pass-word@')}?sslmode=require`,
    ],
    ['cannot be decoded', (url: string) => url.replace(':runner@', ':pass-word%ZZ@')],
    [
      'has an authority that is not there',
      (url: string) =>
        `${url.replace(':runner@', ':pass-word@')}?sslmode=require&sslrootcert=/nowhere`,
    ],
  ])('name no password in any error when it %s', async (_name, change) => {
    const schema = await postgres.schema();
    const error: unknown = await open(schema, change(postgres.runner)).catch((cause) => cause);
    expect(error).toBeInstanceOf(Error);
    expect(inspect(error, { depth: 12, showHidden: true })).not.toContain('pass-word');
  });
});

/** The changes after version 13, the oldest supported one. */
const NEWER = [
  /\bmerge\s+into\b/i, // 15
  /\bnulls\s+(not\s+)?distinct\b/i, // 15
  /\bany_value\s*\(|\bjson_(array|object|exists|query|value|table|scalar|serialize)\b|\bis\s+json\b/i, // 16, 17
  /\breturning\s+(old|new)\.|\buuidv[47]\s*\(|\bvirtual\b/i, // 18
  /\bregexp_(like|count|instr|substr)\s*\(/i, // 15
  /\bmultirange\b|\bdate_bin\s*\(|\bbit_count\s*\(|\bstring_to_table\s*\(|\btrim_array\s*\(/i, // 14
  /\bbegin\s+atomic\b|\bcycle\s|\bsearch\s+(breadth|depth)\b|\bout\s+\w+\s+\w+\s*\)/i, // 14
  /\bcreate\s+or\s+replace\s+trigger\b|\bsecurity_invoker\b|\bset\s+compression\b/i, // 14, 15
  /\bgrant\s+[^;]*\bwith\s+(inherit|set)\b|\bwith\s+admin\s+(true|false)\b|\bmaintain\b/i, // 16, 17
  /\w\[[^\]]*'[^\]]*\]/, // 14: a field of jsonb by its name in brackets
];

test('the tables are made by SQL that PostgreSQL 13 knows', () => {
  const sql = schemaSql('team').replace(/--.*$/gm, '');
  expect(NEWER.filter((word) => word.test(sql)).map(String)).toEqual([]);
});
