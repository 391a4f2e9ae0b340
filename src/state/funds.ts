/** The contract of the funds: the amounts that all processes of a shared state may spend together. */
import type { BudgetHold } from '../job.ts';

/** A limited sum: of all projects or one, of all logins or one, in one period. */
export interface SharedLimit {
  /** Names the sum: equal for equal sums. */
  readonly key: string;
  /** Null: all projects. */
  readonly project: string | null;
  /** Null: all logins of the database. */
  readonly login: string | null;
  readonly unit: 'characters' | 'seconds';
  /** ISO 8601; `ends` is not part of it. */
  readonly starts: string;
  readonly ends: string;
  /** The limit in the config, in `unit`. */
  readonly limit: number;
  /** The same; null: the sum is counted, and nothing is refused. */
  readonly max: number | null;
  readonly scope: BudgetHold['scope'];
}

/** The amount that a job wants to spend. */
export interface FundsAsk {
  readonly project: string;
  /** Unicode code points. */
  readonly characters: number;
  /** Seconds of audio. */
  readonly seconds: number;
  /** A person approved it: it is counted, and never refused. */
  readonly isApproved: boolean;
}

export interface Funds {
  /** The login of this process at the database. */
  readonly login: string;
  /** Milliseconds since the epoch, by one clock for all processes. */
  now(): number;
  /** The hold when that much may not be spent now; undefined: it may. */
  wouldHold(ask: FundsAsk, limits: readonly SharedLimit[]): Promise<BudgetHold | undefined>;
  /**
   * Reserves an amount until it is released. It replaces an earlier reservation of the holder.
   * @returns the hold when there is not enough left
   */
  reserve(
    holder: string,
    ask: FundsAsk,
    limits: readonly SharedLimit[],
  ): Promise<BudgetHold | undefined>;
  /** Ends a reservation. The caller does not wait for the database. */
  release(holder: string): void;
  /**
   * Ends all reservations of a purchase, also those of other processes that worked on it before. The caller does not wait for the database.
   */
  releasePurchase(purchase: string): void;
  /** The spent amount of each limit, in the order and the units of `limits`. */
  spent(limits: readonly SharedLimit[]): Promise<readonly number[]>;
}

/** The hold of a limit that refuses an amount. `needs` and `left` are in the unit of the limit. */
export function fundsHold(
  { scope, unit }: SharedLimit,
  { needs, left }: { readonly needs: number; readonly left: number },
): BudgetHold {
  const hold = { kind: 'budget', scope } as const;
  if (unit === 'characters') return { ...hold, needs: Math.ceil(needs), left: Math.floor(left) };
  return { ...hold, needs: Math.ceil(needs / 60), left: Math.floor(left / 60), unit: 'minutes' };
}

/** The shared budget does not allow the amount. */
export class OverBudget extends Error {
  override readonly name = 'OverBudget';
  readonly hold: BudgetHold;

  constructor(hold: BudgetHold) {
    super(`the ${hold.scope} budget has ${hold.left} left, and ${hold.needs} are needed`);
    this.hold = hold;
  }
}
