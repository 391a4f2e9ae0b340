/** What the leader of a tree does when other daemons have changed jobs. */
import type { SourceMonitor } from '../intake/source-monitor.ts';
import { type JobId, sourceId } from '../job.ts';
import type { JobRecord, LedgerView, SourceRecord } from '../ledger.ts';
import type { JobRunner } from './runner.ts';

interface LeaderParts {
  readonly ledger: LedgerView;
  readonly runner: Pick<JobRunner, 'progressed'>;
  readonly monitor: { readonly intake: Pick<SourceMonitor['intake'], 'delivered'> };
  /** Undefined: the config names no lock. */
  readonly lock: { settled(job: JobRecord): void } | undefined;
}

/**
 * The targets of these jobs are as the ledger says now.
 * @returns the sources whose jobs must be planned again
 */
export function takeJobsOfOthers(
  { ledger, runner, monitor, lock }: LeaderParts,
  ids: readonly JobId[],
): readonly SourceRecord[] {
  const open = new Map<string, SourceRecord>();
  for (const id of ids) {
    const job = ledger.get('jobs', id);
    if (job === undefined) continue;
    runner.progressed();
    const { kind } = job.state;
    const source = ledger.get('sources', sourceId(job.project, job.source));
    if (source !== undefined && isPlannedAgain(job)) open.set(source.id, source);
    else if (kind !== 'running' && kind !== 'queued') {
      lock?.settled(job);
      monitor.intake.delivered(id);
    }
  }
  return [...open.values()];
}

/** Whether a job must be planned: its source may be back since the other daemon claimed it. */
function isPlannedAgain({ state }: JobRecord): boolean {
  return state.kind === 'queued' || (state.kind === 'held' && state.hold.kind === 'source-gone');
}
