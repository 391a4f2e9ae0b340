/** What stays of a document job whose source is gone: what is paid for it and not delivered. Pure. */
import { type Clock, isoTime } from '../clock.ts';
import { type Hold, type Job, sourceHashOf } from '../job.ts';
import type { JobPatch, JobRecord, LedgerView } from '../ledger.ts';
import { type DocumentPurchase, isUnderWay } from '../state/document-purchase.ts';
import { purchasesIn } from '../state/document-purchases.ts';

/** Why a result that has no source any more waits for a person; undefined where nothing waits. */
export function unclaimedHold(ledger: LedgerView, job: Job): Hold | undefined {
  const purchase = unclaimedPurchase(ledger, job);
  return purchase && holdFor(ledger, purchase);
}

/** Nothing can be bought again: there is nothing to send. */
const characters = 0;

function holdFor(ledger: LedgerView, { stage }: DocumentPurchase): Hold | undefined {
  switch (stage.kind) {
    case 'downloaded':
      return isDelivered(ledger, stage.hash) ? undefined : { kind: 'source-gone' };
    case 'in-doubt':
      return { kind: 'in-doubt', characters };
    case 'lost':
      return { kind: 'lost-result', characters, reason: `${stage.reason}; its source is gone` };
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
export function unclaimedPurchase(ledger: LedgerView, job: Job): DocumentPurchase | undefined {
  const sourceHash = sourceHashOf(job.fingerprint);
  return purchasesOf(ledger, job).find((purchase) => purchase.sourceHash === sourceHash);
}

function purchasesOf(ledger: LedgerView, { id }: Job): DocumentPurchase[] {
  return [...purchasesIn(ledger)].filter(({ job }) => job === id);
}

/**
 * How a job goes on whose source is gone.
 * @returns undefined when nothing was paid for it that is not delivered: then nothing is left of it
 */
export function withoutSource(
  { ledger, clock }: { readonly ledger: LedgerView; readonly clock: Clock },
  job: JobRecord,
): JobPatch | undefined {
  if (job.lane !== 'document' || job.state.kind === 'done') return undefined;
  const left = { wrote: [], delivered: null };
  if (purchasesOf(ledger, job).some(isUnderWay)) {
    return job.state.kind === 'running' ? left : { ...left, state: { kind: 'queued' } };
  }
  const hold = unclaimedHold(ledger, job);
  if (hold === undefined) return undefined;
  return { ...left, state: { kind: 'held', at: isoTime(clock), hold } };
}
