/** Turns planned jobs into facts for the ledger, before they are offered. Pure. */
import { freesItself, type Job, sourceHashOf, sourceId, targetList } from '../job.ts';
import type { JobFact, JobPatch, JobRecord, LedgerView, Release } from '../ledger.ts';
import type { PlannedJob } from './plan.ts';

/** The state in which a planned job is written: queued, or held for a person. */
export type QueuedEntry = Required<Pick<JobPatch, 'state'>> & Pick<JobPatch, 'estimate'>;

const QUEUED: QueuedEntry = { state: { kind: 'queued' } };

/**
 * @returns undefined when there is nothing to write: an interrupted job keeps its step, and a job that was done since the plan stays
 * done
 */
export function entryFact(
  { job, reason }: PlannedJob,
  ledger: LedgerView,
  entry: QueuedEntry = QUEUED,
): JobFact | undefined {
  const known = ledger.get('jobs', job.id);
  if (isOutdated(job, ledger)) return undefined;
  const set = { ...fieldsOf(job), ...entry };
  if (known === undefined) {
    const { id } = job;
    const add = { wrote: [], delivered: null, estimate: 0, fence: 1, ...set, id };
    return { table: 'jobs', add };
  }
  if (known.fingerprint === job.fingerprint) {
    return isDue(known, reason) ? { table: 'jobs', from: known, set } : undefined;
  }
  // A worker that still runs for the older content must not settle the new job.
  const fence = known.fence + 1;
  return { table: 'jobs', from: known, set: { ...set, fence, release: stillHolds(known.release) } };
}

/** What remains of a release when the source of its job has changed: the choices for texts that may be the same. */
function stillHolds(release: Release | undefined): Release | undefined {
  if (release?.choices === undefined || release.chosenFor === undefined) return undefined;
  const { choices, chosenFor, ...others } = release;
  const kept = Object.entries(choices).filter(([key]) => Object.hasOwn(chosenFor, key));
  return { ...others, choices: Object.fromEntries(kept), chosenFor };
}

/** The fields that the plan decides. A planned job may be a whole record, whose other fields are older than those of the ledger. */
function fieldsOf({ project, lane, source, language, targets, fingerprint }: Job) {
  return { project, lane, source, language, targets, fingerprint };
}

/**
 * Whether the source is gone since the plan, or has other content, which is planned by itself. If one file has all languages, each of
 * its jobs changes the content, so such a change does not count.
 */
function isOutdated({ project, source: path, targets, fingerprint }: Job, ledger: LedgerView) {
  const source = ledger.get('sources', sourceId(project, path));
  if (source === undefined) return true;
  return !targetList(targets).includes(path) && source.hash !== sourceHashOf(fingerprint);
}

/** Whether the reason of the plan is still true: the job may have run since, because of another plan. */
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
