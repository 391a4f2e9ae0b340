/** The work behind `parsers.ts`. */
import type { ThreadWork } from '../../parsing/thread-call.ts';
import { deliveryProblem } from './delivery-check.ts';
import { type PackedSubtitles, packSubtitles, unpackExpected } from './packed.ts';
import { type ReadOptions, readSubtitles } from './read.ts';

export interface SubtitleBytes extends ReadOptions {
  readonly bytes: Uint8Array;
}

export interface WrittenSubtitles extends SubtitleBytes {
  /** By `packExpected`. */
  readonly expected: Float64Array;
}

export const read: ThreadWork<SubtitleBytes, PackedSubtitles> = async ({ bytes, ...options }) => {
  return () => packSubtitles(readSubtitles(bytes, options));
};

export const check: ThreadWork<WrittenSubtitles, string | undefined> = async (written) => {
  const { bytes, expected, ...options } = written;
  return () => deliveryProblem(bytes, unpackExpected(expected), options);
};
