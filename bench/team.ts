/**
 * What a team's database guarantees, asked of real processes and one service that counts. Texts are bought once, and a budget and a rate
 * hold for all. A killed process, or a database that is away, costs little time and nothing twice. `--smoke`: few processes, small sizes. A
 * count that is not exact is an error; only times are figures.
 */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../src/clock.ts';
import type { RecipeKey } from '../src/job.ts';
import type { LanguageTag } from '../src/language.ts';
import { Database } from '../src/state/postgres/database.ts';
import { keyed, TeamMemories } from '../src/state/postgres/team-memory.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../test/postgres.ts';
import { Seeded } from '../test/seeded.ts';
import { type Member, Team } from '../test/shared-team.ts';
import { MAIN as program } from './program.ts';
import { report } from './row.ts';
import { median } from './tree.ts';

const isSmoke = process.argv.includes('--smoke');
const MEMBERS = isSmoke ? 2 : 4;
/** Of each member; drawn from as many, so that most are wanted by several. */
const TEXTS = isSmoke ? 30 : 3000;
const BUDGET = isSmoke ? 1200 : 40_000;
const PER_SECOND = 40;
const RATED_TEXTS = isSmoke ? 200 : 2000;
const AWAY_MS = isSmoke ? 500 : 60_000;
const REMEMBERED = isSmoke ? 2000 : 1_000_000;
const LOOKED_UP = 1000;
const LEAST = 'select key from @.memory where key = any($1::uuid[])';
const LOOKS = isSmoke ? 5 : 40;
const SLOW = [{ kind: 'latency', ms: 30, times: 'always' }] as const;
const TRIES = 5;

if (NO_POSTGRES === undefined) await measure();
else console.log(`not measured: ${NO_POSTGRES}`);

async function measure(): Promise<void> {
  await using postgres = await openPostgres();
  await boughtOnce(postgres);
  await budgetHolds(postgres);
  await rateHolds(postgres);
  await oneIsKilled(postgres);
  await databaseIsAway(postgres);
  await connectionsAreCut(postgres);
  await lookUp(postgres);
}

async function boughtOnce(postgres: Postgres): Promise<void> {
  const drawn = drawnTexts(1);
  await using team = await startTeam(postgres, drawn);
  const began = performance.now();
  await Promise.all(team.members.map(toTheEnd));
  const seconds = (performance.now() - began) / 1000;
  await countStrictly(team, drawn.distinct);
  report({
    what: `texts bought, of ${MEMBERS * TEXTS} that ${MEMBERS} processes want (${seconds.toFixed(1)} s)`,
    today: sentTexts(team),
    bare: drawn.distinct,
    unit: 'texts',
    goal: { ratio: 1 },
  });
}

async function budgetHolds(postgres: Postgres): Promise<void> {
  await using team = await Team.start(postgres, {
    ...{ program, members: MEMBERS, texts: TEXTS, own: true, faults: SLOW },
    more: `budget: { month: ${BUDGET} }`,
  });
  const ended = await Promise.all(team.members.map((member) => member.onceApart()));
  if (ended.every(({ held }) => held.length === 0)) throw new Error('the budget held nothing');
  const { billed_characters } = team.sandbox.counters();
  await balance(team);
  report({
    what: `characters billed, of a month that ${MEMBERS} processes share`,
    today: billed_characters,
    bare: BUDGET,
    unit: 'characters',
    goal: { ratio: 1 },
  });
}

async function rateHolds(postgres: Postgres): Promise<void> {
  await using team = await Team.start(postgres, {
    ...{ program, members: MEMBERS, texts: RATED_TEXTS, own: true },
    service: `, rate: { per_second: ${PER_SECOND} }`,
    faults: [{ kind: 'status', status: 429, operation: 'POST /v2/translate', times: 1, skip: 20 }],
  });
  await Promise.all(team.members.map(toTheEnd));
  await balance(team);
  const times = team.sandbox
    .log()
    .filter(({ operation }) => operation === 'POST /v2/translate')
    .map(({ at }) => Date.parse(at));
  const first = Math.min(...times);
  const seconds = (Math.max(...times) - first) / 1000;
  const bySecond = Map.groupBy(times, (at) => Math.floor((at - first) / 1000)).values();
  const busiest = Math.max(...[...bySecond].map((each) => each.length));
  report({
    what: `${times.length} requests at ${PER_SECOND}/s shared by ${MEMBERS} (busiest second ${busiest}), one refused with 429`,
    today: seconds,
    bare: (times.length - 1) / PER_SECOND,
    unit: 's',
    goal: { ratio: 2 },
  });
}

/** The first process hangs in its first requests and is killed there: all others want its texts. */
async function oneIsKilled(postgres: Postgres): Promise<void> {
  await using team = await Team.start(postgres, {
    ...{ program, members: MEMBERS, texts: isSmoke ? 20 : 400, slowMs: 15_000 },
  });
  const [victim, ...others] = team.members as [Member, ...Member[]];
  const child = victim.spawn('once');
  await team.until('select 1 from @.requests');
  const ended = Promise.all(others.map(toTheEnd));
  await team.until(`select 1 from @.runners having count(*) = ${MEMBERS}`);
  child.kill('SIGKILL');
  const killed = performance.now();
  await once(child, 'close');
  await team.until(`select 1 from @.charges where record->>'kind' = 'possibly-twice'`);
  const seconds = (performance.now() - killed) / 1000;
  await ended;
  await toTheEnd(victim);
  await balance(team);
  report({
    what: `kill -9 of one of ${MEMBERS}: until its texts are free for the others`,
    today: seconds,
    // The time of silence after which a runner is given up.
    bare: 6,
    unit: 's',
    goal: { most: 10 },
  });
}

async function databaseIsAway(postgres: Postgres): Promise<void> {
  const drawn = drawnTexts(2);
  await using team = await startTeam(postgres, drawn);
  const ended = Promise.all(team.members.map(toTheEnd));
  await team.until('select 1 from @.memory');
  await postgres.stop();
  await wait(AWAY_MS);
  await postgres.start();
  const back = performance.now();
  await ended;
  const seconds = (performance.now() - back) / 1000;
  await countStrictly(team, drawn.distinct);
  report({
    what: `texts bought, with ${AWAY_MS / 1000} s without the database (all at rest ${seconds.toFixed(1)} s later)`,
    today: sentTexts(team),
    bare: drawn.distinct,
    unit: 'texts',
    goal: { ratio: 1 },
  });
}

async function connectionsAreCut(postgres: Postgres): Promise<void> {
  const drawn = drawnTexts(3);
  await using team = await startTeam(postgres, drawn);
  let isOver = false;
  let cuts = 0;
  const cutting = (async () => {
    while (!isOver) {
      const [row] = await postgres.query(
        `select count(pg_terminate_backend(pid))::int as cut from (select pid from pg_stat_activity
         where usename = 'runner' order by random() limit 4) victims`,
      );
      cuts += Number(row?.['cut']);
      await wait(200);
    }
  })();
  await Promise.all(team.members.map(toTheEnd));
  isOver = true;
  await cutting;
  await countStrictly(team, drawn.distinct);
  report({
    what: `texts bought, with ${cuts} connections cut`,
    today: sentTexts(team),
    bare: drawn.distinct,
    unit: 'texts',
    goal: { ratio: 1 },
  });
}

/** The question of the product beside the least one that finds the same rows. */
async function lookUp(postgres: Postgres): Promise<void> {
  const schema = await postgres.schema();
  const key = `substr(encode(sha256(convert_to('["app","de","r","Text ' || n || '"]', 'utf8')), 'hex'), 1, 32)::uuid`;
  await postgres.query(
    `insert into ${schema}.memory (key, project, language, recipe, source, translation, request, at)
     select ${key}, 'app', 'de', 'r', 'Text ' || n, 'Wort ' || n, 'q', now() from generate_series(1, ${REMEMBERED}) n`,
  );
  await postgres.query(`analyze ${schema}.memory`);
  await using database = new Database({
    ...{ url: postgres.runner, schema, clock: systemClock, patienceMs: 0 },
    onAway: () => {},
    onBack: () => {},
  });
  const memories = new TeamMemories({ database, name: 'bench', since: new Date(0).toISOString() });
  const [project, language, recipe] = ['app', 'de' as LanguageTag, 'r' as RecipeKey];
  const memory = await memories.open(project, language);
  const [ours, bare]: [number[], number[]] = [[], []];
  const random = new Seeded(4);
  for (let n = 0; n < LOOKS; n++) {
    const numbers = Array.from({ length: LOOKED_UP }, () => 1 + random.below(REMEMBERED));
    const asked = numbers.map((number) => {
      return { recipe, parts: [`Text ${number}`] };
    });
    const found = await timeOf(() => memory.find(asked), ours);
    if (found.some((parts) => parts === undefined)) throw new Error('a text was not found');
    const keys = numbers.map(
      (number) => keyed({ project, language }, { recipe, parts: [`Text ${number}`] }).key,
    );
    await timeOf(() => database.rows(LEAST, [keys]), bare);
  }
  report({
    what: `${LOOKED_UP} texts looked up among ${REMEMBERED}`,
    today: median(ours),
    bare: median(bare),
    unit: 'ms',
    goal: { most: 25 },
  });
}

async function timeOf<T>(work: () => Promise<T>, times: number[]): Promise<T> {
  const began = performance.now();
  const result = await work();
  times.push(performance.now() - began);
  return result;
}

interface Drawn {
  readonly distinct: number;
  text(member: string, n: number): string;
}

function drawnTexts(seed: number): Drawn {
  const random = new Seeded(seed);
  const all = Array.from({ length: MEMBERS * TEXTS }, () => random.below(TEXTS));
  return {
    distinct: new Set(all).size,
    text: (member, n) => `Text number ${all[Number(member.replace(/\D/g, '')) * TEXTS + n]}`,
  };
}

async function startTeam(postgres: Postgres, { text }: Drawn): Promise<Team> {
  return await Team.start(postgres, {
    program,
    members: MEMBERS,
    texts: TEXTS,
    text,
    faults: SLOW,
  });
}

/** A database that is away for a minute ends a `once` with 75: it is started again, as a person does. */
async function toTheEnd(member: Member): Promise<void> {
  let code = 0;
  for (let tries = 0; tries < TRIES; tries++) {
    ({ code } = await member.onceApart());
    if (code === 0) return;
  }
  throw new Error(`once ended with ${code}, ${TRIES} times`);
}

function sentTexts({ sandbox }: Team): number {
  return sandbox.counters().operations['POST /v2/translate']?.texts ?? 0;
}

async function countStrictly(team: Team, distinct: number): Promise<void> {
  const twice = team.sandbox.counters().asked_twice.length;
  if (twice > 0 || sentTexts(team) !== distinct) {
    throw new Error(`${sentTexts(team)} texts were bought of ${distinct}, ${twice} of them twice`);
  }
  await balance(team);
}

/** The books say what the service billed, with what they call possibly billed twice, and nothing is left under way. */
async function balance(team: Team): Promise<void> {
  const { billed_characters: billed } = team.sandbox.counters();
  const { sure, doubted, reserved, requests, leases } = await team.account();
  if (billed < sure || billed > sure + doubted || reserved + requests + leases > 0) {
    throw new Error(
      `the service billed ${billed}; the books say ${sure}, ${doubted} possibly twice, ${reserved} reserved, ${requests} requests and ${leases} texts under way`,
    );
  }
}
