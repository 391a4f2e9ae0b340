/** Leases of a team in its database. The leases of a runner end with it. */
import type { Clock } from '../../clock.ts';
import type { Leases } from '../leases.ts';
import type { Database } from './database.ts';
import type { Runner } from './runner.ts';

export interface TeamLeasesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly runner: Runner;
}

/** Work that lasts longer counts as hung. */
const LONGEST_S = 3600;
const ASK_AGAIN_MS = 300;

export class TeamLeases implements Leases {
  readonly #options: TeamLeasesOptions;

  constructor(options: TeamLeasesOptions) {
    this.#options = options;
  }

  async exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
    const { database, clock, runner } = this.#options;
    while (!(await database.call<boolean>('take_lease', name, runner.id, LONGEST_S))) {
      await clock.sleep(ASK_AGAIN_MS);
    }
    try {
      return await work();
    } finally {
      // If the database does not answer, the lease ends with this runner.
      await database.callOnce('drop_lease', name, runner.id).catch(() => {});
    }
  }
}
