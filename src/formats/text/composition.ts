/** The input and the output of composing a target. */
import type { FrameRecord } from '../../baseline.ts';
import type { Part, Segment, SegmentState } from '../../format.ts';
import type { FrameChoice, FrameConflict } from '../../segments/frame/merge.ts';
import type { ListOrder } from '../../segments/lists.ts';
import type { OpenFile, Reader } from './open.ts';
import type { ReadOtherwise } from './verify.ts';

/** The frame to remember, and its conflicts that wait for a person. */
export interface ComposedFrame {
  readonly record: FrameRecord;
  readonly conflicts: readonly FrameConflict[];
}

/** How a target without keys relates to its source. */
export interface SequenceFrame {
  /** By id: the index of the segment in the target. */
  readonly placed: ReadonlyMap<string, number>;
  /** Keys of the source's pieces in the last run; undefined: not known, so every difference counts as a person's edit. */
  readonly before: readonly string[] | undefined;
  /** The packed source frame, when a person edited the target's frame for an unknown version of the source. */
  readonly unexplained?: string;
  /** Ignored source segments: their texts belong to the frame. */
  readonly ignored: ReadonlySet<string>;
  /** The conflicts that the last run left. */
  readonly open: readonly FrameConflict[];
  decide(conflict: FrameConflict): FrameChoice | 'open';
}

export interface ComposedText {
  readonly text: string;
  readonly bytes: Uint8Array;
  /** Sequences only. */
  readonly frame?: ComposedFrame;
  /** The text, parsed again. */
  readonly file: OpenFile;
  readonly otherwise?: ReadOtherwise;
}

export interface Composition extends Reader {
  /** Read with role `source`. */
  readonly source: OpenFile;
  /** The existing target, read with role `target`. */
  readonly target?: OpenFile;
  /** The segments that the target needs; absent: those that the format expects in its language. */
  readonly expected?: readonly Segment[];
  /** By id of the expected segment; a segment without an entry is kept. */
  readonly placements: ReadonlyMap<string, SegmentPlacement>;
  /** Ids of target segments to remove. */
  readonly removed?: ReadonlySet<string>;
  /** Those ids of `removed` whose texts a person wrote. */
  readonly removedHuman?: ReadonlySet<string>;
  /** New ids by old ones: entries of the target whose key the source renamed. */
  readonly renamed?: ReadonlyMap<string, string>;
  /** Lists of the target whose elements moved. */
  readonly orders?: readonly ListOrder[];
  /** By id: the texts that the target must have; for new elements of `orders`. */
  readonly texts?: ReadonlyMap<string, readonly Part[]>;
  /** Sequences; absent: there is no target. */
  readonly frame?: SequenceFrame;
  /** By id: the states of plural forms that stay beside forms that are written; absent: they are not known. */
  readonly kept?: ReadonlyMap<string, SegmentState>;
  /** ISO 8601; for files that record when they were changed. */
  readonly at?: string;
}

/** The treatment of one expected segment. */
export type SegmentPlacement =
  /** It stays as it is. If the target lacks it, keyed formats leave it out and sequences use the source's text. */
  | { readonly kind: 'keep' }
  | { readonly kind: 'write'; readonly parts: readonly Part[]; readonly state?: SegmentState }
  /** The source's text. */
  | { readonly kind: 'source' }
  /** It is left out. Sequences, lists and bilingual files keep its place, so it gets the source's text there or stays empty. */
  | { readonly kind: 'omit' };
