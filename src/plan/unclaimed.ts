/** The jobs of documents whose source, language or route is gone: a result that is paid and not delivered keeps its job. Pure. */
import { type Clock, isoTime } from '../clock.ts';
import { type Hold, sourceHashOf, sourceId } from '../job.ts';
import type { JobPatch, JobRecord, LedgerView } from '../ledger.ts';
import { type DocumentPurchase, isUnderWay } from '../state/document-purchase.ts';
import { purchasesIn } from '../state/document-purchases.ts';

/** What a result lacks to be delivered: its source, or its language or route in the config. */
type Lack = 'source' | 'config';

/** Why a result that nothing asks for waits for a person; undefined: nothing waits. */
export function unclaimedHold(
  ledger: LedgerView,
  job: JobRecord,
  lack: Lack = lackOf(ledger, job),
): Hold | undefined {
  const purchase = unclaimedPurchase(ledger, job);
  return purchase && holdFor(ledger, purchase, lack);
}

function lackOf(ledger: LedgerView, { project, source }: JobRecord): Lack {
  return ledger.get('sources', sourceId(project, source)) === undefined ? 'source' : 'config';
}

/** The price of buying it again: without a source there is nothing to send. */
const characters = 0;

function holdFor(ledger: LedgerView, { stage }: DocumentPurchase, lack: Lack): Hold | undefined {
  switch (stage.kind) {
    case 'downloaded':
      if (isDelivered(ledger, stage.hash)) return undefined;
      return { kind: 'source-gone', ...(lack === 'config' && { by: lack }) };
    case 'in-doubt':
      return { kind: 'in-doubt', characters };
    case 'lost': {
      const why =
        lack === 'source'
          ? 'its source is gone'
          : 'its language or route was removed from the config';
      return { kind: 'lost-result', characters, reason: `${stage.reason}; ${why}` };
    }
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

/** The purchase of a job for the content of its fingerprint. */
export function unclaimedPurchase(
  ledger: LedgerView,
  job: JobRecord,
): DocumentPurchase | undefined {
  const sourceHash = sourceHashOf(job.fingerprint);
  return purchasesOf(ledger, job).find((purchase) => purchase.sourceHash === sourceHash);
}

function purchasesOf(
  ledger: LedgerView,
  { id, formerIds = [] }: Pick<JobRecord, 'id' | 'formerIds'>,
): DocumentPurchase[] {
  const ids = new Set([id, ...formerIds]);
  return [...purchasesIn(ledger)].filter(({ job }) => ids.has(job));
}

/**
 * How the job of a gone source goes on.
 * @returns undefined when all that was paid is delivered: then the job is removed
 */
export function patchWithoutSource(
  { ledger, clock }: { readonly ledger: LedgerView; readonly clock: Clock },
  job: JobRecord,
): JobPatch | undefined {
  if (job.lane !== 'document' || job.state.kind === 'done') return undefined;
  const left = { wrote: [], delivered: null };
  if (purchasesOf(ledger, job).some(isUnderWay)) {
    return job.state.kind === 'running' ? left : { ...left, state: { kind: 'queued' } };
  }
  const hold = unclaimedHold(ledger, job, 'source');
  if (hold === undefined) return undefined;
  return { ...left, state: { kind: 'held', at: isoTime(clock), hold } };
}
