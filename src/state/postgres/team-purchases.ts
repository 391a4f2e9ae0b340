/** The purchases of documents and recordings by a team, in its database: who buys, the stage, and the result. */
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { openRegular } from '../../files/regular-file.ts';
import type { PurchaseClaim, SharedPurchase, SharedPurchases, Want } from '../shared-purchases.ts';
import type { Database } from './database.ts';
import type { Runner } from './runner.ts';
import type { Seal } from './seal.ts';
import type { SeenCharges } from './seen.ts';

export interface TeamPurchasesOptions {
  readonly database: Database;
  readonly runner: Runner;
  readonly seen: Pick<SeenCharges, 'known'>;
  /** Absent: the team has no key, and secrets stay on the machine of the buyer. */
  readonly seal?: Seal | undefined;
  /** Seconds in which a given-up runner may come back when no other runner can go on with its purchase. */
  readonly graceSeconds?: number;
  /** Seconds for which translated texts are kept; absent: for ever. */
  readonly keepTextsSeconds?: number | undefined;
  /** Projects whose texts are deleted after that time. */
  readonly projects?: readonly string[];
}

/** The restart of a daemon takes less. */
const GRACE_S = 20;
/** Larger results are not copied to the database. */
const MOST_RESULT_BYTES = 64 * 1024 * 1024;
/**
 * Each part is read with a statement of its own. It is sent as 2 MiB of text, which a slow line transfers in the time limit of
 * a statement.
 */
const PART_BYTES = 1024 * 1024;

export class TeamPurchases implements SharedPurchases {
  readonly #options: TeamPurchasesOptions;

  constructor(options: TeamPurchasesOptions) {
    this.#options = options;
  }

  async claim(
    purchase: Pick<SharedPurchase, 'id' | 'project' | 'charge'>,
    want: Want,
  ): Promise<PurchaseClaim> {
    const { database, runner, seal, seen, graceSeconds: grace = GRACE_S } = this.#options;
    const told = {
      ...purchase,
      want,
      grace,
      runner: runner.id,
      name: runner.name,
      seen: seen.known,
    };
    const ask = async (key: boolean) =>
      await database.call<PurchaseClaim>(
        'claim_purchase',
        JSON.stringify({ ...told, key, claim: randomUUID() }),
      );
    const claim = await ask(seal !== undefined);
    if (claim.kind !== 'taken-over') return claim;
    const secret = seal?.open(purchase.id, String(claim.secret));
    if (secret !== undefined) return { ...claim, secret: JSON.parse(secret) as unknown };
    // The secret was encrypted with another key: the purchase is left to a runner that has that key.
    await this.leave(purchase.id);
    return await ask(false);
  }

  async record({ secret, ...purchase }: SharedPurchase): Promise<boolean> {
    const { database, runner, seal } = this.#options;
    const sealed = secret === undefined ? null : seal?.close(purchase.id, JSON.stringify(secret));
    const told = { ...purchase, runner: runner.id, name: runner.name, secret: sealed ?? null };
    return await database.call<boolean>('note_purchase', JSON.stringify(told));
  }

  async unended(ids: readonly string[]): Promise<Pick<SharedPurchase, 'id' | 'record'>[]> {
    return await this.#options.database.rows(
      "select id, record from @.purchases where id = any($1) and stage in ('closing', 'sent', 'booked')",
      [ids],
    );
  }

  async leave(id: string): Promise<void> {
    await this.#options.database.call('leave_purchase', id, this.#options.runner.id);
  }

  async release(id: string): Promise<void> {
    await this.#options.database.call('release_purchase', id, this.#options.runner.id);
  }

  async keep(id: string, file: string, keepMs: number): Promise<void> {
    const { size } = await stat(file);
    if (size > MOST_RESULT_BYTES) return;
    await using handle = await openRegular(file);
    for (let from = 0; from < size; from += PART_BYTES) {
      const part = Buffer.alloc(Math.min(PART_BYTES, size - from));
      await handle.read(part, 0, part.length, from);
      await this.#options.database.call('put_result', id, from / PART_BYTES, part, keepMs / 1000);
    }
  }

  async bytes(id: string): Promise<Uint8Array | undefined> {
    const parts: Buffer[] = [];
    for (let part = 0; ; part++) {
      const [row] = await this.#options.database.rows<{ bytes: Buffer }>(
        'select bytes from @.results where id = $1 and part = $2',
        [id, part],
      );
      if (row === undefined) return part === 0 ? undefined : Buffer.concat(parts);
      parts.push(row.bytes);
    }
  }

  async sweep(): Promise<void> {
    // If this fails, it is tried again in an hour.
    const { database, keepTextsSeconds: keep, projects = [] } = this.#options;
    await database.callOnce('sweep_results').catch(() => {});
    if (keep === undefined) return;
    await database.callOnce('sweep_memory', keep, JSON.stringify(projects)).catch(() => {});
  }
}
