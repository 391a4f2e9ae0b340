/** Planned jobs as records: what is written down before they are offered. Pure. */
import type { Hold } from '../job.ts';
import type { JobRecord, LedgerView } from '../ledger.ts';
import type { PlannedJob } from './plan.ts';

/** @returns undefined when the ledger says the same already: an interrupted job keeps its step, and what was done since it was planned stays done */
export function queuedRecord(
  { job, reason }: PlannedJob,
  ledger: LedgerView,
): JobRecord | undefined {
  const known = ledger.get('jobs', job.id);
  if (known !== undefined && known.fingerprint === job.fingerprint) {
    return isDue(known, reason) ? { ...known, ...job, state: { kind: 'queued' } } : undefined;
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

/** Whether the reason for which a job was planned still holds: it may have been worked on since, for another plan that named it. */
function isDue({ state, release }: JobRecord, reason: PlannedJob['reason']): boolean {
  if (state.kind === 'running') return false;
  switch (reason) {
    case 'new':
    case 'waits':
      return state.kind === 'queued' || (state.kind === 'held' && freesItself(state.hold));
    case 'tried again':
      return state.kind === 'failed';
    case 'released':
      return release !== undefined;
    case 'target missing':
    case 'target edited':
      return true;
    case 'interrupted':
    case 'source changed':
    case 'recipe changed':
      return false;
  }
}

function freesItself({ kind }: Hold): boolean {
  return kind === 'budget' || kind === 'source-gone';
}
