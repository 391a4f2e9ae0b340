/** The books of a team: the charges of all its runners. */
import type { JobId } from '../../job.ts';
import type { Charge, OpenRequest } from '../../ledger.ts';
import { type Books, type DaySum, Sums } from '../books.ts';
import type { Database } from './database.ts';

export class TeamBooks implements Books {
  readonly #database: Database;
  readonly #sums = new Sums();
  /** Charges that are in the sums and may be replaced. */
  readonly #doubted = new Map<string, Charge>();
  /** Ids of charges that came with a moved database: their transactions have numbers that later transactions will have, too. */
  readonly #foreign = new Set<string>();
  /** Transactions before this one are in the sums. */
  #horizon = '0';
  #looking: Promise<Sums> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  async charges(of?: ReadonlySet<JobId>): Promise<Iterable<Charge>> {
    const rows = await this.#database.query<{ record: Charge }>(
      `select record from @.charges where $1::text[] is null or record->>'job' = any($1) order by seq`,
      [of === undefined ? null : [...of]],
    );
    return rows.map(({ record }) => record);
  }

  async requests(): Promise<Iterable<OpenRequest>> {
    const rows = await this.#database.query<{ record: OpenRequest }>(
      'select record from @.requests order by at, id',
    );
    return rows.map(({ record }) => record);
  }

  async sums(): Promise<Sums> {
    // While the database does not answer, the last known sums are shown; `status` says that it does not answer.
    const known = () => this.#sums;
    this.#looking ??= this.#look()
      .catch(known)
      .finally(() => {
        this.#looking = undefined;
      });
    return await this.#looking;
  }

  /** Adds new charges to the sums. A charge that is committed while an older transaction is open is seen when that one is over. */
  async #look(): Promise<Sums> {
    if (this.#horizon === '0') await this.#sumUp();
    const rows = await this.#database.query<{ horizon: string; id: string | null; record: Charge }>(
      `with now as materialized (select pg_snapshot_xmin(pg_current_snapshot()) as horizon)
       select now.horizon::text as horizon, c.id, c.record from now
       left join @.charges c on c.rev >= $1::xid8 and c.rev < now.horizon`,
      [this.#horizon],
    );
    for (const { id, record } of rows) {
      if (id !== null && !this.#foreign.has(id)) this.#add(id, record);
    }
    this.#horizon = rows[0]?.horizon ?? this.#horizon;
    await this.#forgetReplaced();
    return this.#sums;
  }

  #add(id: string, record: Charge): void {
    if (isReplaced(id)) this.#doubted.set(id, record);
    this.#sums.add(record);
  }

  /**
   * Lets the database add up the charges until now: there may be millions. Charges that may be replaced or seen again come one by one.
   */
  async #sumUp(): Promise<void> {
    const [now] = await this.#database.query<{ horizon: string; later: string }>(
      `select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, pg_snapshot_xmax(pg_current_snapshot())::text as later`,
    );
    const { horizon = '0', later = '0' } = now ?? {};
    const [days, jobs, single] = await Promise.all([
      this.#database.query<DaySum>(
        `select project, record->>'lane' as lane, record->>'language' as language, record->>'kind' as kind,
           left(record->>'at', 10) as day, sum(characters)::float8 as characters
         from @.charges where ${SETTLED} and jsonb_typeof(record->'characters') = 'number' group by 1, 2, 3, 4, 5`,
        [horizon],
      ),
      this.#database.query<{ job: JobId; characters: number }>(
        `select record->>'job' as job, sum(characters)::float8 as characters from @.charges
         where ${SETTLED} and record->>'job' is not null and record->>'kind' <> 'possibly-twice' group by 1`,
        [horizon],
      ),
      this.#database.query<{ id: string; record: Charge; foreign: boolean }>(
        `select id, record, rev >= $2::xid8 as foreign from @.charges
         where rev < $1::xid8 and id like '% recovered%' or rev >= $2::xid8`,
        [horizon, later],
      ),
    ]);
    for (const day of days) this.#sums.addDay(day);
    for (const { job, characters } of jobs) this.#sums.addJob(job, characters);
    for (const { id, record, foreign } of single) {
      if (foreign) this.#foreign.add(id);
      this.#add(id, record);
    }
    this.#horizon = horizon;
  }

  /** Subtracts charges that were booked as possibly billed and have been replaced by the bill. */
  async #forgetReplaced(): Promise<void> {
    if (this.#doubted.size === 0) return;
    const rows = await this.#database.query<{ id: string }>(
      'select id from @.charges where id = any($1)',
      [[...this.#doubted.keys()]],
    );
    const there = new Set(rows.map(({ id }) => id));
    for (const [id, charge] of this.#doubted) {
      if (there.has(id)) continue;
      this.#doubted.delete(id);
      this.#sums.add({ ...charge, characters: -(charge.characters ?? 0) });
    }
  }
}

/** Charges that no transaction changes any more. */
const SETTLED = `rev < $1::xid8 and id not like '% recovered%'`;

/** Whether a charge may be replaced: only those of requests and purchases whose runner was given up. */
function isReplaced(id: string): boolean {
  return id.includes(' recovered');
}
