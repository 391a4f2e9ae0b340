/**
 * Finds jobs that wait because the purchase of their content failed, or because it has no source. When another job with the same content
 * gets a result, the first ones use it too and pay nothing, and the last ones are over.
 */
import { type Job, sourceHashOf, sourceId } from '../../job.ts';
import type { Fact, JobRecord, LedgerView, SourceRecord } from '../../ledger.ts';
import type { DocumentPurchase } from '../../state/document-purchase.ts';
import { purchasesIn } from '../../state/document-purchases.ts';

/** What follows for other jobs when a document is delivered. */
export interface AfterDelivery {
  readonly facts: readonly Fact[];
  /** Their jobs are planned again. */
  readonly sources: readonly SourceRecord[];
}

interface Delivery {
  readonly job: Job;
  /** It has a result. If `released` is set, it failed before, and a person asked for it again. */
  readonly purchase: DocumentPurchase | undefined;
}

/**
 * A worker of a tree knows only the jobs that it has claimed. So the leader asks this too, about the documents that other daemons have
 * delivered.
 */
export function afterDelivery(ledger: LedgerView, deliveries: readonly Delivery[]): AfterDelivery {
  const again = new Set(deliveries.flatMap((each) => copiesThatWaited(ledger, each)));
  const over = new Set(deliveries.flatMap(({ purchase }) => keptForNothing(ledger, purchase)));
  const ids = new Set([...again].map(({ project, source }) => sourceId(project, source)));
  return {
    facts: [
      ...[...over].map((drop) => ({ table: 'jobs', drop }) as const),
      ...[...again].map(
        (from) => ({ table: 'jobs', from, set: { state: { kind: 'queued' } } }) as const,
      ),
    ],
    sources: [...ids].flatMap((id) => ledger.get('sources', id) ?? []),
  };
}

/** The documents among these jobs that are delivered. */
export function deliveriesAmong(ledger: LedgerView, jobs: Iterable<JobRecord>): Delivery[] {
  const done = [...jobs].filter(({ lane, state }) => lane === 'document' && state.kind === 'done');
  if (done.length === 0) return [];
  const bought = new Map<string, DocumentPurchase>();
  for (const purchase of purchasesIn(ledger)) {
    if (purchase.stage.kind === 'downloaded') bought.set(purchase.stage.hash, purchase);
  }
  return done.map((job) => {
    const purchase = job.wrote.flatMap(({ hash }) => bought.get(hash) ?? []).at(0);
    return { job, purchase };
  });
}

function copiesThatWaited(ledger: LedgerView, { job, purchase }: Delivery): JobRecord[] {
  if (purchase?.released === undefined) return [];
  return [...ledger.all('jobs')].filter((other) => isCopy(other, job) && hasGoneWrong(other));
}

/** A job that only keeps the result of a lost source ends when another source takes that result. */
function keptForNothing(ledger: LedgerView, purchase: DocumentPurchase | undefined): JobRecord[] {
  const job = purchase && ledger.get('jobs', purchase.job);
  return job?.state.kind === 'held' && job.state.hold.kind === 'source-gone' ? [job] : [];
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
