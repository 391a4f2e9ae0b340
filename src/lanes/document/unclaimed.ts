/** Documents whose source was deleted, or whose route was taken out, while they were being paid for: brought home and kept all the same. */
import { type Clock, isoTime } from '../../clock.ts';
import type { Hold, Job } from '../../job.ts';
import type { LaneResult, LaneRun } from '../../lane.ts';
import type { Fact, JobRecord, LedgerView } from '../../ledger.ts';
import { sourceHashOf } from '../../plan/recipe.ts';
import { isUnderWay, type Purchase } from '../../state/document-purchase.ts';
import { purchasesIn } from '../../state/document-purchases.ts';
import { bringRestHome } from './bring-rest.ts';
import type { Shop } from './shop.ts';

export interface UnclaimedOptions {
  readonly shop: Shop;
  readonly ledger: LedgerView;
  readonly clock: Clock;
}

/** Ends held where something is paid and kept, or may have been paid; nothing is left of the job where not. */
export async function bringUnclaimedHome(
  options: UnclaimedOptions,
  run: LaneRun,
): Promise<LaneResult> {
  const { shop, clock, ledger } = options;
  const next = await bringRestHome(shop, run);
  if (next !== undefined) return { kind: 'poll', at: next };
  const purchase = purchaseOf(ledger, run.job);
  const hold = purchase === undefined ? undefined : holdFor(ledger, purchase);
  if (hold !== undefined) {
    return { kind: 'held', state: { kind: 'held', at: isoTime(clock), hold }, wrote: [] };
  }
  await run.record([{ table: 'jobs', remove: run.job.id }]);
  return { kind: 'superseded' };
}

function holdFor(ledger: LedgerView, { stage, estimate: characters }: Purchase): Hold | undefined {
  switch (stage.kind) {
    case 'downloaded':
      return isDelivered(ledger, stage.hash) ? undefined : { kind: 'source-gone' };
    case 'in-doubt':
      return { kind: 'in-doubt', characters };
    case 'lost':
      return { kind: 'lost-result', characters, reason: stage.reason };
    case 'intent':
    case 'closing':
    case 'uploaded':
    case 'finished':
    case 'downloading':
    case 'refused':
      return undefined;
  }
}

function isDelivered(ledger: LedgerView, hash: string): boolean {
  for (const { wrote } of ledger.all('jobs')) {
    if (wrote.some((written) => written.hash === hash)) return true;
  }
  return false;
}

/** What a job bought for the content that it is about. */
function purchaseOf(ledger: LedgerView, job: Job): Purchase | undefined {
  const sourceHash = sourceHashOf(job.fingerprint);
  return purchasesOf(ledger, job).find((purchase) => purchase.sourceHash === sourceHash);
}

function purchasesOf(ledger: LedgerView, { id }: Job): Purchase[] {
  return [...purchasesIn(ledger)].filter(({ job }) => job === id);
}

/**
 * A job whose source is gone, as it goes on.
 * @returns undefined when nothing was paid for it that is not delivered
 */
export function withoutSource(
  { ledger, clock }: Pick<UnclaimedOptions, 'ledger' | 'clock'>,
  job: JobRecord,
): JobRecord | undefined {
  if (job.lane !== 'document' || job.state.kind === 'done') return undefined;
  const left = { ...job, wrote: [], delivered: null };
  if (purchasesOf(ledger, job).some(isUnderWay)) {
    return job.state.kind === 'running' ? left : { ...left, state: { kind: 'queued' } };
  }
  const purchase = purchaseOf(ledger, job);
  const hold = purchase === undefined ? undefined : holdFor(ledger, purchase);
  if (hold?.kind !== 'source-gone') return undefined;
  return { ...left, state: { kind: 'held', at: isoTime(clock), hold } };
}

/** A job that only kept a result for its lost source ends when another source takes that result. */
export function settledElsewhere(ledger: LedgerView, purchase: Purchase | undefined): Fact[] {
  const state = purchase && ledger.get('jobs', purchase.job)?.state;
  if (state?.kind !== 'held' || state.hold.kind !== 'source-gone') return [];
  return [{ table: 'jobs', remove: purchase?.job ?? '' }];
}
