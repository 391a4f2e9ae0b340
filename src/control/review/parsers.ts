/** The parser of a source with its translation, as a reviewer sees them. */
import type { Part, PlaceholderSyntax, PluralForm } from '../../format.ts';
import type {
  ExchangeDocument,
  ExchangeFormatName,
  Returned,
} from '../../formats/exchange/exchange.ts';
import type { Hash, Stat } from '../../job.ts';
import type { Parser } from '../../parsing/parser.ts';
import type { KnownText, Languages, SuggestedTerm } from '../../segments/corrections.ts';
import type { ReviewState } from '../../segments/review.ts';
import type { Mark, SourceHash, TargetHash, UnitId } from '../../segments/statements.ts';
import type { PackedTarget } from '../../translate/inspected-case.ts';

/** One text of a source and its translation in one language; plain data. */
export interface ReviewText {
  /** Id of the segment. */
  readonly id: string;
  /** The key as people write it; empty in formats without keys. */
  readonly key: string;
  readonly unit: UnitId;
  readonly sourceHash: SourceHash;
  /** Position among the texts of the file with the same unit and source; from 1. */
  readonly nth: number;
  /** Line in the source, from 1. */
  readonly line: number;
  readonly source: string;
  /** Text of the target; null: the target does not have it. */
  readonly target: string | null;
  readonly targetHash: TargetHash;
  readonly state: ReviewState;
  /** The lock asks for a review, also when the config does not. */
  readonly isWanted?: true;
  /** Who made the text of the target, if that is known. */
  readonly mark: Mark;
  /** The source that the translation was made from, if it is not the present one and is known. */
  readonly previousSource?: string;
  readonly context?: string;
  readonly note?: string;
  /** In Unicode code points. */
  readonly maxLength?: number;
  /** Placeholders and markup of the source, in order. They must not be changed. */
  readonly codes: readonly string[];
  /** The inputs for a check of the translation. */
  readonly check: ReviewCheck;
}

export interface ReviewCheck {
  readonly syntax: PlaceholderSyntax;
  /** The source, if it is not plain text. */
  readonly parts?: readonly Part[];
  readonly form?: PluralForm;
}

export interface ReviewedFile {
  readonly texts: readonly ReviewText[];
  /** Whether the target is built differently from its source, so that its texts cannot be told apart. */
  readonly isUnlike: boolean;
  /** File status of the target; absent: there is no target. */
  readonly stat?: Stat;
}

export const READ_REVIEW: Parser<PackedTarget, ReviewedFile> = {
  name: 'read review',
  load: async () => (await import('./readings.ts')).review,
};

/** A line of a source or of its target, about which an editor asks. */
export interface AskedLine extends PackedTarget {
  readonly side: 'source' | 'target';
  /** From 1. */
  readonly line: number;
}

export type ReviewedPlace = Omit<ReviewText, 'nth'>;

export interface TextsAtLine {
  readonly texts: readonly ReviewedPlace[];
  /** The nearest line with a text, above the asked line if there is one; null: the file has no text. */
  readonly nearest: number | null;
  readonly isUnlike: boolean;
}

export const FIND_TEXTS: Parser<AskedLine, TextsAtLine> = {
  name: 'find texts',
  load: async () => (await import('./readings.ts')).find,
};

/** One text that a person saves, from an exchange file or the page. */
export interface PersonsText {
  /** Id of the segment. */
  readonly id: string;
  readonly text: string;
  /** Hash of the text that the person saw, or `NO_TARGET`. */
  readonly was: TargetHash;
  /** The state to write into the target, if its format has a word for it. */
  readonly state: 'translated' | 'review-wanted' | 'reviewed';
}

export interface ReviewWriting extends PackedTarget {
  readonly texts: readonly PersonsText[];
  /** File status of the target that the person saw. */
  readonly seen: Stat | undefined;
  /** `none`: the texts do not change, and a person only states how far their review is. Absent: all checks. */
  readonly checks?: 'none';
  /** ISO 8601; for formats that store the time of a change. */
  readonly at: string;
}

export interface ReviewWritten {
  /** Absent: none of the texts can be written. */
  readonly bytes?: Uint8Array;
  /** Hash of `bytes`. */
  readonly hash?: Hash;
  /** Hash of the target that was read; null: there was none. */
  readonly replaced: Hash | null;
  readonly refused: readonly { readonly id: string; readonly message: string }[];
  readonly warnings: readonly { readonly id: string; readonly message: string }[];
  /** The texts as they are read back: a format may fold or leave out some characters. */
  readonly written: readonly {
    readonly id: string;
    readonly text: string;
    readonly targetHash: TargetHash;
    /** Another text of the file had the same source and the same translation. */
    readonly hasTwin: boolean;
  }[];
  /** Whether the texts of the format have keys. Then writing one text leaves all others unchanged. */
  readonly isKeyed: boolean;
}

export const WRITE_REVIEW: Parser<ReviewWriting, ReviewWritten> = {
  name: 'write review',
  load: async () => (await import('./write-readings.ts')).write,
};

export interface Corrections {
  readonly texts: readonly KnownText[];
  readonly languages: Languages;
}

/** Each text is named by its index in the list. */
export type Suggested = SuggestedTerm<number>;

/** 100,000 texts take seconds. */
export const SUGGEST_TERMS: Parser<Corrections, readonly Suggested[]> = {
  name: 'suggest terms',
  load: async () => (await import('./readings.ts')).suggest,
};

/** An exchange file that came back. Its content is untrusted and may be large. */
export interface ReturnedFile {
  /** Absolute. */
  readonly file: string;
}

export const READ_EXCHANGE: Parser<ReturnedFile, Returned> = {
  name: 'read exchange',
  load: async () => (await import('./exchange-readings.ts')).read,
};

export interface ExchangeToWrite {
  readonly format: ExchangeFormatName;
  readonly document: ExchangeDocument;
}

export interface WrittenExchange {
  readonly bytes: Uint8Array;
  /** The file, with the texts that it contains. */
  readonly document: ExchangeDocument;
  /** The texts that this format cannot hold. */
  readonly left: readonly {
    readonly file: string;
    readonly key: string;
    readonly reason: string;
  }[];
}

/** Writing shares its grammar with the readers, so it runs where they do. */
export const WRITE_EXCHANGE: Parser<ExchangeToWrite, WrittenExchange> = {
  name: 'write exchange',
  load: async () => (await import('./exchange-readings.ts')).write,
};
