/** What a recording becomes: transcript, subtitles, speech; how the service names them and how large they may get. Pure. */
import type { TargetPaths } from '../../../job.ts';
import { OUTPUT_KINDS } from '../../../plan/voice-recipe.ts';
import { pcmBytes, pcmOf } from './wav.ts';

export type OutputKind = (typeof OUTPUT_KINDS)[number];

/** Target types of the API document, "Voice translation job". */
export const OUTPUT_TYPES: Readonly<Record<OutputKind, string>> = {
  transcript: 'text/plain',
  subtitles: 'application/x-subrip',
  speech: 'audio/pcm;encoding=s16le;rate=16000',
};

/** One output of one language, as the service is asked for it. */
export interface OutputRequest {
  /** As the API spells it. */
  readonly language: string;
  readonly type: string;
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

/** Extensions that tell what a file of ours is: a transcript has any other (config check). */
const SUBTITLES = ['.srt', '.vtt'];
const SPEECH = ['.wav', '.opus', '.mp3'];

export interface OutputInputs {
  readonly kind: OutputKind;
  /** Extension of what is wanted, with its dot. */
  readonly to: string;
  /** Extension of what is there. */
  readonly from: string;
}

/** Whether an output can be made of a file that we wrote, without another request: subtitles of either form, speech of the same or of WAV. */
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

/** Bytes a second that text about speech has at most: 25 characters of three bytes, and a timing line. */
const TEXT_BYTES_PER_SECOND = 200;
const LEAST_BYTES = 65_536;

/** Bytes that a result of a recording of that length takes at most; speech in another language may last half as long again. */
export function expectedBytes(type: string, seconds: number): number {
  const pcm = pcmOf(type);
  const bytes = pcm === undefined ? seconds * TEXT_BYTES_PER_SECOND : pcmBytes(seconds * 1.5, pcm);
  return LEAST_BYTES + Math.ceil(bytes);
}
