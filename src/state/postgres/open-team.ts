/** Opens the state of a team: what this machine has paid for reaches the database before anything else happens. */
import { hash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Clock, isoTime } from '../../clock.ts';
import { JobFailure } from '../../failure.ts';
import { Beat, type BeatNews, type GivenUp } from '../beat.ts';
import type { Team, TeamRules, TeamStatus } from '../team.ts';
import { Database } from './database.ts';
import { Delivery } from './delivery.ts';
import { Outbox, outboxIn } from './outbox.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { sealFrom } from './seal.ts';
import { refuseOlder, refuseUnshared, SeenCharges, type Standing, seenIn } from './seen.ts';
import { TeamBooks } from './team-books.ts';
import { TeamFunds } from './team-funds.ts';
import { TeamLeases } from './team-leases.ts';
import { TeamMemories } from './team-memory.ts';
import { TeamPurchases } from './team-purchases.ts';
import { TeamRate } from './team-rate.ts';
import { TeamTill } from './team-till.ts';
import { TeamTime } from './team-time.ts';
import { TeamWorkView } from './team-work.ts';

export interface TeamOptions {
  readonly url: string;
  readonly schema: string;
  /** Of 32 bytes, as it is written; absent: the team has none. */
  readonly key: string | undefined;
  /** Absolute: the state folder, which this process has locked. */
  readonly folder: string;
  readonly clock: Clock;
  /** Milliseconds after which a database that is away is given up. */
  readonly patienceMs: number;
  /** The same until it has answered once; absent: as long. */
  readonly firstPatienceMs?: number;
  /** Fires when it is not waited for any longer. */
  readonly ending: AbortSignal | undefined;
  /** ISO 8601: what was bought before is deleted, and bought again; absent: nothing is. */
  readonly since: string | undefined;
  /** Of the config: of others nothing is deleted. */
  readonly projects?: readonly string[];
  /** Milliseconds for which what the database has taken is kept here, for one that is restored from a backup; absent: it is not. */
  readonly keepPaidMs?: number;
  readonly service: {
    readonly url: string;
    readonly key: string | undefined;
    readonly perSecond: number | undefined;
  };
  onAway(host: string, reason: string): void;
  onBack(host: string): void;
  onGivenUp(other: GivenUp): void;
  /** Another runner works on the tree that is to be opened. */
  onTaken?(tree: string, by: string): void;
  onRefused(reason: string): void;
}

const NO_RULES: TeamRules = { limits: () => [], isApproved: () => false };

/** @throws JobFailure `team-state` */
export async function openTeam(options: TeamOptions): Promise<Team> {
  const { url, schema, folder, clock, service } = options;
  const seal = options.key === undefined ? undefined : sealFrom(options.key);
  await using opening = new AsyncDisposableStack();
  const runner = { id: randomUUID(), name: `${hostname()}-${process.pid}` };
  let away: TeamStatus['away'];
  let forgetful: TeamStatus['away'];
  const { patienceMs, firstPatienceMs = patienceMs } = options;
  const database: Database = opening.use(
    new Database({
      ...{ url, schema, clock, patienceMs: firstPatienceMs },
      onAway(reason) {
        away = { since: isoTime(clock), reason };
        options.onAway(database.host, reason);
      },
      onBack() {
        away = undefined;
        options.onBack(database.host);
      },
    }),
  );
  const end = () => database.hurry();
  options.ending?.addEventListener('abort', end, { once: true });
  opening.defer(() => options.ending?.removeEventListener('abort', end));
  const time = new TeamTime(clock);
  const standing = await time.learn(
    () => standingOf(database),
    ({ now }) => now,
  );
  const before = await seenIn(folder);
  refuseUnshared(database, { folder, standing, before });
  await refuseOlder(database, { standing, before });
  const { generation, charges } = standing;
  const isSame = before?.generation === generation;
  const seen = new SeenCharges({
    ...{ folder, clock },
    seen: { runner: runner.id, generation, charges, known: (isSame && before.known) || [] },
  });
  seen.saw(standing.newest);
  const kept = options.keepPaidMs === undefined ? undefined : { clock, keepMs: options.keepPaidMs };
  const outbox = opening.use(await Outbox.open(outboxIn(folder), kept));
  const delivery = new Delivery({
    ...{ database, outbox },
    onTaken: ({ charge }) => seen.took(charge),
    onRefused: (_letter, reason) => options.onRefused(reason),
  });
  await delivery.recover();
  // The folder is locked, so the process that worked in it before is gone.
  if (before?.runner !== undefined) await database.call('give_up', before.runner);
  await seen.write();
  await database.call('beat', JSON.stringify({ ...runner, waiting: 0 }));
  const hear = (news: BeatNews) => {
    switch (news.kind) {
      case 'given-up':
        return options.onGivenUp(news.other);
      case 'forgot':
        forgetful = { since: isoTime(clock), reason: forgotten(news.message) };
        return options.onAway(database.host, forgetful.reason);
      case 'remembers':
        forgetful = undefined;
        return options.onBack(database.host);
    }
  };
  const beat = opening.use(new Beat({ url, schema, ...runner }, { hear, known: () => seen.known }));
  await database.listen();
  const since = time.of(options.since ?? new Date(0).toISOString());
  const keepTextsSeconds =
    options.since === undefined ? undefined : (time.now() - Date.parse(since)) / 1000;
  let rules = NO_RULES;
  const till = new TeamTill({
    ...{ database, delivery, clock, runner, since, time, seen },
    limits: (project) => rules.limits(project),
    isApproved: (job) => rules.isApproved(job),
  });
  const rate = await TeamRate.open({
    ...{ database, clock, perSecond: service.perSecond },
    // Salted with what it is for: nobody finds the key by it.
    key: hash('sha256', `dragoman rate\n${service.url}\n${service.key ?? ''}`).slice(0, 32),
  });
  const view = new TeamWorkView({ database, runner });
  database.patience = patienceMs;
  const stack = opening.move();
  return {
    memories: new TeamMemories({ database, name: runner.name, since, time }),
    till,
    books: new TeamBooks(database),
    funds: new TeamFunds({ database, time, seen, runner, login: standing.login }),
    rate,
    purchases: new TeamPurchases({
      ...{ database, runner, seal, seen, keepTextsSeconds },
      projects: options.projects ?? [],
    }),
    leases: new TeamLeases({ database, clock, runner }),
    async openTree(name, entry) {
      const { openTree } = await import('./open-tree.ts');
      return await openTree(name, {
        ...entry,
        former: before?.runner,
        ...{ database, clock, runner, seal, ending: options.ending },
        patienceMs: firstPatienceMs,
        onTaken: (by) => options.onTaken?.(name, by),
      });
    },
    status: () => {
      const trouble = away ?? forgetful;
      const own = { host: database.host, waiting: delivery.waiting };
      return trouble === undefined ? own : { ...own, away: trouble };
    },
    work: () => view.work(),
    whoBought: (text) => view.whoBought(text),
    buyersOf: (...asked) => view.buyersOf(...asked),
    follow(next) {
      rules = next;
      const told = { ...runner, waiting: delivery.waiting, limits: overallLimits(next) };
      // For people alone: where it does not come through, nothing depends on it.
      database.attempt('beat', JSON.stringify(told)).catch(() => {});
    },
    book: (charges) =>
      delivery.book(
        `folder ${runner.id}`,
        charges.map((charge) => ({ ...charge, at: time.of(charge.at) })),
      ),
    hurry: () => database.hurry(),
    async [Symbol.asyncDispose]() {
      database.hurry();
      // It may be away: then the others give this runner up, and the next process tells what is left.
      await delivery
        .delivered()
        .then(async () => {
          // One more beat would make the runner live again.
          await beat[Symbol.asyncDispose]();
          await database.attempt('give_up', runner.id);
          await seen.write((await standingOf(database)).charges);
        })
        .catch(() => {});
      await stack.disposeAsync();
    },
  };
}

/** Of all projects, by unit. */
function overallLimits({ limits }: TeamRules): Record<string, number> {
  const overall = limits('').filter(({ project, login }) => project === null && login === null);
  return Object.fromEntries(overall.map(({ unit, limit }) => [unit, limit]));
}

interface Opened extends Standing {
  /** Who we are there. */
  readonly login: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Id of the newest charge. */
  readonly newest: string | null;
}

function forgotten(message: string): string {
  return `${message}, as after a restored backup: stop, and run "dragoman state push"`;
}

/** @throws JobFailure `team-state` when there is no schema, or it is too new for this program */
async function standingOf(database: Database): Promise<Opened> {
  const [row] = await database.rows<{
    version: number;
    min_client: number;
    generation: string;
    charges: string;
    login: string;
    now: number;
  }>(
    `select version, min_client, generation, (select last_value from @.charges_seq_seq) as charges,
       session_user::text as login, extract(epoch from clock_timestamp())::float8 * 1000 as now
     from @.version order by version desc limit 1`,
  );
  const message = row === undefined ? 'its schema is empty' : misfit(row);
  if (row === undefined || message !== undefined) {
    throw new JobFailure({
      kind: 'team-state',
      problem: 'unfit',
      host: database.host,
      message: message ?? '',
    });
  }
  const newest = await database.call<string | null>('newest_charge');
  return { ...row, charges: Number(row.charges), newest };
}

/** Tables of a later version have more columns, and are worked on as they are. */
function misfit(row: {
  readonly version: number;
  readonly min_client: number;
}): string | undefined {
  if (row.min_client > SCHEMA_VERSION) {
    return `it wants a dragoman that knows version ${row.min_client} of its tables`;
  }
  return row.version < SCHEMA_VERSION
    ? `its tables are of version ${row.version}, and this dragoman works on version ${SCHEMA_VERSION}`
    : undefined;
}
