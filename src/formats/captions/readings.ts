/** The work behind `parsers.ts`. */
import type { Reading } from '../../parsing/parser.ts';
import { deliveryProblem } from './delivery-check.ts';
import { type PackedSubtitles, packSubtitles } from './packed.ts';
import type { SubtitleBytes, WrittenSubtitles } from './parsers.ts';
import { readSubtitles } from './read.ts';

export const read: Reading<SubtitleBytes, PackedSubtitles> = async ({ bytes, ...options }) => {
  return () => packSubtitles(readSubtitles(bytes, options));
};

export const check: Reading<WrittenSubtitles, string | undefined> = async (written) => {
  const { bytes, expected, file } = written;
  return () => deliveryProblem(bytes, expected, file);
};
