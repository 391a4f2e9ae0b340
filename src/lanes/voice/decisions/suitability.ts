/** Whether a recording is sent as it is, converted before, or refused: by its content, never by its name. Pure. */
import { inEnglish } from '../../../language.ts';

/** The content of a file. */
export interface FoundRecording {
  /** By its first bytes; undefined when they are not recognized. */
  readonly mime: string | undefined;
  /** For a person to read: `MP3`, `MKV`, `text`. */
  readonly name: string;
  /** Length of the sound; undefined when it could not be measured. */
  readonly seconds: number | undefined;
  readonly hasVideo: boolean;
  /** Bytes. */
  readonly size: number;
}

/** The limits of one upload. */
export interface VoiceLimits {
  readonly bytes: number;
  readonly seconds: number;
  /** Measured bytes a second; undefined before the first measured upload. */
  readonly uploadRate: number | undefined;
}

/** `contentType`: for `source_file.content_type` of the request. */
export type Suitability =
  | { readonly kind: 'as-it-is'; readonly contentType: string }
  | { readonly kind: 'convert'; readonly because: string }
  | { readonly kind: 'refused'; readonly message: string; readonly advice: string };

/** The type of conversions by ffmpeg: speech needs neither stereo nor more than 8 kHz of bandwidth. */
export const CONVERTED_TYPE = 'audio/flac';

/** Types that the service takes (docs/design/api.md, "What is not documented"), by the type that is recognized in the file. */
const TAKEN: ReadonlyMap<string, string> = new Map([
  ['audio/mpeg', 'audio/mpeg'],
  ['audio/wav', 'audio/wav'],
  ['audio/ogg', 'audio/ogg'],
  ['audio/flac', 'audio/flac'],
  ['audio/mp4', 'audio/mp4'],
  ['audio/x-m4a', 'audio/mp4'],
  ['video/mp4', 'audio/mp4'],
  ['audio/webm', 'audio/webm'],
  ['video/webm', 'audio/webm'],
]);

/** Types that ffmpeg reads and the service does not take, besides all that begin with `audio/` or `video/`. */
const CONVERTIBLE = new Set(['application/ogg', 'application/vnd.ms-asf', 'application/mxf']);

/** Four of the five minutes of the window: one is a reserve. */
const LONGEST_UPLOAD_SECONDS = 240;

export function suitabilityOf(recording: FoundRecording, limits: VoiceLimits): Suitability {
  const { mime, name, seconds, hasVideo } = recording;
  const media = mime?.split(';', 1)[0] ?? '';
  if (!/^(?:audio|video)\//.test(media) && !CONVERTIBLE.has(media)) return notSound(name);
  if (seconds !== undefined && seconds > limits.seconds) return tooLong(seconds, limits);
  const contentType = TAKEN.get(media);
  if (contentType === undefined) {
    return { kind: 'convert', because: `the service does not take ${name}` };
  }
  if (hasVideo)
    return { kind: 'convert', because: 'the service takes sound only, this is a video' };
  // A recording of a browser has no length in its header, and neither has a damaged file: ffmpeg shows which it is.
  if (seconds === undefined) return { kind: 'convert', because: 'its length is not known' };
  const tooLarge = whyTooLarge(recording.size, limits);
  return tooLarge === undefined
    ? { kind: 'as-it-is', contentType }
    : { kind: 'convert', because: tooLarge };
}

/** Why a file cannot be uploaded; undefined when it can. */
export function whyTooLarge(size: number, { bytes, uploadRate }: VoiceLimits): string | undefined {
  if (size > bytes) return `it has ${megabytes(size)}, the service takes ${megabytes(bytes)}`;
  if (uploadRate === undefined || size / uploadRate <= LONGEST_UPLOAD_SECONDS) return undefined;
  const minutes = Math.ceil(size / uploadRate / 60);
  return `uploading ${megabytes(size)} would take ${minutes} minutes, the service waits 5`;
}

function notSound(name: string): Suitability {
  return {
    kind: 'refused',
    message: `this is no recording: found ${name}`,
    advice: 'replace it by the recording, or exclude it from the route',
  };
}

function tooLong(seconds: number, limits: VoiceLimits): Suitability {
  return {
    kind: 'refused',
    message: `the recording lasts ${minutesOf(seconds)} minutes, the service takes ${minutesOf(limits.seconds)}`,
    advice: 'cut it into parts; dragoman then finds each of them',
  };
}

function minutesOf(seconds: number): number {
  return Math.round(seconds / 60);
}

function megabytes(bytes: number): string {
  return `${inEnglish(Math.ceil(bytes / 1_000_000))} MB`;
}
