/**
 * Composes a target from placements: keyed formats edit the target in place, sequences merge the frames of source and target.
 * Pure; what comes out was read back and is what was meant, or a JobFailure says which segment is not.
 */
import { JobFailure } from '../../failure.ts';
import type { Part, Segment, SegmentState } from '../../format.ts';
import { composeKeyed } from './compose-keyed.ts';
import { type ComposedFrame, composeSequence, type SequenceFrame } from './compose-sequence.ts';
import type { OpenFile, Reader } from './open.ts';

/** What becomes of one expected segment. */
export type Placement =
  /** As it stands in the target; where the target has none, keyed formats leave it out and sequences keep the source's text. */
  | { readonly kind: 'keep' }
  | { readonly kind: 'write'; readonly parts: readonly Part[]; readonly state?: SegmentState }
  /** The source's text. */
  | { readonly kind: 'source' }
  /** Not in the target; sequences, lists and bilingual files keep the frame, so these get the source's text or stay empty. */
  | { readonly kind: 'omit' };

export interface Composition extends Reader {
  /** Read with role `source`. */
  readonly source: OpenFile;
  /** The target as it stands, read with role `target`. */
  readonly target?: OpenFile;
  /** What the target needs; absent: what the format expects of any target in its language. */
  readonly expected?: readonly Segment[];
  /** By id of the expected segment; absent ids are kept. */
  readonly placements: ReadonlyMap<string, Placement>;
  /** Ids of the target that are taken out. */
  readonly removed?: ReadonlySet<string>;
  /** New ids by old ones: entries of the target whose key the source writes differently now. */
  readonly renamed?: ReadonlyMap<string, string>;
  /** Sequences; absent where there is no target. */
  readonly frame?: SequenceFrame;
  /** ISO 8601; for files that say when they were changed. */
  readonly at?: string;
}

export interface Composed {
  readonly text: string;
  readonly bytes: Uint8Array;
  /** Sequences only. */
  readonly frame?: ComposedFrame;
}

/**
 * `options` are those of the target: its file, its language, role `target`.
 * Throws JobFailure `internal` when the output would not read back as intended; its `cause` is the list of SegmentProblems.
 */
export function compose(composition: Composition): Composed {
  const { options, format } = composition;
  if (options.role !== 'target') {
    throw new JobFailure({ kind: 'internal', message: `${options.file}: composed as a source` });
  }
  return format.shape === 'keyed' ? composeKeyed(composition) : composeSequence(composition);
}
