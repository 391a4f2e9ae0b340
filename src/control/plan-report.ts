/** The answer of `plan` and `once --frozen`: the jobs that a run would execute, their price, and everything that is missing. */
import type { Lane } from '../job.ts';
import type { OpenCounts, OpenText } from '../lane.ts';
import type { AttentionLine, StatusReport } from './report.ts';

export interface PlanReport {
  /** Whether a daemon or a run works on these jobs. */
  readonly state: StatusReport['state'];
  readonly jobs: readonly PlanLine[];
  readonly languages: readonly PlanLanguage[];
  /** The same for each single project. */
  readonly projects: readonly PlanProject[];
  /** The sources with the largest bills over all languages, the largest first. */
  readonly largest: readonly PlanSource[];
  /** Glossaries and style lists that differ between file and service. */
  readonly drift: readonly DriftLine[];
  readonly held: readonly AttentionLine[];
  /** Texts of delivered pages that an earlier version or earlier settings did not find: they are bought when a person approves. */
  readonly new_texts: readonly NewTextsLine[];
  /** The blockers beside the jobs. */
  readonly attention: readonly AttentionLine[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  readonly notes: readonly string[];
  /** Jobs with nothing to do. */
  readonly unchanged: number;
  /** Unicode code points that a run would bill, without held jobs. */
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

/** The work for one language: texts, and whole files in lanes that do not count texts. */
export interface PlanLanguage {
  readonly language: string;
  readonly adopted: number;
  readonly bought: number;
  /** Bought before: they cost nothing. */
  readonly from_memory: number;
  /** Including those that wait for a person's choice. */
  readonly held: number;
  /** Files whose job would fail, so that nothing would be written. */
  readonly would_fail: number;
  readonly estimated_characters: number;
}

/** The work for one language of a project. */
export interface PlanProject extends PlanLanguage {
  readonly project: string;
}

/** The bill of one source in all its languages. */
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
  /** Its texts; absent: the lane does not count texts. */
  readonly texts?: {
    /** Found in the target at first contact, and kept. */
    readonly adopted: number;
    readonly bought: number;
    /** Bought before: they cost nothing. */
    readonly from_memory: number;
    readonly held: number;
    readonly conflicts: number;
  };
  /**
   * How many of its texts are missing, stale, held, in conflict, of unknown age, or a person's text that is not in the lock yet. A file
   * that is translated whole counts as one text.
   */
  readonly states?: OpenCounts;
  /** The service may bill more: only it knows the text in a PDF or an image. */
  readonly at_least?: boolean;
  /** Seconds of audio, voice only. */
  readonly estimated_seconds?: number;
  /** Why it would be held and not bought. */
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

/** The work that a run would have, and everything that is missing in any case. */
export interface FrozenReport {
  readonly jobs: readonly {
    readonly project: string;
    readonly source: string;
    readonly language: string;
    readonly reason: string;
    /** The first texts of each kind; absent for files that are translated whole. */
    readonly texts?: readonly OpenText[];
  }[];
  readonly attention: readonly AttentionLine[];
  readonly notes: readonly string[];
  /** Whether a run would only write the lock: files of it are missing, or it lacks a person's edits. */
  readonly is_lock_behind: boolean;
}
