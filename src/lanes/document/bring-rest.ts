/** What a job has bought and does not need now is brought home too: it is paid, and may be wanted again. */
import type { LaneRun } from '../../lane.ts';
import { isUnderWay, type Purchase, type PurchaseKey } from '../../state/document-purchase.ts';
import { BUSY_MS } from './at-work.ts';
import { bringHome } from './fetch.ts';
import type { Shop } from './shop.ts';

/**
 * @param needed the purchase that the job goes on with itself
 * @returns when to look again; undefined when nothing is left
 */
export async function bringRestHome(
  shop: Shop,
  { job, signal }: Pick<LaneRun, 'job' | 'signal'>,
  needed?: PurchaseKey,
): Promise<number | undefined> {
  let next: number | undefined;
  for (const { key } of shop.purchases.underWay(job.id)) {
    if (key === needed) continue;
    const at = await goOn(shop, key, signal);
    if (at !== undefined) next = Math.min(next ?? at, at);
  }
  return next;
}

async function goOn(
  shop: Shop,
  key: PurchaseKey,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (shop.atWork.has(key)) return shop.clock.now() + BUSY_MS;
  using _ = shop.atWork.begin(key);
  // Read only now: somebody else may have brought it home meanwhile.
  const purchase = shop.purchases.get(key);
  if (purchase === undefined || !isUnderWay(purchase)) return undefined;
  if (purchase.stage.kind === 'closing') return await leaveInDoubt(shop, purchase);
  const progress = await bringHome(shop, purchase, signal);
  return progress.kind === 'wait' ? progress.at : undefined;
}

/** The process ended before it heard the answer. */
async function leaveInDoubt({ purchases }: Shop, purchase: Purchase): Promise<undefined> {
  await purchases.put({ ...purchase, stage: { kind: 'in-doubt' } });
}
