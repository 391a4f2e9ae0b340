/** The lane contract: a claimed job becomes its target, by steps that are durable before the next side effect. */
import type { BaselineRecord } from './baseline.ts';
import type { Hold, Job, JobState, Lane, Step } from './job.ts';
import type { Fact, JobRecord, SourceRecord, Written } from './ledger.ts';
import type { ChangedInput } from './project.ts';

const MIB = 1024 * 1024;

/** The most bytes that a source of each lane may have. A larger source fails before it is read, hashed or uploaded. */
export const LARGEST_SOURCE: Readonly<Record<Lane, number>> = {
  // No real resource file is larger.
  text: 128 * MIB,
  // About 500,000 cues.
  subtitle: 64 * MIB,
  // With the media of a presentation, which may be removed before the upload.
  document: 2048 * MIB,
  // A video; ffmpeg extracts its sound.
  voice: 8192 * MIB,
};

/** How a lane ends its work on a job. `poll`: the lane gives the slot back and wants to run again at that time. */
export type LaneResult =
  | {
      readonly kind: 'delivered';
      /** Every target as it is on the disk now. */
      readonly wrote: readonly Written[];
      /** Paths whose bytes were replaced; empty when no file had to change. */
      readonly changed: readonly string[];
      readonly state: Extract<JobState, { kind: 'done' | 'held' }>;
      /** See `JobRecord.reading`. */
      readonly reading?: string;
    }
  | {
      readonly kind: 'held';
      readonly state: Extract<JobState, { kind: 'held' }>;
      /** Targets that stay as they are on the disk; absent: those on record. */
      readonly wrote?: readonly Written[];
    }
  | { readonly kind: 'poll'; readonly at: number }
  | { readonly kind: 'superseded' };

/** The steps that a lane may take with the one job that it runs. */
export interface LaneRun {
  readonly job: JobRecord;
  /** The step that an interrupted run had reached. */
  readonly resumeFrom: Step;
  readonly signal: AbortSignal;
  /** Aborted when this process leaves its jobs to others. Absent: there are none, and a next start may be far away. */
  readonly leaves?: AbortSignal;
  /** Durable when it resolves. */
  step(next: Step): Promise<void>;
  /** Whether a target may be put in place at this moment: see `Ledger.mayPublish`. */
  mayPublish(): boolean;
  /** Commits further facts, decided from the records as they are (`commitDecision`); durable when it resolves. */
  record(decide: () => readonly Fact[]): Promise<void>;
  /** The source needs other work than was planned: plans its jobs again. */
  replan(source: SourceRecord): void;
}

export interface LaneWorker {
  readonly lane: Lane;
  run(run: LaneRun): Promise<LaneResult>;
  /**
   * Says what the job would bill if it ran now. Nothing is sent.
   * @param counted keys of the purchases that other jobs of the same plan have counted already; the lane adds its own. Small files are
   * read before it waits for a promise of them
   * @param detail `texts`: also list the open texts, where the lane has single texts; `records`: also what the lock would state of them
   * @throws JobFailure with which the run would end
   */
  estimate(job: Job, counted: CountedPurchases, detail?: EstimateDetail): Promise<Estimate>;
}

export type CountedPurchases = Set<string> | Promise<Set<string>>;

/** For an estimate that counts for itself. @param before see `inBatches` */
export async function nothingCounted(before: Promise<void>): Promise<Set<string>> {
  await before;
  return new Set();
}

/** What an estimate says beside the work and its price. */
export type EstimateDetail = 'texts' | 'records';

/**
 * Why a translation is out of date. `source`: it belongs to another source text. `unknown`: nobody knows whether it does. `new`: the text
 * was there before dragoman translated it. Else: an input of the translation has changed.
 */
export type OutOfDate = 'source' | 'unknown' | 'new' | ChangedInput;

/** A text that is not up to date, for people who look for it. */
export interface OpenText {
  /** The key; of a text without a key, its beginning. */
  readonly key: string;
  /** 1-based line in the source. */
  readonly line: number;
  /** `edited`: a person's text about which the lock says nothing yet. */
  readonly is: 'missing' | 'stale' | 'held' | 'conflict' | 'unknown' | 'edited';
  /** Why it is stale. */
  readonly because?: readonly OutOfDate[];
}

/** How many texts of a file are in each of these states; absent: none. */
export type OpenCounts = Readonly<Partial<Record<OpenText['is'], number>>>;

/** A text of a job that is not up to date. */
export interface OpenUnit {
  readonly is: OpenText['is'];
  /** Hash of its place and its source text: another source text is other work. */
  readonly unit: string;
  readonly becomes: 'bought' | 'held' | 'conflicts';
}

/** How many texts of a file are adopted at first contact, bought, taken from the memory, held, or wait for a person's choice. */
export interface TextCounts {
  readonly adopted: number;
  /** In an estimate: without the texts that are in the memory. */
  readonly bought: number;
  /** Texts that were bought before and cost nothing. */
  readonly fromMemory: number;
  readonly held: number;
  readonly conflicts: number;
}

/** The work and the price of a job, found without a request that bills. */
export interface Estimate {
  readonly job: Job;
  /** Unicode code points that would be billed, as sent. */
  readonly characters: number;
  /** True when the service may bill more than `characters` (pdf, images: "at least"). */
  readonly atLeast: boolean;
  /** The work of the job on its texts: of lanes with single texts. */
  readonly texts?: TextCounts;
  /** The first texts of each kind that are not up to date: lanes with single texts only. */
  readonly named?: readonly OpenText[];
  /** How many texts of each kind there are in all. */
  readonly states?: OpenCounts;
  /** All texts that are not up to date: with detail `texts` only. */
  readonly open?: readonly OpenUnit[];
  /** Seconds of audio, voice only. */
  readonly seconds?: number;
  /** Which rules of the project do not apply to such a file, for people. */
  readonly notes?: readonly string[];
  /** Why the job would wait for a person; budgets are not looked at. */
  readonly hold?: Hold;
  /** The targets stay as they are and need no person: the job would only write to the ledger. */
  readonly isUpToDate?: boolean;
  /** With detail `records`, of a target that is up to date: the records that a run would keep. Lanes with single texts only. */
  readonly records?: BaselineRecord;
}
