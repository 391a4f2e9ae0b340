/** The recovery table of voice jobs: the next move, from the record and the time. The same with and without a crash. Pure. */
import {
  isSettled,
  type RecordedResultTicket,
  type RecordedUploadTicket,
  type RemoteJob,
} from './remote-job.ts';

export type VoiceMove =
  /** Create the job on the service: nothing was uploaded or billed. */
  | { readonly kind: 'create' }
  | { readonly kind: 'upload'; readonly ticket: RecordedUploadTicket }
  /** End the job: the recording cannot arrive in time. Another job is begun. */
  | { readonly kind: 'void' }
  | { readonly kind: 'ask'; readonly job_id: string }
  | { readonly kind: 'fetch'; readonly index: number; readonly ticket: RecordedResultTicket }
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'rest' };

/** Times in milliseconds. */
export interface VoiceMoment {
  readonly now: number;
  /** When this process last asked the service; undefined: never. */
  readonly asked: number | undefined;
  /** Status requests and downloads in a row that failed. */
  readonly setbacks: number;
  /** Expected duration of the upload. */
  readonly uploadMs: number;
  /** Indexes of the outputs whose download was tried since the service was last asked. */
  readonly tried: ReadonlySet<number>;
}

const MINUTE = 60_000;
/** docs/design/api.md, "Limits". */
export const UPLOAD_WINDOW_MS = 5 * MINUTE;
export const DOWNLOAD_WINDOW_MS = 60 * MINUTE;
/** The local clock may differ from the service's. */
const MARGIN_MS = 2 * MINUTE;
/** docs/design/api.md, "Voice jobs": recommended. */
export const POLL_MS = 5000;
const LATE_POLL_MS = 15_000;
const LATE_MS = 10 * MINUTE;
/** Between status requests to a service that fails. At the usual pace, 320 requests in an hour were 1,240 calls with their retries. */
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

/** When all results must have been fetched, in milliseconds since the epoch; undefined before the upload and after the end. */
export function fetchBy({ stage }: RemoteJob): number | undefined {
  if (stage.kind !== 'uploaded' && stage.kind !== 'closing') return undefined;
  return stage.at + DOWNLOAD_WINDOW_MS - MARGIN_MS;
}

/**
 * An upload is tried when it is expected to take at most half of the rest of the window. Right after the job was created it is always
 * tried: another job would not have more time.
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

/** The first status request is due one interval after the upload: no result is ready earlier. */
function askInTime(
  job_id: string,
  uploaded: number,
  { now, asked, setbacks }: VoiceMoment,
): VoiceMove {
  const usual = now - uploaded > LATE_MS ? LATE_POLL_MS : POLL_MS;
  const interval = Math.min(LONGEST_POLL_MS, usual * 2 ** setbacks);
  // A clock that was set back must not make the job wait longer.
  const until = Math.min(asked ?? uploaded, now) + interval;
  return until > now ? { kind: 'wait', until } : { kind: 'ask', job_id };
}
