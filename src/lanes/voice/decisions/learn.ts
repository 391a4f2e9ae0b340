/** Applies the service's answers to the record of a voice job. Pure. */
import { DOWNLOAD_WINDOW_MS, fetchBy, UPLOAD_WINDOW_MS } from './next-move.ts';
import {
  ifEnded,
  isSettled,
  type OutputState,
  type RemoteJob,
  type RemoteOutput,
  withOutput,
} from './remote-job.ts';
import { late, MAX_REFUSED } from './upload-failure.ts';

/** A voice job in the service's answer. */
export interface ShownJob {
  readonly usage?: { readonly storage_used: number } | undefined;
  /** One for each target, in the order of the request. */
  readonly results: readonly ShownResult[];
}

export interface ShownResult {
  readonly status: string;
  readonly download_url?: string | undefined;
  readonly signature?: string | undefined;
  readonly error?: { readonly message: string } | undefined;
}

/** How many downloads of one result may begin. The second one is for a transfer that broke off. */
const MAX_TRIES = 2;

/** @param now milliseconds since the epoch */
export function learn(job: RemoteJob, shown: ShownJob, now: number): RemoteJob {
  const arrived = job.stage.kind === 'closing' ? learnArrival(job, shown, now) : job;
  if (arrived.stage.kind !== 'uploaded') return arrived;
  const deadline = fetchBy(arrived) ?? now;
  const outputs = arrived.outputs.map((output, index): RemoteOutput => {
    const state = stateShown(output, shown.results[index], { now, isLate: now > deadline });
    return { ...output, state };
  });
  const storageUsed = shown.usage?.storage_used ?? job.storageUsed;
  return ifEnded({ ...arrived, outputs, ...(storageUsed === undefined ? {} : { storageUsed }) });
}

/**
 * Without a usable answer the job stays as it is. When the hour for downloads is over, its open outputs are lost.
 * @param reason for a person to read
 */
export function learnNothing(
  job: RemoteJob,
  { reason, now }: { readonly reason: string; readonly now: number },
): RemoteJob {
  const deadline = fetchBy(job);
  if (deadline === undefined || now <= deadline) return job;
  if (job.stage.kind === 'closing') return { ...job, stage: { kind: 'in-doubt' } };
  return withoutTheRest(job, { kind: 'lost', reason, at: now });
}

/** The service answered 404: outputs that were not fetched are lost. */
export function forgotten(job: RemoteJob, now: number): RemoteJob {
  if (job.stage.kind === 'closing') return { ...job, stage: { kind: 'in-doubt' } };
  const lost: OutputState = {
    kind: 'lost',
    reason: 'the service does not know the job any more',
    at: now,
  };
  return withoutTheRest(job, lost);
}

function withoutTheRest(job: RemoteJob, lost: OutputState): RemoteJob {
  const outputs = job.outputs.map((output) =>
    isSettled(output) ? output : { ...output, state: lost },
  );
  return ifEnded({ ...job, outputs });
}

/** A download did not bring the complete result. @param reason for a person to read */
export function downloadFailed(
  job: RemoteJob,
  { index, reason, now }: { index: number; reason: string; now: number },
): RemoteJob {
  const state = job.outputs[index]?.state;
  if (state?.kind !== 'downloading' || state.tries < MAX_TRIES) return job;
  return ifEnded(withOutput(job, index, { kind: 'lost', reason, at: now }));
}

/** The answer 204 to the upload was lost: `storage_used` or the results show whether the recording arrived. */
function learnArrival(job: RemoteJob, shown: ShownJob, now: number): RemoteJob {
  const { stage } = job;
  if (stage.kind !== 'closing') return job;
  switch (arrivalIn(shown)) {
    case 'arrived': {
      const { job_id } = stage.ticket;
      return { ...job, stage: { kind: 'uploaded', job_id, at: stage.at } };
    }
    case 'missing': {
      const refused = stage.refused + 1;
      const isOver = refused > MAX_REFUSED || now >= stage.created + UPLOAD_WINDOW_MS;
      const { ticket, created: at, at: sent, last } = stage;
      if (isOver) return { ...job, stage: late(last) };
      const known = last === undefined ? {} : { last };
      return { ...job, stage: { kind: 'created', ticket, at, refused, sent, ...known } };
    }
    case 'unknown':
      return now > stage.at + DOWNLOAD_WINDOW_MS ? { ...job, stage: { kind: 'in-doubt' } } : job;
  }
}

/** `processing` is also the state of a job that waits for its upload (docs/design/api.md, "Voice jobs"). */
function arrivalIn({ usage, results }: ShownJob): 'arrived' | 'missing' | 'unknown' {
  const statuses = results.map(({ status }) => status);
  const past = ['uploaded', 'complete', 'downloaded', 'failed'];
  if ((usage?.storage_used ?? 0) > 0 || statuses.some((each) => past.includes(each))) {
    return 'arrived';
  }
  return usage !== undefined || statuses.every((each) => each === 'pending')
    ? 'missing'
    : 'unknown';
}

function stateShown(
  output: RemoteOutput,
  shown: ShownResult | undefined,
  { now, isLate }: { now: number; isLate: boolean },
): OutputState {
  const { state } = output;
  if (isSettled(output) || shown === undefined) return state;
  const lost = (reason: string): OutputState => ({ kind: 'lost', reason, at: now });
  const tries = state.kind === 'downloading' ? state.tries : 0;
  switch (shown.status) {
    case 'complete': {
      const { download_url, signature } = shown;
      if (download_url === undefined || signature === undefined) return state;
      if (tries >= MAX_TRIES) return lost('every transfer broke off');
      const length = state.kind === 'downloading' ? state.length : undefined;
      const ticket = { download_url, signature };
      return { kind: 'downloading', ticket, tries, ...(length === undefined ? {} : { length }) };
    }
    case 'downloaded':
      // The service has sent the result, but perhaps it did not arrive: the same signature may fetch it once more.
      return state.kind === 'downloading' && tries < MAX_TRIES
        ? state
        : lost('the service has sent it before');
    case 'failed':
      return { kind: 'failed', message: shown.error?.message ?? 'the service failed', at: now };
    default:
      // Deployments have more states; all of them mean: wait (docs/design/api.md, "Where deployments differ").
      return isLate ? lost('the hour in which it could be fetched is over') : state;
  }
}
