/** Runs ffmpeg, if it is installed: converts recordings that the service does not take, and packs speech. One process for each file. */
import { JobFailure } from '../../../failure.ts';
import { type ProgramAnswer, runProgram } from '../../../files/program.ts';
import { pcmOf } from '../decisions/wav.ts';

export interface Conversion {
  /** Absolute paths; a file at `to` is replaced. */
  readonly from: string;
  readonly to: string;
  readonly signal: AbortSignal;
}

/** Bytes of error messages. ffmpeg reports an error for every frame of a damaged recording, 150,000 an hour. */
const MOST_ERRORS = 64 * 1024 * 1024;
const QUIET = ['-nostdin', '-hide_banner', '-v', 'error', '-y'];

/** Milliseconds for a conversion: a recording of a day takes less. */
const CONVERSION_LIMIT_MS = 6 * 3_600_000;
/** Milliseconds for a question about the program or about a file. */
const QUESTION_LIMIT_MS = 120_000;

let isThere = false;

/** Whether ffmpeg is installed. dragoman looks for ffmpeg until it is found: people install it after a message. */
export async function hasFfmpeg(): Promise<boolean> {
  isThere ||= (await ask('ffmpeg', ['-version']))?.code === 0;
  return isThere;
}

/** The packed formats that the installed ffmpeg can write. */
export async function encodersOf(): Promise<ReadonlySet<string>> {
  const { text = '' } = (await ask('ffmpeg', ['-hide_banner', '-encoders'])) ?? {};
  const formats = Object.entries(PACKED).filter(([, [, encoder]]) => text.includes(encoder));
  return new Set(formats.map(([format]) => format));
}

/** Seconds of a recording or video by ffprobe; undefined when it is not installed or finds none. */
export async function probeSeconds(file: string): Promise<number | undefined> {
  const show = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0'];
  const { text = '' } = (await ask('ffprobe', [...show, `file:${file}`])) ?? {};
  const seconds = Number.parseFloat(text);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** @returns undefined when the program is not installed @throws JobFailure `program-silent` */
async function ask(
  program: 'ffmpeg' | 'ffprobe',
  words: readonly string[],
): Promise<ProgramAnswer | undefined> {
  try {
    return await runProgram({ program, words, limitMs: QUESTION_LIMIT_MS });
  } catch (error) {
    if (error instanceof JobFailure) throw error;
    return undefined;
  }
}

/**
 * Converts the sound of a recording or video to FLAC, mono, 16 kHz: as much as speech recognition uses, in a tenth of the size.
 * @throws JobFailure `malformed` with the last line of ffmpeg's messages; `stopped`
 */
export async function toFlac(conversion: Conversion): Promise<void> {
  await convert(conversion, {
    input: [],
    output: ['-vn', '-ac', '1', '-ar', '16000', '-c:a', 'flac', '-f', 'flac'],
  });
}

const PACKED = {
  opus: ['-c:a', 'libopus', '-b:a', '32k', '-f', 'ogg'],
  mp3: ['-c:a', 'libmp3lame', '-q:a', '4', '-f', 'mp3'],
} as const;

/**
 * Packs speech as Opus or MP3.
 * @param type of `from`, as the service names it; ffmpeg recognizes types other than raw PCM itself
 * @throws JobFailure `malformed`, `stopped`
 */
export async function pack(
  conversion: Conversion,
  { type, format }: { readonly type: string; readonly format: keyof typeof PACKED },
): Promise<void> {
  const pcm = pcmOf(type);
  const raw = pcm && ['-f', 's16le', '-ar', String(pcm.rate), '-ac', String(pcm.channels)];
  await convert(conversion, { input: raw ?? [], output: PACKED[format] });
}

async function convert(
  { from, to, signal }: Conversion,
  { input, output }: { readonly input: readonly string[]; readonly output: readonly string[] },
): Promise<void> {
  const { code, complaint } = await runProgram({
    program: 'ffmpeg',
    words: [...QUIET, ...input, '-i', `file:${from}`, ...output, `file:${to}`],
    ...{ signal, maxBuffer: MOST_ERRORS, limitMs: CONVERSION_LIMIT_MS },
  }).catch((error: unknown) => {
    if (signal.aborted) throw new JobFailure({ kind: 'stopped' }, { cause: error });
    if (error instanceof JobFailure) throw error;
    const { message } = error as Error;
    throw new JobFailure({ kind: 'malformed', where: { file: from }, message }, { cause: error });
  });
  if (code === 0) return;
  const message = reasonIn(complaint.replaceAll(`file:${from}`, 'the file'));
  throw new JobFailure({ kind: 'malformed', where: { file: from }, message });
}

function reasonIn(errors: string): string {
  // ffmpeg's message for a video without sound.
  if (errors.includes('does not contain any stream')) return 'there is no sound in it';
  const last = errors.trim().split('\n').at(-1) ?? 'no reason given';
  return `ffmpeg cannot convert it: ${last}`;
}
