/** Removes files from the spool that are older than `keep.spool`, at the first call and then every hour. */
import { type Clock, OnwardTime } from '../../clock.ts';
import { sourceHashOf } from '../../job.ts';
import type { LedgerView } from '../../ledger.ts';
import type { InForce } from '../../plan/in-force.ts';
import { type DocumentPurchase, isUnderWay } from '../../state/document-purchase.ts';
import type { PurchaseContext } from './purchase-context.ts';

const HOUR_MS = 60 * 60_000;

export interface SweepOptions {
  readonly purchasing: Pick<PurchaseContext, 'spool' | 'purchases' | 'shared'>;
  readonly ledger: LedgerView;
  readonly clock: Clock;
  readonly inForce: InForce;
  /** Whether the ledger has all jobs. That of a worker of a tree has not: it would remove paid results of jobs that it does not know. */
  knowsAllJobs(): boolean;
}

export function hourlySweep({
  purchasing,
  ledger,
  clock,
  inForce,
  knowsAllJobs,
}: SweepOptions): () => Promise<void> {
  const time = new OnwardTime(clock);
  let next = 0;
  return async () => {
    if (time.now() < next || !knowsAllJobs()) return;
    next = time.now() + HOUR_MS;
    await purchasing.spool.sweep({ keepMs: inForce.config.keep.spool, clock }, (key) => {
      const purchase = purchasing.purchases.get(key);
      return purchase !== undefined && isNeeded(ledger, purchase);
    });
    await purchasing.shared?.sweep();
  };
}

/** A paid result that is not delivered yet is kept as long as its job waits, even longer than `keep.spool`. */
function isNeeded(ledger: LedgerView, purchase: DocumentPurchase): boolean {
  if (isUnderWay(purchase) || purchase.stage.kind === 'intent') return true;
  const job = ledger.get('jobs', purchase.job);
  if (job === undefined || job.state.kind === 'done') return false;
  return sourceHashOf(job.fingerprint) === purchase.sourceHash;
}
