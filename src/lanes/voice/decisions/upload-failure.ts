/** The next stage of a voice job whose upload failed, has no time left, or is not wanted any more. Pure. */
import type { LastUpload, RemoteJob, RemoteStage } from './remote-job.ts';

/** Uploads of one job that may fail before another job is begun. */
export const MAX_REFUSED = 2;

export type UploadFailure = 'refused' | 'broken' | 'put-off';

/**
 * @param how `refused`: the service does not take it with this signature; `broken`: the connection was broken; `put-off`: the service does
 * not take uploads now
 * @param reason for a person to read
 */
export function uploadFailed(job: RemoteJob, how: UploadFailure, reason: string): RemoteJob {
  const { stage } = job;
  const last: LastUpload = {
    reason,
    ...(how === 'refused' ? { isRefused: true } : {}),
    ...(how === 'put-off' ? { isPutOff: true } : {}),
  };
  // All bytes were sent and may have arrived: the service is asked before anything is sent again.
  if (stage.kind === 'closing') return { ...job, stage: { ...stage, last } };
  if (stage.kind !== 'created') return job;
  if (how === 'put-off') return { ...job, stage: { ...stage, last } };
  const refused = stage.refused + 1;
  const mayGoOn = how === 'broken' && refused <= MAX_REFUSED;
  return mayGoOn ? { ...job, stage: { ...stage, refused, last } } : outOfTime(job, last);
}

/** For a job whose window leaves no time for another upload. */
export function outOfTime(job: RemoteJob, last?: LastUpload): RemoteJob {
  const known = last ?? (job.stage.kind === 'created' ? job.stage.last : undefined);
  return withoutUpload(job, late(known), known);
}

/** The end of a job whose recording did not arrive. Only what tells of the recording or the line counts as late. */
export function late(last: LastUpload | undefined): RemoteStage {
  return last?.isPutOff === true
    ? { kind: 'void', because: 'given-up' }
    : { kind: 'void', because: 'late', ...last };
}

/** For a job that no target needs any more. */
export function givenUp(job: RemoteJob): RemoteJob {
  return withoutUpload(job, { kind: 'void', because: 'given-up' });
}

/** Ends the job as `otherwise`. When an earlier upload was sent completely, it may have arrived: then the service is asked first. */
function withoutUpload(job: RemoteJob, otherwise: RemoteStage, last?: LastUpload): RemoteJob {
  const { stage } = job;
  if (stage.kind !== 'created' || stage.sent === undefined) return { ...job, stage: otherwise };
  const { ticket, at: created, sent: at, refused } = stage;
  const known = last === undefined ? {} : { last };
  return { ...job, stage: { kind: 'closing', ticket, created, at, refused, ...known } };
}
