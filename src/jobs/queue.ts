/**
 * The contract of the queue: it decides which jobs run now, in each lane. The ledger says which jobs are to be done, and the queue
 * can be built again from it.
 */
import type { JobId, Lane } from '../job.ts';

/** An offered job. Nothing else is needed to run it, in this daemon or in another one. */
export interface Offer {
  readonly id: JobId;
  readonly lane: Lane;
  /** Must not run before this time, in milliseconds since the epoch: for a poll or a retry. */
  readonly notBefore?: number;
  /**
   * In its lane, the offer with the smaller number runs first; absent: 0. Voice uses its deadline. A whole number from
   * -`GREATEST_PRIORITY` to `GREATEST_PRIORITY`: a database keeps it in 32 bits.
   */
  readonly priority?: number;
}

export const GREATEST_PRIORITY = 2 ** 31 - 1;

/**
 * The answer of a worker to an offer: the job is over, or it must run again at a time. The wait until that time uses no slot and is
 * no attempt.
 */
export type OfferOutcome =
  | { readonly kind: 'over' }
  | { readonly kind: 'again'; readonly notBefore: number }
  /**
   * This daemon takes up no job now. Another daemon of the tree may take it; in a queue of one process, the job is offered
   * again later.
   */
  | { readonly kind: 'not-taken' };

/** Works on one offer. It must not reject: such an error stops the queue, and `idle` throws it. */
export type Worker = (offer: Offer, signal: AbortSignal) => Promise<OfferOutcome>;

export interface Queue extends AsyncDisposable {
  /** Offers a job. For a job that waits or runs already, only its time may change: a job never runs twice at once. */
  offer(offer: Offer): void;
  /** True when a job is offered: it waits for a slot or a time, or it runs. */
  has(id: JobId): boolean;
  /** Removes an offer that waits. A running job goes on. */
  withdraw(id: JobId): void;
  /** Number of offers that wait for a slot or a time, and of those that run. */
  readonly waiting: number;
  readonly running: number;
  /** Numbers of jobs of these lanes: those that wait for a slot of this daemon (not for a time), and those that it runs. */
  load(lanes: readonly Lane[]): { readonly waiting: number; readonly running: number };
  /** Changes how many jobs of each lane run at a time. Running jobs go on. */
  resize(windows: Readonly<Record<Lane, number>>): void;
  /** When the earliest offer that waits for a time is due, in milliseconds since the epoch; undefined when none does. */
  readonly nextDue: number | undefined;
  /** Resolves when no job runs, and none waits for a slot or a time. */
  idle(): Promise<void>;
  /** Reads which offers other daemons added and ended; absent: no other daemon uses the queue. */
  refresh?(): Promise<void>;
  /**
   * Takes up no more jobs; resolves when the running ones have ended. After `deadlineMs` milliseconds the signal of the workers
   * is aborted.
   */
  drain(deadlineMs: number): Promise<void>;
}
