/**
 * Begins a voice job for all missing outputs of one recording: copies the recording to the spool, checks it, measures it,
 * records the job.
 */

import { randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { failureOf } from '../../failure.ts';
import { bytesIn } from '../../files/disk.ts';
import type { Hold } from '../../job.ts';
import type { Release } from '../../ledger.ts';
import { parse } from '../../parsing/parse.ts';
import type { InForce } from '../../plan/in-force.ts';
import { hasOtherSettings } from '../../plan/service-digest.ts';
import type { Allowance } from '../../plan/spending.ts';
import { extensionOf } from '../../routes/extensions.ts';
import { expectedBytes, type OutputRequest } from './decisions/outputs.ts';
import type { RemoteJob, UploadedRecording } from './decisions/remote-job.ts';
import {
  CONVERTED_TYPE,
  type FoundRecording,
  type Suitability,
  suitabilityOf,
  type VoiceLimits,
  whyTooLarge,
} from './decisions/suitability.ts';
import { hasFfmpeg, toFlac } from './media/ffmpeg.ts';
import type { RemoteJobs } from './remote-jobs.ts';
import type { VoiceSpool } from './spool.ts';
import { INSPECT_RECORDING } from './thread-calls.ts';
import type { UploadRate } from './upload-rate.ts';
import type { VoiceCase } from './voice-case.ts';

export interface PurchaseOptions {
  readonly jobs: RemoteJobs;
  readonly spool: VoiceSpool;
  readonly clock: Clock;
  readonly rate: UploadRate;
  readonly inForce: Pick<InForce, 'config' | 'serviceDigest'>;
  /** Reserves seconds of audio for the job, or says what it must wait for. */
  allow(seconds: number): Promise<Allowance>;
}

export type Begun =
  | { readonly kind: 'begun'; readonly id: string }
  | { readonly kind: 'held'; readonly hold: Hold }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'superseded' };

const FULL_MS = 5000;
/** Jobs of one recording that may end before the recording arrived. */
const MAX_LATE = 3;

/** @param outputs the missing outputs of this job and of others of the same recording */
export async function beginVoiceJob(
  options: PurchaseOptions,
  voice: VoiceCase,
  { outputs, signal }: { readonly outputs: readonly OutputRequest[]; readonly signal: AbortSignal },
): Promise<Begun> {
  const { jobs, spool, clock } = options;
  const service = options.inForce.serviceDigest;
  const about = jobs.about(voice.content).filter((job) => !hasOtherSettings(job.service, service));
  const late = lateJobs(about, voice.release);
  if (late.length >= MAX_LATE) return unsuitable(neverArrives(late));
  using slot = jobs.takeSlot(options.inForce.config.service.voice.jobs);
  if (slot === undefined) return { kind: 'wait', ms: FULL_MS };
  await spool.requireSpace((await stat(voice.sourcePath).catch(() => ({ size: 0 }))).size);
  const copy = await spool.takeSource(voice.content, voice.sourcePath, voice.sourceHash);
  if (copy === undefined) return { kind: 'superseded' };
  const ready = await prepare(options, voice, { copy, signal });
  if (ready.kind === 'held') {
    await spool.dropSource(voice.content);
    return ready;
  }
  const { recording, seconds } = ready;
  const bytes = outputs.reduce((sum, { type }) => sum + expectedBytes(type, seconds), 0);
  await spool.requireSpaceForCopies(bytes, voice.project.root);
  const job = newJob(voice, { recording, seconds, outputs, service, now: clock.now() });
  await jobs.put(job);
  return { kind: 'begun', id: job.id };
}

type Prepared =
  | { readonly kind: 'ready'; readonly recording: UploadedRecording; readonly seconds: number }
  | { readonly kind: 'held'; readonly hold: Hold };

async function prepare(
  options: PurchaseOptions,
  voice: VoiceCase,
  { copy, signal }: { readonly copy: string; readonly signal: AbortSignal },
): Promise<Prepared> {
  const found = await parse(INSPECT_RECORDING, copy, {
    file: copy,
    bytes: await bytesIn(copy),
  });
  const limits = voiceLimits(options.inForce.config.service, voice, options.rate);
  const suitability = suitabilityOf(found, limits);
  const unsent = await whyUnsent(suitability);
  if (unsent !== undefined) return unsent;
  if (suitability.kind !== 'as-it-is')
    return await convert(options, voice, { copy, limits, signal });
  const { contentType } = suitability;
  const name = basename(voice.job.source);
  const recording = { form: 'copy', name, contentType, size: found.size } as const;
  return allowed(options, { recording, seconds: found.seconds ?? 0 });
}

/** The hold of a recording that cannot be sent; undefined when it can. Nothing was converted or sent before. */
export async function whyUnsent(
  suitability: Suitability,
): Promise<Extract<Begun, { kind: 'held' }> | undefined> {
  if (suitability.kind === 'refused') return unsuitable(suitability);
  if (suitability.kind === 'as-it-is' || (await hasFfmpeg())) return undefined;
  return unsuitable(needsFfmpeg(suitability.because));
}

async function convert(
  options: PurchaseOptions,
  voice: VoiceCase,
  {
    copy,
    limits,
    signal,
  }: { readonly copy: string; readonly limits: VoiceLimits; readonly signal: AbortSignal },
): Promise<Prepared> {
  const to = options.spool.convertedOf(voice.content);
  try {
    await toFlac({ from: copy, to, signal });
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind !== 'malformed') throw error;
    return unsuitable({ message: failure.message, advice: 'replace the file; it may be damaged' });
  }
  const made = await parse(INSPECT_RECORDING, to, {
    file: to,
    bytes: await bytesIn(to),
  });
  // The converted file is sent: the copy is not needed any more.
  await rm(copy, { force: true });
  const problem = problemOf(made, limits);
  if (problem !== undefined) return unsuitable(problem);
  const name = `${basename(voice.job.source)}.flac`;
  const recording = { form: 'flac', name, contentType: CONVERTED_TYPE, size: made.size } as const;
  return allowed(options, { recording, seconds: made.seconds ?? 0 });
}

function problemOf(made: FoundRecording, limits: VoiceLimits): Unsuitable | undefined {
  const suitability = suitabilityOf({ ...made, seconds: made.seconds ?? 0 }, limits);
  if (suitability.kind === 'refused') return suitability;
  const tooLarge = whyTooLarge(made.size, limits);
  if (tooLarge === undefined) return undefined;
  return { message: `after conversion, ${tooLarge}`, advice: 'cut the recording into parts' };
}

async function allowed(
  { allow }: PurchaseOptions,
  ready: { readonly recording: UploadedRecording; readonly seconds: number },
): Promise<Prepared> {
  const allowance = await allow(ready.seconds);
  if (allowance.kind === 'held') return allowance;
  allowance[Symbol.dispose]();
  return { kind: 'ready', ...ready };
}

/** The limits of one upload, from the config and the measured upload rate. */
export function voiceLimits(
  service: Config['service'],
  voice: VoiceCase,
  rate: UploadRate,
): VoiceLimits {
  const extension = extensionOf(voice.job.source).toLowerCase();
  return {
    bytes: service.limits[extension] ?? service.voice.maxSize,
    seconds: service.voice.maxDuration / 1000,
    uploadRate: rate.measured,
  };
}

interface Unsuitable {
  readonly message: string;
  readonly advice: string;
}

function unsuitable({ message, advice }: Unsuitable): Extract<Begun, { kind: 'held' }> {
  return { kind: 'held', hold: { kind: 'unsuitable', message, advice } };
}

function needsFfmpeg(because: string): Unsuitable {
  return {
    message: `${because}, and ffmpeg, which would convert it, is not installed`,
    advice: 'install ffmpeg, or put a WAV, FLAC, MP3, Ogg or M4A in its place; then dragoman retry',
  };
}

/** Jobs that ended before the recording arrived, since the last release by a person. */
function lateJobs(jobs: readonly RemoteJob[], release: Release | undefined): RemoteJob[] {
  const since = release === undefined ? 0 : Date.parse(release.at);
  return jobs.filter(
    ({ stage, begun }) => stage.kind === 'void' && stage.because === 'late' && begun >= since,
  );
}

const NO_UPLOAD: { readonly reason?: string; readonly isRefused?: true } = {};

function neverArrives(late: readonly RemoteJob[]): Unsuitable {
  const stage = late.at(-1)?.stage;
  const { reason, isRefused } =
    stage?.kind === 'void' && stage.because === 'late' ? stage : NO_UPLOAD;
  if (reason !== undefined && isRefused === true) {
    return {
      message: `the service refused the recording ${late.length} times: ${reason}`,
      advice: 'see the reason; correct the file or "service" in dragoman.yaml, then dragoman retry',
    };
  }
  const last = reason === undefined ? '' : ` (the last: ${reason})`;
  return {
    message: `${late.length} uploads did not arrive within the 5 minutes that the service waits${last}`,
    advice: 'use a faster line or a smaller file, then dragoman retry',
  };
}

interface NewJob {
  readonly recording: UploadedRecording;
  readonly seconds: number;
  readonly outputs: readonly OutputRequest[];
  readonly service: string;
  readonly now: number;
}

function newJob(
  voice: VoiceCase,
  { recording, seconds, outputs, service, now }: NewJob,
): RemoteJob {
  const { job, content, sourceHash, spoken } = voice;
  return {
    id: randomUUID(),
    content,
    sourceHash,
    owner: job.id,
    project: job.project,
    language: job.language,
    seconds,
    ...(spoken === undefined ? {} : { spoken }),
    recording,
    begun: now,
    service,
    outputs: outputs.map((output) => ({ ...output, state: { kind: 'awaited' } })),
    stage: { kind: 'creating' },
  };
}
