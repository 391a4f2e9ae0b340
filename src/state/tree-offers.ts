/** The contract of the queues of a tree: the offers of its jobs, which all of its daemons take from. */
import type { JobId, Lane } from '../job.ts';

/** An offer of a job, as the tables store it. */
export interface StoredOffer {
  readonly id: JobId;
  readonly lane: Lane;
  /** Milliseconds from now until it may be taken. */
  readonly inMs: number;
  /** Offers with a smaller number are taken first; a whole number of 32 bits. */
  readonly priority: number;
}

/** An offer that a runner has taken. */
export interface TakenOffer extends Omit<StoredOffer, 'inMs'> {
  /** The id that pg-boss gave the offer. */
  readonly offer: string;
}

export interface Ended {
  readonly taken: TakenOffer;
  /** Milliseconds until the job is offered again; absent: it is not. */
  readonly againInMs?: number;
}

export interface OpenOffer extends StoredOffer {
  readonly isRunning: boolean;
}

export interface TreeOffers {
  /** Offers jobs. An offer that waits gets the new time and priority. A job whose offer is taken is offered once more afterwards. */
  offer(offers: readonly StoredOffer[]): Promise<void>;
  /** Removes offers that wait. Offers that are taken stay. */
  withdraw(ids: readonly JobId[]): Promise<void>;
  /**
   * Takes offers that are due.
   * @param slots how many offers of each lane this runner can take
   * @returns the offers of all lanes, by priority
   */
  take(slots: ReadonlyMap<Lane, number>): Promise<readonly TakenOffer[]>;
  /** Ends offers of this runner. An offer that another runner was given meanwhile stays. */
  end(ended: readonly Ended[]): Promise<void>;
  /**
   * Offers jobs again that were taken by runners which are given up.
   * @param known `all`, or the offers that this runner knows it has taken: other offers that the database has for it are offered
   * again, too
   */
  giveBack(known: 'all' | readonly TakenOffer[]): Promise<void>;
  /** All offers of the tree. */
  open(): Promise<readonly OpenOffer[]>;
}
