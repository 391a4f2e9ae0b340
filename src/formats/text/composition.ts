/** What a target is composed from, and what comes out. */
import type { FrameRecord } from '../../baseline.ts';
import type { Part, Segment, SegmentState } from '../../format.ts';
import type { FrameChoice, FrameConflict } from '../../segments/frame-merge.ts';
import type { ListOrder } from '../../segments/lists.ts';
import type { OpenFile, Reader } from './open.ts';

/** What is to be remembered of the frame, and what of it waits for a person. */
export interface ComposedFrame {
  readonly record: FrameRecord;
  readonly conflicts: readonly FrameConflict[];
}

/** How a target without keys relates to its source. */
export interface SequenceFrame {
  /** By id: the index of the segment in the target. */
  readonly placed: ReadonlyMap<string, number>;
  /** Keys of the source's pieces when it was last seen; undefined: unknown, so what differs is a person's. */
  readonly before: readonly string[] | undefined;
  /** The source's, packed, where a person edited the target's and nobody knows for which source. */
  readonly unexplained?: string;
  /** Segments of the source that are none of our business: what they say belongs to the frame. */
  readonly ignored: ReadonlySet<string>;
  decide(conflict: FrameConflict): FrameChoice | 'open';
}

export interface ComposedText {
  readonly text: string;
  readonly bytes: Uint8Array;
  /** Sequences only. */
  readonly frame?: ComposedFrame;
  /** The text as it was read back. */
  readonly file: OpenFile;
}

export interface Composition extends Reader {
  /** Read with role `source`. */
  readonly source: OpenFile;
  /** The target as it stands, read with role `target`. */
  readonly target?: OpenFile;
  /** What the target needs; absent: what the format expects of any target in its language. */
  readonly expected?: readonly Segment[];
  /** By id of the expected segment; absent ids are kept. */
  readonly placements: ReadonlyMap<string, SegmentPlacement>;
  /** Ids of the target that are taken out. */
  readonly removed?: ReadonlySet<string>;
  /** Of `removed`, the ids whose texts a person wrote. */
  readonly removedHuman?: ReadonlySet<string>;
  /** New ids by old ones: entries of the target whose key the source writes differently now. */
  readonly renamed?: ReadonlyMap<string, string>;
  /** Lists of the target whose elements have other places now. */
  readonly orders?: readonly ListOrder[];
  /** What shall stand, by id; for the elements that `orders` puts in. */
  readonly texts?: ReadonlyMap<string, readonly Part[]>;
  /** Sequences; absent where there is no target. */
  readonly frame?: SequenceFrame;
  /** ISO 8601; for files that say when they were changed. */
  readonly at?: string;
}

/** What becomes of one expected segment. */
export type SegmentPlacement =
  /** As it stands in the target; where the target has none, keyed formats leave it out and sequences keep the source's text. */
  | { readonly kind: 'keep' }
  | { readonly kind: 'write'; readonly parts: readonly Part[]; readonly state?: SegmentState }
  /** The source's text. */
  | { readonly kind: 'source' }
  /** Not in the target; sequences, lists and bilingual files keep the frame, so these get the source's text or stay empty. */
  | { readonly kind: 'omit' };
