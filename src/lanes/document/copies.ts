/** Jobs with the same content that waited because its purchase had failed: the result is theirs too, and costs them nothing. */
import { type Job, sourceHashOf, sourceId } from '../../job.ts';
import type { Fact, JobRecord, LedgerView, SourceRecord } from '../../ledger.ts';
import type { DocumentPurchase } from '../../state/document-purchase.ts';

export interface WaitingCopies {
  /** The facts that queue the jobs again. */
  readonly facts: Fact[];
  readonly sources: SourceRecord[];
}

/** @param purchase with a result. It can have failed before only when a person asked for it again */
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

/** A copy with other rules has its own purchase: it finds that, and waits again. */
function isCopy(other: JobRecord, { id, language, fingerprint }: Job): boolean {
  if (other.lane !== 'document' || other.id === id || other.language !== language) return false;
  return sourceHashOf(other.fingerprint) === sourceHashOf(fingerprint);
}

function hasGoneWrong({ state }: JobRecord): boolean {
  if (state.kind === 'failed') return state.failure.kind === 'rejected';
  if (state.kind !== 'held') return false;
  return state.hold.kind === 'in-doubt' || state.hold.kind === 'lost-result';
}
