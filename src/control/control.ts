/**
 * What commands ask of the state: answered by the running daemon over its socket, or by the command itself when none runs.
 * Everything is plain JSON with the names that `--json` prints (product.md, "More settings").
 */

import type { SubtitleReport } from '../formats/captions/report.ts';
import type { Lane } from '../job.ts';
import type {
  ReleaseReport,
  ReleaseRequest,
  ResolveReport,
  ResolveRequest,
  UndoReport,
  UndoRequest,
} from './decisions.ts';
import type { Overview, Task } from './overview.ts';
import type { RulesReport, RulesRequest } from './rules.ts';
import type { AccountUsage, UsageReport } from './usage.ts';

/** Narrows a command to some projects, languages or files; empty lists mean all. */
export interface Scope {
  readonly projects: readonly string[];
  readonly languages: readonly string[];
  /** Absolute paths of files or folders, sources or targets. */
  readonly paths: readonly string[];
}

export interface PlanReport {
  readonly jobs: readonly PlanLine[];
  /** Glossaries and style lists that differ between file and service. */
  readonly drift: readonly DriftLine[];
  readonly held: readonly AttentionLine[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  readonly notes: readonly string[];
  /** Jobs with nothing to do. */
  readonly unchanged: number;
  /** Unicode code points that a run would bill: without what it would hold. */
  readonly estimated_characters: number;
}

export interface PlanLine {
  readonly project: string;
  readonly lane: Lane;
  readonly source: string;
  readonly target: string;
  readonly language: string;
  readonly reason: string;
  readonly estimated_characters: number;
  /** The service may bill more: what a PDF or an image holds is known only there. */
  readonly at_least?: boolean;
  /** Seconds of audio, voice only. */
  readonly estimated_seconds?: number;
  /** Why it would be held instead of bought. */
  readonly would_hold?: string;
  /** Why it would fail. */
  readonly would_fail?: string;
}

export interface DriftLine {
  readonly kind: 'glossary' | 'style';
  readonly name: string;
  readonly pair: string;
  readonly difference: string;
}

/** One job that needs a person. */
export interface AttentionLine {
  readonly project: string;
  readonly source: string;
  readonly target: string;
  readonly language: string;
  readonly state: 'held' | 'failed';
  readonly reason: string;
  readonly next_step: string;
  /** What releasing it is expected to bill; null when nothing. */
  readonly price_characters: number | null;
  /** The same for recordings, seconds of audio. */
  readonly price_seconds?: number;
}

/** A segment that a person edited and whose source changed since. */
export interface ConflictLine {
  readonly project: string;
  readonly language: string;
  /** The target, absolute. */
  readonly file: string;
  /** Empty for a file that is translated whole. */
  readonly key: string;
  readonly old_source: string;
  readonly new_source: string;
  readonly human: string;
  readonly machine: string | null;
}

export interface StatusReport {
  readonly state: 'running' | 'paused' | 'stopped' | 'not running';
  /** Why paid work stands still, when it does. */
  readonly stopped_by: string | null;
  /** Address of the page, when a daemon serves it. */
  readonly page: string | null;
  readonly conflicts: readonly ConflictLine[];
  readonly jobs: Readonly<Record<'queued' | 'running' | 'done' | 'held' | 'failed', number>>;
  readonly projects: readonly {
    readonly name: string;
    readonly languages: readonly {
      readonly language: string;
      readonly done: number;
      readonly total: number;
    }[];
  }[];
  readonly attention: readonly AttentionLine[];
  /** The same by what is decided together, failures first. */
  readonly tasks: readonly Task[];
  /** Translated subtitles, file by file. */
  readonly subtitles: readonly FilmLine[];
  readonly billed_characters: number;
}

export interface FilmLine extends SubtitleReport {
  readonly project: string;
  /** Absolute. */
  readonly source: string;
  readonly target: string;
  readonly language: string;
}

export interface ExplainReport {
  readonly file: string;
  readonly kind: 'source' | 'target' | 'skipped';
  readonly reason?: string;
  readonly project?: string;
  readonly route?: string;
  readonly lane?: Lane;
  readonly rules?: Readonly<Record<string, string>>;
  readonly jobs?: readonly ExplainedJob[];
  readonly segment?: ExplainedSegment;
}

export interface ExplainedJob {
  readonly source: string;
  readonly target: string;
  readonly language: string;
  readonly state: string;
  readonly delivered_at: string | null;
  readonly recipe: string;
  readonly billed_characters: number;
  /** Of audio, voice only. */
  readonly voice_seconds?: number;
  /** Subtitles only, once they are written. */
  readonly subtitles?: SubtitleReport;
}

export interface ExplainedSegment {
  readonly key: string;
  readonly language: string;
  readonly source: string;
  readonly target: string | null;
  readonly origin: 'machine' | 'human' | 'adopted' | 'copied' | 'none';
  readonly state: string;
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
}

export interface Control {
  plan(scope: Scope): Promise<PlanReport>;
  status(scope: Scope): Promise<StatusReport>;
  explain(file: string, key?: string): Promise<ExplainReport>;
  release(request: ReleaseRequest): Promise<ReleaseReport>;
  resolve(request: ResolveRequest): Promise<ResolveReport>;
  undo(request: UndoRequest): Promise<UndoReport>;
  /** Of its projects and languages; paths do not count. */
  usage(scope: Scope): Promise<UsageReport>;
  /** Null when the service cannot be asked. */
  account(): Promise<AccountUsage | null>;
  /** Compares glossaries or style lists with the service, and makes them equal. */
  rules(request: RulesRequest): Promise<readonly RulesReport[]>;
  overview(): Promise<Overview>;
  visit(): Promise<Visit>;
  /** Stops or starts paid work of the running daemon. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}
