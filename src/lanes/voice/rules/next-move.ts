/** The recovery table of voice jobs: what to do next, from what is on record and the time, after a crash as well as without one. Pure. */
import {
  isSettled,
  type RecordedResultTicket,
  type RecordedUploadTicket,
  type RemoteJob,
} from './remote-job.ts';

export type VoiceMove =
  /** Makes the job on the service: nothing was uploaded, nothing billed. */
  | { readonly kind: 'create' }
  | { readonly kind: 'upload'; readonly ticket: RecordedUploadTicket }
  /** The recording cannot arrive in time any more: another job is made. */
  | { readonly kind: 'void' }
  | { readonly kind: 'ask'; readonly job_id: string }
  | { readonly kind: 'fetch'; readonly index: number; readonly ticket: RecordedResultTicket }
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'rest' };

/** Times in milliseconds. */
export interface VoiceMoment {
  readonly now: number;
  /** When the service was last asked in this process; undefined: not yet. */
  readonly asked: number | undefined;
  /** Questions and downloads in a row that the service failed to answer. */
  readonly setbacks: number;
  /** How long the upload is expected to take. */
  readonly uploadMs: number;
  /** Results that one try has not brought since the service was last asked. */
  readonly tried: ReadonlySet<number>;
}

const MINUTE = 60_000;
/** API document, "Limits". */
export const UPLOAD_WINDOW_MS = 5 * MINUTE;
export const DOWNLOAD_WINDOW_MS = 60 * MINUTE;
/** Our clock and the service's need not agree. */
const MARGIN_MS = 2 * MINUTE;
/** API document, "Voice translation jobs": recommended. */
export const POLL_MS = 5000;
const LATE_POLL_MS = 15_000;
const LATE_MS = 10 * MINUTE;
/** Between questions to a service that fails: with the tries of each, 320 questions in an hour were 1,240 calls. */
const LONGEST_POLL_MS = MINUTE;
const FRESH_MS = 10_000;

export function nextMove(job: RemoteJob, moment: VoiceMoment): VoiceMove {
  const { stage } = job;
  switch (stage.kind) {
    case 'creating':
      return { kind: 'create' };
    case 'created':
      return hasTime(stage.at, moment)
        ? { kind: 'upload', ticket: stage.ticket }
        : { kind: 'void' };
    case 'closing':
      return askInTime(stage.ticket.job_id, stage.at, moment);
    case 'uploaded':
      return fetchNext(job, moment) ?? askInTime(stage.job_id, stage.at, moment);
    case 'ended':
    case 'void':
    case 'in-doubt':
      return { kind: 'rest' };
  }
}

/** When everything must have been fetched; undefined before the upload. */
export function fetchBy({ stage }: RemoteJob): number | undefined {
  if (stage.kind !== 'uploaded' && stage.kind !== 'closing') return undefined;
  return stage.at + DOWNLOAD_WINDOW_MS - MARGIN_MS;
}

/**
 * An upload that is begun anew has half of what is left of the window in reserve. Right after the job was
 * made another one would not have more time.
 */
function hasTime(created: number, { now, uploadMs }: VoiceMoment): boolean {
  const left = created + UPLOAD_WINDOW_MS - now;
  return now - created < FRESH_MS || left >= Math.max(2 * uploadMs, POLL_MS);
}

function fetchNext({ outputs }: RemoteJob, { tried }: VoiceMoment): VoiceMove | undefined {
  for (const [index, output] of outputs.entries()) {
    if (isSettled(output) || output.state.kind !== 'downloading' || tried.has(index)) continue;
    return { kind: 'fetch', index, ticket: output.state.ticket };
  }
  return undefined;
}

/** The first look is due one interval after the upload: nothing is done in less. */
function askInTime(
  job_id: string,
  uploaded: number,
  { now, asked, setbacks }: VoiceMoment,
): VoiceMove {
  const usual = now - uploaded > LATE_MS ? LATE_POLL_MS : POLL_MS;
  const interval = Math.min(LONGEST_POLL_MS, usual * 2 ** setbacks);
  // A clock that was set back must not keep anybody waiting.
  const until = Math.min(asked ?? uploaded, now) + interval;
  return until > now ? { kind: 'wait', until } : { kind: 'ask', job_id };
}
