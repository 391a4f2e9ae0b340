/**
 * Daemons that share a tree: jobs settled each second by one, two and four daemons, and the cost of a start with very many jobs.
 * `--smoke`: small sizes; `--jobs N`: so many to begin with (100,000); `--settled N` (20,000) and `--files N` (2,000): so many to
 * settle and to translate. The rows have the figures of the prototype.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import pg from 'pg';
import type { JobId } from '../src/job.ts';
import { TreeQueues } from '../src/state/postgres/boss.ts';
import type { Database } from '../src/state/postgres/database.ts';
import type { TreeView } from '../src/state/postgres/tree-mirror.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../test/postgres.ts';
import { type Member, Team } from '../test/shared-team.ts';
import { databaseAt, ledgerAt, type Place, TREE } from './cluster-tree.ts';
import { MAIN as program } from './program.ts';
import { report } from './row.ts';

const { values } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: process.argv.includes('--smoke') },
    jobs: { type: 'string', default: '100000' },
    settled: { type: 'string', default: '20000' },
    files: { type: 'string', default: '2000' },
  },
});
const isSmoke = values.smoke;
const JOBS = isSmoke ? 2000 : Number(values.jobs);
const SETTLED = isSmoke ? 200 : Number(values.settled);
const FILES = isSmoke ? 20 : Number(values.files);
const TOGETHER = 50;
const DAEMONS = isSmoke ? [1, 2] : [1, 2, 4];

if (NO_POSTGRES === undefined) await measure();
else console.log(`not measured: ${NO_POSTGRES}`);

async function measure(): Promise<void> {
  await using postgres = await openPostgres();
  const bare = await bareRate(postgres);
  for (const workers of DAEMONS) await settle(postgres, { workers, bare });
  const alone = await aloneRate(postgres);
  for (const daemons of DAEMONS) await translate(postgres, { daemons, alone });
  await beginWith(postgres);
}

/** Jobs as a ledger writes them, all queued. */
async function fill(postgres: Postgres, schema: string, jobs: number): Promise<void> {
  await postgres.queues(schema, TREE);
  await postgres.query(`insert into ${schema}.trees (name) values ('${TREE}')`);
  await postgres.query(
    `insert into ${schema}.tree_jobs (tree, id, record, fence, mark, by)
     select '${TREE}', 'app/de/en/' || n || '.json', jsonb_build_object('id', 'app/de/en/' || n || '.json', 'project', 'app',
       'lane', 'text', 'source', 'en/' || n || '.json', 'language', 'de', 'targets', jsonb_build_object('file', 'de/' || n || '.json'),
       'fingerprint', repeat(md5(n::text), 2), 'state', '{"kind": "queued"}'::jsonb, 'wrote', '[]'::jsonb, 'delivered', null,
       'estimate', 100), 0, 'm' || n, 'bench' from generate_series(1, ${jobs}) n`,
  );
  await postgres.query(
    `insert into ${schema}.tree_records (tree, tbl, id, record, by)
     select '${TREE}', 'sources', 'app/en/' || n || '.json', jsonb_build_object('id', 'app/en/' || n || '.json', 'project', 'app',
       'path', 'en/' || n || '.json', 'hash', repeat(md5(n::text), 2), 'stat', '10:1:1:' || n, 'since', '2026-10-19T10:00:00.000Z'),
       'bench' from generate_series(1, ${jobs}) n`,
  );
  await postgres.query(`analyze ${schema}.tree_jobs, ${schema}.tree_records`);
}

/** Each with connections of its own: takes, claims, settles and ends fifty at a time, as the queue and the lanes of a daemon do. */
async function settle(
  postgres: Postgres,
  { workers, bare }: { readonly workers: number; readonly bare: number },
): Promise<void> {
  const schema = await postgres.schema();
  await fill(postgres, schema, SETTLED);
  const place = { url: postgres.runner, schema };
  await offerAll(place);
  await using stack = new AsyncDisposableStack();
  const ready: (() => Promise<number>)[] = [];
  for (let n = 0; n < workers; n++) ready.push(await workerAt(place, stack));
  const began = performance.now();
  const done = await Promise.all(ready.map((work) => work()));
  const seconds = (performance.now() - began) / 1000;
  const sum = done.reduce((all, one) => all + one, 0);
  if (sum !== SETTLED) throw new Error(`${sum} of ${SETTLED} jobs were settled`);
  report({
    what: `jobs claimed and settled each second, ${workers} at it, fifty together (prototype 2,692)`,
    today: SETTLED / seconds,
    bare,
    unit: 'jobs/s',
    goal: { least: 2000 },
  });
}

async function offerAll(place: Place): Promise<void> {
  await using database = databaseAt(place);
  await using queues = await queuesAt(database, crypto.randomUUID());
  const offers = Array.from({ length: SETTLED }, (_, n) => {
    return { id: `app/de/en/${n + 1}.json` as JobId, lane: 'text', inMs: 0, priority: 0 } as const;
  });
  for (let from = 0; from < offers.length; from += 5000) {
    await queues.offer(offers.slice(from, from + 5000));
  }
}

async function workerAt(place: Place, stack: AsyncDisposableStack): Promise<() => Promise<number>> {
  const database = stack.use(databaseAt(place));
  const id = crypto.randomUUID();
  await database.call('beat', JSON.stringify({ id, name: id, waiting: 0 }));
  const queues = stack.use(await queuesAt(database, id));
  const ledger = stack.use(await ledgerAt(database, 'claims', queues));
  return async () => {
    for (let done = 0; ; ) {
      const turns = await queues.take(new Map([['text', TOGETHER]]));
      if (turns.length === 0) return done;
      await Promise.all(
        turns.map(async (turn) => {
          const claim = await ledger.claim(turn.id);
          if (claim === undefined) return;
          const state = { kind: 'done', at: new Date().toISOString() } as const;
          await ledger.settle(claim, { state }, 'over');
          done += 1;
        }),
      );
    }
  };
}

async function queuesAt(database: Database, id: string): Promise<TreeQueues> {
  return await TreeQueues.open({ database, tree: TREE, runner: { id, name: id } });
}

/** One connection that marks fifty rows as done, one transaction after the other. */
async function bareRate(postgres: Postgres): Promise<number> {
  const schema = await postgres.schema();
  await fill(postgres, schema, SETTLED);
  const client = new pg.Client({ connectionString: postgres.owner, ssl: false });
  await client.connect();
  const began = performance.now();
  for (let from = 1; from <= SETTLED; from += TOGETHER) {
    const ids = Array.from({ length: TOGETHER }, (_, n) => `app/de/en/${from + n}.json`);
    await client.query(
      `update ${schema}.tree_jobs set record = jsonb_set(record, '{state}', '{"kind": "done"}') where tree = $1 and id = any($2)`,
      [TREE, ids],
    );
  }
  const seconds = (performance.now() - began) / 1000;
  await client.end();
  return SETTLED / seconds;
}

/** The same files by one process whose state is in a folder, its start included. */
async function aloneRate(postgres: Postgres): Promise<number> {
  await using team = await Team.start(postgres, { members: 1, texts: FILES * 10, program });
  const [member] = team.members as [Member];
  member.configureAlone();
  const began = performance.now();
  const { code } = await member.onceApart();
  if (code !== 0) throw new Error(`once ended with ${code}`);
  return FILES / ((performance.now() - began) / 1000);
}

/** Real daemons, from the moment at which they plan until all is settled. The service answers at once, in this process. */
async function translate(
  postgres: Postgres,
  { daemons, alone }: { readonly daemons: number; readonly alone: number },
): Promise<void> {
  await using team = await Team.start(postgres, { members: 1, texts: FILES * 10, program });
  await postgres.queues(team.schema, TREE);
  const [member] = team.members as [Member];
  const folders = await mkdtemp(join(tmpdir(), 'dragoman-bench-'));
  const started = Array.from({ length: daemons }, (_, n) => {
    const state = `, folder: "${folders}/${n}", key: { env: STATE_KEY }, tree: ${TREE}`;
    member.configure(team.schema, 'page: false', { state });
    member.write(`daemon-${n}.yaml`, member.read('dragoman.yaml'));
    const role = n === 0 ? 'both' : 'worker';
    const child = member.spawn('run', {}, '--config', `daemon-${n}.yaml`, '--role', role);
    for (const stream of [child.stdout, child.stderr]) stream.resume();
    return child;
  });
  const count = async (where: string) => {
    const [row] = await postgres.query(`select count(*)::int as n from ${team.schema}.${where}`);
    return Number(row?.['n']);
  };
  while ((await count('tree_jobs')) === 0) await wait(20);
  const began = performance.now();
  const over = `tree_jobs where record->'state'->>'kind' = 'done'`;
  while ((await count(over)) < FILES) await wait(50);
  const seconds = (performance.now() - began) / 1000;
  for (const child of started) {
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
  }
  await rm(folders, { recursive: true });
  if (team.sandbox.counters().asked_twice.length > 0) throw new Error('a text was bought twice');
  report({
    what: `files of 10 texts translated each second, daemons: ${daemons}`,
    today: FILES / seconds,
    bare: alone,
    unit: 'jobs/s',
    goal: { least: 50 },
  });
}

/** The leader knows all jobs of a tree; a worker knows only the jobs that it claims. */
async function beginWith(postgres: Postgres): Promise<void> {
  const schema = await postgres.schema();
  await fill(postgres, schema, JOBS);
  const place = { url: postgres.runner, schema };
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-bench-'));
  const program = await bundledBegin(folder);
  const [bare, leader, worker] = [
    await begun(program, 'bare', place),
    await begun(program, 'tree', place),
    await begun(program, 'claims', place),
  ];
  await rm(folder, { recursive: true });
  const size = JOBS.toLocaleString('en-US');
  const goal = (most: number) => ({ most: (most * Math.max(JOBS, 100_000)) / 100_000 });
  report({
    what: `a leader knows ${size} jobs (prototype 1.3 s for 100,000, 10.5 s for a million)`,
    ...{ today: leader.seconds, bare: bare.seconds, unit: 's', goal: goal(2.5) },
  });
  report({
    what: `memory of it, ${size} jobs (prototype 164 MB for 100,000, 1,229 MB for a million)`,
    ...{ today: leader.mb, bare: bare.mb, unit: 'MB', goal: goal(300) },
  });
  report({
    what: `memory of a worker beside ${size} jobs`,
    ...{ today: worker.mb, bare: bare.mb, unit: 'MB', goal: { most: 130 } },
  });
}

interface Begun {
  readonly seconds: number;
  /** The most that the process had. */
  readonly mb: number;
}

/** @returns the path of the program */
async function bundledBegin(folder: string): Promise<string> {
  const outfile = join(folder, 'begin.mjs');
  await build({
    ...{ entryPoints: [join(import.meta.dirname, 'cluster-begin.ts')], outfile },
    ...{ bundle: true, platform: 'node', format: 'esm', external: ['pg-native'] },
    // Libraries in the older form of modules call `require` for what Node brings.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return outfile;
}

async function begun(
  program: string,
  view: TreeView | 'bare',
  { url, schema }: Place,
): Promise<Begun> {
  const child = spawn(process.execPath, [program, view], {
    env: { ...process.env, BENCH_URL: url, BENCH_SCHEMA: schema },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) throw new Error(`it ended with ${code}`);
  return JSON.parse(printed) as Begun;
}
