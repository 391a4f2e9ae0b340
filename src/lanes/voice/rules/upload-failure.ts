/** What becomes of a voice job whose upload failed or has no time left. Pure. */
import type { LastUpload, RemoteJob, RemoteStage } from './remote-job.ts';

/** Uploads of one job that may fail before another job is made. */
export const MAX_REFUSED = 2;

/**
 * @param how `refused`: the service does not take it by this signature; `broken`: the connection did not last
 * @param reason for people
 */
export function uploadFailed(job: RemoteJob, how: 'refused' | 'broken', reason: string): RemoteJob {
  const { stage } = job;
  const last: LastUpload = { reason, ...(how === 'refused' ? { isRefused: true } : {}) };
  // Bytes that were complete may have arrived all the same: the service is asked before anything is sent again.
  if (stage.kind === 'closing') return { ...job, stage: { ...stage, last } };
  if (stage.kind !== 'created') return job;
  const refused = stage.refused + 1;
  const mayGoOn = how === 'broken' && refused <= MAX_REFUSED;
  return mayGoOn ? { ...job, stage: { ...stage, refused, last } } : outOfTime(job, last);
}

/** The window leaves no time for another upload. */
export function outOfTime(job: RemoteJob, last?: LastUpload): RemoteJob {
  const known = last ?? (job.stage.kind === 'created' ? job.stage.last : undefined);
  return withoutUpload(job, { kind: 'void', because: 'late', ...known });
}

/** Nobody wants it to be sent any more. */
export function givenUp(job: RemoteJob): RemoteJob {
  return withoutUpload(job, { kind: 'void', because: 'given-up' });
}

/** An earlier upload that went out whole may have arrived after all: then the service is asked first. */
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
