/** The queue contract: which jobs run now, lane by lane. A bounded window over the ledger, which is the truth. */
import type { JobId, Lane } from '../job.ts';

/** An offered job; nothing else is needed to run it, here or elsewhere. */
export interface Offer {
  readonly id: JobId;
  readonly lane: Lane;
  /** Milliseconds since the epoch before which it must not run: a re-armed poll or a retry. */
  readonly notBefore?: number;
  /**
   * Smaller runs first within its lane; 0 when absent. Voice uses its deadline. A whole number, at most `GREATEST_PRIORITY`
   * from 0: a database keeps it in 32 bits.
   */
  readonly priority?: number;
}

export const GREATEST_PRIORITY = 2 ** 31 - 1;

/** What a worker says of an offer: over, or again at a time. Waiting for that time occupies no slot and no attempt. */
export type OfferOutcome =
  | { readonly kind: 'over' }
  | { readonly kind: 'again'; readonly notBefore: number }
  /** This daemon takes nothing up now. Another daemon of the tree may take the job; where there is none, it is offered again later. */
  | { readonly kind: 'not-taken' };

/** Works one offer. Must not reject: an escaped error stops the queue and is thrown by `idle`. */
export type Worker = (offer: Offer, signal: AbortSignal) => Promise<OfferOutcome>;

export interface Queue extends AsyncDisposable {
  /** Offers a job; offering one that waits or runs already changes its time at most, and never runs it twice at once. */
  offer(offer: Offer): void;
  /** Whether a job is offered: it waits for a slot or a time, or it runs. */
  has(id: JobId): boolean;
  /** Forgets a waiting offer; a running one is not touched. */
  withdraw(id: JobId): void;
  /** Offers that wait for a slot or a time, and those that run. */
  readonly waiting: number;
  readonly running: number;
  /** Jobs of these lanes that wait for a slot here, not for a time, and those that run here. */
  load(lanes: readonly Lane[]): { readonly waiting: number; readonly running: number };
  /** Changes how many jobs of each lane run at a time; those that run go on. */
  resize(windows: Readonly<Record<Lane, number>>): void;
  /** When the earliest re-armed offer is due; undefined when none waits for a time. */
  readonly nextDue: number | undefined;
  /** Resolves when nothing runs and nothing waits, not even for a time. */
  idle(): Promise<void>;
  /** Takes no new work; resolves when what runs has ended. After `deadlineMs` the workers' signal is aborted. */
  drain(deadlineMs: number): Promise<void>;
}
