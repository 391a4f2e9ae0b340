/** The outputs of a recording: transcript, subtitles, speech; their names in the API and their sizes. Pure. */
import type { TargetPaths } from '../../../job.ts';
import { OUTPUT_KINDS } from '../../../plan/voice-recipe.ts';
import { pcmBytes, pcmOf } from './wav.ts';

export type OutputKind = (typeof OUTPUT_KINDS)[number];

/** Target types of docs/design/api.md, "Voice jobs". */
export const OUTPUT_TYPES: Readonly<Record<OutputKind, string>> = {
  transcript: 'text/plain',
  subtitles: 'application/x-subrip',
  speech: 'audio/pcm;encoding=s16le;rate=16000',
};

/** One output in one language, in the form of the request. */
export interface OutputRequest {
  /** The language in the spelling of the API. */
  readonly language: string;
  /** One of `OUTPUT_TYPES`. */
  readonly type: string;
}

export function isSameOutput(a: OutputRequest, b: OutputRequest): boolean {
  return a.language === b.language && a.type === b.type;
}

export interface OutputFile {
  readonly kind: OutputKind;
  /** Relative to the project's root. */
  readonly path: string;
}

/** The files that a job writes. */
export function outputFiles(targets: TargetPaths): OutputFile[] {
  if ('file' in targets) return [];
  return OUTPUT_KINDS.flatMap((kind) => {
    const path = targets[kind];
    return path === undefined ? [] : [{ kind, path }];
  });
}

/** Extensions by which an output is recognized. A transcript has any other one; the check of the config sees to that. */
const SUBTITLES = ['.srt', '.vtt'];
const SPEECH = ['.wav', '.opus', '.mp3'];

export interface OutputInputs {
  readonly kind: OutputKind;
  /** Extension of the wanted file, with its dot. */
  readonly to: string;
  /** Extension of the present file, with its dot. */
  readonly from: string;
}

/**
 * Whether an output can be made from a file that dragoman wrote: subtitles from SRT or WebVTT, speech from the same format or
 * from WAV.
 */
export function isMadeFrom({ kind, to, from }: OutputInputs): boolean {
  switch (kind) {
    case 'transcript':
      return from === to && !SUBTITLES.includes(from) && !SPEECH.includes(from);
    case 'subtitles':
      return SUBTITLES.includes(from);
    case 'speech':
      return from === '.wav' || (from === to && SPEECH.includes(from));
  }
}

/** Bytes of text for one second of speech, at most: 25 characters of three bytes, and a timing line. */
const TEXT_BYTES_PER_SECOND = 200;
const LEAST_BYTES = 65_536;

/** Bytes of a result, at most. @param seconds length of the recording; speech in another language may last 1.5 times as long */
export function expectedBytes(type: string, seconds: number): number {
  const pcm = pcmOf(type);
  const bytes = pcm === undefined ? seconds * TEXT_BYTES_PER_SECOND : pcmBytes(seconds * 1.5, pcm);
  return LEAST_BYTES + Math.ceil(bytes);
}
