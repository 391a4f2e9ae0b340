/** The parser of a source with its translation, as a reviewer sees them. */
import type { Parser } from '../../parsing/parser.ts';
import type { ReviewState } from '../../segments/review.ts';
import type { Mark, SourceHash, TargetHash, UnitId } from '../../segments/statements.ts';
import type { PackedTarget } from '../../translate/standing-case.ts';

/** One text of a source in one language; plain data. */
export interface ReviewText {
  /** Of its segment. */
  readonly id: string;
  /** As people write it; empty in formats without keys. */
  readonly key: string;
  readonly unit: UnitId;
  readonly sourceHash: SourceHash;
  /** 1-based: which of the texts of the file with this place and source it is. */
  readonly nth: number;
  /** Of the source, 1-based. */
  readonly line: number;
  readonly source: string;
  /** What stands there; null: nothing does. */
  readonly target: string | null;
  readonly targetHash: TargetHash;
  readonly state: ReviewState;
  /** Who made what stands there, as far as that is known. */
  readonly mark: Mark;
  /** The source that the text was made for, where that is another one and somebody remembers it. */
  readonly previousSource?: string;
  readonly context?: string;
  readonly note?: string;
  /** Unicode code points. */
  readonly maxLength?: number;
  /** Placeholders and markup of the source, in order: they stay as they are. */
  readonly codes: readonly string[];
}

export interface ReviewedFile {
  readonly texts: readonly ReviewText[];
  /** Why nothing of the target can be told: it is not built like its source. */
  readonly isUnlike: boolean;
}

export const READ_REVIEW: Parser<PackedTarget, ReviewedFile> = {
  name: 'read review',
  load: async () => (await import('./readings.ts')).review,
};
