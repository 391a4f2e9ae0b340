/** The lane contract: a claimed job becomes its target, by steps that are durable before the next side effect. */
import type { Hold, Job, JobState, Lane, Step } from './job.ts';
import type { Fact, JobRecord, SourceRecord, Written } from './ledger.ts';

const MIB = 1024 * 1024;

/** Bytes of a source that a lane takes at most; a larger one fails by name, before it is read, hashed or uploaded. */
export const LARGEST_SOURCE: Readonly<Record<Lane, number>> = {
  // A larger resource file is no resource file.
  text: 128 * MIB,
  // Some 500,000 cues.
  subtitle: 64 * MIB,
  // With the media of a presentation, which may be taken out before the upload.
  document: 2048 * MIB,
  // A film, of which ffmpeg takes the sound.
  voice: 8192 * MIB,
};

/** How a lane leaves a job. `poll` gives the slot back and asks for another turn at that time. */
export type LaneResult =
  | {
      readonly kind: 'delivered';
      /** Every target as it stands now. */
      readonly wrote: readonly Written[];
      /** Paths whose bytes were replaced; empty when nothing on disk had to change. */
      readonly changed: readonly string[];
      readonly state: Extract<JobState, { kind: 'done' | 'held' }>;
      /** How a page was read. */
      readonly reading?: string;
    }
  | {
      readonly kind: 'held';
      readonly state: Extract<JobState, { kind: 'held' }>;
      /** Targets that stay as they stand; those on record when absent. */
      readonly wrote?: readonly Written[];
    }
  | { readonly kind: 'poll'; readonly at: number }
  | { readonly kind: 'superseded' };

/** What a lane may do to the one job it runs. */
export interface LaneRun {
  readonly job: JobRecord;
  /** The step that an interrupted run had reached. */
  readonly resumeFrom: Step;
  readonly signal: AbortSignal;
  /** Durable when it resolves. */
  step(next: Step): Promise<void>;
  /** Whether a target may be put in place at this moment: see `Ledger.mayPlace`. */
  mayPlace(): boolean;
  /** Commits further facts, decided from the records as they are (`commitDecision`); durable when it resolves. */
  record(decide: () => readonly Fact[]): Promise<void>;
  /** A source has something else to do than was planned: its jobs are planned anew. */
  replan(source: SourceRecord): void;
}

export interface LaneWorker {
  readonly lane: Lane;
  run(run: LaneRun): Promise<LaneResult>;
  /**
   * What the job would bill if it ran now; nothing is sent.
   * @param counted names of what other jobs of the same plan buy already; the lane adds its own
   * @param detail `texts`: also which texts are open, where the lane tells texts apart
   * @throws JobFailure that the run would end with
   */
  estimate(job: Job, counted: Set<string>, detail?: 'texts'): Promise<Estimate>;
}

/** A text that is not as it shall be, for people who are to find it. */
export interface OpenText {
  /** The key; of a text without one, its beginning. */
  readonly key: string;
  /** In the source. */
  readonly line: number;
  /** `edited`: a person's text that no statement of the lock names yet. */
  readonly is: 'missing' | 'stale' | 'held' | 'conflict' | 'unknown' | 'edited';
}

/** How many texts of a file are in each of these states; none of one that is absent. */
export type OpenCounts = Readonly<Partial<Record<OpenText['is'], number>>>;

/** A text of a job that is not as it shall be. */
export interface OpenUnit {
  readonly is: OpenText['is'];
  /** Of its place and its source text: another source text is other work. */
  readonly unit: string;
  readonly becomes: 'bought' | 'held' | 'conflicts';
}

/** How many texts of a file are taken as they stand at first contact, bought, held, or wait for a person's choice. */
export interface TextCounts {
  readonly adopted: number;
  /** Of an estimate: without those that the memory holds. */
  readonly bought: number;
  /** Texts that are put there and cost nothing: they were bought before. */
  readonly fromMemory: number;
  readonly held: number;
  readonly conflicts: number;
}

/** What a job would do and bill, found without paying. */
export interface Estimate {
  readonly job: Job;
  /** Unicode code points that would be billed, as sent. */
  readonly characters: number;
  /** True when the service may bill more than `characters` (pdf, images: "at least"). */
  readonly atLeast: boolean;
  /** What would become of its texts: text lane only. */
  readonly texts?: TextCounts;
  /** Which texts are not as they shall be, the first of each kind: lanes that tell texts apart. */
  readonly named?: readonly OpenText[];
  /** How many, of all. */
  readonly states?: OpenCounts;
  /** Where they were asked for. */
  readonly open?: readonly OpenUnit[];
  /** Seconds of audio, voice only. */
  readonly seconds?: number;
  /** Rules of the project that do not apply to such a file, for people. */
  readonly notes?: readonly string[];
  /** Why it would wait for a person, beside budgets. */
  readonly hold?: Hold;
  /** What stands there is left as it is, and nothing is asked of it: the job would only take note of it. */
  readonly stands?: boolean;
}
