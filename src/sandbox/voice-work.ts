/** What the sandbox does with a recording: hears it (or makes up what it says), translates, and writes each target's file. */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describeFailure, failureOf } from '../failure.ts';
import { type LanguageTag, sameLanguage } from '../language.ts';
import { cannot } from './documents/document.ts';
import type { Utterance } from './engine.ts';
import { sourceOf } from './language-guess.ts';
import { targetLanguage } from './language-table.ts';
import type { Call, World } from './resource.ts';
import { translateTexts } from './translation.ts';
import type { OutputOutcome, VoiceJob, VoiceUpload } from './voice-job.ts';
import { speak } from './voice-speech.ts';
import { asSubRip, asText, madeUpTranscript } from './voice-transcript.ts';

/** Writes the file of every target; a target that cannot be made fails alone. */
export async function processRecording(
  world: World,
  call: Pick<Call, 'fault'>,
  job: VoiceJob,
): Promise<void> {
  const heard = await outcomeOf(() => hear(world, job));
  for (const output of job.outputs) {
    const made = await outcomeOf(async () => {
      if (heard.kind === 'failed') throw heard.error;
      const language = targetLanguage(output.target.language);
      const utterances = await translate(world, call, { ...heard.value, language });
      return write(world, { utterances, language, type: output.target.type });
    });
    output.outcome = made.kind === 'failed' ? failed(made.error) : made.value;
  }
  job.updated = world.clock.now();
  if (job.upload) await world.spool.remove(job.upload.file);
}

type Attempt<T> = { kind: 'made'; value: T } | { kind: 'failed'; error: unknown };

async function outcomeOf<T>(make: () => Promise<T>): Promise<Attempt<T>> {
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
  /** As the request names it. */
  readonly source: LanguageTag | undefined;
}

async function hear(world: World, { request, upload }: VoiceJob): Promise<Heard> {
  const duration = checkedDuration(world, upload);
  const { name: _, content_type } = request.source_file;
  const language = request.source;
  const utterances =
    (await world.engine.transcribe?.({ file: upload?.file ?? '', content_type, language })) ??
    madeUpTranscript(duration);
  return { utterances, source: language };
}

function checkedDuration(world: World, upload: VoiceUpload | undefined): number {
  const duration = upload?.duration;
  if (duration === undefined)
    throw cannot('the file is no recording that can be listened to', 'Check the file.');
  if (duration > world.limits.voice_seconds * 1000) {
    throw cannot(`the recording is longer than ${world.limits.voice_seconds} seconds`, 'Cut it.');
  }
  return duration;
}

async function translate(
  world: World,
  call: Pick<Call, 'fault'>,
  { utterances, source, language }: Heard & { language: LanguageTag },
): Promise<readonly Utterance[]> {
  const texts = utterances.map(({ text }) => text);
  const source_lang = source ?? sourceOf(texts.join(' '), language);
  if (sameLanguage(source_lang, language)) return utterances;
  const recipe = { target: language, marks: [] };
  const answers = await translateTexts(world, call, { texts, source_lang, recipe });
  return utterances.map((utterance, index) => ({ ...utterance, text: answers[index]?.text ?? '' }));
}

interface Writing {
  readonly utterances: readonly Utterance[];
  readonly language: LanguageTag;
  readonly type: string;
}

const PCM = /^audio\/pcm;encoding=s16le;rate=(16000|24000)$/;

async function write(
  world: World,
  { utterances, language, type }: Writing,
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
