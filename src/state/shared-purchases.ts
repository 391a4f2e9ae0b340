/** The contract of purchases that a team shares: a document or a recording is sent by one runner only. */

/** The stage of a purchase: it decides who may go on with it. */
export type SharedStage =
  /** Nothing was sent completely. */
  | 'begun'
  /** The last bytes are being sent: it may be billed, and the handle to ask for the result is not known yet. */
  | 'closing'
  /** The service has it; its bill is not booked yet. */
  | 'sent'
  /** The same, and its bill is booked. */
  | 'booked'
  /** Its result is on the disk of a runner. */
  | 'kept'
  /** It has no result: refused, lost or in doubt. */
  | 'over';

/** A purchase with its stage. */
export interface SharedPurchase {
  /** Equal for purchases of the same thing. */
  readonly id: string;
  readonly project: string;
  readonly stage: SharedStage;
  /** Unicode code points that are expected to be billed. */
  readonly characters: number;
  /** Seconds of audio. */
  readonly seconds: number;
  /** For the charge, when it stays unknown whether it was billed. */
  readonly charge: { readonly language: string; readonly lane: string };
  /** The facts that another runner needs; without secrets. */
  readonly record: unknown;
  /** The same with secrets: encrypted with the key of the team; left out when the team has none. */
  readonly secret?: unknown;
}

/**
 * `look`: is there a result? `buy`: continue what exists, or begin. `again`: begin again what failed, because a person asked for it.
 * `anew`: begin again in any case.
 */
export type Want = 'look' | 'buy' | 'again' | 'anew';

/** The answer to a claim: who may buy. */
export type PurchaseClaim =
  /** This runner may buy: nothing was sent. `free`: the answer to `look` when there is no result. */
  | { readonly kind: 'ours' }
  | { readonly kind: 'free' }
  /** Another runner works on it, or did a short time ago. */
  | { readonly kind: 'busy'; readonly runner: string }
  /** Another runner sent it and died: this runner goes on. */
  | { readonly kind: 'taken-over'; readonly runner: string; readonly secret: unknown }
  /** Another runner sent it and died, and only the folder of that one has the secrets. */
  | {
      readonly kind: 'out-of-reach';
      readonly runner: string;
      readonly characters: number;
      readonly seconds: number;
    }
  | {
      readonly kind: 'kept';
      readonly runner: string;
      readonly record: unknown;
      readonly characters: number;
      readonly seconds: number;
    }
  | { readonly kind: 'over'; readonly runner: string; readonly record: unknown };

export interface SharedPurchases {
  claim(
    purchase: Pick<SharedPurchase, 'id' | 'project' | 'charge'>,
    want: Want,
  ): Promise<PurchaseClaim>;
  /** Writes the stage. @returns false when another runner works on it, or has its result */
  record(purchase: SharedPurchase): Promise<boolean>;
  /** Those of the purchases that are sent and have no end in the team's database, with their records. */
  unended(ids: readonly string[]): Promise<Pick<SharedPurchase, 'id' | 'record'>[]>;
  /** Lets another runner go on with it. */
  leave(id: string): Promise<void>;
  /** Gives back a claim of this runner; nothing was sent. */
  release(id: string): Promise<void>;
  /**
   * Stores the bytes of a result for the other runners. A result that is too large stays on this machine only.
   * @param keepMs milliseconds after which they are deleted
   */
  keep(id: string, file: string, keepMs: number): Promise<void>;
  /** The bytes of a result; undefined: they are not stored. */
  bytes(id: string): Promise<Uint8Array | undefined>;
  /** Deletes bytes whose time is over. */
  sweep(): Promise<void>;
}

/** This runner was silent for too long: another runner works on the purchase that this one had begun. */
export class TakenOver extends Error {
  override readonly name = 'TakenOver';
  constructor(id: string) {
    super(`another runner of the team works on ${id}`);
  }
}
