/** The contract of purchases that a team shares: what is bought whole, a document or a recording, is sent by one runner. */

/** What a purchase has reached, as far as it decides who may go on with it. */
export type SharedStage =
  /** Nothing was sent whole. */
  | 'begun'
  /** The last bytes leave: it may have been billed, and nobody knows yet how to ask for it. */
  | 'closing'
  /** It is on the service; its bill is not on the books yet. */
  | 'sent'
  /** The same, and its bill is on the books. */
  | 'booked'
  /** Its result is on the disk of a runner. */
  | 'kept'
  /** Nothing more comes of it: refused, lost, in doubt. */
  | 'over';

/** Where a purchase stands. */
export interface SharedPurchase {
  /** Equal for what would be bought twice. */
  readonly id: string;
  readonly project: string;
  readonly stage: SharedStage;
  /** What is expected to be billed. */
  readonly characters: number;
  /** Of audio. */
  readonly seconds: number;
  /** Of whom it is charged, where nobody can tell any more whether it was billed. */
  readonly charge: { readonly language: string; readonly lane: string };
  /** What another runner needs to know of it; no secret. */
  readonly record: unknown;
  /** The same with the secrets: encrypted where the team has a key, and left out where not. */
  readonly secret?: unknown;
}

/**
 * `look`: is there a result? `buy`: go on with what is there, or begin. `again`: begin anew what went wrong, because a
 * person said so. `anew`: whatever there is.
 */
export type Want = 'look' | 'buy' | 'again' | 'anew';

/** Whose turn it is to buy. */
export type PurchaseClaim =
  /** This runner's: nothing of it is sent. */
  | { readonly kind: 'ours' }
  | { readonly kind: 'free' }
  /** Another runner works on it, or was here a moment ago. */
  | { readonly kind: 'busy'; readonly runner: string }
  /** This runner's from now on: another one sent it and died. */
  | { readonly kind: 'taken-over'; readonly runner: string; readonly secret: unknown }
  /** Another one sent it and died, and only its own folder knows how to ask for it. */
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
  /** @returns false when another runner works on it, or has its result */
  note(purchase: SharedPurchase): Promise<boolean>;
  /** Another runner may go on with it. */
  leave(id: string): Promise<void>;
  /** Gives back what is this runner's and was not sent. */
  release(id: string): Promise<void>;
  /**
   * Puts the bytes of a result where others find them; too many of them stay where they are.
   * @param keepMs milliseconds after which they are deleted
   */
  keep(id: string, file: string, keepMs: number): Promise<void>;
  /** The bytes of a result; undefined when they are not there. */
  bytes(id: string): Promise<Uint8Array | undefined>;
  /** Deletes bytes that were kept for long enough. */
  sweep(): Promise<void>;
}

/** Another runner works on a purchase that this one had begun: it was silent for too long. */
export class TakenOver extends Error {
  override readonly name = 'TakenOver';
  constructor(id: string) {
    super(`another runner of the team works on ${id}`);
  }
}
