/** What people decide: jobs let go, conflicts resolved, a run taken back. */
import type { AttentionLine, ConflictLine, Scope } from './control.ts';

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

export interface ReleaseReport {
  readonly jobs: readonly AttentionLine[];
  readonly price_characters: number;
  /** Of audio. */
  readonly price_seconds: number;
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

export interface ResolveReport {
  readonly resolved: readonly ConflictLine[];
}

/** Which run to take back, and how much of it. */
export interface UndoRequest {
  /** Of `UndoReport.runs`; the last one when absent. */
  readonly run?: string;
  readonly scope: Scope;
  /** `list` only names the runs, `price` says what would be done. */
  readonly act: 'list' | 'price' | 'undo';
}

export interface UndoReport {
  /** Runs that can be taken back, oldest first, by the time of their first writing (ISO 8601, UTC). */
  readonly runs: readonly string[];
  /** Null when there was none, or none was asked for. */
  readonly run: string | null;
  readonly files: readonly UndoLine[];
  /** What stays as it is. */
  readonly left: readonly { readonly file: string; readonly reason: string }[];
}

export interface UndoLine {
  readonly project: string;
  /** The target, absolute. */
  readonly file: string;
  readonly became: 'as-before' | 'trashed';
}
