/** The parsers of subtitles: one reads a file, one checks a written target. */
import type { Parser } from '../../parsing/parser.ts';
import type { ExpectedCue } from './delivery-check.ts';
import type { PackedSubtitles } from './packed.ts';
import type { ReadOptions } from './read.ts';

export interface SubtitleBytes extends ReadOptions {
  readonly bytes: Uint8Array;
}

export const READ_SUBTITLES: Parser<SubtitleBytes, PackedSubtitles> = {
  name: 'read subtitles',
  load: async () => (await import('./readings.ts')).read,
};

export interface WrittenSubtitles {
  readonly bytes: Uint8Array;
  readonly expected: readonly ExpectedCue[];
  /** For messages. */
  readonly file: string;
}

/** The problem with the target, in one sentence; undefined when it may be delivered. */
export const CHECK_SUBTITLES: Parser<WrittenSubtitles, string | undefined> = {
  name: 'check subtitles',
  load: async () => (await import('./readings.ts')).check,
};
