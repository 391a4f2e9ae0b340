/** What is answered of reviews: plain JSON with the names that `--json` prints. */

import type { Policies } from '../../project.ts';
import type { ReviewState } from '../../segments/review.ts';
import type { EditedHow } from '../../state/edit-log.ts';
import type { ReviewText } from './parsers.ts';

export type ReviewCounts = Readonly<Record<ReviewState, number>>;

/** One language of a project whose config wants reviews. */
export interface ReviewProgress {
  readonly project: string;
  readonly language: string;
  /** What `checks.unreviewed` says. */
  readonly check: 'hold' | 'warn' | 'off';
  readonly counts: ReviewCounts;
}

export interface ReviewReport {
  /** Null when the config names no lock: nothing is known of reviews then. */
  readonly lock: string | null;
  /** Those with a text that was asked for. */
  readonly files: readonly ReviewFile[];
  /** Of all texts of the scope, whatever was asked for. */
  readonly counts: ReviewCounts;
  /** Files of which nothing can be told. */
  readonly unreadable: readonly { readonly file: string; readonly reason: string }[];
}

export interface ReviewFile {
  readonly project: string;
  /** Relative to the project's root. */
  readonly source: string;
  /** Absolute. */
  readonly target: string;
  readonly source_language: string;
  readonly language: string;
  readonly texts: readonly ReviewText[];
}

export interface ReviewMarkReport {
  readonly lock: string | null;
  readonly marked: readonly ReviewLine[];
  /** Texts that had the mark already. */
  readonly unchanged: number;
  readonly refused: readonly (ReviewLine & { readonly reason: string })[];
}

/** One text, by name. */
export interface ReviewLine {
  /** The target, absolute. */
  readonly file: string;
  readonly language: string;
  /** The key; of a text without one, its beginning. */
  readonly key: string;
  /** In the source, 1-based. */
  readonly line: number;
}

/** What became of one row of an exchange file. */
export interface ReviewImportLine {
  /** The exchange file, and the line of the row. */
  readonly from: string;
  readonly row: number;
  /** The target, absolute; null where nobody knows it. */
  readonly file: string | null;
  readonly language: string;
  readonly key: string;
  readonly message: string;
}

export interface ReviewImportReport {
  readonly lock: string | null;
  /** Texts that were put in place. */
  readonly written: readonly ReviewImportLine[];
  /** Texts that stood there, and that a person said to be right. */
  readonly reviewed: readonly ReviewImportLine[];
  /** Written, and made from an older source: their jobs are conflicts now. */
  readonly outdated: readonly ReviewImportLine[];
  /** Not written: what stands there was changed since the export. */
  readonly conflicts: readonly (ReviewImportLine & {
    readonly disk: string | null;
    readonly returned: string;
  })[];
  /** Not written: damaged, or twice in the file. */
  readonly refused: readonly ReviewImportLine[];
  /** Worth knowing: rows of texts that are not there any more, texts that are too long. */
  readonly warnings: readonly ReviewImportLine[];
  readonly unchanged: number;
  /** Empty, or still new. */
  readonly ignored: number;
}

/** Links that are good now. */
export interface ReviewLinksReport {
  readonly links: readonly ReviewLinkLine[];
  /** The new link; whoever has it may review. Null: none was made. */
  readonly address: string | null;
  /** How many were good until now, and are not any more. */
  readonly revoked: number;
}

export interface ReviewLinkLine {
  readonly name: string;
  /** What the config lets them see now; empty: it does not name them any more, and the link opens nothing. */
  readonly languages: readonly string[];
  readonly made: string;
  readonly expires: string;
}

/** A text of the Review page, with where it belongs. */
export interface ReviewRow {
  readonly project: string;
  /** Of the source, relative to its project's root. */
  readonly file: string;
  readonly language: string;
  readonly text: ReviewText;
  /** Of the glossary, in its source. */
  readonly terms: readonly { readonly source: string; readonly target: string }[];
  /** What config says of faults in it. */
  readonly checks: Policies['checks'];
  /** Who wrote what stands there, or approved it, and when; absent: nobody did that on this machine. */
  readonly edited?: { readonly by: string; readonly at: string; readonly how: EditedHow };
}

export interface ReviewDesk {
  readonly lock: string | null;
  readonly projects: readonly string[];
  readonly languages: readonly string[];
  /** The one that is shown; null: there is none. */
  readonly language: string | null;
  /** Sources to choose from, the first of them. */
  readonly files: readonly string[];
  /** Of all texts of the chosen project, language and file. */
  readonly counts: ReviewCounts;
  /** ISO 8601: when this was looked at, for the portions that follow. */
  readonly at: string;
  /** How many texts are asked for. */
  readonly total: number;
  readonly rows: readonly ReviewRow[];
}

export type ReviewSaved =
  | { readonly kind: 'saved' | 'changed'; readonly row: ReviewRow }
  | { readonly kind: 'refused'; readonly reason: string };
