/** The books of a team: the charges of all its runners. */
import type { JobId } from '../../job.ts';
import type { Charge, OpenRequest } from '../../ledger.ts';
import { type Books, Sums } from '../books.ts';
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
    const rows = await this.#database.look<{ record: Charge }>(
      `select record from @.charges where $1::text[] is null or record->>'job' = any($1) order by seq`,
      [of === undefined ? null : [...of]],
    );
    return rows.map(({ record }) => record);
  }

  async requests(): Promise<Iterable<OpenRequest>> {
    const rows = await this.#database.look<{ record: OpenRequest }>(
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
    const rows = await this.#database.look<{
      horizon: string;
      id: string | null;
      record: Charge;
      foreign: boolean;
    }>(
      `with now as materialized (select pg_snapshot_xmin(pg_current_snapshot()) as horizon,
         pg_snapshot_xmax(pg_current_snapshot()) as later)
       select now.horizon::text as horizon, c.id, c.record, c.rev >= now.later as foreign from now
       left join @.charges c on c.rev >= $1::xid8 and c.rev < now.horizon or $1 = '0' and c.rev >= now.later`,
      [this.#horizon],
    );
    for (const { id, record, foreign } of rows) {
      if (id === null || this.#foreign.has(id)) continue;
      if (foreign) this.#foreign.add(id);
      if (isReplaced(id)) this.#doubted.set(id, record);
      this.#sums.add(record);
    }
    this.#horizon = rows[0]?.horizon ?? this.#horizon;
    await this.#forgetReplaced();
    return this.#sums;
  }

  /** Subtracts charges that were booked as possibly billed and have been replaced by the bill. */
  async #forgetReplaced(): Promise<void> {
    if (this.#doubted.size === 0) return;
    const rows = await this.#database.look<{ id: string }>(
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

/** Whether a charge may be replaced: only those of requests and purchases whose runner was given up. */
function isReplaced(id: string): boolean {
  return id.includes(' recovered');
}
