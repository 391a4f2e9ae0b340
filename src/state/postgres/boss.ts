/** The queues of a tree, one for each lane, in the tables of pg-boss. The table `turns` records which runner took which offer. */
import { getConstructionPlans, PgBoss } from 'pg-boss';
import { JobFailure } from '../../failure.ts';
import { type JobId, LANES, type Lane } from '../../job.ts';
import type { Ended, OpenOffer, StoredOffer, TakenOffer, TreeOffers } from '../tree-offers.ts';
import type { Database, Statements } from './database.ts';
import type { Runner } from './runner.ts';
import { quotedName } from './schema.ts';

export interface BossOptions {
  readonly database: Database;
  readonly tree: string;
  readonly runner: Runner;
}

interface SentOffer {
  readonly job: JobId;
  /** Position among the offers that were sent together. */
  readonly nth: number;
}

type BossRow = Record<string, unknown>;

export class TreeQueues implements TreeOffers, AsyncDisposable {
  readonly #options: BossOptions;
  readonly #boss: PgBoss;
  /** The offers that this runner knows it has taken, by job. */
  readonly #taken = new Map<JobId, TakenOffer>();

  private constructor(options: BossOptions) {
    this.#options = options;
    this.#boss = bossAt(options.database, 'runs');
  }

  /** @throws JobFailure `team-state` */
  static async open(options: BossOptions): Promise<TreeQueues> {
    const queues = new TreeQueues(options);
    const { database, tree } = options;
    try {
      await queues.#boss.start();
      const known = await queues.#boss.getQueues(queues.#names);
      if (known.length < LANES.length) throw new Error(`it has no queues for the tree "${tree}"`);
    } catch (error) {
      await queues[Symbol.asyncDispose]();
      if (error instanceof JobFailure) throw error;
      const { message } = error as Error;
      const { host } = database;
      throw new JobFailure({ kind: 'team-state', problem: 'unfit', host, message });
    }
    return queues;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#boss.stop({ graceful: false, close: false }).catch(() => {});
  }

  /** Offers jobs. An offer that waits gets the new time and priority. A job whose offer is taken is offered once more afterwards. */
  async offer(offers: readonly StoredOffer[]): Promise<void> {
    await this.#options.database.transaction(async (db) => {
      for (const [lane, some] of Map.groupBy(offers, (offer) => offer.lane)) {
        const name = this.#name(lane);
        const fresh = some.map((offer, nth) => ({
          ...sending(offer, nth),
          id: crypto.randomUUID(),
        }));
        const added = await this.#boss.insert(name, fresh, { db, returnId: true });
        const isNew = new Set(added);
        const known = fresh.flatMap(({ id }, index) => (isNew.has(id) ? [] : (some[index] ?? [])));
        if (known.length > 0) await this.#move(db, name, known);
      }
    });
  }

  /** Removes offers that wait. Offers that are taken stay. */
  async withdraw(ids: readonly JobId[]): Promise<void> {
    await this.#options.database.transaction((db) => this.withdrawIn(db, ids));
  }

  /** Does the same as a part of a transaction, which may be repeated. */
  async withdrawIn(db: Statements, ids: readonly JobId[]): Promise<void> {
    await db.executeSql(
      // In the words of an index of pg-boss: else all offers are read.
      `delete from ${this.#jobs} where name = any($1) and singleton_key = any($2) and state < 'active'`,
      [this.#names, ids],
    );
  }

  /**
   * Takes offers that are due.
   * @param slots how many offers of each lane this runner can take
   * @returns the offers of all lanes, by priority
   */
  async take(slots: ReadonlyMap<Lane, number>): Promise<readonly TakenOffer[]> {
    const { database, tree, runner } = this.#options;
    const open = [...slots].filter(([, count]) => count > 0);
    const ready = new Set(await this.#lanesWithWork(open.map(([lane]) => lane)));
    const offers: TakenOffer[] = [];
    for (const [lane, batchSize] of open.filter(([each]) => ready.has(each))) {
      const taken = await database.transaction(async (db) => {
        const options = { db, batchSize, includeMetadata: true } as const;
        const jobs = await this.#boss.fetch<SentOffer>(this.#name(lane), options);
        // pg-boss returns them in no order; `nth` restores the order in which they were sent.
        const ordered = jobs.toSorted((a, b) => a.data.nth - b.data.nth);
        const some = ordered.map(({ id, data, priority }) => {
          return { id: data.job, lane, priority: 0 - priority, offer: id };
        });
        if (some.length > 0)
          await this.#call(db, 'take_turns', tree, ...takenOfferValues(runner, some));
        return some;
      });
      offers.push(...taken);
    }
    for (const taken of offers) this.#taken.set(taken.id, taken);
    return offers.toSorted((a, b) => a.priority - b.priority);
  }

  /** Ends offers of this runner. An offer that another runner was given meanwhile stays. */
  async end(ended: readonly Ended[]): Promise<void> {
    await this.#options.database.transaction((db) => this.endIn(db, ended));
    for (const { taken } of ended) {
      if (this.#taken.get(taken.id)?.offer === taken.offer) this.#taken.delete(taken.id);
    }
  }

  /** The offer of a job that this runner has taken; undefined: it knows of none. */
  takenOffer(id: JobId): TakenOffer | undefined {
    return this.#taken.get(id);
  }

  /** Does the same as a part of a transaction, which may be repeated. */
  async endIn(db: Statements, ended: readonly Ended[]): Promise<void> {
    const offers = ended.map(({ taken }) => taken.offer);
    const rows = await this.#call(db, 'end_turns', this.#options.runner.id, offers);
    const own = new Set(rows.map(({ end_turns: id }) => id));
    const open = ended.filter(({ taken }) => own.has(taken.offer));
    await this.#close(db, open);
  }

  /**
   * Offers jobs again that were taken by runners which are given up.
   * @param known `all`, or the offers that this runner knows it has taken: other offers that the database has for it are offered
   * again, too
   */
  async giveBack(known: 'all' | readonly TakenOffer[]): Promise<void> {
    const { database, tree, runner } = this.#options;
    await database.transaction(async (db) => {
      const offers = known === 'all' ? null : known.map(({ offer }) => offer);
      const rows = await this.#call(db, 'lost_turns', tree, runner.id, offers);
      const lost = rows.map(({ record }) => record as TakenOffer);
      await this.#close(
        db,
        lost.map((taken) => ({ taken, againInMs: 0 })),
      );
    });
  }

  /** All offers of the tree. */
  async open(): Promise<readonly OpenOffer[]> {
    const { rows } = await this.#options.database.statements.executeSql(
      `select singleton_key as id, name, priority, state = 'active' as running,
         extract(epoch from start_after - ${this.#schema}.job_now())::float8 * 1000 as wait
       from ${this.#jobs} where name = any($1) and state <= 'active'`,
      [this.#names],
    );
    return rows.map((row) => ({
      id: row['id'] as JobId,
      lane: LANES[this.#names.indexOf(row['name'] as string)] ?? 'text',
      priority: 0 - Number(row['priority']),
      inMs: Math.round(Number(row['wait'])),
      isRunning: row['running'] === true,
    }));
  }

  /** One statement for all of them: a daemon that becomes the leader offers every waiting job again. */
  async #move(db: Statements, name: string, offers: readonly StoredOffer[]): Promise<void> {
    await db.executeSql(
      `update ${this.#jobs} j set priority = o.priority, start_after = ${this.#schema}.job_now() + o.wait * interval '1 ms'
       from jsonb_to_recordset($2) o(id text, wait float8, priority int)
       where j.name = $1 and j.singleton_key = o.id and j.state < 'active'`,
      [
        name,
        JSON.stringify(
          offers.map(({ id, priority, inMs }) => {
            return { id, priority: -priority, wait: Math.max(0, inMs) };
          }),
        ),
      ],
    );
  }

  /** Ends offers. Some jobs are offered again, unless they were offered meanwhile. */
  async #close(db: Statements, ended: readonly Ended[]): Promise<void> {
    for (const [lane, some] of Map.groupBy(ended, ({ taken }) => taken.lane)) {
      const name = this.#name(lane);
      await this.#boss.deleteJob(
        name,
        some.map(({ taken }) => taken.offer),
        { db },
      );
      const again = some.flatMap(({ taken, againInMs: inMs }, nth) =>
        inMs === undefined ? [] : [sending({ ...taken, inMs }, nth)],
      );
      if (again.length > 0) await this.#boss.insert(name, again, { db });
    }
  }

  async #lanesWithWork(lanes: readonly Lane[]): Promise<readonly Lane[]> {
    const names = lanes.map((lane) => this.#name(lane));
    const { rows } = await this.#options.database.statements.executeSql(
      `select n.nth::int as nth from unnest($1::text[]) with ordinality n(name, nth) where exists (select from ${this.#jobs} j
         where j.name = n.name and j.state < 'active' and j.start_after <= ${this.#schema}.job_now())`,
      [names],
    );
    return rows.flatMap(({ nth }) => lanes[Number(nth) - 1] ?? []);
  }

  async #call(db: Statements, name: string, ...values: readonly unknown[]): Promise<BossRow[]> {
    const parameters = values.map((_, index) => `$${index + 1}`).join(', ');
    const text = `select * from ${quotedName(this.#options.database.schema)}.${name}(${parameters})`;
    return (await db.executeSql(text, [...values])).rows;
  }

  #name(lane: Lane): string {
    return queueOf(this.#options.tree, lane);
  }

  get #names(): string[] {
    return LANES.map((lane) => this.#name(lane));
  }

  get #schema(): string {
    return quotedName(queueSchema(this.#options.database.schema));
  }

  get #jobs(): string {
    return `${this.#schema}.job`;
  }
}

/** Creates the queues of a tree and brings them up to date, as the owner of the database. @returns false when the tree had queues */
export async function migrateQueues(database: Database, tree: string): Promise<boolean> {
  const boss = bossAt(database, 'migrates');
  await boss.start();
  let isMade = false;
  try {
    const known = await boss.getQueues(LANES.map((lane) => queueOf(tree, lane)));
    isMade = known.length < LANES.length;
    for (const lane of LANES) await boss.createQueue(queueOf(tree, lane), POLICY);
  } finally {
    await boss.stop({ graceful: false, close: false });
  }
  await database.script(queueRights(database.schema));
  return isMade;
}

/**
 * The SQL that does the same, for the owner of the database. It may be run repeatedly. It refuses queues of another version of pg-
 * boss: only `migrateQueues` can change these.
 */
export function queuesSql(schema: string, tree: string): string {
  const of = quotedName(queueSchema(schema));
  // The statement runs inside a transaction, which it must not end.
  const plan = getConstructionPlans(of).replace('BEGIN;', '').replace('COMMIT;', '');
  const version = /version\(version\) VALUES \('(\d+)'\)/.exec(plan)?.[1];
  const names = LANES.map((lane) => literal(queueOf(tree, lane))).join(', ');
  const isOther = `exists (select from ${of}.version where version <> ${version})`;
  return `do $queues$ begin
  if to_regclass(${literal(`${of}.version`)}) is null then
    execute $plan$${plan}$plan$;
  elsif ${isOther} then
    raise exception 'the queues are of another version; run dragoman state migrate as the owner';
  end if;
  perform ${of}.create_queue(asked.name, ${literal(JSON.stringify(POLICY))}::jsonb)
    from unnest(array[${names}]) as asked(name)
    where not exists (select from ${of}.queue q where q.name = asked.name);
end $queues$;
${queueRights(schema)}
`;
}

/** Each job has at most one offer that waits, and one that is taken. */
const POLICY = { policy: 'stately' } as const;

function queueRights(schemaOfTeam: string): string {
  const schema = quotedName(queueSchema(schemaOfTeam));
  const runner = quotedName(`${schemaOfTeam}_runner`);
  return `grant usage on schema ${schema} to ${runner};
grant select on all tables in schema ${schema} to ${runner};
grant insert, update, delete on ${schema}.job, ${schema}.job_common to ${runner};`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function bossAt(database: Database, task: 'runs' | 'migrates'): PgBoss {
  const isOwner = task === 'migrates';
  const boss = new PgBoss({
    db: database.statements,
    schema: quotedName(queueSchema(database.schema)),
    ...{ createSchema: isOwner, migrate: isOwner },
    // The beats of runners are recorded elsewhere, and offers that ended are deleted at once.
    ...{ schedule: false, supervise: false, registerInstance: false },
    openTelemetry: { enabled: false },
  });
  // Errors are also thrown by the call that meets them.
  boss.on('error', () => {});
  return boss;
}

/** pg-boss keeps its tables in a schema of their own. */
function queueSchema(schema: string): string {
  return `${schema}_queues`;
}

function queueOf(tree: string, lane: Lane): string {
  return `${tree}.${lane}`;
}

function sending({ id, priority, inMs }: StoredOffer, nth: number) {
  const startAfter = `${Math.max(0, inMs) / 1000} seconds`;
  return { data: { job: id, nth }, singletonKey: id, priority: 0 - priority, startAfter };
}

function takenOfferValues(runner: Runner, offers: readonly TakenOffer[]): readonly string[] {
  const rows = offers.map((taken) => {
    return { id: taken.offer, lane: taken.lane, job: taken.id, record: taken };
  });
  return [runner.id, runner.name, JSON.stringify(rows)];
}
