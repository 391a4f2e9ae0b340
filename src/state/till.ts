/** The contract of the till: each text is bought once, and each sent request is booked, also after a crash. */
import type { BudgetHold, JobId } from '../job.ts';
import type { Charge, OpenRequest } from '../ledger.ts';
import type { AskedText, KnownTranslation, Remembered } from './memory.ts';

/** One text that a request wants to buy. */
export interface TextToBuy extends AskedText {
  readonly job: JobId;
  /** Unicode code points, as sent. */
  readonly characters: number;
}

/**
 * Whether to send a text. `ours`: send it. `known`: it was bought before. `busy`: another process buys it now. `held`: the
 * budget does not allow it.
 */
export type TillDecision =
  | { readonly kind: 'ours' }
  | { readonly kind: 'known'; readonly parts: NonNullable<KnownTranslation> }
  | { readonly kind: 'busy' }
  | { readonly kind: 'held'; readonly hold: BudgetHold };

/** The content of an answer, and its charges. */
export interface PaidAnswer {
  /** Empty for an answer that cannot be used. */
  readonly entries: readonly Remembered[];
  readonly charges: readonly Charge[];
}

export interface Till {
  /**
   * Records that a request will be sent with the texts that are `ours`; durable when it resolves. When no text is, nothing is recorded.
   * @returns the decision for each text, in order
   */
  begin(request: OpenRequest, texts: readonly TextToBuy[]): Promise<readonly TillDecision[]>;
  /** Books a try whose answer was lost. The request stays open: it is sent again, or forgotten. */
  lost(request: OpenRequest, charges: readonly Charge[]): Promise<void>;
  /** Ends the request: when it resolves, the texts are in the memory and the charges are booked. */
  end(request: OpenRequest, answered: PaidAnswer): Promise<void>;
  /** Ends the request without an answer: it bills nothing more, and its texts are free for others. */
  forget(request: OpenRequest): Promise<void>;
  /** Resolves when a request of another process may have ended; rejects with the reason of the signal. */
  othersEnd(signal: AbortSignal): Promise<void>;
  /** Books the open requests of a process that ended: as billed when the answer is known, else as possibly billed. */
  recover(): Promise<void>;
}
