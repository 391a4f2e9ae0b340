/** Processes a recording: recognises its speech (or makes a transcript up), translates it, and writes the file of each target. */

import { hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describeFailure, failureOf } from '../failure.ts';
import { type LanguageTag, sameLanguage } from '../language.ts';
import { cannot } from './documents/document.ts';
import type { Engine, Utterance } from './engine.ts';
import { guessedSource } from './language-guess.ts';
import { targetLanguage } from './language-table.ts';
import type { ReceivedCall, SandboxWorld } from './resource.ts';
import { translateTexts } from './translation.ts';
import type { OutputOutcome, VoiceJob, VoiceUpload } from './voice-job.ts';

/** Writes the file of every target; a target that fails does not affect the others. */
export async function processRecording(
  world: SandboxWorld,
  call: Pick<ReceivedCall, 'fault'>,
  job: VoiceJob,
): Promise<void> {
  const heard = await stepResult(() => hear(world, job));
  for (const output of job.outputs) {
    const made = await stepResult(async () => {
      if (heard.kind === 'failed') throw heard.error;
      const language = targetLanguage(output.target.language);
      const utterances = await translate(world, call, { ...heard.value, language });
      return writeOutput(world, { utterances, language, type: output.target.type });
    });
    output.outcome = made.kind === 'failed' ? failed(made.error) : made.value;
  }
  job.updated = world.clock.now();
  if (job.upload) await world.spool.remove(job.upload.file);
}

type StepResult<T> = { kind: 'made'; value: T } | { kind: 'failed'; error: unknown };

async function stepResult<T>(make: () => Promise<T>): Promise<StepResult<T>> {
  try {
    return { kind: 'made', value: await make() };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

function failed(error: unknown): OutputOutcome {
  return { kind: 'failed', message: describeFailure(failureOf(error)) };
}

interface Heard {
  readonly utterances: readonly Utterance[];
  /** The language in the request. */
  readonly source: LanguageTag | undefined;
}

async function hear(world: SandboxWorld, { request, upload }: VoiceJob): Promise<Heard> {
  const duration = checkedDuration(world, upload);
  const { name: _, content_type } = request.source_file;
  const language = request.source;
  const utterances =
    (await world.engine.transcribe?.({ file: upload?.file ?? '', content_type, language })) ??
    madeUpTranscript(duration);
  return { utterances, source: language };
}

function checkedDuration(world: SandboxWorld, upload: VoiceUpload | undefined): number {
  const duration = upload?.duration;
  if (duration === undefined)
    throw cannot('the file is no recording that can be listened to', 'Check the file.');
  if (duration > world.limits.voice_seconds * 1000) {
    throw cannot(`the recording is longer than ${world.limits.voice_seconds} seconds`, 'Cut it.');
  }
  return duration;
}

async function translate(
  world: SandboxWorld,
  call: Pick<ReceivedCall, 'fault'>,
  { utterances, source, language }: Heard & { language: LanguageTag },
): Promise<readonly Utterance[]> {
  const texts = utterances.map(({ text }) => text);
  const source_lang = source ?? guessedSource(texts.join(' '), language);
  if (sameLanguage(source_lang, language)) return utterances;
  const recipe = { target: language, marks: [] };
  const answers = await translateTexts(world, call, { texts, source_lang, recipe });
  return utterances.map((utterance, index) => ({ ...utterance, text: answers[index]?.text ?? '' }));
}

interface OutputWriting {
  readonly utterances: readonly Utterance[];
  readonly language: LanguageTag;
  readonly type: string;
}

const PCM = /^audio\/pcm;encoding=s16le;rate=(16000|24000)$/;

async function writeOutput(
  world: SandboxWorld,
  { utterances, language, type }: OutputWriting,
): Promise<OutputOutcome> {
  const rate = PCM.exec(type)?.[1];
  const file = await world.spool.file();
  await pipeline(Readable.from(content()), createWriteStream(file));
  const { size } = await stat(file);
  return { kind: 'written', file, size };

  async function* content(): AsyncGenerator<Uint8Array> {
    if (type === 'text/plain') yield Buffer.from(asText(utterances));
    else if (type === 'application/x-subrip') yield Buffer.from(asSubRip(utterances));
    else if (rate !== undefined)
      yield* speak(world.engine, { utterances, language, rate: Number(rate) });
    else throw cannot(`this sandbox cannot make ${type}`, 'Ask for PCM speech.');
  }
}

/** Transcripts: made-up sentences when no engine can recognise speech, and utterances as text and as SubRip. */
const SENTENCES = [
  'Welcome to this recording.',
  'Today we talk about the weather in the city.',
  'The train to the north leaves at nine.',
  'Please remember to save your work.',
  'Our new office opens next week.',
  'Thank you very much for listening.',
  'There are three books on the table.',
  'Everybody is invited to the meeting.',
] as const;

/** Milliseconds of one made-up utterance, with its pause. */
const UTTERANCE_MS = 4000;
const PAUSE_MS = 400;

/** The same sentences for the same duration, spread over all of it. @param duration in milliseconds */
function madeUpTranscript(duration: number): readonly Utterance[] {
  const count = Math.max(1, Math.round(duration / UTTERANCE_MS));
  const share = duration / count;
  return Array.from({ length: count }, (_, index) => ({
    start: Math.round(index * share),
    end: Math.max(
      Math.round(index * share) + 1,
      Math.round((index + 1) * share - Math.min(PAUSE_MS, share / 4)),
    ),
    text: SENTENCES[index % SENTENCES.length] ?? '',
  }));
}

function asText(utterances: readonly Utterance[]): string {
  return utterances.map(({ text }) => `${text}\n`).join('');
}

/** SubRip keeps the times of the recording (docs/design/api.md, "Voice jobs"). */
function asSubRip(utterances: readonly Utterance[]): string {
  return utterances
    .map(
      ({ start, end, text }, index) =>
        `${index + 1}\n${timecode(start)} --> ${timecode(end)}\n${text}\n\n`,
    )
    .join('');
}

function timecode(ms: number): string {
  const part = (value: number, digits: number) => String(Math.floor(value)).padStart(digits, '0');
  const clock = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map((value) =>
    part(value, 2),
  );
  return `${clock.join(':')},${part(ms % 1000, 3)}`;
}

/** Speech as 16-bit little-endian mono PCM: from the engine, or a tone for each word, so that a person hears where the words are. */
interface SpeechOrder {
  readonly utterances: readonly Utterance[];
  readonly language: LanguageTag;
  /** Samples per second. */
  readonly rate: number;
}

/** Chunks of PCM: every utterance begins at its time, or directly after the one before when that is longer. */
async function* speak(
  engine: Engine,
  { utterances, language, rate }: SpeechOrder,
): AsyncGenerator<Uint8Array> {
  let samples = 0;
  for (const { start, text } of utterances) {
    const pause = Math.max(0, Math.round((start / 1000) * rate) - samples);
    const speech = (await engine.speak?.({ text, language, rate })) ?? tones(text, rate);
    samples += pause + speech.length / BYTES_PER_SAMPLE;
    yield* silence(pause, rate);
    yield speech;
  }
}

/** In pieces of a second: an hour would take 115 MB. */
function* silence(samples: number, rate: number): Generator<Uint8Array> {
  for (let left = samples; left > 0; left -= rate) {
    yield new Uint8Array(Math.min(left, rate) * BYTES_PER_SAMPLE);
  }
}

const BYTES_PER_SAMPLE = 2;
const MS_PER_LETTER = 60;
const GAP_MS = 60;
const LOUDNESS = 0x1800;

/** A word always has the same tone, between 200 and 712 Hz. */
function tones(text: string, rate: number): Uint8Array {
  const words = text.split(/\s+/u).filter((word) => word !== '');
  return Buffer.concat(words.map((word) => tone(word, rate)));
}

function tone(word: string, rate: number): Uint8Array {
  const length = Math.round((rate * MS_PER_LETTER * [...word].length) / 1000);
  const gap = Math.round((rate * GAP_MS) / 1000);
  const pitch = 200 + 2 * hash('sha1', word, 'buffer').readUInt8(0);
  const samples = new Int16Array(length + gap);
  for (let at = 0; at < length; at++) {
    // Faded in and out to avoid clicks.
    const fade = Math.min(1, at / 80, (length - at) / 80);
    samples[at] = Math.round(Math.sin((2 * Math.PI * pitch * at) / rate) * LOUDNESS * fade);
  }
  return new Uint8Array(samples.buffer);
}
