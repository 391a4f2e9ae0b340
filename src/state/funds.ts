/** The funds contract: what all who share a state may spend together, whoever spends it. */
import type { BudgetHold } from '../job.ts';

/** A sum that is limited: of all projects or one, of all logins or one, in one period. */
export interface SharedLimit {
  /** Equal for equal sums. */
  readonly key: string;
  /** Null: of all projects. */
  readonly project: string | null;
  /** Null: of all logins of the database. */
  readonly login: string | null;
  readonly unit: 'characters' | 'seconds';
  /** ISO 8601; `ends` is not part of it. */
  readonly starts: string;
  readonly ends: string;
  /** What the config says. */
  readonly limit: number;
  /** The same; null: it is counted, and refuses nothing. */
  readonly max: number | null;
  readonly scope: BudgetHold['scope'];
}

/** What somebody wants to spend. */
export interface FundsAsk {
  readonly project: string;
  /** Unicode code points. */
  readonly characters: number;
  /** Of audio. */
  readonly seconds: number;
  /** A person allowed it whatever is left: it counts, and is not refused. */
  readonly isApproved: boolean;
}

export interface Funds {
  /** Who spends, as the database knows it. */
  readonly login: string;
  /** Milliseconds since the epoch, by one clock for all who spend. */
  now(): number;
  /** What would keep somebody from spending that much now. */
  wouldHold(ask: FundsAsk, limits: readonly SharedLimit[]): Promise<BudgetHold | undefined>;
  /** Sets an amount aside until it is released, in place of what the same holder has. @returns the hold when there is not that much left */
  reserve(
    holder: string,
    ask: FundsAsk,
    limits: readonly SharedLimit[],
  ): Promise<BudgetHold | undefined>;
  /** Soon: nobody waits for it. */
  release(holder: string): void;
  /** What is spent of each limit, in its order and unit. */
  spent(limits: readonly SharedLimit[]): Promise<readonly number[]>;
}

/** Why a limit refuses an amount, in its own unit. */
export function holdOf(
  { scope, unit }: SharedLimit,
  { needs, left }: { readonly needs: number; readonly left: number },
): BudgetHold {
  const hold = { kind: 'budget', scope } as const;
  if (unit === 'characters') return { ...hold, needs: Math.ceil(needs), left: Math.floor(left) };
  return { ...hold, needs: Math.ceil(needs / 60), left: Math.floor(left / 60), unit: 'minutes' };
}

/** The money that all who share the state may spend does not allow it. */
export class OverBudget extends Error {
  override readonly name = 'OverBudget';
  readonly hold: BudgetHold;

  constructor(hold: BudgetHold) {
    super(`the ${hold.scope} budget has ${hold.left} left, and ${hold.needs} are needed`);
    this.hold = hold;
  }
}
