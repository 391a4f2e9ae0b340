/** Writes results of the spool as files: transcripts unchanged, subtitles with their lines fitted, speech as a file that plays. */

import { stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { describeFailure, JobFailure } from '../../failure.ts';
import { hashIfPresent, readBytes } from '../../files/disk.ts';
import { publishFile } from '../../files/publish.ts';
import { streamFile } from '../../files/read-file.ts';
import type { FileContent } from '../../files/replace.ts';
import type { LaneRun } from '../../lane.ts';
import type { Written } from '../../ledger.ts';
import { parse } from '../../parsing/parse.ts';
import type { Trash } from '../../state/trash.ts';
import { OUTPUT_TYPES } from './decisions/outputs.ts';
import { pcmOf, WAV_HEADER_BYTES, wavHeader } from './decisions/wav.ts';
import { hasFfmpeg, pack } from './media/ffmpeg.ts';
import type { FoundOutput } from './remote-jobs.ts';
import type { VoiceSpool } from './spool.ts';
import { FIT_SUBTITLES } from './thread-calls.ts';
import type { VoiceCase, WantedFile } from './voice-case.ts';

export interface Destination {
  readonly run: LaneRun;
  readonly voice: VoiceCase;
  readonly file: WantedFile;
}

export interface VoiceDelivery extends Destination {
  readonly result: FoundOutput;
  readonly bytes: number;
}

export interface DeliveryContext {
  readonly spool: VoiceSpool;
  readonly trash: Pick<Trash, 'take'>;
}

export interface DeliveredOutput {
  readonly written: Written;
  /** Why another file was written than the one that was asked for. */
  readonly problem?: string;
  /** What may be wrong with the content. */
  readonly doubt?: string;
}

/**
 * @throws JobFailure `malformed` when the result makes no sense; `changed-meanwhile` when somebody wrote the target since it was
 * read; `disk-full`
 */
export async function deliver(
  context: DeliveryContext,
  delivery: VoiceDelivery,
): Promise<DeliveredOutput> {
  const shaped = await shapedFile(context, delivery);
  const { spool } = context;
  await spool.requireSpace(delivery.bytes + WAV_HEADER_BYTES, delivery.voice.project.root);
  const written = await replace(context, delivery, shaped);
  await spool.dropPacked(delivery.result);
  if (shaped.problem === undefined) await retireFallback(context, delivery);
  const { problem, doubt } = shaped;
  return {
    written,
    ...(problem === undefined ? {} : { problem }),
    ...(doubt === undefined ? {} : { doubt }),
  };
}

/** Makes the file from another one that dragoman wrote. @param from the absolute path of that one */
export async function deliverCachedOutput(
  context: DeliveryContext,
  destination: Destination,
  from: string,
): Promise<DeliveredOutput> {
  const result = {
    job: { id: `${destination.voice.content}-${destination.voice.job.language}` },
    index: 0,
  };
  const to = context.spool.packedOf(result);
  const { size } = await stat(from);
  await context.spool.requireSpace(size);
  await context.spool.requireSpace(size, destination.voice.project.root);
  const { problem, ...shaped } = await shapeCachedOutput(destination, { from, to });
  const written = await replace(context, destination, shaped);
  await context.spool.dropPacked(result);
  if (problem !== undefined) return { written, problem };
  await retireFallback(context, destination);
  return { written };
}

/** Writes content that needs no conversion. */
export async function deliverWhole(
  context: DeliveryContext,
  destination: Destination,
  content: Buffer,
): Promise<DeliveredOutput> {
  await context.spool.requireSpace(content.byteLength, destination.voice.project.root);
  const { path } = destination.file;
  return { written: await replace(context, destination, { path, content }) };
}

/** @param to the path of the packed speech */
async function shapeCachedOutput(
  { run, voice, file }: Destination,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<ShapedFile> {
  const { path, kind } = file;
  if (extname(from) === extname(path)) return { path, content: streamFile(from) };
  if (kind === 'subtitles')
    return { path, content: await fittedFor(voice, path, await readWhole(from)) };
  const format = voice.route.voice.speechFormat;
  if (format === 'wav') return { path, content: streamFile(from) };
  const problem = await packed({ from, to, signal: run.signal }, { type: 'audio/wav', format });
  if (problem === undefined) return { path, content: streamFile(to) };
  return { path: wavPath(path), content: streamFile(from), problem };
}

async function replace(
  { trash }: Pick<DeliveryContext, 'trash'>,
  { run, voice, file }: Destination,
  { path, content }: ShapedFile,
): Promise<Written> {
  const { root, name } = voice.project;
  const isKept = file.verdict.kind === 'obtain' && file.verdict.old === 'keep-in-trash';
  if (isKept && file.found !== undefined)
    await trash.take({ project: name, path: file.path }, root);
  // The path of a fallback may be free, or hold an earlier fallback.
  const left = voice.record?.wrote.find((each) => each.path === path)?.hash;
  const present = path === file.path ? file.found : left;
  const expectedOld = isKept ? null : (present ?? null);
  return await publishFile(run, { root, path, content, expectedOld });
}

/** Removes the WAV that was written instead of a packed file, unless somebody changed it. */
async function retireFallback(
  { trash }: Pick<DeliveryContext, 'trash'>,
  { voice, file }: Pick<Destination, 'voice' | 'file'>,
): Promise<void> {
  const path = wavPath(file.path);
  const left = voice.record?.wrote.find((each) => each.path === path);
  if (file.kind !== 'speech' || path === file.path || left === undefined) return;
  const { root, name: project } = voice.project;
  if ((await hashIfPresent(join(root, path))) === left.hash)
    await trash.take({ project, path }, root);
}

interface ShapedFile {
  readonly path: string;
  readonly content: FileContent;
  readonly problem?: string;
  readonly doubt?: string;
}

async function shapedFile(context: DeliveryContext, delivery: VoiceDelivery): Promise<ShapedFile> {
  const { voice, file, result } = delivery;
  const raw = context.spool.resultFiles(result).result;
  const { path } = file;
  switch (file.kind) {
    case 'transcript': {
      const content = await readWhole(raw);
      if (!isBlank(content)) return { path, content };
      if (!(await isSpoken(context, result))) return { path, content, doubt: wordless(path) };
      const message = 'it is empty, and another result of the same recording is not';
      throw new JobFailure({ kind: 'malformed', where: { file: path }, message });
    }
    case 'subtitles': {
      const received = await readWhole(raw);
      const content = await fittedFor(voice, path, received);
      return { path, content, ...(isBlank(received) ? { doubt: wordless(path) } : {}) };
    }
    case 'speech':
      return await shapeSpeech(context, delivery, raw);
  }
}

/** A recording in which nobody speaks has such results, too: only a person can tell. */
function wordless(path: string): string {
  return `${path} has no words: nobody speaks in the recording, or its words are lost`;
}

/** Whether another text of the recording says something: then it has words in every language. */
async function isSpoken(
  { spool }: Pick<DeliveryContext, 'spool'>,
  { job, index }: FoundOutput,
): Promise<boolean> {
  for (const [other, { type, state }] of job.outputs.entries()) {
    const isText = type === OUTPUT_TYPES.transcript || type === OUTPUT_TYPES.subtitles;
    if (other === index || !isText || state.kind !== 'fetched') continue;
    // A result that was delivered long ago is not in the spool any more, and proves nothing.
    const bytes = await readWhole(spool.resultFiles({ job, index: other }).result).catch(() => {});
    if (bytes !== undefined && !isBlank(bytes)) return true;
  }
  return false;
}

/** A text of the service, such as a transcript. */
async function readWhole(file: string): Promise<Buffer> {
  return (await readBytes(file, Number.POSITIVE_INFINITY)).bytes;
}

function isBlank(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes).trim() === '';
}

async function fittedFor(
  { job, route }: VoiceCase,
  file: string,
  received: Uint8Array,
): Promise<Uint8Array> {
  const fit = { received, file, language: job.language, rules: route.subtitles };
  return await parse(FIT_SUBTITLES, fit, { file, bytes: received.byteLength });
}

async function shapeSpeech(
  { spool }: DeliveryContext,
  { run, voice, file, result, bytes }: VoiceDelivery,
  raw: string,
): Promise<ShapedFile> {
  const { path } = file;
  const { type } = result.output;
  const format = voice.route.voice.speechFormat;
  if (format === 'wav') return { path, content: playable(raw, { type, bytes }) };
  const to = spool.packedOf(result);
  const problem = await packed({ from: raw, to, signal: run.signal }, { type, format });
  if (problem === undefined) return { path, content: streamFile(to) };
  return { path: wavPath(path), content: playable(raw, { type, bytes }), problem };
}

/** Packs speech. @returns why it was not packed; undefined when it was */
async function packed(...[conversion, form]: Parameters<typeof pack>): Promise<string | undefined> {
  if (!(await hasFfmpeg())) return `${form.format} is made by ffmpeg, which is not installed`;
  try {
    await pack(conversion, form);
    return undefined;
  } catch (error) {
    if (!(error instanceof JobFailure) || error.failure.kind !== 'malformed') throw error;
    return describeFailure(error.failure);
  }
}

/** Raw PCM after a WAV header. Results of other types are complete files and stay as they are. */
async function* playable(
  raw: string,
  { type, bytes }: { readonly type: string; readonly bytes: number },
): AsyncGenerator<Uint8Array> {
  const pcm = pcmOf(type);
  if (pcm !== undefined) yield wavHeader(bytes, pcm);
  yield* streamFile(raw);
}

function wavPath(path: string): string {
  return path.replace(/(?:\.[^./]*)?$/, '.wav');
}
