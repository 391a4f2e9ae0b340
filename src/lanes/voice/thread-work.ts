/** The code of the parsers of `parsers.ts`, which is loaded at their first use. */
import type { ThreadWork } from '../../parsing/thread-call.ts';
import { fitSubtitles, type SubtitleFit } from './decisions/fit-subtitles.ts';
import type { FoundRecording } from './decisions/suitability.ts';
import { inspectRecording } from './media/inspect.ts';

export interface ReceivedSubtitles extends SubtitleFit {
  readonly received: Uint8Array;
}

export const inspect: ThreadWork<string, FoundRecording> = async (file) => {
  return () => inspectRecording(file);
};

export const fit: ThreadWork<ReceivedSubtitles, Uint8Array> = async ({ received, ...options }) => {
  return () => fitSubtitles(received, options);
};
