/** Fetches purchases of a job that it does not need now: they are paid, and may be needed again. */
import type { LaneRun } from '../../lane.ts';
import { isUnderWay, type PurchaseKey } from '../../state/document-purchase.ts';
import { BUSY_MS } from '../remote-purchase.ts';
import { fetchDocument } from './fetch.ts';
import { leaveInDoubt, type PurchaseContext } from './purchase-context.ts';

/**
 * @param needed the purchase that the job fetches itself
 * @returns when to look again, in milliseconds since the epoch; undefined when nothing is left
 */
export async function fetchRemaining(
  purchasing: PurchaseContext,
  { job, signal }: Pick<LaneRun, 'job' | 'signal'>,
  needed?: PurchaseKey,
): Promise<number | undefined> {
  let next: number | undefined;
  for (const { key } of purchasing.purchases.underWay(job)) {
    if (key === needed) continue;
    const at = await fetchOne(purchasing, key, signal);
    if (at !== undefined) next = Math.min(next ?? at, at);
  }
  return next;
}

async function fetchOne(
  purchasing: PurchaseContext,
  key: PurchaseKey,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (purchasing.inProgress.has(key)) return purchasing.clock.now() + BUSY_MS;
  using _ = purchasing.inProgress.begin(key);
  // Read again: another job may have fetched it meanwhile.
  const purchase = purchasing.purchases.get(key);
  if (purchase === undefined || !isUnderWay(purchase)) return undefined;
  // An earlier process ended before it got the answer.
  if (purchase.stage.kind === 'closing') {
    await leaveInDoubt(purchasing, purchase);
    return undefined;
  }
  const progress = await fetchDocument(purchasing, purchase, signal);
  return progress.kind === 'wait' ? progress.at : undefined;
}
