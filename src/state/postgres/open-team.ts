/** Opens the state of a team. The paid answers and charges of this machine are delivered to the database first. */
import { hash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { JobFailure } from '../../failure.ts';
import type { Charge } from '../../ledger.ts';
import { Beat, type BeatNews, type GivenUp } from '../beat.ts';
import type { LastAnswer } from '../last-answer.ts';
import type { Buyer, SpendingLimits, Team, TeamStatus, TeamWork } from '../team.ts';
import type { Tree, TreeEntry } from '../tree.ts';
import { nameOfServer } from './connection.ts';
import { Contact } from './contact.ts';
import { Database, type DatabaseOptions } from './database.ts';
import { OutboxDelivery } from './delivery.ts';
import { type Letter, Outbox, type OutboxOptions, outboxIn } from './outbox.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { type Seal, sealFrom } from './seal.ts';
import { type DatabaseState, refuseOlder, refuseUnshared, SeenCharges, seenIn } from './seen.ts';
import { TeamBooks } from './team-books.ts';
import { TeamFunds, type TeamFundsOptions } from './team-funds.ts';
import { TeamLeases } from './team-leases.ts';
import { TeamMemories } from './team-memory.ts';
import { TeamPurchases } from './team-purchases.ts';
import { TeamRate } from './team-rate.ts';
import { TeamTill } from './team-till.ts';
import { TeamTime } from './team-time.ts';
import { TeamWorkView } from './team-work.ts';

export interface TeamOptions extends Omit<DatabaseOptions, 'onAway' | 'onBack'> {
  /** 32 bytes as base64 or hexadecimal; undefined: the team has no key. */
  readonly key: string | undefined;
  /** Absolute: the state folder, which this process has locked. */
  readonly folder: string;
  /** Aborts the wait. */
  readonly ending: AbortSignal | undefined;
  /** The heartbeat of a daemon has its thread from the start. A command starts one only when it runs for longer than most. */
  readonly isDaemon?: boolean;
  /** ISO 8601: older translations are deleted, and bought again; undefined: none are. */
  readonly since: string | undefined;
  /** Projects of the config; the texts of other projects are not deleted. */
  readonly projects?: readonly string[];
  /**
   * Milliseconds for which delivered letters are kept on this machine, in case the database is restored from a backup; absent:
   * they are not.
   */
  readonly keepPaidMs?: number;
  readonly service: {
    readonly url: string;
    readonly key: string | undefined;
    readonly perSecond: number | undefined;
  };
  onAway(host: string, reason: string): void;
  onBack(host: string): void;
  onGivenUp(other: GivenUp): void;
  /** Called when another runner leads the tree that is to be opened. */
  onTaken?(tree: string, by: string): void;
  /** See `Tree.troubles`. */
  onTroubles?(tree: string, troubles: Tree['troubles']): void;
  /** Called when this runner becomes the leader. @param epoch how often a daemon has begun to lead the tree */
  onLead?(tree: string, epoch: number): void;
  onRefused(reason: string): void;
}

const NO_LIMITS: SpendingLimits = { sharedLimits: () => [], isApproved: () => false };

/** @throws JobFailure `team-state` */
export async function openTeam(options: TeamOptions): Promise<Team> {
  const { folder, clock } = options;
  const seal = options.key === undefined ? undefined : sealFrom(options.key);
  await using opening = new AsyncDisposableStack();
  const runner = { id: randomUUID(), name: `${hostname()}-${process.pid}` };
  const contact = new Contact({ ...options, host: nameOfServer(options.url) });
  const database = opening.use(openDatabase(options, contact));
  const end = () => database.stopWaiting();
  options.ending?.addEventListener('abort', end, { once: true });
  opening.defer(() => options.ending?.removeEventListener('abort', end));
  const { time, present, before } = await compare(database, options);
  const { generation, charges } = present;
  const known = before?.generation === generation ? (before.known ?? []) : [];
  const former = before?.daemon ?? before?.runner;
  const seen = new SeenCharges({
    ...{ folder, clock },
    seen: { runner: runner.id, daemon: former, generation, charges, known },
  });
  seen.saw(present.newest);
  const outbox = opening.use(await Outbox.open(outboxIn(folder), keptLetters(options)));
  const onTaken = ({ charge }: Letter) => seen.took(charge);
  const onRefused = (_letter: Letter, reason: string) => options.onRefused(reason);
  const delivery = new OutboxDelivery({ database, outbox, onTaken, onRefused });
  await delivery.recover();
  // The folder is locked, so the process that worked in it before is gone.
  if (before?.runner !== undefined) await database.call('give_up', before.runner);
  await seen.write();
  await database.call('beat', JSON.stringify({ ...runner, waiting: 0 }));
  const beat = opening.use(
    new Beat(
      { url: options.url, schema: options.schema, ...runner },
      {
        hear: (news) => hearBeat(news, { seen, database, contact }),
        known: () => seen.known,
      },
      options.isDaemon === true ? 'now' : 'later',
    ),
  );
  const rate = await openRate(options, database);
  return new OpenedTeam(options, {
    ...{ seal, runner, contact, database, time, seen, delivery, beat, rate },
    former,
    login: present.login,
    stack: opening.move(),
  });
}

function hearBeat(
  news: BeatNews,
  { seen, database, contact }: Pick<TeamParts, 'seen' | 'database' | 'contact'>,
): void {
  switch (news.kind) {
    case 'newest':
      seen.saw(news.charge);
      // A process that beats lives for longer than most commands.
      void database.listen();
      break;
    case 'read-only':
      database.becomeReadOnly(news.reason);
      break;
    case 'writable':
      database.becomeWritable();
      break;
    case 'given-up':
    case 'forgot':
    case 'remembers':
      contact.hear(news);
  }
}

function keptLetters({ keepPaidMs, clock }: TeamOptions): OutboxOptions | undefined {
  return keepPaidMs === undefined ? undefined : { clock, keepMs: keepPaidMs };
}

/** Compares the content of the database with what was seen there before. @throws JobFailure `team-state` when it lacks something */
async function compare(database: Database, { folder, clock }: TeamOptions) {
  const time = new TeamTime(clock);
  const present = await time.learn(
    () => standingOf(database),
    ({ now }) => now,
  );
  const before = await seenIn(folder);
  refuseUnshared(database, { folder, present, before });
  await refuseOlder(database, { present, before });
  return { time, present, before };
}

function openDatabase(options: TeamOptions, contact: Contact): Database {
  const { url, schema, clock, patienceMs, firstPatienceMs = patienceMs } = options;
  return new Database({
    ...{ url, schema, clock, patienceMs, firstPatienceMs },
    onAway: (reason) => contact.onAway(reason),
    onBack: () => contact.onBack(),
  });
}

async function openRate({ clock, service }: TeamOptions, database: Database): Promise<TeamRate> {
  return await TeamRate.open({
    ...{ database, clock, perSecond: service.perSecond },
    // The hash contains its purpose as a salt, so that nobody finds the service key with a table of hashes.
    key: hash('sha256', `dragoman rate\n${service.url}\n${service.key ?? ''}`).slice(0, 32),
  });
}

/** The parts of an open team. */
interface TeamParts extends TeamFundsOptions {
  readonly contact: Contact;
  /** Id of the last daemon in the folder; undefined: there was none. */
  readonly former: string | undefined;
  /** Absent: the team has no key. */
  readonly seal: Seal | undefined;
  readonly delivery: OutboxDelivery;
  readonly beat: Beat;
  readonly rate: TeamRate;
  /** Closes the parts. */
  readonly stack: AsyncDisposableStack;
}

class OpenedTeam implements Team {
  readonly memories: TeamMemories;
  readonly till: TeamTill;
  readonly books: TeamBooks;
  readonly funds: TeamFunds;
  readonly rate: TeamRate;
  readonly purchases: TeamPurchases;
  readonly leases: TeamLeases;
  readonly #options: TeamOptions;
  readonly #parts: TeamParts;
  readonly #view: TeamWorkView;
  #spending = NO_LIMITS;

  constructor(options: TeamOptions, parts: TeamParts) {
    const { database, runner, time, seen, delivery, seal, login } = parts;
    const { clock } = options;
    this.#options = options;
    this.#parts = parts;
    const since = time.ofBefore(options.since ?? new Date(0).toISOString());
    const keepTextsSeconds =
      options.since === undefined ? undefined : (time.now() - Date.parse(since)) / 1000;
    this.memories = new TeamMemories({ database, name: runner.name, since, time });
    this.till = new TeamTill({
      ...{ database, delivery, clock, runner, since, time, seen },
      limits: (project) => this.#spending.sharedLimits(project),
      isApproved: (job) => this.#spending.isApproved(job),
    });
    this.books = new TeamBooks(database);
    this.funds = new TeamFunds({ database, time, seen, runner, login });
    this.rate = parts.rate;
    this.purchases = new TeamPurchases({
      ...{ database, runner, seal, seen, keepTextsSeconds },
      projects: options.projects ?? [],
    });
    this.leases = new TeamLeases({ database, clock, runner });
    this.#view = new TeamWorkView({ database, clock, runner });
  }

  async openTree(name: string, entry: TreeEntry): Promise<Tree> {
    const { openTree } = await import('./open-tree.ts');
    const { database, runner, former, seal, seen } = this.#parts;
    const { clock, ending, patienceMs, firstPatienceMs = patienceMs } = this.#options;
    const tree = await openTree(name, {
      ...entry,
      ...{ former, database, clock, runner, seal, ending },
      patienceMs: firstPatienceMs,
      onTaken: (by) => this.#options.onTaken?.(name, by),
      onTroubles: (troubles) => this.#options.onTroubles?.(name, troubles),
      onLead: (epoch) => this.#options.onLead?.(name, epoch),
    });
    if (entry.daemon !== undefined) await seen.enter(runner.id);
    return tree;
  }

  status(): TeamStatus {
    const { contact, database, delivery } = this.#parts;
    const own = { host: database.host, waiting: delivery.waiting };
    return contact.trouble === undefined ? own : { ...own, away: contact.trouble };
  }

  async work(): Promise<LastAnswer<TeamWork>> {
    return await this.#view.work();
  }

  async whoBought(...asked: Parameters<Team['whoBought']>): Promise<Buyer | undefined> {
    return await this.#view.whoBought(...asked);
  }

  async buyersOf(...asked: Parameters<Team['buyersOf']>): Promise<readonly Buyer[]> {
    return await this.#view.buyersOf(...asked);
  }

  follow(spending: SpendingLimits): void {
    const { database, delivery, runner } = this.#parts;
    this.#spending = spending;
    const told = { ...runner, waiting: delivery.waiting, limits: overallLimits(spending) };
    // Only for people to see: it may fail.
    database.callOnce('beat', JSON.stringify(told)).catch(() => {});
  }

  async book(charges: readonly Charge[]): Promise<void> {
    const { delivery, runner, time } = this.#parts;
    const inItsTime = charges.map((charge) => ({ ...charge, at: time.of(charge.at) }));
    await delivery.book(`folder ${runner.id}`, inItsTime);
  }

  stopWaiting(): void {
    this.#parts.database.stopWaiting();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopWaiting();
    // If the database does not answer, others give this runner up, and the next process delivers the remaining letters.
    await this.#leave().catch(() => {});
    await this.#parts.stack.disposeAsync();
  }

  async #leave(): Promise<void> {
    const { delivery, beat, database, runner, seen } = this.#parts;
    await delivery.delivered();
    // First the beats: a later one would register the runner again.
    await beat[Symbol.asyncDispose]();
    await database.callOnce('give_up', runner.id);
    await seen.write((await standingOf(database)).charges);
  }
}

/** The limits of all projects together, by unit. */
function overallLimits(spending: SpendingLimits): Record<string, number> {
  const overall = spending
    .sharedLimits('')
    .filter(({ project, login }) => project === null && login === null);
  return Object.fromEntries(overall.map(({ unit, limit }) => [unit, limit]));
}

interface OpenDatabase extends DatabaseState {
  /** The role of the connection. */
  readonly login: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Id of the newest charge. */
  readonly newest: string | null;
}

/** @throws JobFailure `team-state` when there is no schema, or it is too new for this program */
async function standingOf(database: Database): Promise<OpenDatabase> {
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

/**
 * Why this program cannot work on the tables; undefined: it can. It uses tables of later versions, which only have more columns, unless
 * these tables forbid it.
 */
function misfit(row: {
  readonly version: number;
  readonly min_client: number;
}): string | undefined {
  if (row.min_client > SCHEMA_VERSION) {
    return `it needs a dragoman that knows version ${row.min_client} of its tables`;
  }
  return row.version < SCHEMA_VERSION
    ? `its tables are of version ${row.version}, and this dragoman works on version ${SCHEMA_VERSION}`
    : undefined;
}
