/** The tree that `cluster.ts` and `cluster-begin.ts` measure. */
import { systemClock } from '../src/clock.ts';
import type { TreeQueues } from '../src/state/postgres/boss.ts';
import { Database } from '../src/state/postgres/database.ts';
import { Seal } from '../src/state/postgres/seal.ts';
import { TreeLedger } from '../src/state/postgres/tree-ledger.ts';
import type { TreeView } from '../src/state/postgres/tree-mirror.ts';

export const TREE = 'website';
const SEAL = Seal.from('7'.repeat(64)) as Seal;

export interface Place {
  readonly url: string;
  readonly schema: string;
}

export function databaseAt({ url, schema }: Place): Database {
  const quiet = { onAway: () => {}, onBack: () => {} };
  return new Database({ url, schema, clock: systemClock, patienceMs: 10_000, ...quiet });
}

export async function ledgerAt(
  database: Database,
  view: TreeView,
  queues?: TreeQueues,
): Promise<TreeLedger> {
  const options = { database, clock: systemClock, tree: TREE, view, seal: SEAL };
  return await TreeLedger.open({ ...options, ...(queues && { queues }) });
}
