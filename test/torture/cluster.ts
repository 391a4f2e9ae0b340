/**
 * Four daemons on one tree under torture: `npm run torture:cluster -- --seed N --seconds N --files N`. docs/torture.md says how it is used.
 * Sources are edited, moved and removed. Meanwhile one daemon after the other is killed, stands still for longer than the others wait, or
 * loses its connection. Or all of them lose it, because the database is away. Then all is counted.
 */
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { UPLOAD as DOCUMENT_UPLOAD } from '../lanes/document/office.ts';
import { UPLOAD } from '../lanes/voice/voice-rig.ts';
import { NETWORK_FAULTS, Network, type NetworkFault } from '../network.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { Seeded } from '../seeded.ts';
import { type Member, Team } from '../shared-team.ts';
import { wholeNumber } from '../whole-number.ts';
import { SHELF, Shelf } from './cluster-shelf.ts';
import { RECORDING_SECONDS, ROUTES, Sources } from './cluster-sources.ts';
import { Broken } from './installation.ts';
import { hasItsNumbers } from './numbers.ts';

/** Two that may lead, and two that only work. */
const ROLES = ['both', 'both', 'worker', 'worker'] as const;
/** The configs of those that may lead. */
const LEADERS = ROLES.flatMap((role, nth) => (role === 'both' ? [`daemon-${nth}.yaml`] : []));
/** What users start. */
const program = join(import.meta.dirname, '..', '..', 'dist', 'main.js');
/** Longer than a daemon is waited for. */
const STILL_MS = 12_000;
/** The longest fault of a network: most are shorter than a daemon is waited for, some are longer. */
const LONGEST_FAULT_MS = 15_000;
const LONGEST_OUTAGE_MS = 9000;
/** A paid document whose source a person removed before it was put in place: it is kept for them. */
const LEFT = `(j.record->'state'->'hold'->>'kind' = 'source-gone' and not exists (select from @.tree_records r
  where r.tbl = 'sources' and r.record->>'path' = j.record->>'source'))`;
/** After the end of the disturbance, something goes on at least this often: a busy machine takes longer for all of it. */
const PATIENCE_MS = 180_000;
const PAGE = /http:\/\/127\.0\.0\.1:\d+\/(?=; \\"dragoman dashboard)/g;
/** How long people work on after the disturbance: until then, most saves meet a daemon that is away. */
const CALM_MS = 20_000;
/** Between two saves. */
const PAUSE_MS = 100;
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
const renames = pathToFileURL(join(import.meta.dirname, '..', 'slow-renames-process.ts')).href;
const preload = `${renames}?ms=${wholeNumber('rename', values.rename)}`;

async function torture(): Promise<void> {
  await using postgres = await openPostgres();
  await using team = await Team.start(postgres, {
    ...{ members: 1, texts: 0, faults: LATENCY, program, routes: ROUTES },
  });
  await postgres.queues(team.schema, 'website');
  const [tree] = team.members as [Member];
  const random = new Seeded(seed, 0);
  const sources = new Sources(tree, { files, random });
  const shelf = new Shelf(tree, { files: shelved, random: new Seeded(seed, 1) });
  const folders = await mkdtemp(join(tmpdir(), 'dragoman-cluster-'));
  await using networks = new AsyncDisposableStack();
  const daemons: Daemon[] = [];
  for (const [nth, role] of ROLES.entries()) {
    const network = networks.use(await Network.to(postgres.port));
    const url = network.through(postgres.runner);
    daemons.push(Daemon.start({ tree, team, folders, role, network, url, name: `daemon-${nth}` }));
  }
  const happened: string[] = [];
  try {
    await disturb({ postgres, tree, sources, shelf, daemons, random, happened });
    happened.push(
      `people saved ${shelf.saves} texts, and ${shelf.confirmed} saves were confirmed (${shelf.answers})`,
    );
    if (shelf.confirmed === 0) throw new Broken('no save of a person was confirmed');
    const retried = new Set<string>();
    const took = await undisturbed({ postgres, team, tree, sources, shelf, retried });
    happened.push(`all was done ${took} s later`);
    for (const daemon of daemons) await daemon.end();
    await requireLock(tree, folders);
    await compareOthers(postgres, { tree, sources });
    console.log(`seed ${seed}: ${happened.join('; ')}: ${await countStrictly(team, retried)}`);
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    const said = daemons.map((daemon) => daemon.lastWords).join('\n');
    console.log(`seed ${seed}: ${happened.join('; ')}\nBROKEN: ${error.message}\n${said}`);
    process.exitCode = 1;
  } finally {
    for (const daemon of daemons) await daemon.end();
    await rm(folders, { recursive: true, force: true });
  }
}

interface Place {
  readonly tree: Member;
  readonly team: Team;
  /** In which each daemon has a state folder. */
  readonly folders: string;
  readonly role: (typeof ROLES)[number];
  readonly name: string;
  /** Between the daemon and the database. */
  readonly network: Network;
  /** The address of the database, through the network. */
  readonly url: string;
}

/** One that comes back when it is killed, as a supervisor brings it. */
class Daemon {
  readonly #place: Place;
  #child: ReturnType<Member['spawn']>;
  #said = '';

  static start(place: Place): Daemon {
    const { tree, team, folders, name } = place;
    const folder = join(folders, name);
    tree.configure(
      team.schema,
      'lock: dragoman.lock\npage: { listen: "127.0.0.1:0", reviewers: [{ name: anna, languages: [de, fr, it] }] }',
      {
        state: `, folder: "${folder}", key: { env: STATE_KEY }, tree: website`,
        ...{ routes: ROUTES, projects: SHELF },
      },
    );
    tree.write(`${name}.yaml`, tree.read('dragoman.yaml'));
    return new Daemon(place);
  }

  private constructor(place: Place) {
    this.#place = place;
    this.#child = this.#spawn();
  }

  get lastWords(): string {
    return `${this.#place.name}: ${this.#said.slice(-1500)}`;
  }

  /** The address of its page, if it served one at last. */
  get page(): string | undefined {
    return [...this.#said.matchAll(PAGE)].at(-1)?.[0];
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async standStill(): Promise<void> {
    const child = this.#child;
    child.kill('SIGSTOP');
    await wait(STILL_MS);
    child.kill('SIGCONT');
  }

  async loseDatabase(fault: NetworkFault, ms: number): Promise<void> {
    const { network } = this.#place;
    network.disturb(fault);
    await wait(ms);
    network.heal();
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.removeAllListeners('exit');
    this.#child.kill('SIGTERM');
    await closed;
  }

  #spawn(): ReturnType<Member['spawn']> {
    const { tree, name, role, url } = this.#place;
    const child = tree.spawn('run', { url, preload }, '--config', `${name}.yaml`, '--role', role);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        this.#said += chunk;
      });
    }
    // Killed, or a leader that was replaced while it stood still.
    child.once('exit', () => {
      this.#child = this.#spawn();
    });
    return child;
  }
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

/** A person at a time: whoever edits a catalog beside another one who saves into it may write back what it was. */
async function work({ tree, shelf, daemons }: Scene, deadline: number): Promise<void> {
  const links = new Map<string, string>();
  const last = deadline + PATIENCE_MS;
  const isOver = () => shelf.confirmed > 0 || performance.now() > last;
  while (performance.now() < deadline || !isOver()) {
    if (shelf.saves % 3 === 0) shelf.edit();
    for (const [nth, config] of LEADERS.entries()) {
      const page = daemons[nth]?.page;
      if (page === undefined) continue;
      const link = links.get(config) ?? (await linkOf(tree, config));
      if (link === undefined) continue;
      links.set(config, link);
      await shelf.save(page, link);
    }
    await wait(PAUSE_MS);
  }
}

/** The secret of the link with which a person opens a page; undefined: the daemon is away. */
async function linkOf(tree: Member, config: string): Promise<string | undefined> {
  const { stdout } = await tree.run('review', {}, 'link', 'anna', '--config', config);
  return stdout.includes('#token=')
    ? new URL(stdout.trim()).hash.slice('#token='.length)
    : undefined;
}

/** @throws Broken where a checkout without state, which has only the files and the lock, says that something is to be done */
async function requireLock(tree: Member, folders: string): Promise<void> {
  // The last recording may be removed: a route whose folder is missing fails.
  mkdirSync(tree.path('spoken'), { recursive: true });
  const state = join(folders, 'none');
  tree.write('alone.yaml', tree.read('dragoman.yaml').replace(/^state:.*$/m, `state: "${state}"`));
  const child = tree.spawn('once', {}, '--frozen', '--config', 'alone.yaml');
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (code !== 0)
    throw new Broken(`a checkout without state ended with ${code}: ${stdout}${stderr}`);
}

/** @throws Broken where a target is not as a daemon on its own makes it */
async function compareOthers(
  postgres: Postgres,
  { tree, sources }: Pick<Left, 'tree' | 'sources'>,
): Promise<void> {
  const others = sources.pairs.filter(({ source }) => !source.endsWith('.json'));
  await using team = await Team.start(postgres, { members: 1, texts: 0, program, routes: ROUTES });
  const [alone] = team.members as [Member];
  alone.configureAlone({ routes: ROUTES });
  for (const { source } of others) alone.write(source, readFileSync(tree.path(source)));
  // The last recording may be removed: a route whose folder is missing fails.
  mkdirSync(alone.path('spoken'), { recursive: true });
  const { code } = await alone.onceApart();
  if (code !== 0) throw new Broken(`a daemon on its own ended with ${code}`);
  const wrong = others.filter(
    ({ target }) => !tree.has(target) || tree.read(target) !== alone.read(target),
  );
  if (wrong.length > 0) {
    throw new Broken(`not as they should be: ${wrong.map(({ target }) => target).join(', ')}`);
  }
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
  const { postgres, team, tree, sources, shelf } = left;
  const began = performance.now();
  let deadline = began + PATIENCE_MS;
  // Offers become more before they become fewer: each number is compared with its own best one.
  const best: number[] = [];
  for (;;) {
    const wrong = [...wrongTargets(tree, sources), ...sources.leftBehind, ...shelf.wrong];
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

/** Each text has one translation, of what it says now, and no two texts the same one. */
function wrongTargets(tree: Member, { pairs }: Sources): readonly string[] {
  const targets = new Map<string, string>();
  const sources = new Map<string, string>();
  const wrong: string[] = [];
  for (const { source: from, target } of pairs) {
    if (!from.endsWith('.json')) {
      if (!tree.has(target)) wrong.push(target);
      continue;
    }
    const found = tree.has(target) ? entriesOf(tree, target) : {};
    for (const [key, source] of Object.entries(entriesOf(tree, from))) {
      const text = found[key] ?? '';
      const isTaken = (sources.get(text) ?? source) !== source;
      const isOther = (targets.get(source) ?? text) !== text;
      if (!hasItsNumbers(text, source) || isTaken || isOther) wrong.push(`${target}#${key}`);
      targets.set(source, text);
      sources.set(text, source);
    }
  }
  return wrong;
}

function entriesOf(tree: Member, path: string): Record<string, string> {
  return JSON.parse(tree.read(path)) as Record<string, string>;
}

/**
 * Texts that were paid twice must be on the books as such. A document is bought twice only by a person: the service counts its name with a
 * hash, not its characters. @throws Broken
 */
async function countStrictly(team: Team, retried: ReadonlySet<string>): Promise<string> {
  const { billed_characters: billed, asked_twice, operations } = team.sandbox.counters();
  const { sure, doubted, reserved, requests, leases, seconds: heard } = await team.account();
  const uploaded = (operations[UPLOAD]?.statuses[204] ?? 0) * RECORDING_SECONDS;
  const texts = asked_twice.filter(({ operation }) => operation !== DOCUMENT_UPLOAD);
  const twice = texts.reduce((sum, { text, times }) => sum + (times - 1) * text.length, 0);
  const documents = asked_twice.filter(({ operation }) => operation === DOCUMENT_UPLOAD);
  const alone = documents.filter(({ text }) => !retried.has(text.replace(/ sha256:.*/s, '')));
  const wrong: string[] = [];
  if (billed < sure || billed > sure + doubted) {
    wrong.push(
      `the service billed ${billed}; the books say ${sure}, and ${doubted} possibly twice`,
    );
  }
  if (uploaded > heard)
    wrong.push(`the service took ${uploaded} s of voice, the books say ${heard}`);
  if (twice > doubted) {
    const which = JSON.stringify(texts.slice(0, 20));
    wrong.push(`${twice} characters bought twice, ${doubted} on the books so: ${which}`);
  }
  if (alone.length > 0) wrong.push(`sent again by nobody's wish: ${JSON.stringify(alone)}`);
  if (reserved + requests + leases > 0) {
    wrong.push(`${reserved} reserved, ${requests} requests and ${leases} texts are under way`);
  }
  if (wrong.length > 0) throw new Broken(wrong.join('\n'));
  return `${billed} billed, ${twice} of them twice, ${doubted} on the books as possibly twice, ${heard} s of voice`;
}

if (NO_POSTGRES === undefined) await torture();
else console.log(`not done: ${NO_POSTGRES}`);
