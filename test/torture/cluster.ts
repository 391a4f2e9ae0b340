/**
 * Four daemons on one tree under torture: `npm run torture:cluster -- --seed N --seconds N --files N`. docs/torture.md says how it is used.
 * While sources are edited, one daemon after the other is killed, or stands still for longer than the others wait; then all is counted.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
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
    ...{ members: 1, texts: 0, faults: LATENCY, program },
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
    console.log(`seed ${seed}: ${happened.join('; ')}: ${await countStrictly(team)}`);
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    const said = daemons.map((daemon) => daemon.lastWords).join('\n');
    console.log(`seed ${seed}: ${happened.join('; ')}\nBROKEN: ${error.message}\n${said}`);
    process.exitCode = 1;
  } finally {
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
      edit(tree, { file: random.below(files), random });
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
  const entries = Array.from({ length: KEYS }, (_, key) => [
    `key_${key}`,
    `Text ${random.below(100_000)} of file ${file}`,
  ]);
  tree.write(`en/file_${file}.json`, JSON.stringify(Object.fromEntries(entries), null, 2));
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
    if (wrong.length === 0 && turns + offers === 0 && kinds === 'done') return;
    if (performance.now() > deadline) {
      const left = `${turns} turns, ${offers} offers, jobs are ${kinds}`;
      throw new Broken(`${left}; ${wrong.length} texts are wrong: ${wrong.slice(0, 5).join(', ')}`);
    }
    await wait(500);
  }
}

/** Each text has one translation, of what it says now, and no two texts the same one. */
function wrongTargets(tree: Member): readonly string[] {
  const targets = new Map<string, string>();
  const sources = new Map<string, string>();
  const wrong: string[] = [];
  for (let file = 0; file < files; file++) {
    const target = `de/file_${file}.json`;
    const found = tree.has(target) ? entriesOf(tree, target) : {};
    for (const [key, source] of Object.entries(entriesOf(tree, `en/file_${file}.json`))) {
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
  const { billed_characters: billed, asked_twice } = team.sandbox.counters();
  const { sure, doubted, reserved, requests, leases } = await team.account();
  const twice = asked_twice.reduce((sum, { text, times }) => sum + (times - 1) * text.length, 0);
  const wrong: string[] = [];
  if (billed < sure || billed > sure + doubted) {
    wrong.push(
      `the service billed ${billed}; the books say ${sure}, and ${doubted} possibly twice`,
    );
  }
  if (twice > doubted) wrong.push(`${twice} characters bought twice, ${doubted} on the books so`);
  if (reserved + requests + leases > 0) {
    wrong.push(`${reserved} reserved, ${requests} requests and ${leases} texts are under way`);
  }
  if (wrong.length > 0) throw new Broken(wrong.join('\n'));
  return `${billed} billed, ${twice} of them twice, ${doubted} on the books as possibly twice`;
}

if (NO_POSTGRES === undefined) await torture();
else console.log(`not done: ${NO_POSTGRES}`);
