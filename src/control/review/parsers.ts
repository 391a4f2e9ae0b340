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
  /** The lock asks for a reviewer, whatever config wants. */
  readonly isWanted?: true;
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
  /** What a check of its translation reads. */
  readonly check: ReviewCheck;
}

export interface ReviewCheck {
  readonly syntax: PlaceholderSyntax;
  /** Of the source, where it is not plain text. */
  readonly parts?: readonly Part[];
  readonly form?: PluralForm;
}

export interface ReviewedFile {
  readonly texts: readonly ReviewText[];
  /** Why nothing of the target can be told: it is not built like its source. */
  readonly isUnlike: boolean;
  /** Of the target that was read; absent: there was none. */
  readonly stat?: Stat;
}

export const READ_REVIEW: Parser<PackedTarget, ReviewedFile> = {
  name: 'read review',
  load: async () => (await import('./readings.ts')).review,
};

/** A line of a source or of its target. */
export interface AskedLine extends PackedTarget {
  readonly side: 'source' | 'target';
  /** 1-based. */
  readonly line: number;
}

export type ReviewedPlace = Omit<ReviewText, 'nth'>;

export interface TextsAtLine {
  readonly texts: readonly ReviewedPlace[];
  /** A line with a text, the one before if there is one; null: no text is in the file. */
  readonly nearest: number | null;
  readonly isUnlike: boolean;
}

export const FIND_TEXTS: Parser<AskedLine, TextsAtLine> = {
  name: 'find texts',
  load: async () => (await import('./readings.ts')).find,
};

/** One text of a person, as the exchange file or the page has it. */
export interface PersonsText {
  /** Of its segment. */
  readonly id: string;
  readonly text: string;
  /** Of what stood there when it was read, or `NO_TARGET`. */
  readonly was: TargetHash;
  /** What the file is to say of it, where it has a word for that. */
  readonly state: 'translated' | 'review-wanted' | 'reviewed';
}

export interface ReviewWriting extends PackedTarget {
  readonly texts: readonly PersonsText[];
  /** Of the target that the person saw. */
  readonly seen: Stat | undefined;
  /** `none`: they stand there already, and a person says how far they are, whatever is wrong with them. Absent: all. */
  readonly checks?: 'none';
  /** ISO 8601; for files that say when they were changed. */
  readonly at: string;
}

export interface ReviewWritten {
  /** Absent: none of the texts can be written. */
  readonly bytes?: Uint8Array;
  /** Of these bytes. */
  readonly hash?: Hash;
  /** Of the target that was read; null: nothing stood there. */
  readonly replaced: Hash | null;
  readonly refused: readonly { readonly id: string; readonly message: string }[];
  readonly warnings: readonly { readonly id: string; readonly message: string }[];
  /** As they are read again: what a format folds or leaves out is no part of a text. */
  readonly written: readonly {
    readonly id: string;
    readonly text: string;
    readonly targetHash: TargetHash;
    /** Another text of the file has the same source, and says what this one said. */
    readonly hasTwin: boolean;
  }[];
  /** Of a format whose texts have keys: writing one leaves all others as they were. */
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

/** Texts by their place in the list. */
export type Suggested = SuggestedTerm<number>;

/** A hundred thousand texts take seconds. */
export const SUGGEST_TERMS: Parser<Corrections, readonly Suggested[]> = {
  name: 'suggest terms',
  load: async () => (await import('./readings.ts')).suggest,
};

/** An exchange file that came back: untrusted, as large as a translator's tool makes it. */
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
  /** With the texts that are in it. */
  readonly document: ExchangeDocument;
  /** What this kind of file cannot hold. */
  readonly left: readonly {
    readonly file: string;
    readonly key: string;
    readonly reason: string;
  }[];
}

/** In the place of the readers, which it shares their grammar with. */
export const WRITE_EXCHANGE: Parser<ExchangeToWrite, WrittenExchange> = {
  name: 'write exchange',
  load: async () => (await import('./exchange-readings.ts')).write,
};
