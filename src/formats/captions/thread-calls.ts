/** The parsers of subtitles: one reads a file, one checks a written target. */
import type { ThreadCall } from '../../parsing/thread-call.ts';
import type { PackedSubtitles } from './packed.ts';
import type { SubtitleBytes, WrittenSubtitles } from './thread-work.ts';

export const READ_SUBTITLES: ThreadCall<SubtitleBytes, PackedSubtitles> = {
  name: 'read subtitles',
  load: async () => (await import('./thread-work.ts')).read,
};

/** The problem with the target, in one sentence; undefined when it may be delivered. */
export const CHECK_SUBTITLES: ThreadCall<WrittenSubtitles, string | undefined> = {
  name: 'check subtitles',
  load: async () => (await import('./thread-work.ts')).check,
};
