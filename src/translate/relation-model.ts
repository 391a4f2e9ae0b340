/** What the relation of a target to its source is made from, and what it says. Pure. */
import type { BaselineRecord, SegmentRecord } from '../baseline.ts';
import { type Part, partsText, type Segment } from '../format.ts';
import type { SequenceFrame } from '../formats/text/composition.ts';
import type { Reader } from '../formats/text/open.ts';
import { foldParts } from '../formats/text/parts.ts';
import type { WantedSegment } from '../segments/decision.ts';
import type { ListOrder, ShortenedList } from '../segments/lists.ts';
import type { Statement } from '../segments/statements.ts';
import type { LockIndex } from '../state/lock-file.ts';
import type { EarlierPage } from './earlier-page.ts';
import type { TextCase } from './text-case.ts';
import type { TextFile } from './text-files.ts';

/** The inputs: both files, and what is known of them. */
export interface RelationInput {
  readonly text: TextCase;
  readonly reader: Reader;
  readonly source: TextFile;
  readonly target: TextFile | undefined;
  readonly segments: readonly Segment[];
  readonly wanted: readonly WantedSegment[];
  readonly known: BaselineRecord | undefined;
  /** The statements of the lock about a segment's unit; undefined: there is no lock. */
  readonly statements: ((id: string) => readonly Statement[]) | undefined;
  readonly lock: LockIndex | undefined;
  readonly earlier: EarlierPage | undefined;
  readonly earlierFrame: EarlierPage | undefined;
}

/** Which texts of a target belong to which segments of its source, and what is known of each. */
export interface Relation {
  /** The records of the last run, by id. */
  readonly base: ReadonlyMap<string, SegmentRecord>;
  /** The texts of the target, by id. */
  readonly found: ReadonlyMap<string, readonly Part[]>;
  /** Keyed formats: ids of `found` with an empty value. */
  readonly vacant?: ReadonlySet<string>;
  /** By id: texts that are at the position of their segment, so that they can stay byte for byte. */
  readonly inPlace: ReadonlyMap<string, readonly Part[]>;
  /** Why the target cannot be merged: a merge would lose texts of it. */
  readonly blocker: RelationBlocker | undefined;
  /** Keyed formats: lists whose elements moved. */
  readonly orders?: readonly ListOrder[];
  /** The texts that leave these lists. */
  readonly shortened?: readonly ShortenedList[];
  /** Sequences: how the frame is merged. */
  readonly frame?: SequenceFrame;
  /** Sequences: identifies the rules by which texts are found in a page now. */
  readonly reading?: string;
  /** Frame conflicts that were open when the target was last written. */
  readonly openFrame: readonly SegmentRecord[];
}

/** The target is built differently from its source, so its texts belong to no segments. */
export type RelationBlocker = 'unlike';

/** `wanted` and `statements` are set when the relation changes them, for lists that a person made longer. */
export type Related = Relation & Partial<Pick<RelationInput, 'wanted' | 'statements'>>;

/**
 * Earlier versions recorded a text with the white space of its answer, which these formats cannot hold: the text looked edited by a
 * person. In a target that nobody touched since, it is ours.
 */
export function asFormatReads({ reader, known, target }: RelationInput): readonly SegmentRecord[] {
  const records = known?.segments ?? [];
  const isOurs = target !== undefined && known?.targetHash === target.hash;
  if (reader.format.foldsWhitespace !== true || !isOurs) return records;
  const texts = target.doc.segments.map(({ parts }) => parts);
  const exact = new Set(texts.map(partsText));
  const isThere = ({ target }: SegmentRecord) => target === null || exact.has(partsText(target));
  if (records.every(isThere)) return records;
  const folded = new Map(texts.map((parts) => [partsText(foldParts(parts)), parts]));
  return records.map((record) => {
    if (record.target === null || isThere(record)) return record;
    const target = folded.get(partsText(foldParts(record.target)));
    return target === undefined ? record : { ...record, target };
  });
}
