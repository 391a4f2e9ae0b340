/** Documents whose source was deleted, or whose route was taken out, while they were being paid for: brought home and kept all the same. */
import { type Clock, isoTime } from '../../clock.ts';
import type { Hold } from '../../job.ts';
import type { LaneResult, LaneRun } from '../../lane.ts';
import type { Fact, LedgerView } from '../../ledger.ts';
import { unclaimedHold, unclaimedPurchase } from '../../plan/unclaimed.ts';
import type { DocumentPurchase } from '../../state/document-purchase.ts';
import { bringRestHome } from './bring-rest.ts';
import { leaveInDoubt, type PurchaseContext } from './purchase-context.ts';

export interface UnclaimedOptions {
  readonly purchasing: PurchaseContext;
  readonly ledger: LedgerView;
  readonly clock: Clock;
}

/** Ends held where something is paid and kept, or may have been paid; nothing is left of the job where not. */
export async function bringUnclaimedHome(
  options: UnclaimedOptions,
  run: LaneRun,
): Promise<LaneResult> {
  const { purchasing, clock, ledger } = options;
  const next = await bringRestHome(purchasing, run);
  if (next !== undefined) return { kind: 'poll', at: next };
  const hold = unclaimedHold(ledger, run.job);
  if (hold !== undefined && !isForgotten(run, hold)) {
    return { kind: 'held', state: { kind: 'held', at: isoTime(clock), hold }, wrote: [] };
  }
  // What is forgotten may be on the bill all the same.
  const purchase = unclaimedPurchase(ledger, run.job);
  if (purchase?.stage.kind === 'in-doubt') {
    const booked = await leaveInDoubt(purchasing, purchase);
    await purchasing.purchases.put({ ...booked, stage: { kind: 'intent' } }, booked);
  }
  await run.record(() => {
    const job = ledger.get('jobs', run.job.id);
    // Whose claim is stale settles nothing, and so ends nothing either.
    return job?.fence === run.job.fence ? [{ table: 'jobs', drop: job }] : [];
  });
  return { kind: 'superseded' };
}

/** A job that only kept a result for its lost source ends when another source takes that result. */
export function settledElsewhere(
  ledger: LedgerView,
  purchase: DocumentPurchase | undefined,
): Fact[] {
  const job = purchase && ledger.get('jobs', purchase.job);
  if (job?.state.kind !== 'held' || job.state.hold.kind !== 'source-gone') return [];
  return [{ table: 'jobs', drop: job }];
}

/** A person's word ends what cannot be bought again; what is paid and kept waits for its source all the same. */
function isForgotten({ job }: LaneRun, hold: Hold): boolean {
  return job.release !== undefined && hold.kind !== 'source-gone';
}
