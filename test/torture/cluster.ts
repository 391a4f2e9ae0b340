/**
 * Four daemons on one tree under torture: `npm run torture:cluster -- --seed N --seconds N --files N`. docs/torture.md says how it is used.
 * Sources are edited, moved and removed, translations are corrected, and terms change. Meanwhile one daemon after the other is killed, stands
 * still for longer than the others wait, or loses its connection. Or all of them lose it, because the database is away. Then all is counted.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { NETWORK_FAULTS, Network } from '../network.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { Seeded } from '../seeded.ts';
import { type Member, Team } from '../shared-team.ts';
import { wholeNumber } from '../whole-number.ts';
import { Audit } from './cluster-audit.ts';
import { checkAll } from './cluster-checks.ts';
import { Daemon, ROLES } from './cluster-daemon.ts';
import { type Person, Shelf } from './cluster-shelf.ts';
import { ROUTES, Sources } from './cluster-sources.ts';
import { Broken } from './installation.ts';

/** The configs of those that may lead. */
const LEADERS = ROLES.flatMap((role, nth) => (role === 'both' ? [`daemon-${nth}.yaml`] : []));
/** What users start. */
const program = join(import.meta.dirname, '..', '..', 'dist', 'main.js');
/** The longest fault of a network: most are shorter than a daemon is waited for, some are longer. */
const LONGEST_FAULT_MS = 15_000;
const LONGEST_OUTAGE_MS = 9000;
/** A paid document whose source a person removed before it was put in place: it is kept for them. */
const LEFT = `(j.record->'state'->'hold'->>'kind' = 'source-gone' and not exists (select from @.tree_records r
  where r.tbl = 'sources' and r.record->>'path' = j.record->>'source'))`;
/** After the end of the disturbance, something goes on at least this often: a busy machine takes longer for all of it. */
const PATIENCE_MS = 180_000;
/** How long people work on after the disturbance: until then, most saves meet a daemon that is away. */
const CALM_MS = 20_000;
/** Between two saves of one person. */
const PAUSE_MS = 100;
const PEOPLE = 4;
/** So many seconds have at least one confirmed save, and one correction of a translation. */
const SECONDS_PER_SAVE = 4;
const LATENCY = [{ kind: 'latency', ms: 60, times: 'always' }] as const;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    files: { type: 'string', default: '200' },
    shelf: { type: 'string', default: '10' },
    rename: { type: 'string', default: '10' },
  },
});
const seed = wholeNumber('seed', values.seed);
const seconds = wholeNumber('seconds', values.seconds);
const files = wholeNumber('files', values.files);
/** Files in several languages, and as many catalogs. */
const shelved = wholeNumber('shelf', values.shelf);
const renames = pathToFileURL(join(import.meta.dirname, '..', 'traced-renames-process.ts')).href;
const renameMs = wholeNumber('rename', values.rename);
const expected = Math.ceil(seconds / SECONDS_PER_SAVE);

async function torture(): Promise<void> {
  await using postgres = await openPostgres();
  await using team = await Team.start(postgres, {
    ...{ members: 1, texts: 0, faults: LATENCY, program, routes: ROUTES },
  });
  await postgres.queues(team.schema, 'website');
  const audit = await Audit.begin(postgres, team.schema);
  const [tree] = team.members as [Member];
  const random = new Seeded(seed, 0);
  const sources = new Sources(tree, { files, random });
  const shelf = new Shelf(tree, { files: shelved, random: new Seeded(seed, 1) });
  const folders = await mkdtemp(join(tmpdir(), 'dragoman-cluster-'));
  const trace = join(folders, 'renames');
  const preload = `${renames}?${new URLSearchParams({ ms: String(renameMs), trace })}`;
  await using networks = new AsyncDisposableStack();
  const daemons: Daemon[] = [];
  for (const [nth, role] of ROLES.entries()) {
    const network = networks.use(await Network.to(postgres.port));
    const url = network.through(postgres.runner);
    const place = { tree, team, folders, role, network, url, preload };
    daemons.push(Daemon.start({ ...place, name: `daemon-${nth}` }));
  }
  const happened: string[] = [];
  const report = (end: string) => {
    const said = daemons.map((daemon) => daemon.lastWords).join('\n');
    console.log(`seed ${seed}: ${happened.join('; ')}\n${end}\n${said}`);
  };
  // By a time limit of others.
  process.once('SIGTERM', () => {
    report(`ended from outside: ${shelf.happened}`);
    process.exit(1);
  });
  const retried = new Set<string>();
  try {
    await disturb({ postgres, tree, sources, shelf, daemons, random, happened });
    happened.push(sources.happened, shelf.happened);
    requireWork({ sources, shelf });
    const took = await undisturbed({ postgres, team, tree, sources, shelf, retried });
    happened.push(`all was done ${took} s later`);
    for (const daemon of daemons) await daemon.end();
    happened.push(await audit.require(trace, tree.path('')));
    const bill = await checkAll({ postgres, team, tree, sources, folders, program, retried });
    console.log(`seed ${seed}: ${happened.join('; ')}: ${bill}`);
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    report(`BROKEN: ${error.message}`);
    process.exitCode = 1;
  } finally {
    for (const daemon of daemons) await daemon.end();
    await rm(folders, { recursive: true, force: true });
  }
}

/** @throws Broken where so little was done that the result says little */
function requireWork({ sources, shelf }: Pick<Scene, 'sources' | 'shelf'>): void {
  const { corrections } = sources;
  const { confirmed } = shelf;
  if (confirmed < expected) throw new Broken(`only ${confirmed} saves were confirmed`);
  if (corrections < expected) throw new Broken(`only ${corrections} translations were corrected`);
}

interface Scene {
  readonly postgres: Postgres;
  readonly tree: Member;
  readonly sources: Sources;
  readonly shelf: Shelf;
  readonly daemons: readonly Daemon[];
  readonly random: Seeded;
  readonly happened: string[];
}

async function disturb(scene: Scene): Promise<void> {
  const { postgres, sources, daemons, random, happened } = scene;
  const deadline = performance.now() + seconds * 1000;
  const asleep = new Set<Promise<void> | undefined>();
  const people = work(scene, deadline + CALM_MS);
  while (performance.now() < deadline) {
    await wait(random.below(3000));
    for (let edits = random.below(8); edits > 0; edits--) {
      const change = sources.change();
      if (change !== undefined) happened.push(change);
    }
    if (random.isOneIn(8)) sources.changeTerms();
    if (random.isOneIn(8)) {
      const ms = random.below(LONGEST_OUTAGE_MS);
      happened.push(`the database was away for ${ms} ms`);
      await postgres.stop();
      await wait(ms);
      await postgres.start();
    }
    const nth = random.below(daemons.length);
    if (random.isOneIn(6)) {
      happened.push(`${nth} stood still`);
      asleep.add(daemons[nth]?.standStill());
    } else if (random.isOneIn(3)) {
      const fault = NETWORK_FAULTS[random.below(NETWORK_FAULTS.length)] ?? 'refuses';
      const ms = random.below(LONGEST_FAULT_MS);
      happened.push(`the network of ${nth} ${fault} for ${ms} ms`);
      asleep.add(daemons[nth]?.loseDatabase(fault, ms));
    } else {
      happened.push(`${nth} killed`);
      daemons[nth]?.kill();
    }
  }
  await Promise.all([people, ...asleep]);
}

/** People work to the end of the disturbance, and a while longer; then until they have done enough. */
async function work(scene: Scene, deadline: number): Promise<void> {
  const links = new Links(scene.tree);
  const people = Array.from({ length: PEOPLE }, (_, nth) => ({ nth, of: PEOPLE }));
  await Promise.all(people.map((person) => workAs(person, { ...scene, links }, deadline)));
}

async function workAs(
  person: Person,
  { sources, shelf, daemons, links }: Scene & { readonly links: Links },
  deadline: number,
): Promise<void> {
  const last = deadline + PATIENCE_MS;
  const isDone = () => Math.min(shelf.confirmed, sources.corrections) >= expected;
  const isOver = () => isDone() || performance.now() > last;
  for (let round = 0; performance.now() < deadline || !isOver(); round++) {
    if (round % 3 === 0) shelf.edit(person);
    sources.correct();
    for (const [nth, config] of LEADERS.entries()) {
      const page = daemons[nth]?.page;
      const token = await links.of(config);
      if (page !== undefined && token !== undefined) await shelf.save({ page, token }, person);
    }
    await wait(PAUSE_MS);
  }
}

/** A link of each daemon that may lead. One makes it while it leads, and knows it from then on. */
class Links {
  readonly #tree: Member;
  readonly #known = new Map<string, Promise<string | undefined>>();

  constructor(tree: Member) {
    this.#tree = tree;
  }

  async of(config: string): Promise<string | undefined> {
    const asked = this.#known.get(config) ?? linkOf(this.#tree, config);
    this.#known.set(config, asked);
    const link = await asked;
    if (link === undefined && this.#known.get(config) === asked) this.#known.delete(config);
    return link;
  }
}

/** The secret of the link with which a person opens a page; undefined: the daemon is away. */
async function linkOf(tree: Member, config: string): Promise<string | undefined> {
  const { stdout } = await tree.run('review', {}, 'link', 'anna', '--config', config);
  return stdout.includes('#token=')
    ? new URL(stdout.trim()).hash.slice('#token='.length)
    : undefined;
}

interface Left {
  readonly postgres: Postgres;
  readonly team: Team;
  readonly tree: Member;
  readonly sources: Sources;
  readonly shelf: Shelf;
  /** Gets the names of documents that a person has bought again. */
  readonly retried: Set<string>;
}

interface Unfinished {
  readonly turns: number;
  readonly offers: number;
  /** Jobs that are done. */
  readonly done: number;
  /** Jobs whose lines the lock may lack. */
  readonly unlocked: number;
  /** What the jobs are: `done` when they all are. */
  readonly kinds: string;
}

/**
 * @returns seconds until everything was there
 * @throws Broken when nothing goes on any more although not everything is there, or something is left that should be gone
 */
async function undisturbed(left: Left): Promise<number> {
  const { postgres, team, sources, shelf } = left;
  const began = performance.now();
  let deadline = began + PATIENCE_MS;
  // Offers become more before they become fewer: each number is compared with its own best one.
  const best: number[] = [];
  for (;;) {
    const wrong = [...sources.wrong, ...sources.leftBehind, ...shelf.wrong];
    const [row] = await postgres.query(
      `select (select count(*)::int from ${team.schema}.turns) as turns,
         (select count(*)::int from ${team.schema}_queues.job) as offers,
         (select count(*)::int from ${team.schema}.tree_jobs where record->'state'->>'kind' = 'done') as done,
         (select count(*)::int from ${team.schema}.tree_jobs where record ? 'lockLacks') as unlocked,
         (select string_agg(distinct record->'state'->>'kind', ' ') from ${team.schema}.tree_jobs j where not ${LEFT}) as kinds`.replaceAll(
        '@',
        team.schema,
      ),
    );
    const { turns, offers, done, unlocked, kinds } = row as unknown as Unfinished;
    const moving = await sourcesElsewhere(postgres, { team, sources });
    if (turns + offers === 0 && kinds === 'done held') await letGo(left);
    if (wrong.length === 0 && turns + offers + unlocked === 0 && kinds === 'done') {
      return Math.round((performance.now() - began) / 1000);
    }
    for (const [nth, open] of [wrong.length, turns + offers, unlocked, -done, moving].entries()) {
      if (open >= (best[nth] ?? Number.POSITIVE_INFINITY)) continue;
      best[nth] = open;
      deadline = performance.now() + PATIENCE_MS;
    }
    if (performance.now() > deadline) {
      const rest = `${unlocked} jobs are not in the lock, ${turns} turns, ${offers} offers (${await offersLeft(postgres, team)}), jobs are ${kinds}`;
      throw new Broken(`${rest}; ${wrong.length} texts are wrong: ${wrong.slice(0, 5).join(', ')}`);
    }
    await wait(500);
  }
}

/** How many sources are on record at another path than now: a leader moves their targets before it plans. */
async function sourcesElsewhere(
  postgres: Postgres,
  { team: { schema }, sources }: Pick<Left, 'team' | 'sources'>,
): Promise<number> {
  const present = new Set(sources.pairs.map(({ source }) => source));
  const known = await postgres.query(
    `select record->>'path' as path from ${schema}.tree_records
       where tbl = 'sources' and record->>'project' = 'app'`,
  );
  return known.filter(({ path }) => !present.has(String(path))).length;
}

/** What the queue still offers, for a report of what went wrong. */
async function offersLeft(postgres: Postgres, { schema }: Team): Promise<string> {
  const offers = await postgres.query(
    `select q.state, q.start_after - now() as wait, q.data->>'job' as job, j.record->'state' as job_state
       from ${schema}_queues.job q left join ${schema}.tree_jobs j on j.id = q.data->>'job' limit 20`,
  );
  return JSON.stringify(offers);
}

/**
 * A document whose sending was cut off may have been billed, and the service hands a result out once. A person says that it is to be bought
 * again. @throws Broken for other holds
 */
async function letGo({ postgres, team: { schema }, tree, retried }: Left): Promise<void> {
  const held = await postgres.query(
    `select record->>'source' as source, record->'state'->'hold'->>'kind' as kind
       from ${schema}.tree_jobs j where record->'state'->>'kind' = 'held' and not ${LEFT}`.replaceAll(
      '@',
      schema,
    ),
  );
  const others = held.filter(({ kind }) => kind !== 'in-doubt' && kind !== 'lost-result');
  if (others.length > 0) throw new Broken(`held: ${JSON.stringify(others)}`);
  for (const { source } of held) retried.add(basename(String(source)));
  let refused = '';
  for (const config of LEADERS) {
    const { code, stderr } = await tree.run('retry', {}, '--config', config, '--all', '--yes');
    if (code === 0) return;
    if (code !== 75) throw new Broken(`retry ended with ${code}: ${stderr}`);
    refused = stderr;
  }
  throw new Broken(`nobody took the retry: ${refused}`);
}

if (NO_POSTGRES === undefined) await torture();
else console.log(`not done: ${NO_POSTGRES}`);
