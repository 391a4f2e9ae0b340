/** The answers about reviews, as plain JSON with the names that `--json` prints. */

import type { Policies } from '../project.ts';
import type { ReviewState } from '../segments/review.ts';
import type { EditedHow } from '../state/edit-log.ts';
import type { ReviewText } from './review-text.ts';

export type ReviewCounts = Readonly<Record<ReviewState, number>>;

/** The review of one language, in a project whose config asks for reviews. */
export interface ReviewProgress {
  readonly project: string;
  readonly language: string;
  /** The setting `checks.unreviewed`: of several routes the gravest one, first of those with texts that wait. */
  readonly check: 'hold' | 'warn' | 'off';
  readonly counts: ReviewCounts;
  /** The texts that wait for a reviewer in routes whose `checks.unreviewed` is not off. */
  readonly asked: number;
}

export interface ReviewReport {
  /** Null: the config names no lock, so nothing is known about reviews. */
  readonly lock: string | null;
  /** Only files with a listed text. */
  readonly files: readonly ReviewFile[];
  /** All texts of the scope, also those that are not listed. */
  readonly counts: ReviewCounts;
  /** Files whose texts cannot be read. */
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
  /** Number of texts that already had the mark. */
  readonly unchanged: number;
  readonly refused: readonly (ReviewLine & { readonly reason: string })[];
  /** No text has the asked key; `nearest`: the known key nearest to it. */
  readonly missing_key?: { readonly nearest: string | null };
}

/** Names one text. */
export interface ReviewLine {
  /** The target, absolute. */
  readonly file: string;
  readonly language: string;
  /** The key; for a text without one, the beginning of the text. */
  readonly key: string;
  /** In the source, 1-based. */
  readonly line: number;
}

/** The result of one row of an exchange file. */
export interface ReviewImportLine {
  /** The exchange file; the line of the row is `row`. */
  readonly from: string;
  readonly row: number;
  /** The sheet of the row, where texts are in several sheets of a workbook. */
  readonly sheet?: string;
  /** Absolute path of the target; null: not known. */
  readonly file: string | null;
  readonly language: string;
  readonly key: string;
  readonly message: string;
}

export interface ReviewImportReport {
  readonly lock: string | null;
  /** Texts that were written. */
  readonly written: readonly ReviewImportLine[];
  /** Texts of the target that a person approved unchanged. */
  readonly reviewed: readonly ReviewImportLine[];
  /** Written, but made from an older source: their jobs are conflicts now. */
  readonly outdated: readonly ReviewImportLine[];
  /** Not written: the target was changed since the export. */
  readonly conflicts: readonly (ReviewImportLine & {
    readonly disk: string | null;
    readonly returned: string;
  })[];
  /** Not written: damaged, or twice in the file with different texts. */
  readonly refused: readonly ReviewImportLine[];
  /** Notes: rows whose texts no longer exist, texts that are too long. */
  readonly warnings: readonly ReviewImportLine[];
  readonly unchanged: number;
  /** Rows that are empty, or whose state is "new". */
  readonly ignored: number;
}

/** The links that are valid. */
export interface ReviewLinksReport {
  readonly links: readonly ReviewLinkLine[];
  /** The new link. A person who has it may review. Null: none was created. */
  readonly address: string | null;
  /** Number of links that were valid until now. */
  readonly revoked: number;
}

export interface ReviewLinkLine {
  readonly name: string;
  /** The languages that the config allows now; empty: the config no longer names the reviewer, and the link opens nothing. */
  readonly languages: readonly string[];
  readonly made: string;
  readonly expires: string;
}

/** A text of the Review page, with its file and language. */
export interface ReviewRow {
  readonly project: string;
  /** The path of the source, relative to its project's root. */
  readonly file: string;
  readonly language: string;
  /** `auto`: the service finds it out. */
  readonly source_language: string;
  readonly text: ReviewText;
  /** The glossary terms in its source. */
  readonly terms: readonly { readonly source: string; readonly target: string }[];
  /** The setting for each check. */
  readonly checks: Policies['checks'];
  /** Who last wrote or approved the text on this machine, and when; absent: nobody. */
  readonly edited?: { readonly by: string; readonly at: string; readonly how: EditedHow };
}

export interface ReviewPortion {
  readonly lock: string | null;
  readonly projects: readonly string[];
  readonly languages: readonly string[];
  /** The language that is shown; null: there is none. */
  readonly language: string | null;
  /** The first of the sources that a person can choose from. */
  readonly files: readonly string[];
  /** Counts of all texts of the chosen project, language and file. */
  readonly counts: ReviewCounts;
  /** Some texts are not read yet: `counts`, `total` and `rows` are of those before them. */
  readonly counting: boolean;
  /** ISO 8601: the time of this list. The requests for its next portions repeat it. */
  readonly at: string;
  /** Number of texts that match the request. */
  readonly total: number;
  readonly rows: readonly ReviewRow[];
}

export type ReviewSaved =
  | { readonly kind: 'saved' | 'changed'; readonly row: ReviewRow }
  | { readonly kind: 'refused'; readonly reason: string };
