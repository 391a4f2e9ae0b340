/** Planned jobs as facts: what is written down before they are offered. Pure. */
import { freesItself, type Job, sourceHashOf, sourceId, targetList } from '../job.ts';
import type { JobFact, JobPatch, JobRecord, LedgerView } from '../ledger.ts';
import type { PlannedJob } from './plan.ts';

/** How a planned job is written down: to be worked on, or to wait for a person. */
export type QueuedEntry = Required<Pick<JobPatch, 'state'>> & Pick<JobPatch, 'estimate'>;

const QUEUED: QueuedEntry = { state: { kind: 'queued' } };

/** @returns undefined when the ledger says the same already: an interrupted job keeps its step, and what was done since it was planned stays done */
export function entryFact(
  { job, reason }: PlannedJob,
  ledger: LedgerView,
  entry: QueuedEntry = QUEUED,
): JobFact | undefined {
  const known = ledger.get('jobs', job.id);
  if (isOutdated(job, ledger)) return undefined;
  const set = { ...wordsOf(job), ...entry };
  if (known === undefined) {
    const { id } = job;
    const add = { wrote: [], delivered: null, estimate: 0, fence: 1, ...set, id };
    return { table: 'jobs', add };
  }
  if (known.fingerprint === job.fingerprint) {
    return isDue(known, reason) ? { table: 'jobs', from: known, set } : undefined;
  }
  // A worker that still runs for the older content must not settle this one.
  const fence = known.fence + 1;
  return { table: 'jobs', from: known, set: { ...set, fence, release: undefined } };
}

/** What a plan says of a job; a planned job may be a whole record, of which the rest is older than the ledger. */
function wordsOf({ project, lane, source, language, targets, fingerprint }: Job) {
  return { project, lane, source, language, targets, fingerprint };
}

/**
 * Whether the source is gone by now, or has other content than the plan has seen: that content has a plan of its own. Where
 * one file holds all languages, every job of it changes the content.
 */
function isOutdated({ project, source: path, targets, fingerprint }: Job, ledger: LedgerView) {
  const source = ledger.get('sources', sourceId(project, path));
  if (source === undefined) return true;
  return !targetList(targets).includes(path) && source.hash !== sourceHashOf(fingerprint);
}

/** Whether the reason for which a job was planned still holds: it may have been worked on since, for another plan that named it. */
function isDue({ state, release }: JobRecord, reason: PlannedJob['reason']): boolean {
  if (state.kind === 'running') return false;
  switch (reason) {
    case 'new':
    case 'waits':
      return state.kind === 'queued' || (state.kind === 'held' && freesItself(state.hold));
    case 'decided elsewhere':
      return state.kind === 'held' || state.kind === 'done';
    case 'tried again':
      return state.kind === 'failed' || (state.kind === 'held' && state.hold.kind === 'unsuitable');
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
