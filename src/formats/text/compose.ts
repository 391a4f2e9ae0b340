/**
 * Composes a target from placements: keyed formats edit the target in place, sequences merge the frames of source and target. Pure. The
 * result was read back and is as intended; otherwise a JobFailure names the segment that is not.
 */

import { JobFailure } from '../../failure.ts';
import { composeKeyed } from './compose-keyed.ts';
import { composeSequence } from './compose-sequence.ts';
import type { ComposedText, Composition } from './composition.ts';

/**
 * `options` are those of the target: its file, its language, role `target`.
 * Throws JobFailure `internal` when the output would not read back as intended; its `cause` is the list of SegmentProblems.
 */
export function compose(composition: Composition): ComposedText {
  const { options, format } = composition;
  if (options.role !== 'target') {
    throw new JobFailure({ kind: 'internal', message: `${options.file}: composed as a source` });
  }
  return format.shape === 'keyed' ? composeKeyed(composition) : composeSequence(composition);
}
