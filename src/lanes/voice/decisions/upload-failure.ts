/** The next stage of a voice job whose upload failed, has no time left, or is not wanted any more. Pure. */
import type { LastUpload, RemoteJob, RemoteStage } from './remote-job.ts';

/** Uploads of one job that may fail before another job is begun. */
export const MAX_REFUSED = 2;

/**
 * @param how `refused`: the service does not take it with this signature; `broken`: the connection was broken
 * @param reason for a person to read
 */
export function uploadFailed(job: RemoteJob, how: 'refused' | 'broken', reason: string): RemoteJob {
  const { stage } = job;
  const last: LastUpload = { reason, ...(how === 'refused' ? { isRefused: true } : {}) };
  // All bytes were sent and may have arrived: the service is asked before anything is sent again.
  if (stage.kind === 'closing') return { ...job, stage: { ...stage, last } };
  if (stage.kind !== 'created') return job;
  const refused = stage.refused + 1;
  const mayGoOn = how === 'broken' && refused <= MAX_REFUSED;
  return mayGoOn ? { ...job, stage: { ...stage, refused, last } } : outOfTime(job, last);
}

/** For a job whose window leaves no time for another upload. */
export function outOfTime(job: RemoteJob, last?: LastUpload): RemoteJob {
  const known = last ?? (job.stage.kind === 'created' ? job.stage.last : undefined);
  return withoutUpload(job, { kind: 'void', because: 'late', ...known });
}

/** For a job that no target needs any more. */
export function givenUp(job: RemoteJob): RemoteJob {
  return withoutUpload(job, { kind: 'void', because: 'given-up' });
}

/** Ends the job as `otherwise`. When an earlier upload was sent completely, it may have arrived: then the service is asked first. */
function withoutUpload(job: RemoteJob, otherwise: RemoteStage): RemoteJob {
  const { stage } = job;
  if (stage.kind !== 'created' || stage.sent === undefined) return { ...job, stage: otherwise };
  const { ticket, at: created, sent: at, refused } = stage;
  const last = 'because' in otherwise && otherwise.because === 'late' ? lastOf(otherwise) : {};
  return { ...job, stage: { kind: 'closing', ticket, created, at, refused, ...last } };
}

function lastOf({ reason, isRefused }: LastUpload): { last?: LastUpload } {
  if (reason === undefined) return {};
  return { last: { reason, ...(isRefused === undefined ? {} : { isRefused }) } };
}
