/** Planned jobs as records: what is written down before they are offered. Pure. */
import type { JobRecord, LedgerView } from './ledger.ts';
import type { PlannedJob } from './plan.ts';

/** @returns undefined when the ledger says the same already: an interrupted job keeps its step */
export function queuedRecord(
  { job, reason }: PlannedJob,
  ledger: LedgerView,
): JobRecord | undefined {
  const known = ledger.get('jobs', job.id);
  if (known !== undefined && known.fingerprint === job.fingerprint) {
    return reason === 'interrupted' ? undefined : { ...known, ...job, state: { kind: 'queued' } };
  }
  const { release: _ended, ...kept } = known ?? {};
  return {
    wrote: [],
    delivered: null,
    estimate: 0,
    ...kept,
    ...job,
    state: { kind: 'queued' },
    // A worker that still runs for the older content must not settle this one.
    fence: (known?.fence ?? 0) + 1,
  };
}
