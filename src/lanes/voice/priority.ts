/**
 * The priority of voice jobs: the earlier their results are lost on the service, the earlier they run. Jobs without results
 * there come last.
 */
import type { JobId } from '../../job.ts';
import type { LedgerView } from '../../ledger.ts';
import { fetchBy } from './decisions/next-move.ts';
import type { RemoteJob } from './decisions/remote-job.ts';

/**
 * Seconds since the epoch, in the year 2038. A deadline minus it is negative, so before the 0 of a job without deadline, and fits
 * into 32 bits (`jobs/queue.ts`).
 */
const LATEST = 2 ** 31 - 1;

export function priorityOf(id: JobId, ledger: LedgerView): { readonly priority?: number } {
  const state = ledger.get('jobs', id)?.state;
  if (state?.kind !== 'running' || state.step.kind !== 'voice') return {};
  const remote = ledger.get('remotes', `voice ${state.step.voiceJob}`)?.value;
  const deadline = remote === undefined ? undefined : fetchBy(remote as RemoteJob);
  if (deadline === undefined) return {};
  return { priority: Math.min(Math.floor(deadline / 1000), LATEST - 1) - LATEST };
}
