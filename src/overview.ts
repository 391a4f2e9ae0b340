/** What the page shows at a glance: no text of any file, and long lists are cut, so that it is small enough to be sent twice a second. */
import type { AttentionLine, StatusReport, UsageReport } from './control.ts';
import type { Lane } from './job.ts';

export interface Overview {
  readonly state: StatusReport['state'];
  /** Why paid work stands still, when it does. */
  readonly stopped_by: string | null;
  readonly jobs: StatusReport['jobs'];
  readonly projects: readonly ProjectLine[];
  readonly attention: Cut<Task>;
  readonly running: Cut<RunningLine>;
  readonly billed_characters: number;
  /** The last 30 days in UTC, oldest first, also those on which nothing was billed. */
  readonly days: readonly DayLine[];
  readonly budget: UsageReport['budget'];
  readonly rules: readonly RuleLine[];
}

/** The beginning of a list, and how long all of it is. */
export interface Cut<T> {
  readonly lines: readonly T[];
  readonly total: number;
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

/** One thing that needs a person, and what can be done about it from here. */
export interface Task extends AttentionLine {
  /** Absolute path of the target: what release and resolve are asked for. */
  readonly file: string;
  readonly action: 'retry' | 'approve' | 'resolve' | 'none';
  readonly attempts: number;
  /** What its job has cost so far, characters. */
  readonly billed_characters: number;
}

export interface RunningLine {
  readonly project: string;
  readonly source: string;
  readonly language: string;
  readonly lane: Lane;
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
