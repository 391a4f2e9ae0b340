/**
 * The voice lane: makes transcripts, subtitles and speech in many languages from one upload of a recording. May be interrupted
 * at any time.
 */
import type { LaneResult, LaneRun, LaneWorker } from '../../lane.ts';
import { concludeVoice } from './conclude.ts';
import { estimateVoice } from './estimate.ts';
import { orderOf, stillAwaited } from './order.ts';
import { isSameSource, voiceCase } from './voice-case.ts';
import type { VoiceJobs } from './voice-jobs.ts';

export function voiceLane(voiceJobs: VoiceJobs): LaneWorker {
  return {
    lane: 'voice',
    run: (run) => work(voiceJobs, run),
    estimate: async (job, counted) => await estimateVoice(voiceJobs, job, await counted),
  };
}

/** Buys the missing outputs, goes on until it has to wait, and writes all files when no output is awaited any more. */
async function work(voiceJobs: VoiceJobs, run: LaneRun): Promise<LaneResult> {
  const voice = voiceCase(run.job, voiceJobs.sources());
  let until: number | undefined;
  for (;;) {
    const order = await orderOf(voiceJobs, voice);
    if (!stillAwaited(order)) {
      const isCurrent = await isSameSource(voice);
      return isCurrent
        ? await concludeVoice(voiceJobs, run, { voice, order })
        : { kind: 'superseded' };
    }
    if (until !== undefined) return { kind: 'poll', at: until };
    const advance = await voiceJobs.advance(run, voice);
    if (advance.kind === 'waited') until = advance.until;
    else if (advance.kind !== 'again') return advance;
  }
}
