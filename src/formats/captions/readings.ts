/** The work behind `parsers.ts`. */
import type { Reading } from '../../parsing/parser.ts';
import { deliveryProblem, type ExpectedCue } from './delivery-check.ts';
import { type PackedSubtitles, packSubtitles } from './packed.ts';
import { type ReadOptions, readSubtitles } from './read.ts';

export interface SubtitleBytes extends ReadOptions {
  readonly bytes: Uint8Array;
}

export interface WrittenSubtitles {
  readonly bytes: Uint8Array;
  readonly expected: readonly ExpectedCue[];
  /** For messages. */
  readonly file: string;
}

export const read: Reading<SubtitleBytes, PackedSubtitles> = async ({ bytes, ...options }) => {
  return () => packSubtitles(readSubtitles(bytes, options));
};

export const check: Reading<WrittenSubtitles, string | undefined> = async (written) => {
  const { bytes, expected, file } = written;
  return () => deliveryProblem(bytes, expected, file);
};
