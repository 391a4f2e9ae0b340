/** The books of a team: what everybody's purchases were billed. */
import type { Charge, OpenRequest } from '../../ledger.ts';
import { type Books, Sums } from '../books.ts';
import type { Database } from './database.ts';

export class TeamBooks implements Books {
  readonly #database: Database;
  readonly #sums = new Sums();
  /** Transactions before this one are in the sums. */
  #horizon = '0';
  #looking: Promise<Sums> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  async charges(): Promise<Iterable<Charge>> {
    const rows = await this.#database.look<{ record: Charge }>(
      'select record from @.charges order by seq',
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
    // While the database is away, what was known last is shown: `status` says that it is away.
    const known = () => this.#sums;
    this.#looking ??= this.#look()
      .catch(known)
      .finally(() => {
        this.#looking = undefined;
      });
    return await this.#looking;
  }

  /** What is committed while somebody else's transaction is open is seen when that one is over. */
  async #look(): Promise<Sums> {
    const rows = await this.#database.look<{ horizon: string; record: Charge | null }>(
      `with now as materialized (select pg_snapshot_xmin(pg_current_snapshot()) as horizon)
       select now.horizon::text as horizon, c.record from now
       left join @.charges c on c.rev >= $1::xid8 and c.rev < now.horizon`,
      [this.#horizon],
    );
    for (const { record } of rows) if (record !== null) this.#sums.add(record);
    this.#horizon = rows[0]?.horizon ?? this.#horizon;
    return this.#sums;
  }
}
