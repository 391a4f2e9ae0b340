/** The parsers of the voice lane; `readings.ts` holds their code. */
import type { Parser } from '../../parsing/parser.ts';
import type { FoundRecording } from './decisions/suitability.ts';
import type { ReceivedSubtitles } from './readings.ts';

/** Takes the absolute path of a file. */
export const INSPECT_RECORDING: Parser<string, FoundRecording> = {
  name: 'inspect recording',
  runsOn: 'thread',
  load: async () => (await import('./readings.ts')).inspect,
};

export const FIT_SUBTITLES: Parser<ReceivedSubtitles, Uint8Array> = {
  name: 'fit subtitles',
  load: async () => (await import('./readings.ts')).fit,
};
