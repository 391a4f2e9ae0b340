/** The right to lead a tree: one daemon has it at a time. */
import { type Clock, OnwardTime } from '../../clock.ts';
import { JobFailure } from '../../failure.ts';
import type { Right } from '../../files/right.ts';
import type { Database } from './database.ts';
import { isWithinMs, type Moment, momentOf } from './moment.ts';
import type { Runner } from './runner.ts';

export interface LeadLeaseOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly runner: Runner;
  /** Milliseconds to wait while another daemon leads the tree. */
  readonly patienceMs: number;
  /** Aborts the wait. */
  readonly ending: AbortSignal | undefined;
  /** Called when another daemon leads. @param by its name */
  onTaken(by: string): void;
}

/** Practically for ever: the lease ends with its runner, which is given up when it is silent. */
const LEASE_S = 10 * 365 * 86_400;
const ASK_AGAIN_MS = 500;
/**
 * Milliseconds after a beat during which the leader may change files. A silent runner is given up after 6 s at the earliest, so a
 * clock may be wrong by a third.
 */
const STANDS_MS = 4000;

/** Only the leader moves, removes and writes files of the tree for which no job is claimed. */
export class LeadLease implements Right, AsyncDisposable {
  readonly #name: string;
  readonly #options: LeadLeaseOptions;
  #told: string | undefined;
  #isOurs = false;
  /** The time at which the last beat was sent. After that beat, this runner still had the lease. */
  #beat: Moment | undefined;

  constructor(name: string, options: LeadLeaseOptions) {
    this.#name = name;
    this.#options = options;
  }

  get isOurs(): boolean {
    return this.#isOurs;
  }

  /** Asks once for the lease. @returns the name of the runner that has it; undefined: this one */
  async ask(): Promise<string | undefined> {
    const { database, runner } = this.#options;
    for (;;) {
      this.#isOurs = await database.call<boolean>(
        'take_lease',
        leaseOf(this.#name),
        runner.id,
        LEASE_S,
      );
      if (this.#isOurs) return undefined;
      const by = await holderOf(leaseOf(this.#name), database);
      if (by === undefined) continue;
      if (this.#told !== by) this.#options.onTaken(by);
      this.#told = by;
      return by;
    }
  }

  /**
   * Waits for the lease.
   * @param signal ends the wait; absent: `patienceMs` does
   * @throws JobFailure `team-state` when another daemon still has the lease after `patienceMs`
   */
  async take(signal?: AbortSignal): Promise<void> {
    const { clock, database, patienceMs, ending } = this.#options;
    const time = new OnwardTime(clock);
    const began = time.now();
    for (;;) {
      const by = await this.ask();
      if (by === undefined) return;
      signal?.throwIfAborted();
      const isOver = time.now() - began >= patienceMs || ending?.aborted === true;
      if (signal === undefined && isOver) {
        const message = `${by} works on the tree "${this.#name}"`;
        const { host } = database;
        throw new JobFailure({ kind: 'team-state', problem: 'taken', host, message });
      }
      await clock.sleep(ASK_AGAIN_MS, signal ?? ending).catch(() => {});
    }
  }

  isValid(): boolean {
    const beat = this.#beat;
    return beat !== undefined && isWithinMs(STANDS_MS, beat, momentOf(this.#options.clock));
  }

  /**
   * Checks that this runner still has the lease. The beat comes before the check, and keeps others from giving the runner up. So if the
   * runner has the lease at the check, it had it since the beat was sent.
   * @throws JobFailure `team-state` when another daemon leads
   */
  async renew(): Promise<void> {
    const { clock, database, runner } = this.#options;
    const sent = momentOf(clock);
    await database.call('beat', JSON.stringify({ ...runner, waiting: 0 }));
    await this.requireOurs();
    this.#beat = sent;
  }

  /** @throws JobFailure `team-state` (`taken`) when another daemon leads */
  async requireOurs(): Promise<void> {
    const { database, runner } = this.#options;
    const ours = await database.rows('select from @.leases where name = $1 and runner = $2', [
      leaseOf(this.#name),
      runner.id,
    ]);
    if (ours.length === 0) {
      const message = `another daemon leads the tree "${this.#name}" now`;
      const { host } = database;
      throw new JobFailure({ kind: 'team-state', problem: 'taken', host, message });
    }
  }

  /** When the database does not answer, the lease ends with this runner. */
  async drop(): Promise<void> {
    this.#beat = undefined;
    if (!this.#isOurs) return;
    this.#isOurs = false;
    const { database, runner } = this.#options;
    await database.callOnce('drop_lease', leaseOf(this.#name), runner.id).catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.drop();
  }
}

/** The name of the lease of a tree's leader. */
export function leaseOf(tree: string): string {
  return `tree ${tree}`;
}

/** The name of the runner that has a lease; undefined: the lease has just ended. */
async function holderOf(lease: string, database: Database): Promise<string | undefined> {
  const [row] = await database.rows<{ name: string }>(
    'select coalesce(r.name, l.runner::text) as name from @.leases l left join @.runners r on r.id = l.runner where l.name = $1',
    [lease],
  );
  return row?.name;
}
