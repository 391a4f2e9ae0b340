/**
 * Finds jobs that wait because the purchase of their content failed. When another job with the same content gets a result, they use it
 * too and pay nothing.
 */
import { type Job, sourceHashOf, sourceId } from '../../job.ts';
import type { Fact, JobRecord, LedgerView, SourceRecord } from '../../ledger.ts';
import type { DocumentPurchase } from '../../state/document-purchase.ts';

export interface WaitingCopies {
  /** The facts that queue the jobs again. */
  readonly facts: Fact[];
  readonly sources: SourceRecord[];
}

/** @param purchase it has a result. If `released` is set, it failed before, and a person asked for it again */
export function copiesThatWaited(
  ledger: LedgerView,
  job: Job,
  purchase: DocumentPurchase | undefined,
): WaitingCopies {
  if (purchase?.released === undefined) return { facts: [], sources: [] };
  const copies = [...ledger.all('jobs')].filter(
    (other) => isCopy(other, job) && hasGoneWrong(other),
  );
  const ids = new Set(copies.map(({ project, source }) => sourceId(project, source)));
  return {
    facts: copies.map((from) => ({ table: 'jobs', from, set: { state: { kind: 'queued' } } })),
    sources: [...ids].flatMap((id) => ledger.get('sources', id) ?? []),
  };
}

/** A copy with other rules has its own purchase. It is queued too, finds its own failed purchase, and waits again. */
function isCopy(other: JobRecord, { id, language, fingerprint }: Job): boolean {
  if (other.lane !== 'document' || other.id === id || other.language !== language) return false;
  return sourceHashOf(other.fingerprint) === sourceHashOf(fingerprint);
}

function hasGoneWrong({ state }: JobRecord): boolean {
  if (state.kind === 'failed') return state.failure.kind === 'rejected';
  if (state.kind !== 'held') return false;
  return state.hold.kind === 'in-doubt' || state.hold.kind === 'lost-result';
}
