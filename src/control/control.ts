/**
 * The contract between commands and the process that has the state: questions and requests. The running daemon answers over its socket;
 * if none runs, the command answers by itself. All values are plain JSON.
 */

import type { ReturnedRow } from '../formats/exchange/exchange.ts';
import type { LanguageTag } from '../language.ts';
import type { ReviewState } from '../segments/review.ts';
import type { ImportAs } from '../segments/review-import.ts';
import type { ExplainReport } from './explain-report.ts';
import type { FrozenReport, PlanReport } from './plan-report.ts';
import type {
  ChangeReport,
  ConflictsReport,
  LockReport,
  Overview,
  ReleaseReport,
  ResolveReport,
  StatusReport,
  TerminologyReport,
  TermSuggestion,
  UndoReport,
} from './report.ts';
import type {
  ReviewImportReport,
  ReviewLinksReport,
  ReviewMarkReport,
  ReviewPortion,
  ReviewProgress,
  ReviewReport,
  ReviewSaved,
} from './review-report.ts';
import type { OpenWork, Since } from './since.ts';
import type { AccountUsage, UsageSummary } from './usage.ts';

/** Limits a command to some projects, languages or files; an empty list means all. */
export interface Scope {
  readonly projects: readonly string[];
  readonly languages: readonly string[];
  /** Absolute paths of files or folders, sources or targets. */
  readonly paths: readonly string[];
  /** Only work that is open now and was not open at an earlier commit. */
  readonly since?: Since;
}

export type ReleaseVerb = 'retry' | 'approve';

/** Which held or failed jobs to release. */
export interface ReleaseRequest {
  readonly verb: ReleaseVerb;
  readonly scope: Scope;
  readonly which: 'named' | 'failed' | 'all';
  /** Only jobs of this task of the overview, by its key. */
  readonly task?: string;
  /** `price` only answers what the release would cost. */
  readonly act: 'price' | 'release';
}

/** The conflicts of a file. */
export interface ConflictsRequest {
  /** Absolute path of the target or of its source. */
  readonly file: string;
  /** Absent: all conflicts of the file. */
  readonly key?: string;
  /** Absent: all projects. */
  readonly projects?: readonly string[];
  readonly languages: readonly string[];
}

/** How a person resolves a conflict: with their text, the machine's, or another one. */
export interface ResolveRequest extends ConflictsRequest {
  readonly choice:
    | { readonly kind: 'human' }
    | { readonly kind: 'machine' }
    | { readonly kind: 'text'; readonly text: string };
}

/** Which run to take back, and which of its files. */
export interface UndoRequest {
  /** One of `UndoReport.runs`; absent: the last one. */
  readonly run?: string;
  readonly scope: Scope;
  /** `list` only names the runs; `changes` also says what each of them wrote; `price` only lists what would be done. */
  readonly act: 'list' | 'changes' | 'price' | 'undo';
}

/** Which texts a reviewer wants to see. */
export interface ReviewQuery {
  readonly scope: Scope;
  /** Empty: all. */
  readonly states: readonly ReviewState[];
}

export interface ReviewMarkRequest {
  /** Name of the reviewer. */
  readonly by: string;
  /** Absolute path of a target, or of its source for all languages. */
  readonly file: string;
  /** Key of one text; absent: all texts of the file. */
  readonly key?: string;
  readonly projects: readonly string[];
  readonly languages: readonly string[];
  readonly mark: 'reviewed' | 'wanted';
}

/** Texts that a translator sent back. */
export interface ReviewImportRequest {
  readonly files: readonly {
    /** For messages. */
    readonly file: string;
    readonly language: string;
    readonly rows: readonly ReturnedRow[];
  }[];
  readonly projects: readonly string[];
  /** Name of the person who imports them. */
  readonly by: string;
  readonly as?: ImportAs;
  /** `try` only lists what would be done. */
  readonly act: 'try' | 'write';
}

/** Texts for the Review page, a portion at a time. */
export interface ReviewPortionQuery {
  /** Languages that may be seen; absent: all. */
  readonly allowed?: readonly LanguageTag[];
  readonly project?: string;
  /** Absent: the first language of the config. */
  readonly language?: string;
  /** Path of the source, relative to the root of its project. */
  readonly file?: string;
  readonly states: readonly ReviewState[];
  /** Looked for in source, translation and key; letter case is ignored. */
  readonly text?: string;
  /** ISO 8601: texts that people edited after this time keep their old place in the list. Absent: the list as it is now. */
  readonly since?: string;
  /** True: the answer may come before all texts are read, as soon as the asked rows are known, or after a second. */
  readonly partial?: boolean;
  readonly from: number;
  readonly count: number;
}

/** One text after a person's edit. */
export interface ReviewSaveRequest {
  /** Name of the person. */
  readonly by: string;
  readonly project: string;
  readonly file: string;
  readonly language: string;
  /** Id of the segment. */
  readonly id: string;
  /** Hashes of the texts that the person saw. */
  readonly source: string;
  readonly was: string;
  readonly text: string;
  readonly reviewed: boolean;
}

/** Takes back a save of the same person. */
export interface ReviewUndoRequest extends Omit<ReviewSaveRequest, 'text' | 'reviewed'> {
  /** Time of the save, from its answer. */
  readonly at: string;
}

/** Links for people who may review some languages, and do nothing else. */
export type ReviewLinksRequest =
  | { readonly act: 'list' }
  /** The name of the reviewer is in the config. */
  | { readonly act: 'make'; readonly name: string; readonly lastsMs: number }
  | { readonly act: 'revoke'; readonly name: string };

/** `drop`: removes lines about sources that are gone, and files of languages that the config does not have. */
export interface LockRequest {
  readonly orphans: 'keep' | 'drop';
}

/** The work on glossaries or style lists that a command asks for. */
export interface TerminologyRequest {
  readonly kind: 'glossary' | 'style';
  /** Empty: all in the config. */
  readonly names: readonly string[];
  /** `diff` writes nothing; `pull` writes files, only for glossaries. */
  readonly act: 'diff' | 'push' | 'pull';
}

/** Addresses of the page. */
export interface Entrance {
  /** With a token in its fragment. A person who has it may see and do everything. */
  readonly address: string;
  /** @returns an address that works once, within a minute */
  visit(): string;
}

/** An address that opens the page once within a minute: for a browser's arguments, which every user of the machine can read. */
export interface Visit {
  /** Null when no daemon serves it. */
  readonly page: string | null;
  /** The address, as long as the daemon runs. A person who has it may see and do everything. */
  readonly address: string | null;
}

/** A delivered target. */
export interface ChangeRequest {
  readonly project: string;
  /** Absolute. */
  readonly file: string;
}

/** No argument may be null: see `control-socket.ts`. */
export interface Control {
  plan(scope: Scope): Promise<PlanReport>;
  status(scope: Scope): Promise<StatusReport>;
  /** The work that `once` would have to do. */
  frozen(scope: Scope): Promise<FrozenReport>;
  /** Brings the lock up to date with the files and with the state of this machine; buys and sends nothing. */
  lock(request: LockRequest): Promise<LockReport>;
  /** Translations for a reviewer. */
  reviewList(query: ReviewQuery): Promise<ReviewReport>;
  /** The progress of reviews, for languages whose config wants reviews. */
  reviewProgress(scope: Scope): Promise<readonly ReviewProgress[]>;
  /** Marks texts as reviewed, or as to be reviewed. */
  reviewMark(request: ReviewMarkRequest): Promise<ReviewMarkReport>;
  /** Writes a translator's texts into the targets; buys nothing. */
  reviewImport(request: ReviewImportRequest): Promise<ReviewImportReport>;
  /** The content of the Review page. */
  reviewPortion(query: ReviewPortionQuery): Promise<ReviewPortion>;
  /** Lists, makes or ends review links. */
  reviewLinks(request: ReviewLinksRequest): Promise<ReviewLinksReport>;
  /** Saves a person's text, unless somebody changed it since it was shown. */
  reviewSave(request: ReviewSaveRequest): Promise<ReviewSaved>;
  /** Restores the text before a save, and its record. */
  reviewUndo(request: ReviewUndoRequest): Promise<ReviewSaved>;
  /** The open work, text by text. */
  openWork(scope: Scope): Promise<OpenWork>;
  /** @param at a key of the file, or a line of it */
  explain(file: string, at?: string | { readonly line: number }): Promise<ExplainReport>;
  release(request: ReleaseRequest): Promise<ReleaseReport>;
  /** Waits for a running job of the file, as `resolve` does. */
  conflicts(request: ConflictsRequest): Promise<ConflictsReport>;
  resolve(request: ResolveRequest): Promise<ResolveReport>;
  undo(request: UndoRequest): Promise<UndoReport>;
  /** Limited to projects and languages of the scope; its paths are ignored. */
  usage(scope: Scope): Promise<UsageSummary>;
  /** Null when the service cannot be asked. */
  account(): Promise<AccountUsage | null>;
  /** Compares glossaries or style lists with the service, and makes them equal. */
  rules(request: TerminologyRequest): Promise<readonly TerminologyReport[]>;
  /** Terms that people corrected several times; writes nothing. */
  suggestTerms(scope: Scope): Promise<readonly TermSuggestion[]>;
  overview(): Promise<Overview>;
  /** The changes of the last run in a target. */
  change(request: ChangeRequest): Promise<ChangeReport>;
  visit(): Promise<Visit>;
  /** Stops or starts paid work of the running daemon. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/**
 * Who answers where daemons share a tree. `leader`: the leading daemon, which knows all jobs, while the database answers; a worker refuses.
 * `leader without database`: the leading daemon at any time. `each daemon`: every daemon for itself, at any time.
 */
type AnsweredBy = 'each daemon' | 'leader' | 'leader without database';

/** One line for each method: the socket serves these methods, and its client has a function for each. */
export const ANSWERED_BY: Readonly<Record<keyof Control, AnsweredBy>> = {
  plan: 'leader',
  status: 'leader without database',
  frozen: 'leader',
  lock: 'leader',
  reviewList: 'leader',
  reviewProgress: 'leader',
  reviewMark: 'leader',
  reviewImport: 'leader',
  reviewPortion: 'leader',
  reviewSave: 'leader',
  reviewUndo: 'leader',
  reviewLinks: 'leader',
  openWork: 'leader',
  explain: 'leader',
  release: 'leader',
  conflicts: 'leader',
  resolve: 'leader',
  undo: 'leader',
  usage: 'leader',
  account: 'each daemon',
  rules: 'leader',
  suggestTerms: 'leader',
  overview: 'each daemon',
  change: 'leader',
  visit: 'each daemon',
  pause: 'each daemon',
  resume: 'each daemon',
};

export type ControlMethod = keyof Control;

export const METHODS = Object.keys(ANSWERED_BY) as readonly ControlMethod[];
