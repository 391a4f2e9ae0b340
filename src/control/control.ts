/**
 * What commands ask of the state: answered by the running daemon over its socket, or by the command itself when none runs.
 * Everything is plain JSON.
 */

import type { ReturnedRow } from '../formats/exchange/exchange.ts';
import type { LanguageTag } from '../language.ts';
import type { ReviewState } from '../segments/review.ts';
import type { ImportAs } from '../segments/review-import.ts';
import type {
  ChangeReport,
  ExplainReport,
  FrozenReport,
  LockReport,
  Overview,
  PlanReport,
  ReleaseReport,
  ResolveReport,
  RulesReport,
  StatusReport,
  TermSuggestion,
  UndoReport,
} from './report.ts';
import type {
  ReviewDesk,
  ReviewImportReport,
  ReviewLinksReport,
  ReviewMarkReport,
  ReviewProgress,
  ReviewReport,
  ReviewSaved,
} from './review/report.ts';
import type { OpenWork, Since } from './since.ts';
import type { AccountUsage, UsageSummary } from './usage.ts';

/** Narrows a command to some projects, languages or files; empty lists mean all. */
export interface Scope {
  readonly projects: readonly string[];
  readonly languages: readonly string[];
  /** Absolute paths of files or folders, sources or targets. */
  readonly paths: readonly string[];
  /** Only what is work now and was none at an earlier commit. */
  readonly since?: Since;
}

export type ReleaseVerb = 'retry' | 'approve';

/** Which held or failed jobs to let go. */
export interface ReleaseRequest {
  readonly verb: ReleaseVerb;
  readonly scope: Scope;
  readonly which: 'named' | 'failed' | 'all';
  /** Only what belongs to this task of the overview, by its key. */
  readonly task?: string;
  /** `price` only says what it would cost. */
  readonly act: 'price' | 'release';
}

/** How a person decides a conflict: their text, the machine's, or another one. */
export interface ResolveRequest {
  /** Absolute path of the target or of its source. */
  readonly file: string;
  readonly key?: string;
  readonly languages: readonly string[];
  readonly choice:
    | { readonly kind: 'human' }
    | { readonly kind: 'machine' }
    | { readonly kind: 'text'; readonly text: string };
}

/** Which run to take back, and how much of it. */
export interface UndoRequest {
  /** Of `UndoReport.runs`; the last one when absent. */
  readonly run?: string;
  readonly scope: Scope;
  /** `list` only names the runs, `price` says what would be done. */
  readonly act: 'list' | 'price' | 'undo';
}

/** Which texts a reviewer wants to see. */
export interface ReviewQuery {
  readonly scope: Scope;
  /** Empty: all. */
  readonly states: readonly ReviewState[];
}

export interface ReviewMarkRequest {
  /** Who says so. */
  readonly by: string;
  /** Absolute path of a target, or of its source for all languages. */
  readonly file: string;
  /** One text; all of the file when absent. */
  readonly key?: string;
  readonly projects: readonly string[];
  readonly languages: readonly string[];
  readonly mark: 'reviewed' | 'wanted';
}

/** Texts that came back from a translator. */
export interface ReviewImportRequest {
  readonly files: readonly {
    /** For messages. */
    readonly file: string;
    readonly language: string;
    readonly rows: readonly ReturnedRow[];
  }[];
  readonly projects: readonly string[];
  /** Who brings them. */
  readonly by: string;
  readonly as?: ImportAs;
  /** `try` only says what would be done. */
  readonly act: 'try' | 'write';
}

/** Texts for the Review page, a portion at a time. */
export interface ReviewDeskQuery {
  /** Those that may be seen; absent: all. */
  readonly allowed?: readonly LanguageTag[];
  readonly project?: string;
  /** The first of the config when absent. */
  readonly language?: string;
  /** Of the source, relative to its project's root. */
  readonly file?: string;
  readonly states: readonly ReviewState[];
  /** In source, translation or key, whatever the case of its letters. */
  readonly text?: string;
  /** ISO 8601: texts that people edited since then stand in the list as they did. Absent: as they are now. */
  readonly since?: string;
  readonly from: number;
  readonly count: number;
}

/** One text, as a person leaves it. */
export interface ReviewSaveRequest {
  /** Who saves it. */
  readonly by: string;
  readonly project: string;
  readonly file: string;
  readonly language: string;
  /** Of the segment. */
  readonly id: string;
  /** Hashes of the texts that the person saw. */
  readonly source: string;
  readonly was: string;
  readonly text: string;
  readonly reviewed: boolean;
}

/** A save, to be taken back by the one who made it. */
export interface ReviewUndoRequest extends Omit<ReviewSaveRequest, 'text' | 'reviewed'> {
  /** When it was made, as its answer said. */
  readonly at: string;
}

/** Links that let people review some languages, and nothing else. */
export type ReviewLinksRequest =
  | { readonly act: 'list' }
  /** The config names the reviewer. */
  | { readonly act: 'make'; readonly name: string; readonly lastsMs: number }
  | { readonly act: 'revoke'; readonly name: string };

/** `drop`: lines of what is gone go, and files of languages that the config does not have. */
export interface LockRequest {
  readonly orphans: 'keep' | 'drop';
}

/** What to do with glossaries or style lists. */
export interface RulesRequest {
  readonly kind: 'glossary' | 'style';
  /** Empty: all of the config. */
  readonly names: readonly string[];
  /** `diff` writes nothing; `pull` writes files, only of glossaries. */
  readonly act: 'diff' | 'push' | 'pull';
}

/** How people get to the page that is served. */
export interface Entrance {
  /** With a token in its fragment: whoever has it may see and do everything. */
  readonly address: string;
  /** @returns an address that opens it once within a minute */
  visit(): string;
}

/** Where the page can be opened once within a minute: for a browser's arguments, which every user of the machine can read. */
export interface Visit {
  /** Null when no daemon serves it. */
  readonly page: string | null;
  /** The same for as long as the daemon runs: whoever has it may see and do everything. */
  readonly address: string | null;
}

/** A target that was delivered. */
export interface ChangeRequest {
  readonly project: string;
  /** Absolute. */
  readonly file: string;
}

export interface Control {
  plan(scope: Scope): Promise<PlanReport>;
  status(scope: Scope): Promise<StatusReport>;
  /** What `once` would have to do. */
  frozen(scope: Scope): Promise<FrozenReport>;
  /** Brings the lock up to date from what stands there and what this machine knows; buys and sends nothing. */
  lock(request: LockRequest): Promise<LockReport>;
  /** Translations as a reviewer sees them. */
  reviewList(query: ReviewQuery): Promise<ReviewReport>;
  /** How far reviews have come, where the config wants them. */
  reviewProgress(scope: Scope): Promise<readonly ReviewProgress[]>;
  /** A person has looked at texts, or wants somebody to. */
  reviewMark(request: ReviewMarkRequest): Promise<ReviewMarkReport>;
  /** Puts what a translator wrote in place, and buys nothing. */
  reviewImport(request: ReviewImportRequest): Promise<ReviewImportReport>;
  /** What the Review page shows. */
  reviewDesk(query: ReviewDeskQuery): Promise<ReviewDesk>;
  /** Who may review by a link, and until when. */
  reviewLinks(request: ReviewLinksRequest): Promise<ReviewLinksReport>;
  /** A person's text, unless somebody changed it since it was shown. */
  reviewSave(request: ReviewSaveRequest): Promise<ReviewSaved>;
  /** The text as it was before a save, with what was known of it. */
  reviewUndo(request: ReviewUndoRequest): Promise<ReviewSaved>;
  /** What is to be done, text by text. */
  openWork(scope: Scope): Promise<OpenWork>;
  /** @param at a key of the file, or a line of it */
  explain(file: string, at?: string | { readonly line: number }): Promise<ExplainReport>;
  release(request: ReleaseRequest): Promise<ReleaseReport>;
  resolve(request: ResolveRequest): Promise<ResolveReport>;
  undo(request: UndoRequest): Promise<UndoReport>;
  /** Of its projects and languages; paths do not count. */
  usage(scope: Scope): Promise<UsageSummary>;
  /** Null when the service cannot be asked. */
  account(): Promise<AccountUsage | null>;
  /** Compares glossaries or style lists with the service, and makes them equal. */
  rules(request: RulesRequest): Promise<readonly RulesReport[]>;
  /** Terms that people corrected again and again; nothing is written. */
  suggestTerms(scope: Scope): Promise<readonly TermSuggestion[]>;
  overview(): Promise<Overview>;
  /** What the last run changed in a target. */
  change(request: ChangeRequest): Promise<ChangeReport>;
  visit(): Promise<Visit>;
  /** Stops or starts paid work of the running daemon. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** One line for each method: the socket serves these, and its client is made of them. */
const TABLE: Readonly<Record<keyof Control, true>> = {
  plan: true,
  status: true,
  frozen: true,
  lock: true,
  reviewList: true,
  reviewProgress: true,
  reviewMark: true,
  reviewImport: true,
  reviewDesk: true,
  reviewSave: true,
  reviewUndo: true,
  reviewLinks: true,
  openWork: true,
  explain: true,
  release: true,
  resolve: true,
  undo: true,
  usage: true,
  account: true,
  rules: true,
  suggestTerms: true,
  overview: true,
  change: true,
  visit: true,
  pause: true,
  resume: true,
};

export type ControlMethod = keyof Control;

export const METHODS = Object.keys(TABLE) as readonly ControlMethod[];
