/** Estimates the cost of a recording, in seconds of audio. Sends nothing. The jobs of one recording share one upload. */

import { JobFailure } from '../../failure.ts';
import { bytesIn } from '../../files/disk.ts';
import type { Hold, Job } from '../../job.ts';
import type { Estimate } from '../../lane.ts';
import { parse } from '../../parsing/parse.ts';
import { needsUpload } from './decisions/remote-job.ts';
import { suitabilityOf } from './decisions/suitability.ts';
import { probeSeconds } from './media/ffmpeg.ts';
import { type OrderedFile, orderOf, toBuy, type VoiceOrder } from './order.ts';
import { type Begun, voiceLimits, whyUnsent } from './purchase.ts';
import { INSPECT_RECORDING } from './thread-calls.ts';
import { type VoiceCase, voiceCase } from './voice-case.ts';
import type { VoiceJobs } from './voice-jobs.ts';

/** @param counted keys of the purchases of the same plan that are counted already; the one of this job is added */
export async function estimateVoice(
  voiceJobs: VoiceJobs,
  job: Job,
  counted: Set<string>,
): Promise<Estimate> {
  const voice = voiceCase(job, voiceJobs.sources());
  const order = await orderOf(voiceJobs, voice);
  const isDue = toBuy(order).length > 0 || order.some(isUnsent);
  const key = `voice ${voice.content}`;
  const length = isDue && !counted.has(key) ? await lengthOf(voiceJobs, voice) : NO_LENGTH;
  if (length.kind === 'held') {
    return { job, characters: 0, atLeast: false, hold: length.hold, notes: notesFor(voice) };
  }
  const { seconds } = length;
  if (isDue) counted.add(key);
  const notes = [...notesFor(voice), ...(seconds === undefined ? [UNKNOWN_LENGTH] : [])];
  const estimate = { job, characters: 0, atLeast: false, seconds: seconds ?? 0, notes };
  const hold = isDue ? undefined : await firstHold(voiceJobs, { voice, order });
  // A result that is paid for still has to be written.
  const isUpToDate = !order.some(({ file }) => file.verdict.kind === 'obtain');
  return hold === undefined ? { ...estimate, isUpToDate } : { ...estimate, hold };
}

async function firstHold(
  voiceJobs: VoiceJobs,
  { voice, order }: { readonly voice: VoiceCase; readonly order: VoiceOrder },
): Promise<Hold | undefined> {
  for (const ordered of order) {
    const { verdict } = ordered.file;
    if (verdict.kind === 'hold') return await holdFor(voiceJobs, { voice, ordered }, verdict.why);
  }
  return undefined;
}

/** One of the files of a voice job. */
export interface OrderedVoice {
  readonly voice: VoiceCase;
  readonly ordered: OrderedFile;
}

/** The hold of a target about which a person has to decide. */
export async function holdFor(
  voiceJobs: VoiceJobs,
  { voice, ordered }: OrderedVoice,
  why: 'edited-target' | 'state-lost',
): Promise<Hold> {
  // The result is in the spool, or can be made from another file.
  const isPaid = ['ready', 'elsewhere', 'merged'].includes(ordered.paid.kind);
  const seconds = isPaid ? 0 : await voicePriceOf(voiceJobs, voice);
  const price = seconds === undefined ? {} : { seconds };
  return why === 'edited-target'
    ? { kind: why, beside: null, ...(isPaid ? {} : price) }
    : { kind: why, characters: 0, ...price };
}

/** Whether a job was begun for the file, and interrupted before the recording was sent. */
function isUnsent({ file, paid, result }: OrderedFile): boolean {
  const isAwaited = file.verdict.kind === 'obtain' && paid.kind === 'awaited';
  return isAwaited && result !== undefined && needsUpload(result.job);
}

const UNKNOWN_LENGTH = 'how long a recording lasts is known only when ffmpeg has converted it';

/** Seconds that sending the recording (again) would cost, for a person to read; undefined when they are unknown. */
export async function voicePriceOf(
  voiceJobs: VoiceJobs,
  voice: VoiceCase,
): Promise<number | undefined> {
  try {
    const length = await lengthOf(voiceJobs, voice);
    return length.kind === 'held' ? undefined : length.seconds;
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    return undefined;
  }
}

/** `seconds` undefined: unknown before the conversion. */
type Length =
  | { readonly kind: 'told'; readonly seconds: number | undefined }
  | Extract<Begun, { kind: 'held' }>;

const NO_LENGTH: Length = { kind: 'told', seconds: 0 };

/** The length of a recording; if a run would not send the recording, the hold with the same reason. */
async function lengthOf(voiceJobs: VoiceJobs, voice: VoiceCase): Promise<Length> {
  const found = await parse(INSPECT_RECORDING, voice.sourcePath, {
    file: voice.sourcePath,
    bytes: await bytesIn(voice.sourcePath),
  });
  const limits = voiceLimits(voiceJobs.options.inForce.config.service, voice, voiceJobs.rate);
  const unsent = await whyUnsent(suitabilityOf(found, limits));
  if (unsent !== undefined) return unsent;
  const seconds = found.seconds ?? (await probeSeconds(voice.sourcePath));
  return { kind: 'told', seconds: seconds === undefined ? undefined : Math.ceil(seconds) };
}

/** Names the rules of the project that the service does not take with recordings. */
function notesFor({ project: { name, rules }, job }: VoiceCase): string[] {
  const given = [
    rules.glossary === undefined ? undefined : 'glossary',
    rules.styles.has(job.language) ? 'style' : undefined,
    rules.formality === undefined ? undefined : 'formality',
    rules.translationMemory === undefined ? undefined : 'translation_memory',
    rules.customInstructions.length === 0 ? undefined : 'custom_instructions',
    rules.context === undefined ? undefined : 'context',
  ].filter((rule) => rule !== undefined);
  if (given.length === 0) return [];
  return [`${name}: the service takes no ${given.join(', no ')} with recordings`];
}
