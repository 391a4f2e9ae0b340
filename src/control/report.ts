/** The answers to commands and to the page: plain JSON with the names that `--json` prints. */
import type { SubtitleReport } from '../formats/captions/report.ts';
import type { Lane } from '../job.ts';
import type { DaemonLine } from '../state/tree.ts';
import type { ReviewProgress } from './review-report.ts';
import type { UsageSummary } from './usage.ts';

export interface StatusReport {
  readonly state: 'running' | 'paused' | 'stopped' | 'not running';
  /** Why paid work is stopped; null: it is not. */
  readonly stopped_by: string | null;
  /** Queued jobs, and the seconds since the last one progressed; null while jobs progress, or nothing is queued. */
  readonly standstill: { readonly jobs: number; readonly seconds: number } | null;
  /** Jobs that a run would begin, when nothing runs; null: it was not looked for. */
  readonly to_do: number | null;
  /** Address of the page; null: no daemon serves it. */
  readonly page: string | null;
  readonly conflicts: readonly ConflictLine[];
  readonly jobs: Readonly<Record<'queued' | 'running' | 'done' | 'held' | 'failed', number>>;
  readonly projects: readonly ProjectLine[];
  readonly attention: readonly AttentionLine[];
  /** The same, grouped by decision, failures first. */
  readonly tasks: readonly Task[];
  /** Translated subtitles, file by file. */
  readonly subtitles: readonly FilmLine[];
  /** Notes that need no action. */
  readonly notes: readonly string[];
  readonly billed_characters: number;
  /** Languages whose config wants reviews; empty when there is none. */
  readonly review: readonly ReviewProgress[];
  /** Null: the config names no database. */
  readonly team: TeamReport | null;
  /** Null: the config names no tree that daemons share. */
  readonly tree: TreeReport | null;
}

/** The daemons that share a tree, as the database knows them. */
export interface TreeReport {
  readonly name: string;
  /** ISO 8601: when the database last answered this; null: not since the start of this process, so that nothing is known. */
  readonly as_of: string | null;
  /** Name of the daemon that leads; null: none leads, so nothing is planned. */
  readonly leader: string | null;
  /** In the order of their starts. */
  readonly daemons: readonly DaemonReport[];
}

export interface DaemonReport extends Omit<DaemonLine, 'volume' | 'silentSeconds' | 'isThis'> {
  /** Seconds since its last sign of life. */
  readonly silent_s: number;
  readonly is_this: boolean;
}

/** The report about the team, from its database. */
export interface TeamReport {
  readonly host: string;
  /** ISO 8601; null: the database answers. */
  readonly away_since: string | null;
  readonly away_because: string | null;
  /** ISO 8601: when the database last sent its runners and the bill; null: not since the start of this process, so that nothing is known. */
  readonly as_of: string | null;
  /** Paid answers on this machine that are not in the database yet. */
  readonly waiting_answers: number;
  readonly runners: readonly {
    readonly name: string;
    readonly login: string;
    /** Seconds since its last sign of life. */
    readonly silent_s: number;
    readonly is_this: boolean;
  }[];
  readonly billed_characters: number;
  readonly possibly_billed_twice: number;
  /** Requests without a known answer. */
  readonly open: { readonly requests: number; readonly characters: number };
}

/** One job that needs a person. */
export interface AttentionLine {
  readonly project: string;
  readonly source: string;
  readonly target: string;
  readonly language: string;
  readonly state: 'held' | 'failed';
  /** For scripts: the kind of the hold, of the failure, or of the blocker. */
  readonly code: string;
  readonly reason: string;
  readonly next_step: string;
  /** The characters that a release will probably bill; null: none. */
  readonly price_characters: number | null;
  /** The same for recordings, seconds of audio. */
  readonly price_seconds?: number;
  /** Name of the daemon that it failed in, where daemons share the tree. */
  readonly daemon?: string;
}

/** A task for a person: all jobs that one decision settles. */
export interface Task
  extends Pick<
    AttentionLine,
    'project' | 'state' | 'code' | 'reason' | 'next_step' | 'price_characters' | 'price_seconds'
  > {
  /** Identifies its jobs when they are released. */
  readonly key: string;
  readonly sources: Cut<string>;
  readonly languages: readonly string[];
  /** Names of the daemons that its jobs failed in, where daemons share the tree. */
  readonly daemons?: readonly string[];
  /** Absolute path of the first target, for `resolve`. */
  readonly file: string;
  readonly action: 'retry' | 'approve' | 'resolve' | 'none';
  readonly attempts: number;
  /** Characters that its jobs have been billed so far. */
  readonly billed_characters: number;
}

/** Words for the project of a task. `*`: it is of the config, or of all projects. */
export function nameOfProject(project: string): string {
  return project === '*' ? 'all projects' : project;
}

/** Key of the task for all sources that vanished together; no job reports them. */
export const DELETIONS = 'deletions';

/** The beginning of a list, and the length of the whole list. */
export interface Cut<T> {
  readonly lines: readonly T[];
  readonly total: number;
}

/** A segment that a person edited and whose source changed since. */
export interface ConflictLine {
  readonly project: string;
  readonly language: string;
  /** The target, absolute. */
  readonly file: string;
  /** Empty for a file that is translated whole. */
  readonly key: string;
  /** The line of the source, such as `line 3`, for a text whose key is a hash. */
  readonly name?: string;
  readonly old_source: string;
  readonly new_source: string;
  readonly human: string;
  readonly machine: string | null;
  /** The origin of the old source, if this machine did not store it; or a sentence that says what is unknown. */
  readonly note: string | null;
  /** The commit with the old source, if this machine has no record of it; `note` has it in words. Null: there is none. */
  readonly source_commit: string | null;
  /** Sentences on where the texts are from; null: unknown, or there is no text. */
  readonly from: {
    readonly old_source: string | null;
    readonly human: string | null;
    readonly machine: string | null;
  };
}

export interface FilmLine extends SubtitleReport {
  readonly project: string;
  /** Absolute. */
  readonly source: string;
  readonly target: string;
  readonly language: string;
}

/** What the page has in common with `status`. */
type OfStatus = 'state' | 'stopped_by' | 'jobs' | 'projects' | 'notes' | 'team' | 'tree';

export interface Overview extends Pick<StatusReport, OfStatus | 'billed_characters'> {
  readonly attention: Cut<Task>;
  readonly work: Cut<WorkLine>;
  /** The newest first. */
  readonly delivered: readonly DeliveredLine[];
  /** The last 30 days in UTC, oldest first, including days without a bill. */
  readonly days: readonly DayLine[];
  readonly budget: UsageSummary['budget'];
  readonly rules: readonly TerminologyLine[];
}

export interface ProjectLine {
  readonly name: string;
  readonly languages: readonly LanguageLine[];
}

export interface LanguageLine {
  readonly language: string;
  readonly done: number;
  readonly held: number;
  readonly failed: number;
  readonly total: number;
}

/** A source file that is being worked on. */
export interface WorkLine {
  readonly project: string;
  readonly source: string;
  readonly lane: Lane;
  /** `done`: languages without queued or running jobs. */
  readonly languages: { readonly done: number; readonly total: number };
  /** Number of files of its lane in progress, itself and those without a line included. */
  readonly beside: number;
  readonly running: readonly RunningLine[];
}

export interface DeliveredLine {
  readonly project: string;
  readonly source: string;
  readonly language: string;
  /** Relative to the project's root, and absolute. */
  readonly target: string;
  readonly file: string;
  /** ISO 8601. */
  readonly at: string;
}

/** The changes of the last run in a target. */
export interface ChangeReport {
  /** `unknown`: the target was not written, or the replaced copy is no longer kept. */
  readonly kind: 'as-written' | 'changed-since' | 'gone' | 'no-text' | 'unknown';
  readonly lines: readonly ChangeLine[];
  /** Lines that are not shown. */
  readonly more: number;
}

export interface ChangeLine {
  readonly kind: 'same' | 'added' | 'removed' | 'gap';
  readonly text: string;
}

export interface RunningLine {
  readonly language: string;
  /** `waiting`: for the service to finish, or for the next attempt. */
  readonly phase: 'working' | 'waiting' | 'publishing';
  readonly attempt: number;
}

export interface DayLine {
  /** UTC date. */
  readonly day: string;
  readonly billed_characters: number;
}

/** A glossary or style list of the config. */
export interface TerminologyLine {
  readonly kind: 'glossary' | 'style';
  readonly project: string;
  /** Its name, or its id on the service. */
  readonly name: string;
  /** Its file; null when it is only on the service. */
  readonly file: string | null;
  readonly languages: readonly string[];
}

export interface LockReport {
  /** Absolute; null when the config names no lock. */
  readonly lock: string | null;
  /** Absolute paths of the files that were written or removed. */
  readonly changed: readonly string[];
  /** Translations that are not up to date: `once` updates them and then the lock. */
  readonly open: number;
}

/** The characters that a release is expected to bill. */
export interface ReleasePrice {
  readonly price_characters: number;
  /** Seconds of audio. */
  readonly price_seconds: number;
}

export interface ReleaseReport extends ReleasePrice {
  readonly jobs: readonly AttentionLine[];
  /** Sources that vanished together and count as deleted with this release; absent: none. */
  readonly deletions?: number;
  /** Nothing waits to be released, but jobs of the named files have not ended in time; absent: none. */
  readonly busy?: readonly BusyFile[];
}

/** A target whose job runs, or will run in a moment. */
export interface BusyFile {
  readonly project: string;
  readonly language: string;
  /** Absolute. */
  readonly file: string;
}

export interface ConflictsReport {
  readonly conflicts: readonly ConflictLine[];
  /** Their conflicts are not known yet; absent: none. */
  readonly busy?: readonly BusyFile[];
}

export interface ResolveReport {
  readonly resolved: readonly ConflictLine[];
  /** They are left as they are: their jobs have not ended in time; absent: none. */
  readonly busy?: readonly BusyFile[];
}

/** A term that people corrected several times, and that no glossary has. */
export interface TermSuggestion {
  readonly language: string;
  /** The term in the source. */
  readonly term: string;
  readonly machine: string;
  readonly person: string;
  /** The corrected texts: the absolute path of each target, and the line of the source. */
  readonly places: readonly {
    readonly file: string;
    readonly key: string;
    readonly line: number;
  }[];
  /** Name of the glossary that is used for the texts; null: none that has a file. */
  readonly glossary: string | null;
  /** The file to which the row belongs, absolute. */
  readonly file: string | null;
  /** The row to append; null when `standing` or `obstacle` says why there is none. */
  readonly row: string | null;
  /** The last line of the file has no line end: a line break comes before the row. */
  readonly needs_line_break: boolean;
  /** Another translation of the term, which the glossary has. */
  readonly standing: string | null;
  /** Why no row can be appended to the file. */
  readonly obstacle: string | null;
}

export interface UndoReport {
  /** Runs that can be taken back, oldest first, each by the time of its first write (ISO 8601, UTC). */
  readonly runs: readonly string[];
  /** What each run wrote; only where this was requested. */
  readonly changes?: readonly UndoRunChanges[];
  /** Null: there is no run, or none was requested. */
  readonly run: string | null;
  readonly files: readonly UndoLine[];
  /** Files that stay as they are, with the reason. */
  readonly left: readonly { readonly file: string; readonly reason: string }[];
}

export interface UndoRunChanges {
  readonly run: string;
  /** `import`: an import or a mark; `review`: a person on the page. */
  readonly by: 'run' | 'import' | 'review';
  /** The targets, absolute. */
  readonly files: readonly string[];
  /** Texts that a person changed or confirmed; null: jobs wrote whole files. */
  readonly texts: number | null;
}

export interface UndoLine {
  readonly project: string;
  /** The target, absolute. */
  readonly file: string;
  readonly became: 'as-before' | 'trashed';
}

/** One glossary or style list: the differences between its file and the service, and the requests that remove them. */
export interface TerminologyReport {
  readonly kind: 'glossary' | 'style';
  readonly name: string;
  /** Null: it is not on the service yet. */
  readonly id: string | null;
  /** Faults of its files, with file and line. Files with faults are not sent. */
  readonly faults: readonly string[];
  /** Warnings for people, such as rules that the catalogue does not have. */
  readonly warnings: readonly string[];
  /** The differences between the service's version and the file. */
  readonly differences: readonly TerminologyDifference[];
  /** The requests that `push` sends, or has sent. */
  readonly calls: readonly string[];
  /** Files that `pull` wrote, absolute. */
  readonly wrote: readonly string[];
}

export interface TerminologyDifference {
  /** A language pair (`en-de`), `name` or `list`. */
  readonly where: string;
  readonly change: '+' | '-' | '~';
  readonly what: string;
  readonly from?: string;
  readonly to?: string;
}
