/**
 * A voice job: its windows and the states of its targets on the service's clock. Deployed services name two states more:
 *
 *     document                      processing ──> complete ──> downloaded
 *     deployed  pending ──> uploaded ──> processing ──> complete ──> downloaded
 *                                            └──> failed
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Owner } from './owned.ts';
import type { KeyCall, SandboxWorld } from './resource.ts';
import type { VoiceRequest, VoiceTarget } from './voice-create.ts';

export interface VoiceJob {
  readonly job_id: string;
  readonly key: KeyCall['key'];
  readonly owner: Owner;
  readonly request: VoiceRequest;
  readonly upload_signature: string;
  /** Milliseconds of the service's clock. */
  readonly created: number;
  updated: number;
  upload: VoiceUpload | undefined;
  readonly outputs: readonly VoiceOutput[];
}

export interface VoiceUpload {
  readonly at: number;
  /** Path of the recording. */
  readonly file: string;
  /** Milliseconds; undefined when it is not a recording. */
  readonly duration: number | undefined;
}

/** The state of one target. */
export interface VoiceOutput {
  readonly target: VoiceTarget;
  /** Valid for this target only. */
  readonly signature: string;
  outcome: OutputOutcome;
}

export type OutputOutcome =
  | { readonly kind: 'working' }
  | WrittenOutput
  /** Being sent. A second caller gets nothing, unless the transfer breaks off. */
  | { readonly kind: 'sending'; readonly of: WrittenOutput }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'downloaded' };

export interface WrittenOutput {
  readonly kind: 'written';
  readonly file: string;
  /** Bytes. */
  readonly size: number;
}

export type OutputProgress =
  | 'pending'
  | 'uploaded'
  | 'processing'
  | 'complete'
  | 'downloaded'
  | 'failed';

export function makeJob(
  call: KeyCall,
  owner: Owner,
  job: { request: VoiceRequest; now: number },
): VoiceJob {
  return {
    job_id: randomUUID(),
    key: call.key,
    owner,
    request: job.request,
    upload_signature: newSignature(),
    created: job.now,
    updated: job.now,
    upload: undefined,
    outputs: job.request.targets.map((target) => ({
      target,
      signature: newSignature(),
      outcome: { kind: 'working' },
    })),
  };
}

function newSignature(): string {
  return randomBytes(32).toString('base64url');
}

/** Processing takes a tenth of the recording's length, and half of that more for each further target. */
const LEAST_PROCESSING_MS = 2000;
const SHARE_OF_DURATION = 0.1;
const UPLOADED_MS = 500;

export function progressOfOutput(
  world: SandboxWorld,
  job: VoiceJob,
  index: number,
): OutputProgress {
  const { outcome } = job.outputs[index] ?? { outcome: { kind: 'working' } };
  if (outcome.kind === 'downloaded') return 'downloaded';
  const deployed = world.dialect === 'deployed';
  if (job.upload === undefined) return deployed ? 'pending' : 'processing';
  const elapsed = world.clock.now() - job.upload.at;
  if (deployed && elapsed < UPLOADED_MS) return 'uploaded';
  const needed =
    (LEAST_PROCESSING_MS + (job.upload.duration ?? 0) * SHARE_OF_DURATION) * (1 + index / 2);
  if (elapsed < needed || outcome.kind === 'working') return 'processing';
  return outcome.kind === 'failed' ? 'failed' : 'complete';
}

export function uploadWindowOpen(world: SandboxWorld, job: VoiceJob): boolean {
  return world.clock.now() < job.created + world.limits.voice_upload_window;
}

/** Results are removed an hour after the upload. */
export function downloadWindowOpen(world: SandboxWorld, { upload }: VoiceJob): boolean {
  return upload === undefined || world.clock.now() < upload.at + world.limits.voice_download_window;
}

/** Whether a job counts against the number of active jobs of the account. */
export function isActive(world: SandboxWorld, job: VoiceJob): boolean {
  if (job.upload === undefined) return uploadWindowOpen(world, job);
  const states = job.outputs.map((_, index) => progressOfOutput(world, job, index));
  return states.some((state) => state === 'uploaded' || state === 'processing');
}

/** Bytes that the job stores on the service. */
export function storageUsed({ upload, request, outputs }: VoiceJob): number {
  const results = outputs.map(({ outcome }) => writtenIn(outcome)?.size ?? 0);
  const source = upload === undefined ? 0 : request.source_file.content_length;
  return results.reduce((sum, size) => sum + size, source);
}

function writtenIn(outcome: OutputOutcome): WrittenOutput | undefined {
  if (outcome.kind === 'sending') return outcome.of;
  return outcome.kind === 'written' ? outcome : undefined;
}
