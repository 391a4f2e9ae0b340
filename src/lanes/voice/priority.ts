/** Voice jobs go first whose results are lost first; those that have nothing on the service yet come after them. */
import type { JobId } from '../../job.ts';
import type { LedgerView } from '../../ledger.ts';
import { fetchBy } from './rules/next-move.ts';
import type { RemoteJob } from './rules/remote-job.ts';

/** Later than every deadline (ECMAScript, "Time Values"), so that a deadline is always smaller than none, which is 0. */
const LATEST = 8_640_000_000_000_000;

export function priorityOf(id: JobId, ledger: LedgerView): { readonly priority?: number } {
  const state = ledger.get('jobs', id)?.state;
  if (state?.kind !== 'running' || state.step.kind !== 'voice') return {};
  const remote = ledger.get('remotes', `voice ${state.step.voiceJob}`)?.value;
  const deadline = remote === undefined ? undefined : fetchBy(remote as RemoteJob);
  return deadline === undefined ? {} : { priority: deadline - LATEST };
}
