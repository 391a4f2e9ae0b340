/** The work behind `parsers.ts`. */
import type { ThreadWork } from '../../parsing/thread-call.ts';
import { deliveryProblem, type ExpectedCue } from './delivery-check.ts';
import { type PackedSubtitles, packSubtitles } from './packed.ts';
import { type ReadOptions, readSubtitles } from './read.ts';

export interface SubtitleBytes extends ReadOptions {
  readonly bytes: Uint8Array;
}

export interface WrittenSubtitles extends SubtitleBytes {
  readonly expected: readonly ExpectedCue[];
}

export const read: ThreadWork<SubtitleBytes, PackedSubtitles> = async ({ bytes, ...options }) => {
  return () => packSubtitles(readSubtitles(bytes, options));
};

export const check: ThreadWork<WrittenSubtitles, string | undefined> = async (written) => {
  const { bytes, expected, ...options } = written;
  return () => deliveryProblem(bytes, expected, options);
};
