/**
 * One voice job on the service, which serves several of ours. Each stage is durable before the next side effect:
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
  /** Unique, and the beginning of the names of its files in the spool. */
  readonly id: string;
  readonly content: ContentKey;
  readonly sourceHash: Hash;
  /** The job that began it: its project is charged. */
  readonly owner: JobId;
  readonly project: string;
  readonly language: LanguageTag;
  /** Of sound. */
  readonly seconds: number;
  /** As the API spells it; absent: the service detects it. */
  readonly spoken?: string;
  readonly recording: UploadedRecording;
  /** Milliseconds since the epoch. */
  readonly begun: number;
  /** The settings of `service` that it was begun with; see `serviceMark`. */
  readonly service?: string;
  /** `results[i]` of the service belongs to the i-th of them. */
  readonly outputs: readonly RemoteOutput[];
  readonly stage: RemoteStage;
  /** Bytes that the service said it keeps for the job. */
  readonly storageUsed?: number;
}

/** What is uploaded: a copy of the source, or what ffmpeg made of it. */
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

/** Where to upload. The signature is a secret; it leaves the record with the upload. */
export interface RecordedUploadTicket {
  readonly job_id: string;
  readonly upload_url: string;
  readonly signature: string;
}

/** Where to fetch one result. A secret too. */
export interface RecordedResultTicket {
  readonly download_url: string;
  readonly signature: string;
}

/** What became of the last upload that failed. */
export interface LastUpload {
  /** For people. */
  readonly reason?: string;
  /** The service answered it with a refusal. */
  readonly isRefused?: true;
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
      /** When one of them had gone out whole; absent: none had. */
      readonly sent?: number;
      readonly last?: LastUpload;
    }
  /** All but the last bytes are sent: from here on it may have been paid. */
  | {
      readonly kind: 'closing';
      readonly ticket: RecordedUploadTicket;
      /** When the job was made: the upload window began. */
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
  /** It may have arrived, and nobody will ever tell. */
  | { readonly kind: 'in-doubt' };

export type OutputState =
  | { readonly kind: 'awaited' }
  /** Ready, or on its way. */
  | {
      readonly kind: 'downloading';
      readonly ticket: RecordedResultTicket;
      /** Downloads that began. */
      readonly tries: number;
      /** Bytes that the newest of them announced; absent before its head came, and where it announced none. */
      readonly length?: number;
    }
  | { readonly kind: 'fetched'; readonly hash: Hash; readonly bytes: number; readonly at: number }
  | { readonly kind: 'failed'; readonly message: string; readonly at: number }
  | { readonly kind: 'lost'; readonly reason: string; readonly at: number };

/** Whether there is something to do for it on the service. */
export function isOpen({ stage }: RemoteJob): boolean {
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

/** Whether the recording was not sent yet: nothing is paid. */
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

/** The job ended once nothing of it is awaited any more. */
export function ifEnded(job: RemoteJob): RemoteJob {
  return job.stage.kind === 'uploaded' && job.outputs.every(isSettled)
    ? { ...job, stage: { kind: 'ended' } }
    : job;
}
