/** Voice jobs go first whose results are lost first; those that have nothing on the service yet come after them. */
import type { JobId } from '../../job.ts';
import type { LedgerView } from '../../ledger.ts';
import { fetchBy } from './rules/next-move.ts';
import type { RemoteJob } from './rules/remote-job.ts';

/** Seconds since the epoch, in the year 2038: a deadline becomes smaller than none, which is 0, and fits into 32 bits (`jobs/queue.ts`). */
const LATEST = 2 ** 31 - 1;

export function priorityOf(id: JobId, ledger: LedgerView): { readonly priority?: number } {
  const state = ledger.get('jobs', id)?.state;
  if (state?.kind !== 'running' || state.step.kind !== 'voice') return {};
  const remote = ledger.get('remotes', `voice ${state.step.voiceJob}`)?.value;
  const deadline = remote === undefined ? undefined : fetchBy(remote as RemoteJob);
  if (deadline === undefined) return {};
  return { priority: Math.min(Math.floor(deadline / 1000), LATEST - 1) - LATEST };
}
