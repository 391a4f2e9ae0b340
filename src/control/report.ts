/** What commands and the page are answered: plain JSON with the names that `--json` prints. */

import type { SubtitleReport } from '../formats/captions/report.ts';
import type { Lane } from '../job.ts';
import type { OpenCounts, OpenText } from '../lane.ts';
import type { EditedHow } from '../state/edit-log.ts';
import type { ReviewProgress } from './review/report.ts';
import type { UsageSummary } from './usage.ts';

export interface StatusReport {
  readonly state: 'running' | 'paused' | 'stopped' | 'not running';
  /** Why paid work stands still, when it does. */
  readonly stopped_by: string | null;
  /** Jobs that are queued, and for how many seconds none has moved; null while jobs move, or nothing is queued. */
  readonly standstill: { readonly jobs: number; readonly seconds: number } | null;
  /** Address of the page, when a daemon serves it. */
  readonly page: string | null;
  readonly conflicts: readonly ConflictLine[];
  readonly jobs: Readonly<Record<'queued' | 'running' | 'done' | 'held' | 'failed', number>>;
  readonly projects: readonly ProjectLine[];
  readonly attention: readonly AttentionLine[];
  /** The same by what is decided together, failures first. */
  readonly tasks: readonly Task[];
  /** Translated subtitles, file by file. */
  readonly subtitles: readonly FilmLine[];
  /** What is worth knowing and needs nobody. */
  readonly notes: readonly string[];
  readonly billed_characters: number;
  /** Of languages whose config wants reviews; empty where none does. */
  readonly review: readonly ReviewProgress[];
  /** Null: the config names no database. */
  readonly team: TeamReport | null;
  /** Null: the config names no tree that daemons share. */
  readonly tree: TreeReport | null;
}

/** The daemons that share a tree, as the database knows them. */
export interface TreeReport {
  readonly name: string;
  /** The name of the daemon that leads; null: none does, and nothing is planned. */
  readonly leader: string | null;
  /** In order of their starts. */
  readonly daemons: readonly DaemonReport[];
}

export interface DaemonReport {
  readonly name: string;
  readonly host: string;
  readonly role: 'worker' | 'leader' | 'both';
  /** `waits`: it leads when the leader ends. `silent`: it was given up, and its jobs go on elsewhere. */
  readonly state: 'leads' | 'works' | 'waits' | 'silent';
  /** Of dragoman. */
  readonly version: string;
  /** ISO 8601: its start, and when it was last heard of. */
  readonly since: string;
  readonly seen: string;
  /** Seconds since it was heard of. */
  readonly silent_s: number;
  readonly is_this: boolean;
  /** Jobs at a time, and jobs that run; lanes in which it has neither are left out. */
  readonly lanes: readonly {
    readonly lane: Lane;
    readonly places: number;
    readonly running: number;
  }[];
  /** The first few that it works at, the longest first. */
  readonly work: readonly {
    readonly project: string;
    readonly source: string;
    readonly language: string;
    readonly lane: Lane;
    /** ISO 8601. */
    readonly since: string;
  }[];
  /** Jobs that it delivered, held or found failed since its start. */
  readonly settled: number;
  /** How often a daemon has begun to lead the tree, this one as the last; null: it does not lead. */
  readonly epoch: number | null;
  /** What keeps it from its part; null: nothing does. */
  readonly trouble: string | null;
}

/** What a team's database says of the team. */
export interface TeamReport {
  readonly host: string;
  /** ISO 8601; null: it answers. */
  readonly away_since: string | null;
  readonly away_because: string | null;
  /** Paid answers that are on this machine and not in the database yet. */
  readonly waiting_answers: number;
  readonly runners: readonly {
    readonly name: string;
    readonly login: string;
    /** Seconds since it was heard of. */
    readonly silent_s: number;
    readonly is_this: boolean;
  }[];
  readonly billed_characters: number;
  readonly possibly_billed_twice: number;
  /** Requests whose answer is not known yet. */
  readonly open: { readonly requests: number; readonly characters: number };
}

/** One job that needs a person. */
export interface AttentionLine {
  readonly project: string;
  readonly source: string;
  readonly target: string;
  readonly language: string;
  readonly state: 'held' | 'failed';
  /** For scripts: the kind of the hold, of the failure, or of what keeps a whole source from being translated. */
  readonly code: string;
  readonly reason: string;
  readonly next_step: string;
  /** What releasing it is expected to bill; null when nothing. */
  readonly price_characters: number | null;
  /** The same for recordings, seconds of audio. */
  readonly price_seconds?: number;
}

/** One thing that needs a person, and what can be done about it from here: jobs that one word of theirs is for. */
export interface Task
  extends Pick<
    AttentionLine,
    'project' | 'state' | 'code' | 'reason' | 'next_step' | 'price_characters' | 'price_seconds'
  > {
  /** Stands for its jobs when they are released. */
  readonly key: string;
  readonly sources: Cut<string>;
  readonly languages: readonly string[];
  /** Absolute path of the first target: what resolve is asked for. */
  readonly file: string;
  readonly action: 'retry' | 'approve' | 'resolve' | 'none';
  readonly attempts: number;
  /** What its jobs have cost so far, characters. */
  readonly billed_characters: number;
}

/** Key of the task that stands for all sources that vanished together: no job tells of them. */
export const DELETIONS = 'deletions';

/** The beginning of a list, and how long all of it is. */
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
  readonly old_source: string;
  readonly new_source: string;
  readonly human: string;
  readonly machine: string | null;
  /** Where the old source comes from when this machine did not keep it, or what nobody knows. */
  readonly note: string | null;
  /** The commit that told the old source, which this machine never saw: the note says the same in words. Null: there is none. */
  readonly source_commit: string | null;
  /** In words, where the texts come from; null: nobody knows, or there is none. */
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

export interface Overview {
  readonly state: StatusReport['state'];
  /** Why paid work stands still, when it does. */
  readonly stopped_by: string | null;
  readonly jobs: StatusReport['jobs'];
  readonly projects: readonly ProjectLine[];
  readonly attention: Cut<Task>;
  readonly work: Cut<WorkLine>;
  /** The newest first. */
  readonly delivered: readonly DeliveredLine[];
  readonly billed_characters: number;
  /** The last 30 days in UTC, oldest first, also those on which nothing was billed. */
  readonly days: readonly DayLine[];
  readonly budget: UsageSummary['budget'];
  readonly rules: readonly RuleLine[];
  /** As in the status. */
  readonly notes: readonly string[];
  readonly team: TeamReport | null;
  readonly tree: TreeReport | null;
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

/** A file that is being worked on. */
export interface WorkLine {
  readonly project: string;
  readonly source: string;
  readonly lane: Lane;
  /** `done`: of which nothing is queued or running. */
  readonly languages: { readonly done: number; readonly total: number };
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

/** What the last run made of a target. */
export interface ChangeReport {
  /** `unknown`: it was not written, or what it replaced is not kept any more. */
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
  /** `waiting`: for the service to finish, or for the time of another try. */
  readonly phase: 'working' | 'waiting' | 'publishing';
  readonly attempt: number;
}

export interface DayLine {
  /** UTC date. */
  readonly day: string;
  readonly billed_characters: number;
}

/** A glossary or style list of the config. */
export interface RuleLine {
  readonly kind: 'glossary' | 'style';
  readonly project: string;
  /** Its name, or its id on the service. */
  readonly name: string;
  /** The file that it follows; null when it is kept on the service only. */
  readonly file: string | null;
  readonly languages: readonly string[];
}

export interface PlanReport {
  readonly jobs: readonly PlanLine[];
  readonly languages: readonly PlanLanguage[];
  /** The same for each project by itself. */
  readonly projects: readonly PlanProject[];
  /** The sources that bill most, all their languages together, the largest first. */
  readonly largest: readonly PlanSource[];
  /** Glossaries and style lists that differ between file and service. */
  readonly drift: readonly DriftLine[];
  readonly held: readonly AttentionLine[];
  /** Texts of delivered pages that an earlier version, or earlier settings, did not see: bought when a person approves. */
  readonly new_texts: readonly NewTextsLine[];
  /** What is missing beside the jobs. */
  readonly attention: readonly AttentionLine[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  readonly notes: readonly string[];
  /** Jobs with nothing to do. */
  readonly unchanged: number;
  /** Unicode code points that a run would bill: without what it would hold. */
  readonly estimated_characters: number;
}

export interface NewTextsLine {
  readonly project: string;
  readonly source: string;
  readonly target: string;
  readonly language: string;
  readonly texts: number;
  readonly price_characters: number;
}

/** What becomes of one language: texts, and whole files where a lane does not count texts. */
export interface PlanLanguage {
  readonly language: string;
  readonly adopted: number;
  readonly bought: number;
  /** Bought before: costs nothing. */
  readonly from_memory: number;
  /** Also what waits for a person's choice. */
  readonly held: number;
  /** Files of which nothing would be written. */
  readonly would_fail: number;
  readonly estimated_characters: number;
}

/** What becomes of one language of a project. */
export interface PlanProject extends PlanLanguage {
  readonly project: string;
}

/** What a source bills in all its languages. */
export interface PlanSource {
  readonly project: string;
  readonly source: string;
  readonly languages: readonly string[];
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
  /** What becomes of its texts; absent where a lane counts none. */
  readonly texts?: {
    /** Found there at first contact, and taken as they are. */
    readonly adopted: number;
    readonly bought: number;
    /** Bought before: costs nothing. */
    readonly from_memory: number;
    readonly held: number;
    readonly conflicts: number;
  };
  /**
   * How many of its texts are missing, stale, held, in conflict, of unknown age, or a person's that is not in the lock yet. A file
   * that is translated whole is one text.
   */
  readonly states?: OpenCounts;
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

/** What a run would have to do, and what is missing all the same. */
export interface FrozenReport {
  readonly jobs: readonly {
    readonly project: string;
    readonly source: string;
    readonly language: string;
    readonly reason: string;
    /** Which texts, the first of each kind; absent for files that are translated whole. */
    readonly texts?: readonly OpenText[];
  }[];
  readonly attention: readonly AttentionLine[];
  readonly notes: readonly string[];
  /** Whether a run would only write the lock: files of it are lost, or it lacks what a person edited. */
  readonly is_lock_behind: boolean;
}

export interface LockReport {
  /** Absolute; null when the config names no lock. */
  readonly lock: string | null;
  /** Absolute paths of the files that were written or removed. */
  readonly changed: readonly string[];
  /** Translations that are not up to date: `once` settles them, and writes what is then true. */
  readonly open: number;
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
  /** The key that was asked for is not in the file; the key of the file that is nearest to it, if one is near. */
  readonly missing_key?: { readonly nearest: string | null };
  /** Other texts of the line that was asked for. */
  readonly also_there?: readonly string[];
  /** No text stands at the line that was asked for; a line with one, if the file has any. */
  readonly missing_text?: { readonly nearest: number | null };
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
  /** The runners of the team that bought its texts, the document or the recording, in order of time; absent: there is no team. */
  readonly bought_by?: readonly { readonly runner: string; readonly at: string }[];
}

export interface ExplainedSegment {
  readonly key: string;
  readonly language: string;
  readonly source: string;
  readonly target: string | null;
  readonly origin: 'machine' | 'human' | 'adopted' | 'copied' | 'none';
  readonly state: string;
  /** Who wrote the target, or approved it, on this machine; absent: nobody did that here. */
  readonly edited?: { readonly by: string; readonly at: string; readonly how: EditedHow };
  /** The runner of the team that brought the machine's target; absent: nobody knows, or there is no team. */
  readonly bought_by?: { readonly runner: string; readonly at: string };
}

export interface ReleaseReport {
  readonly jobs: readonly AttentionLine[];
  readonly price_characters: number;
  /** Of audio. */
  readonly price_seconds: number;
}

export interface ResolveReport {
  readonly resolved: readonly ConflictLine[];
}

/** A term that people corrected again and again, and no glossary has. */
export interface TermSuggestion {
  readonly language: string;
  /** Of the source. */
  readonly term: string;
  readonly machine: string;
  readonly person: string;
  /** Where it was corrected: the target, absolute, with the line in the source. */
  readonly places: readonly {
    readonly file: string;
    readonly key: string;
    readonly line: number;
  }[];
  /** Name of the glossary that the texts are translated with; null: none that has a file. */
  readonly glossary: string | null;
  /** Where the row belongs, absolute. */
  readonly file: string | null;
  /** Ready to be added; null where the glossary has another word for the term. */
  readonly row: string | null;
  /** That word. */
  readonly standing: string | null;
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

/** One glossary or style list: how its file differs from the service, and what makes them equal. */
export interface RulesReport {
  readonly kind: 'glossary' | 'style';
  readonly name: string;
  /** Null: not on the service yet. */
  readonly id: string | null;
  /** Of its files, with file and line: nothing of them is sent. */
  readonly faults: readonly string[];
  /** What a person should know of: rules that the catalogue does not have. */
  readonly warnings: readonly string[];
  /** From the service to the file. */
  readonly differences: readonly RulesDifference[];
  /** What push sends, or sent. */
  readonly calls: readonly string[];
  /** Files that pull wrote, absolute. */
  readonly wrote: readonly string[];
}

export interface RulesDifference {
  /** `en-de`, `name`, `list`. */
  readonly where: string;
  readonly change: '+' | '-' | '~';
  readonly what: string;
  readonly from?: string;
  readonly to?: string;
}
