/** Writes planned jobs to the ledger, before they are offered or held. */
import type { Mutex } from '../files/mutex.ts';
import { commitDecision, type Ledger } from '../ledger.ts';
import type { PlannedJob } from '../plan/plan.ts';
import { entryFact, type QueuedEntry } from '../plan/queued.ts';

export interface EntriesOptions {
  readonly ledger: Ledger;
  readonly publications: Mutex;
}

export interface PlannedEntry {
  readonly planned: PlannedJob;
  /** Queued when absent. */
  readonly entry?: QueuedEntry;
}

/** When a worker is publishing older content of a job, waits for it: then the record has what it wrote. */
export async function writeDown(
  entries: readonly PlannedEntry[],
  { ledger, publications }: EntriesOptions,
): Promise<void> {
  const takenOver = entries.flatMap(({ planned: { job } }) => {
    const known = ledger.get('jobs', job.id);
    const isTaken = known?.state.kind === 'running' && known.fingerprint !== job.fingerprint;
    return isTaken ? [job.id] : [];
  });
  using _reserved = await publications.takeAll(takenOver);
  await commitDecision(ledger, () =>
    entries.flatMap(({ planned, entry }) => entryFact(planned, ledger, entry) ?? []),
  );
}
