/** Documents whose source or route is gone while they are being bought: their paid results are still fetched and kept. */
import { type Clock, isoTime } from '../../clock.ts';
import type { Hold } from '../../job.ts';
import type { LaneResult, LaneRun } from '../../lane.ts';
import type { LedgerView } from '../../ledger.ts';
import { unclaimedHold, unclaimedPurchase } from '../../plan/unclaimed.ts';
import { fetchRemaining } from './fetch-remaining.ts';
import { leaveInDoubt, type PurchaseContext } from './purchase-context.ts';

export interface UnclaimedOptions {
  readonly purchasing: PurchaseContext;
  readonly ledger: LedgerView;
  readonly clock: Clock;
}

/** Holds the job when a result is kept or may be billed; else removes the job. */
export async function fetchUnclaimed(options: UnclaimedOptions, run: LaneRun): Promise<LaneResult> {
  const { purchasing, clock, ledger } = options;
  const next = await fetchRemaining(purchasing, run);
  if (next !== undefined) return { kind: 'poll', at: next };
  const hold = unclaimedHold(ledger, run.job);
  if (hold !== undefined && !isForgotten(run, hold)) {
    return { kind: 'held', state: { kind: 'held', at: isoTime(clock), hold }, wrote: [] };
  }
  // It may be billed although the job is removed.
  const purchase = unclaimedPurchase(ledger, run.job);
  if (purchase?.stage.kind === 'in-doubt') {
    const booked = await leaveInDoubt(purchasing, purchase);
    await purchasing.purchases.put({ ...booked, stage: { kind: 'intent' } }, booked);
  }
  await run.record(() => {
    const job = ledger.get('jobs', run.job.id);
    // With a stale claim, this run must not remove the job.
    return job?.fence === run.job.fence ? [{ table: 'jobs', drop: job }] : [];
  });
  return { kind: 'superseded' };
}

/** A release removes a job that cannot be bought again. A job with a kept result still waits for its source. */
function isForgotten({ job }: LaneRun, hold: Hold): boolean {
  return job.release !== undefined && hold.kind !== 'source-gone';
}
