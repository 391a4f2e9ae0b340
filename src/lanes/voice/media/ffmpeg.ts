/** Runs ffmpeg, if it is installed: converts recordings that the service does not take, and packs speech. One process for each file. */
import { type ExecFileException, execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { JobFailure } from '../../../failure.ts';
import { pcmOf } from '../decisions/wav.ts';

export interface Conversion {
  /** Absolute paths; a file at `to` is replaced. */
  readonly from: string;
  readonly to: string;
  readonly signal: AbortSignal;
}

const run = promisify(execFile);
/** Bytes of error messages. ffmpeg reports an error for every frame of a damaged recording, 150,000 an hour. */
const MOST_ERRORS = 64 * 1024 * 1024;
const QUIET = ['-nostdin', '-hide_banner', '-v', 'error', '-y'];

let isThere = false;

/** Whether ffmpeg is installed. dragoman looks for ffmpeg until it is found: people install it after a message. */
export async function hasFfmpeg(): Promise<boolean> {
  isThere ||= await run('ffmpeg', ['-version']).then(
    () => true,
    () => false,
  );
  return isThere;
}

/** The packed formats that the installed ffmpeg can write. */
export async function encodersOf(): Promise<ReadonlySet<string>> {
  const { stdout } = await run('ffmpeg', ['-hide_banner', '-encoders']);
  const formats = Object.entries(PACKED).filter(([, [, encoder]]) => stdout.includes(encoder));
  return new Set(formats.map(([format]) => format));
}

/** Seconds of a recording or video by ffprobe; undefined when it is not installed or finds none. */
export async function probeSeconds(file: string): Promise<number | undefined> {
  const show = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0'];
  const { stdout } = await run('ffprobe', [...show, `file:${file}`]).catch(() => ({ stdout: '' }));
  const seconds = Number.parseFloat(stdout);
  return Number.isFinite(seconds) ? seconds : undefined;
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
  try {
    await run('ffmpeg', [...QUIET, ...input, '-i', `file:${from}`, ...output, `file:${to}`], {
      signal,
      maxBuffer: MOST_ERRORS,
    });
  } catch (error) {
    if (signal.aborted) throw new JobFailure({ kind: 'stopped' }, { cause: error });
    const { stderr, message: told } = error as ExecFileException & { stderr?: string };
    const message = reasonIn((stderr ?? told).replaceAll(`file:${from}`, 'the file'));
    throw new JobFailure({ kind: 'malformed', where: { file: from }, message }, { cause: error });
  }
}

function reasonIn(errors: string): string {
  // ffmpeg's message for a video without sound.
  if (errors.includes('does not contain any stream')) return 'there is no sound in it';
  const last = errors.trim().split('\n').at(-1) ?? 'no reason given';
  return `ffmpeg cannot convert it: ${last}`;
}
