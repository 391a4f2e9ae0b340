/** What a job has bought and does not need now is brought home too: it is paid, and may be wanted again. */
import type { LaneRun } from '../../lane.ts';
import { isUnderWay, type PurchaseKey } from '../../state/document-purchase.ts';
import { BUSY_MS } from '../remote-purchase.ts';
import { bringHome } from './fetch.ts';
import { leaveInDoubt, type PurchaseContext } from './purchase-context.ts';

/**
 * @param needed the purchase that the job goes on with itself
 * @returns when to look again; undefined when nothing is left
 */
export async function bringRestHome(
  purchasing: PurchaseContext,
  { job, signal }: Pick<LaneRun, 'job' | 'signal'>,
  needed?: PurchaseKey,
): Promise<number | undefined> {
  let next: number | undefined;
  for (const { key } of purchasing.purchases.underWay(job.id)) {
    if (key === needed) continue;
    const at = await goOn(purchasing, key, signal);
    if (at !== undefined) next = Math.min(next ?? at, at);
  }
  return next;
}

async function goOn(
  purchasing: PurchaseContext,
  key: PurchaseKey,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (purchasing.inProgress.has(key)) return purchasing.clock.now() + BUSY_MS;
  using _ = purchasing.inProgress.begin(key);
  // Read only now: somebody else may have brought it home meanwhile.
  const purchase = purchasing.purchases.get(key);
  if (purchase === undefined || !isUnderWay(purchase)) return undefined;
  // The process ended before it heard the answer.
  if (purchase.stage.kind === 'closing') {
    await leaveInDoubt(purchasing, purchase);
    return undefined;
  }
  const progress = await bringHome(purchasing, purchase, signal);
  return progress.kind === 'wait' ? progress.at : undefined;
}
