/**
 * Four daemons on one tree under torture: `npm run torture:cluster -- --seed N --seconds N --files N`. docs/torture.md says how it is used.
 * While sources are edited, one daemon after the other is killed, or stands still for longer than the others wait; then all is counted.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { silence, UPLOAD } from '../lanes/voice/voice-rig.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { Seeded } from '../seeded.ts';
import { type Member, Team } from '../shared-team.ts';
import { wholeNumber } from '../whole-number.ts';
import { Broken } from './installation.ts';

/** Two that may lead, and two that only work. */
const ROLES = ['both', 'both', 'worker', 'worker'] as const;
/** What users start. */
const program = join(import.meta.dirname, '..', '..', 'dist', 'main.js');
const KEYS = 5;
/** Most files are JSON; the first of so many is another one, whose target is compared with that of a daemon on its own. */
const OTHERS: readonly { readonly of: number; readonly source: string; readonly target: string }[] =
  [
    { of: 500, source: 'spoken/NAME.wav', target: 'heard/de/NAME.txt' },
    { of: 50, source: 'en/NAME.txt', target: 'de/NAME.txt' },
    { of: 25, source: 'en/NAME.srt', target: 'de/NAME.srt' },
  ];
const ROUTES =
  ', { from: "{locale}/*.srt" }, { from: "spoken/*.wav", to: { transcript: "heard/{locale}/{name}.txt" } }';
const RECORDING_SECONDS = 2;
/** Longer than a daemon is waited for. */
const STILL_MS = 12_000;
/** What all of it may take when nothing is disturbed any more. */
const PATIENCE_MS = 180_000;
const LATENCY = [{ kind: 'latency', ms: 60, times: 'always' }] as const;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    files: { type: 'string', default: '200' },
  },
});
const seed = wholeNumber('seed', values.seed);
const seconds = wholeNumber('seconds', values.seconds);
const files = wholeNumber('files', values.files);

async function torture(): Promise<void> {
  await using postgres = await openPostgres();
  await using team = await Team.start(postgres, {
    ...{ members: 1, texts: 0, faults: LATENCY, program, routes: ROUTES },
  });
  await postgres.queues(team.schema, 'website');
  const [tree] = team.members as [Member];
  const random = new Seeded(seed, 0);
  for (let file = 0; file < files; file++) edit(tree, { file, random });
  const folders = await mkdtemp(join(tmpdir(), 'dragoman-cluster-'));
  const daemons = ROLES.map((role, nth) =>
    Daemon.start({ tree, team, folders, role, name: `daemon-${nth}` }),
  );
  const happened: string[] = [];
  try {
    await disturb({ tree, daemons, random, happened });
    await undisturbed({ postgres, team, tree });
    for (const daemon of daemons) await daemon.end();
    await compareOthers(postgres, tree);
    console.log(`seed ${seed}: ${happened.join('; ')}: ${await countStrictly(team)}`);
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
}

/** One that comes back when it is killed, as a supervisor brings it. */
class Daemon {
  readonly #place: Place;
  #child: ReturnType<Member['spawn']>;
  #said = '';

  static start(place: Place): Daemon {
    const { tree, team, folders, name } = place;
    const folder = join(folders, name);
    tree.configure(team.schema, '', {
      state: `, folder: "${folder}", key: { env: STATE_KEY }, tree: website`,
      routes: ROUTES,
    });
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

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async standStill(): Promise<void> {
    const child = this.#child;
    child.kill('SIGSTOP');
    await wait(STILL_MS);
    child.kill('SIGCONT');
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.removeAllListeners('exit');
    this.#child.kill('SIGTERM');
    await closed;
  }

  #spawn(): ReturnType<Member['spawn']> {
    const { tree, name, role } = this.#place;
    const child = tree.spawn('run', {}, '--config', `${name}.yaml`, '--role', role);
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
  readonly tree: Member;
  readonly daemons: readonly Daemon[];
  readonly random: Seeded;
  readonly happened: string[];
}

async function disturb({ tree, daemons, random, happened }: Scene): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  const asleep = new Set<Promise<void> | undefined>();
  while (performance.now() < deadline) {
    await wait(random.below(3000));
    for (let edits = random.below(8); edits > 0; edits--) {
      const file = random.below(files);
      edit(tree, { file: random.isOneIn(5) ? file - (file % 25) : file, random });
    }
    const nth = random.below(daemons.length);
    if (random.isOneIn(6)) {
      happened.push(`${nth} stood still`);
      asleep.add(daemons[nth]?.standStill());
    } else {
      happened.push(`${nth} killed`);
      daemons[nth]?.kill();
    }
  }
  await Promise.all(asleep);
}

function edit(tree: Member, { file, random }: { file: number; random: Seeded }): void {
  const { source } = pathsOf(file);
  const text = () => `Text ${random.below(100_000)} of file ${file}`;
  if (source.endsWith('.json')) {
    const entries = Array.from({ length: KEYS }, (_, key) => [`key_${key}`, text()]);
    tree.write(source, JSON.stringify(Object.fromEntries(entries), null, 2));
  } else if (source.endsWith('.wav')) {
    tree.write(source, silence(RECORDING_SECONDS, random.below(200)));
  } else {
    const time = source.endsWith('.srt') ? '1\n00:00:01,000 --> 00:00:04,000\n' : '';
    tree.write(source, `${time}${text()}\n`);
  }
}

function pathsOf(file: number): { readonly source: string; readonly target: string } {
  const other = OTHERS.find(({ of }) => file % of === 0);
  const { source, target } = other ?? { source: 'en/NAME.json', target: 'de/NAME.json' };
  const named = (path: string) => path.replace('NAME', `file_${file}`);
  return { source: named(source), target: named(target) };
}

/** @throws Broken where a target is not as a daemon on its own makes it */
async function compareOthers(postgres: Postgres, tree: Member): Promise<void> {
  const others = Array.from({ length: files }, (_, file) => pathsOf(file)).filter(
    ({ source }) => !source.endsWith('.json'),
  );
  await using team = await Team.start(postgres, { members: 1, texts: 0, program, routes: ROUTES });
  const [alone] = team.members as [Member];
  alone.configureAlone({ routes: ROUTES });
  for (const { source } of others) alone.write(source, readFileSync(tree.path(source)));
  const { code } = await alone.onceApart();
  if (code !== 0) throw new Broken(`a daemon on its own ended with ${code}`);
  const wrong = others.filter(
    ({ target }) => !tree.has(target) || tree.read(target) !== alone.read(target),
  );
  if (wrong.length > 0) {
    throw new Broken(`not as they should be: ${wrong.map(({ target }) => target).join(', ')}`);
  }
}

/** @throws Broken when not everything is there after a while */
async function undisturbed({
  postgres,
  team,
  tree,
}: {
  postgres: Postgres;
  team: Team;
  tree: Member;
}) {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const wrong = wrongTargets(tree);
    const [row] = await postgres.query(
      `select (select count(*)::int from ${team.schema}.turns) as turns,
         (select count(*)::int from ${team.schema}_queues.job) as offers,
         (select string_agg(distinct record->'state'->>'kind', ' ') from ${team.schema}.tree_jobs) as kinds`,
    );
    const { turns, offers, kinds } = row as { turns: number; offers: number; kinds: string };
    if (turns + offers === 0 && kinds === 'done held') await letGo(postgres, team, tree);
    if (wrong.length === 0 && turns + offers === 0 && kinds === 'done') return;
    if (performance.now() > deadline) {
      const left = `${turns} turns, ${offers} offers, jobs are ${kinds}`;
      throw new Broken(`${left}; ${wrong.length} texts are wrong: ${wrong.slice(0, 5).join(', ')}`);
    }
    await wait(500);
  }
}

/**
 * A document whose sending was cut off may have been billed, and the service hands a result out once: a person says that it is to
 * be bought again. @throws Broken for other holds
 */
async function letGo(postgres: Postgres, { schema }: Team, tree: Member): Promise<void> {
  const held = await postgres.query(
    `select record->>'source' as source, record->'state'->'hold'->>'kind' as kind
       from ${schema}.tree_jobs where record->'state'->>'kind' = 'held'`,
  );
  const others = held.filter(({ kind }) => kind !== 'in-doubt' && kind !== 'lost-result');
  if (others.length > 0) throw new Broken(`held: ${JSON.stringify(others)}`);
  const leaders = ROLES.flatMap((role, nth) => (role === 'both' ? [`daemon-${nth}.yaml`] : []));
  let refused = '';
  for (const config of leaders) {
    const { code, stderr } = await tree.run('retry', {}, '--config', config, '--all', '--yes');
    if (code === 0) return;
    if (code !== 75) throw new Broken(`retry ended with ${code}: ${stderr}`);
    refused = stderr;
  }
  throw new Broken(`nobody took the retry: ${refused}`);
}

/** Each text has one translation, of what it says now, and no two texts the same one. */
function wrongTargets(tree: Member): readonly string[] {
  const targets = new Map<string, string>();
  const sources = new Map<string, string>();
  const wrong: string[] = [];
  for (let file = 0; file < files; file++) {
    const { source: from, target } = pathsOf(file);
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

/** The sandbox keeps numbers, and each text of ours has one of its own. */
function hasItsNumbers(text: string, source: string): boolean {
  return String(text.match(/\d+/g)) === String(source.match(/\d+/g));
}

function entriesOf(tree: Member, path: string): Record<string, string> {
  return JSON.parse(tree.read(path)) as Record<string, string>;
}

/** What was paid twice must be on the books as such. @throws Broken */
async function countStrictly(team: Team): Promise<string> {
  const { billed_characters: billed, asked_twice, operations } = team.sandbox.counters();
  const { sure, doubted, reserved, requests, leases, seconds: heard } = await team.account();
  const uploaded = (operations[UPLOAD]?.statuses[204] ?? 0) * RECORDING_SECONDS;
  const twice = asked_twice.reduce((sum, { text, times }) => sum + (times - 1) * text.length, 0);
  const wrong: string[] = [];
  if (billed < sure || billed > sure + doubted) {
    wrong.push(
      `the service billed ${billed}; the books say ${sure}, and ${doubted} possibly twice`,
    );
  }
  if (uploaded > heard)
    wrong.push(`the service took ${uploaded} s of voice, the books say ${heard}`);
  if (twice > doubted) wrong.push(`${twice} characters bought twice, ${doubted} on the books so`);
  if (reserved + requests + leases > 0) {
    wrong.push(`${reserved} reserved, ${requests} requests and ${leases} texts are under way`);
  }
  if (wrong.length > 0) throw new Broken(wrong.join('\n'));
  return `${billed} billed, ${twice} of them twice, ${doubted} on the books as possibly twice, ${heard} s of voice`;
}

if (NO_POSTGRES === undefined) await torture();
else console.log(`not done: ${NO_POSTGRES}`);
