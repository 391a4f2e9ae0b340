/** What the page shows at a glance: no text of any file, and long lists are cut, so that it is small enough to be sent twice a second. */

import type { Lane } from '../job.ts';
import type { AttentionLine, StatusReport } from './control.ts';
import type { UsageReport } from './usage.ts';

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

/** One thing that needs a person, and what can be done about it from here: jobs that one word of theirs is for. */
export interface Task
  extends Pick<
    AttentionLine,
    'project' | 'state' | 'reason' | 'next_step' | 'price_characters' | 'price_seconds'
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
