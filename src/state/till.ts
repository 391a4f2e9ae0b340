/** The till contract: each text is bought once, and what was sent is on the books whatever happens to the process. */
import type { BudgetHold, JobId } from '../job.ts';
import type { Charge, OpenRequest } from '../ledger.ts';
import type { AskedText, Found, Remembered } from './memory.ts';

/** One text that a request is to buy. */
export interface TextToBuy extends AskedText {
  readonly job: JobId;
  /** Unicode code points, as sent. */
  readonly characters: number;
}

/** Whether a text is to be sent: the caller buys it, it was bought before, somebody else buys it now, or no money is left for its job. */
export type TillDecision =
  | { readonly kind: 'ours' }
  | { readonly kind: 'known'; readonly parts: NonNullable<Found> }
  | { readonly kind: 'busy' }
  | { readonly kind: 'held'; readonly hold: BudgetHold };

/** What an answer brought. */
export interface PaidAnswer {
  /** Empty for an answer of no use. */
  readonly entries: readonly Remembered[];
  readonly charges: readonly Charge[];
}

export interface Till {
  /**
   * Notes that a request is about to be sent, durable when it resolves: only for the texts that are `ours`. Nothing is
   * noted when there are none.
   * @returns the turn of each text, in order
   */
  begin(request: OpenRequest, texts: readonly TextToBuy[]): Promise<readonly TillDecision[]>;
  /** Books an attempt whose answer was lost. The request stays open: it is sent again, or forgotten. */
  lost(request: OpenRequest, charges: readonly Charge[]): Promise<void>;
  /** The texts are in the memory and the charges on the books when it resolves; the request is over. */
  end(request: OpenRequest, answered: PaidAnswer): Promise<void>;
  /** Nothing more is billed: its texts are free for others. */
  forget(request: OpenRequest): Promise<void>;
  /** Resolves when somebody else's request may have ended; rejects with the signal's reason. */
  othersEnd(signal: AbortSignal): Promise<void>;
  /** Books what a process that ended had under way: as billed where its answer is known, else as possibly billed. */
  recover(): Promise<void>;
}
