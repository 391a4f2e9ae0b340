/** The work behind `parsers.ts`. */
import type { Reading } from '../../parsing/parser.ts';
import { gateProblem } from './gate.ts';
import type { SubtitleBytes, WrittenSubtitles } from './parsers.ts';
import { readSubtitles, type SubtitleFile } from './read.ts';

export const read: Reading<SubtitleBytes, SubtitleFile> = async ({ bytes, ...options }) => {
  return () => readSubtitles(bytes, options);
};

export const check: Reading<WrittenSubtitles, string | undefined> = async (written) => {
  const { bytes, expected, file } = written;
  return () => gateProblem(bytes, expected, file);
};
