/** The parsers of subtitles: one reads a file, one checks a written target. */
import type { Parser } from '../../parsing/parser.ts';
import type { PackedSubtitles } from './packed.ts';
import type { SubtitleBytes, WrittenSubtitles } from './readings.ts';

export const READ_SUBTITLES: Parser<SubtitleBytes, PackedSubtitles> = {
  name: 'read subtitles',
  load: async () => (await import('./readings.ts')).read,
};

/** The problem with the target, in one sentence; undefined when it may be delivered. */
export const CHECK_SUBTITLES: Parser<WrittenSubtitles, string | undefined> = {
  name: 'check subtitles',
  load: async () => (await import('./readings.ts')).check,
};
