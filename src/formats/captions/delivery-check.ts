/** The check before delivery: the written target is read back, and must have the same cues as the source, in another language. Pure. */
import { describeFailure, failureOf } from '../../failure.ts';
import { type ReadOptions, readSubtitles } from './read.ts';

/** A cue that the target must have. */
export interface ExpectedCue {
  /** Milliseconds. */
  readonly start: number;
  readonly end: number;
  /** Whether the source's cue shows nothing. */
  readonly isEmpty: boolean;
}

/** @returns the problem with the target, in one sentence; undefined when it may be delivered */
export function deliveryProblem(
  target: Uint8Array,
  expected: readonly ExpectedCue[],
  options: ReadOptions,
): string | undefined {
  try {
    const { cues } = readSubtitles(target, options);
    if (cues.length !== expected.length) {
      return `there are ${cues.length} of ${expected.length} subtitles`;
    }
    for (const [nth, { start, end, isEmpty }] of expected.entries()) {
      const cue = cues[nth];
      if (cue?.start !== start || cue.end !== end) return `subtitle ${nth + 1} changed its time`;
      if (cue.text.trim() === '' && !isEmpty) return `subtitle ${nth + 1} lost its text`;
    }
    return undefined;
  } catch (error) {
    return describeFailure(failureOf(error));
  }
}
