/**
 * Four checkouts of a team under torture: `npm run torture:team -- --seed N --rounds N`. docs/torture.md says how it is used.
 * In each round all want new texts at once, while processes are killed, connections cut and the database is away; then all is counted.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { Seeded } from '../seeded.ts';
import { type Member, Team } from '../shared-team.ts';
import { wholeNumber } from '../whole-number.ts';
import { Broken } from './installation.ts';

const MEMBERS = 4;
/** The program that users start: it starts in a third of the time that the sources need. */
const program = join(import.meta.dirname, '..', '..', 'dist', 'main.js');
const FILES = 6;
const KEYS = 12;
/** Each key has one of them: several keys want most of them. */
const DIFFERENT_TEXTS = 90;
const LAST_RUNS = 6;
const FIRST_REQUEST_MS = 10_000;
const LATENCY = [{ kind: 'latency', ms: 60, times: 'always' }] as const;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '3600' },
  },
});
const seed = wholeNumber('seed', values.seed);
const rounds = wholeNumber('rounds', values.rounds);
const deadline = performance.now() + wholeNumber('seconds', values.seconds) * 1000;

if (NO_POSTGRES === undefined) await torture();
else console.log(`not done: ${NO_POSTGRES}`);

async function torture(): Promise<void> {
  await using postgres = await openPostgres();
  await using team = await Team.start(postgres, {
    members: MEMBERS,
    texts: 0,
    faults: LATENCY,
    program,
  });
  let done = 0;
  for (; done < rounds && performance.now() < deadline; done++) {
    const happened: string[] = [];
    try {
      const random = new Seeded(seed, done);
      for (const member of team.members) writeSources(member, { random, round: done });
      await disturbed({ postgres, team, random, happened });
      console.log(`round ${done}: ${happened.join('; ')}: ${await countStrictly(team, done)}`);
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      console.log(`round ${done}: ${happened.join('; ')}\nBROKEN: ${error.message}`);
      process.exitCode = 1;
      return;
    }
  }
  console.log(`seed ${seed}: ${done} of ${rounds} rounds`);
}

function writeSources(member: Member, { random, round }: { random: Seeded; round: number }): void {
  for (let file = 0; file < FILES; file++) {
    const entries = Array.from({ length: KEYS }, (_, key) => [
      `key_${key}`,
      `Text ${random.below(DIFFERENT_TEXTS)} of round ${round}`,
    ]);
    member.write(`en/file_${file}.json`, JSON.stringify(Object.fromEntries(entries), null, 2));
  }
}

interface Scene {
  readonly postgres: Postgres;
  readonly team: Team;
  readonly random: Seeded;
  readonly happened: string[];
}

/** All work at once; what is killed comes back at the end. */
async function disturbed({ postgres, team, random, happened }: Scene): Promise<void> {
  const before = asked(team);
  const running = team.members.map((member) => {
    const child = member.spawn('once');
    child.stdout.resume();
    child.stderr.resume();
    return { child, closed: once(child, 'close') };
  });
  // Most strike while much is on its way.
  const patience = performance.now() + FIRST_REQUEST_MS;
  const isEarly = random.isOneIn(4);
  while (!isEarly && asked(team) === before && performance.now() < patience) await wait(5);
  for (let events = 1 + random.below(4); events > 0; events--) {
    await wait(random.below(random.pick([50, 500, 1500])));
    switch (random.pick(['kill', 'kill', 'cut', 'away'] as const)) {
      case 'kill': {
        const victim = random.below(MEMBERS);
        running[victim]?.child.kill('SIGKILL');
        happened.push(`member ${victim} killed`);
        break;
      }
      case 'cut':
        await postgres.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'runner'`,
        );
        happened.push('connections cut');
        break;
      case 'away': {
        const ms = random.below(3000);
        await postgres.stop();
        await wait(ms);
        await postgres.start();
        happened.push(`database away for ${ms} ms`);
        break;
      }
    }
  }
  await Promise.all(running.map(({ closed }) => closed));
  await Promise.all(team.members.map(finish));
}

function asked({ sandbox }: Team): number {
  return sandbox.counters().operations['POST /v2/translate']?.calls ?? 0;
}

/** @throws Broken when not everything is there after some runs */
async function finish(member: Member): Promise<void> {
  let last = '';
  for (let run = 0; run < LAST_RUNS; run++) {
    const { code, held, failed } = await member.onceApart();
    if (code === 0) return;
    last = `once: ${code}, ${JSON.stringify([...held, ...failed])}`;
  }
  throw new Broken(`after ${LAST_RUNS} runs not everything is there: ${last}`);
}

/** Everything that was paid twice must be in the books as such; every text has one translation, in every checkout. @throws Broken */
async function countStrictly(team: Team, round: number): Promise<string> {
  const { billed_characters: billed, asked_twice } = team.sandbox.counters();
  const { sure, doubted, reserved, requests, leases } = await team.account();
  const twice = asked_twice.reduce((sum, { text, times }) => sum + (times - 1) * text.length, 0);
  const wrong = [...differences(team, round)];
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

function differences({ members }: Team, round: number): Iterable<string> {
  const known = new Map<string, string>();
  const wrong = new Set<string>();
  for (const member of members) {
    for (let file = 0; file < FILES; file++) {
      const [sources, targets] = ['en', 'de'].map(
        (folder) =>
          JSON.parse(member.read(`${folder}/file_${file}.json`)) as Record<string, string>,
      );
      for (const [key, source] of Object.entries(sources ?? {})) {
        const target = targets?.[key] ?? '';
        const first = known.get(source) ?? target;
        known.set(source, first);
        if (target === '' || target !== first)
          wrong.add(`round ${round}: "${source}" is "${target}"`);
      }
    }
  }
  return wrong;
}
