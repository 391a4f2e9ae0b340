/**
 * The record of one voice job on the service, which may serve several jobs of dragoman. Each stage is durable before the next request:
 *
 *     creating ──> created ──> closing ──> uploaded ──> ended
 *        ^            │           │
 *        └── void <───┴───────────┤            of each output:
 *                                 └> in-doubt  awaited ──> downloading ──> fetched
 *                                                 └──> failed    └──> lost
 */
import type { Hash, JobId } from '../../../job.ts';
import type { LanguageTag } from '../../../language.ts';
import type { ContentKey } from '../../../plan/voice-recipe.ts';
import type { OutputRequest } from './outputs.ts';

export interface RemoteJob {
  /** Unique. The names of its files in the spool begin with it. */
  readonly id: string;
  readonly content: ContentKey;
  readonly sourceHash: Hash;
  /** The job that began it: its project is charged. */
  readonly owner: JobId;
  readonly project: string;
  readonly language: LanguageTag;
  /** Length of the recording. */
  readonly seconds: number;
  /** The spoken language as the API spells it; absent: the service detects it. */
  readonly spoken?: string;
  readonly recording: UploadedRecording;
  /** Milliseconds since the epoch. */
  readonly begun: number;
  /** The digest of the connection and the key with which it was begun; see `serviceDigest`. */
  readonly service?: string;
  /** `results[i]` in the service's answer belongs to `outputs[i]`. */
  readonly outputs: readonly RemoteOutput[];
  readonly stage: RemoteStage;
  /** Bytes that the service keeps for the job, by its answer. */
  readonly storageUsed?: number;
}

/** The file that is uploaded: a copy of the source, or its conversion by ffmpeg. */
export interface UploadedRecording {
  readonly form: 'copy' | 'flac';
  readonly name: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
}

export interface RemoteOutput extends OutputRequest {
  readonly state: OutputState;
}

/** The URL of the upload. The signature is a secret; the record loses it when the upload is over. */
export interface RecordedUploadTicket {
  readonly job_id: string;
  readonly upload_url: string;
  readonly signature: string;
}

/** The URL of one result. The signature is a secret. */
export interface RecordedResultTicket {
  readonly download_url: string;
  readonly signature: string;
}

/** The last upload that failed. */
export interface LastUpload {
  /** For a person to read. */
  readonly reason?: string;
  /** The service refused it. */
  readonly isRefused?: true;
  /** The service asked to wait, or could not be reached: this says nothing about the recording or the line. */
  readonly isPutOff?: true;
}

/** Times in milliseconds since the epoch. */
export type RemoteStage =
  | { readonly kind: 'creating' }
  | {
      readonly kind: 'created';
      readonly ticket: RecordedUploadTicket;
      readonly at: number;
      /** Uploads that the service did not take. */
      readonly refused: number;
      /** When one of them was sent completely; absent: none was. */
      readonly sent?: number;
      readonly last?: LastUpload;
    }
  /** All but the last bytes are sent: from here on it may be paid. */
  | {
      readonly kind: 'closing';
      readonly ticket: RecordedUploadTicket;
      /** When the job was created on the service: the upload window began. */
      readonly created: number;
      readonly at: number;
      readonly refused: number;
      readonly last?: LastUpload;
    }
  | { readonly kind: 'uploaded'; readonly job_id: string; readonly at: number }
  /** Every output is settled. */
  | { readonly kind: 'ended' }
  /** The recording never arrived: nothing was paid. */
  | ({ readonly kind: 'void'; readonly because: 'late' } & LastUpload)
  | { readonly kind: 'void'; readonly because: 'given-up' }
  /** The recording may have arrived, and the service no longer shows whether it did. */
  | { readonly kind: 'in-doubt' };

export type OutputState =
  | { readonly kind: 'awaited' }
  /** The result is ready, or a download runs. */
  | {
      readonly kind: 'downloading';
      readonly ticket: RecordedResultTicket;
      /** Downloads that began. */
      readonly tries: number;
      /** Content-Length of the newest download, in bytes; absent before its headers arrive, or when they have none. */
      readonly length?: number;
    }
  | { readonly kind: 'fetched'; readonly hash: Hash; readonly bytes: number; readonly at: number }
  | { readonly kind: 'failed'; readonly message: string; readonly at: number }
  | { readonly kind: 'lost'; readonly reason: string; readonly at: number };

/** Whether something is left to do for it on the service. */
export function isRemoteJobOpen({ stage }: RemoteJob): boolean {
  switch (stage.kind) {
    case 'creating':
    case 'created':
    case 'closing':
    case 'uploaded':
      return true;
    case 'ended':
    case 'void':
    case 'in-doubt':
      return false;
  }
}

/** Whether the recording is not sent yet: nothing is paid. */
export function needsUpload({ stage: { kind } }: RemoteJob): boolean {
  return kind === 'creating' || kind === 'created';
}

/** Whether the recording may still have to be sent. */
export function mayBeSent({ stage: { kind } }: RemoteJob): boolean {
  return kind === 'creating' || kind === 'created' || kind === 'closing';
}

export function isSettled({ state }: RemoteOutput): boolean {
  return state.kind === 'fetched' || state.kind === 'failed' || state.kind === 'lost';
}

/** The job with another state of one output. */
export function withOutput(job: RemoteJob, index: number, state: OutputState): RemoteJob {
  const outputs = job.outputs.map((output, at) => (at === index ? { ...output, state } : output));
  return { ...job, outputs };
}

/** The job, as ended when all its outputs are settled. */
export function ifEnded(job: RemoteJob): RemoteJob {
  return job.stage.kind === 'uploaded' && job.outputs.every(isSettled)
    ? { ...job, stage: { kind: 'ended' } }
    : job;
}
