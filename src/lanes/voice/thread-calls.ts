/** The parsers of the voice lane; `readings.ts` holds their code. */
import type { ThreadCall } from '../../parsing/thread-call.ts';
import type { FoundRecording } from './decisions/suitability.ts';
import type { ReceivedSubtitles } from './thread-work.ts';

/** Takes the absolute path of a file. */
export const INSPECT_RECORDING: ThreadCall<string, FoundRecording> = {
  name: 'inspect recording',
  runsOn: 'thread',
  load: async () => (await import('./thread-work.ts')).inspect,
};

export const FIT_SUBTITLES: ThreadCall<ReceivedSubtitles, Uint8Array> = {
  name: 'fit subtitles',
  load: async () => (await import('./thread-work.ts')).fit,
};
