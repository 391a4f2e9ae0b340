/** The budgets of a team: sums in the database that are not exceeded, however many runners spend at the same time. */
import { Mutex } from '../../files/mutex.ts';
import type { BudgetHold } from '../../job.ts';
import { type Funds, type FundsAsk, fundsHold, OverBudget, type SharedLimit } from '../funds.ts';
import type { Database } from './database.ts';
import type { Runner } from './runner.ts';
import type { SeenCharges } from './seen.ts';
import type { TeamTime } from './team-time.ts';

export interface TeamFundsOptions {
  readonly database: Database;
  readonly time: TeamTime;
  readonly seen: SeenCharges;
  readonly runner: Runner;
  /** The role of the connections. */
  readonly login: string;
}

interface BudgetSum {
  readonly scope: string;
  readonly spent: number;
  readonly reserved: number;
}

export class TeamFunds implements Funds {
  readonly #options: TeamFundsOptions;
  /** Amounts that were spent at the last read, by the key of the limit. */
  readonly #seen = new Map<string, number>();

  /** By holder. Changes go over several connections: one that is asked for later must not come first. */
  readonly #order = new Mutex();

  constructor(options: TeamFundsOptions) {
    this.#options = options;
  }

  get login(): string {
    return this.#options.login;
  }

  now(): number {
    return this.#options.time.now();
  }

  async wouldHold(ask: FundsAsk, limits: readonly SharedLimit[]): Promise<BudgetHold | undefined> {
    if (ask.isApproved) return undefined;
    const standings = await this.#standings(limits);
    const holds = limits.flatMap((limit, index) => {
      const { spent = 0, reserved = 0 } = standings[index] ?? {};
      const left = Math.max(0, (limit.max ?? Number.POSITIVE_INFINITY) - spent - reserved);
      const needs = ask[limit.unit];
      return needs === 0 || needs <= left ? [] : [fundsHold(limit, { needs, left })];
    });
    return holds.toSorted((a, b) => a.left - b.left)[0];
  }

  async reserve(
    holder: string,
    ask: FundsAsk,
    limits: readonly SharedLimit[],
  ): Promise<BudgetHold | undefined> {
    const { database, runner, time, seen } = this.#options;
    const told = JSON.stringify({
      holder: this.#named(holder),
      runner: runner.id,
      name: runner.name,
      at: new Date(time.now()).toISOString(),
      seen: seen.known,
      project: ask.project,
      characters: ask.characters,
      seconds: ask.seconds,
      approved: ask.isApproved,
      limits: toldLimits(limits),
    });
    try {
      using _ = await this.#order.take(holder);
      await whileOpened(database, limits, async () => {
        const said = await database.call<string>('reserve', told);
        return said === 'budgets' ? undefined : said;
      });
      return undefined;
    } catch (error) {
      const over = asOverBudget(error, limits);
      if (over instanceof OverBudget) return over.hold;
      throw over;
    }
  }

  release(holder: string): void {
    // If the runner ends before, it is given up and its reservations are freed.
    this.#release(holder).catch(() => {});
  }

  releasePurchase(purchase: string): void {
    this.#options.database
      .rows('select @.release(holder) from @.reservations where right(holder, length($1)) = $1', [
        ` ${purchase}`,
      ])
      .catch(() => {});
  }

  async #release(holder: string): Promise<void> {
    using _ = await this.#order.take(holder);
    await this.#options.database.call('release', this.#named(holder));
  }

  async spent(limits: readonly SharedLimit[]): Promise<readonly number[]> {
    const rows = await this.#options.database
      .query<BudgetSum>('select scope, spent, reserved from @.budgets where scope = any($1)', [
        limits.map(({ key }) => key),
      ])
      .catch(() => undefined);
    // The last known amounts when the database does not answer. A new limit has no sum yet: it is opened now.
    const isNew = rows !== undefined && rows.length < limits.length;
    const found = isNew ? await this.#standings(limits) : (rows ?? []);
    for (const each of found) if (each !== undefined) this.#seen.set(each.scope, each.spent);
    return limits.map(({ key }) => this.#seen.get(key) ?? 0);
  }

  #named(holder: string): string {
    return `${this.#options.runner.id} ${holder}`;
  }

  async #standings(limits: readonly SharedLimit[]): Promise<readonly (BudgetSum | undefined)[]> {
    if (limits.length === 0) return [];
    const { database } = this.#options;
    const found = await whileOpened(database, limits, async () => {
      const rows = await database.rows<BudgetSum>(
        'select scope, spent, reserved from @.budgets where scope = any($1)',
        [limits.map(({ key }) => key)],
      );
      return rows.length < limits.length ? undefined : rows;
    });
    const byScope = new Map(found.map((row) => [row.scope, row]));
    return limits.map(({ key }) => byScope.get(key));
  }
}

/**
 * Does `work`, which needs the sums of limits in the database.
 * @param work resolves to undefined when a sum is missing: then the sums are opened, and it is done again
 */
export async function whileOpened<T>(
  database: Database,
  limits: readonly SharedLimit[],
  work: () => Promise<T | undefined>,
): Promise<T> {
  const done = await work();
  if (done !== undefined) return done;
  const scopes = limits.map(({ key: scope, project, login, unit, starts, ends }) => {
    return { scope, project, login, unit, starts, ends };
  });
  await database.call('open_budgets', JSON.stringify(scopes));
  const again = await work();
  if (again === undefined) throw new Error('the database has lost budgets that were just opened');
  return again;
}

export function toldLimits(limits: readonly SharedLimit[]) {
  return limits.map(({ key, max }) => ({ scope: key, max }));
}

/** The database's refusal as `OverBudget`; other errors unchanged. */
export function asOverBudget(error: unknown, limits: readonly SharedLimit[]): unknown {
  const {
    code,
    message,
    detail = '{}',
  } = error as {
    code?: string;
    message: string;
    detail?: string;
  };
  const limit = code === 'DG001' ? limits.find(({ key }) => key === message) : undefined;
  if (limit === undefined) return error;
  return new OverBudget(fundsHold(limit, JSON.parse(detail) as { needs: number; left: number }));
}
