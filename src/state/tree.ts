/** The contract of the part of the state that belongs to a folder tree, when daemons share the tree. */
import type { Baselines } from '../baseline.ts';
import type { SharedSettings } from '../config/shared-settings.ts';
import type { Reservations } from '../files/reservations.ts';
import type { Right } from '../files/right.ts';
import type { Job, JobId, JobState, Lane } from '../job.ts';
import type { LanguageTag } from '../language.ts';
import type { Ledger, RemoteRecord, SourceRecord } from '../ledger.ts';
import type { LastAnswer } from './last-answer.ts';
import type { TreeOffers } from './tree-offers.ts';

/**
 * `leads`: one process at a time; it knows all records of the tree. `works`: it knows the records of its jobs. `looks`: it knows the
 * records that its question needs, and its changes stay in its memory.
 */
export type TreeTask = 'leads' | 'works' | 'looks';

/** The role of a daemon in a shared tree. A daemon that is alone does both. */
export type Role = 'worker' | 'leader' | 'both';

/** The records of a tree that a question needs. */
export type Extent =
  | { readonly of: 'everything' }
  /** No job and no source; the oldest source says when the books begin. */
  | { readonly of: 'books' }
  /** The jobs whose source or target is at this path of a project or below it, and their sources. */
  | { readonly of: 'file'; readonly project: string; readonly path: string }
  /**
   * The jobs that a person may have to know one by one, with their sources, and the number of all others (`Tree.counted`). When nobody
   * leads the tree: everything, because the disk must be compared.
   */
  | {
      readonly of: 'open work';
      readonly sources: NeededSources;
      /** Whether a queued job is counted. The config does not ask for all of them. */
      counts(queued: Pick<Job, 'project' | 'language' | 'source' | 'lane'>): boolean;
    };

/** Answers which sources are needed beside those of the jobs. */
export interface NeededSources {
  /** Is called with all sources, until there are enough. */
  needs(source: SourceNames): boolean;
  /** Whether no further source is needed. */
  isEnough(): boolean;
}

export type SourceNames = Pick<SourceRecord, 'project' | 'path' | 'lane'>;

/** The number of jobs that are alike in these fields. */
export interface JobCount {
  readonly project: string;
  readonly language: LanguageTag;
  readonly state: JobState['kind'];
  readonly jobs: number;
}

/** How a process opens a tree. */
export interface TreeEntry {
  /** `may-lead`: it works, and leads when nobody else does. */
  readonly task: TreeTask | 'may-lead';
  /** The records that a process with the task `looks` reads; absent: everything. */
  readonly extent?: Extent;
  readonly settings: SharedSettings;
  /** The config names a lock: see `JobRecord.lockLacks`. */
  readonly hasLock?: boolean;
  /** By the names of the projects: the absolute folders where their paths may begin, first that of the config. */
  readonly roots: ReadonlyMap<string, readonly string[]>;
  /** The folder of the spool. */
  readonly spool: string;
  /** The data that it shows people about itself; absent: a command, which ends soon. */
  readonly daemon?: Omit<OwnDaemon, 'volume'>;
}

export interface OwnDaemon {
  readonly role: Role;
  /** Version of dragoman. */
  readonly version: string;
  /** Names the volume with its spool; null: it has no name yet, or cannot be read. */
  readonly volume: string | null;
}

/** The figures of a daemon that change while it works. */
export interface DaemonFigures {
  /** Jobs that it runs at a time, by lane. */
  readonly places: Readonly<Record<Lane, number>>;
  /** Jobs that it has settled since its start. */
  readonly settled: number;
  readonly troubles: Tree['troubles'];
  readonly volume: OwnDaemon['volume'];
}

/** A daemon of a tree, as the database knows it. Times are ISO 8601. */
export interface DaemonLine extends OwnDaemon {
  readonly name: string;
  readonly host: string;
  /** `waits`: it leads when the leader ends. `silent`: its heartbeat stopped, and other daemons run its jobs. */
  readonly state: 'leads' | 'works' | 'waits' | 'silent';
  readonly since: string;
  /** The time of its last heartbeat, and how long ago that was. */
  readonly seen: string;
  readonly silentSeconds: number;
  readonly isThis: boolean;
  /** The lanes in which it runs jobs. */
  readonly lanes: readonly {
    readonly lane: Lane;
    readonly places: number;
    readonly running: number;
  }[];
  /** The few jobs that it has worked on for longest. */
  readonly work: readonly DaemonWork[];
  readonly settled: number;
  /** The epoch of its lead: how often a daemon has begun to lead the tree; null: this one does not lead. */
  readonly epoch: number | null;
  /** Why it cannot do its part; null: it can. */
  readonly trouble: string | null;
}

export interface DaemonWork {
  readonly project: string;
  readonly source: string;
  readonly language: string;
  readonly lane: Lane;
  readonly since: string;
}

/** The daemons of a tree. */
export interface Daemons {
  /** In the order of their starts. */
  lines(): Promise<LastAnswer<readonly DaemonLine[]>>;
  /** Writes the figures of this daemon. Rejects when the database is away. */
  publish(figures: DaemonFigures): Promise<void>;
}

export interface Tree extends AsyncDisposable {
  readonly name: string;
  /** Name of this process among the daemons. */
  readonly daemon: string;
  readonly task: TreeTask;
  readonly ledger: Ledger;
  /** The jobs that are in the tree and not in `ledger`; undefined: there are none, or they were not counted. */
  readonly counted: readonly JobCount[] | undefined;
  readonly baselines: Baselines;
  /** The right to change files without a claim: the leader has it. */
  readonly right: Right;
  /** Reserves targets among all daemons. */
  readonly reservations: Reservations;
  readonly queues: TreeOffers;
  readonly daemons: Daemons;
  /** Whether this daemon only waits to become the leader. */
  readonly waits: boolean;
  /**
   * Whether this daemon has the config of the leader and the files of the tree, and can write the spool. Otherwise it takes no jobs:
   * others can do them.
   */
  readonly isFit: boolean;
  /** See `OwnDaemon`. */
  readonly volume: OwnDaemon['volume'];
  /** Reasons why this daemon cannot follow the others, as sentences for people; empty: it can. */
  readonly troubles: readonly string[];
  /** Resolves when this daemon leads the tree and knows all its records. Rejects when the signal is aborted before. */
  lead(signal: AbortSignal): Promise<void>;
  /** Takes another config of this daemon. When this daemon leads, the config is that of all daemons when it resolves. */
  configure(config: Pick<TreeEntry, 'settings' | 'roots'>): Promise<void>;
  /**
   * Asks whether the leader has another config now, whether the spool can be written, and whether the files of the tree are here.
   * @throws JobFailure `team-state` when this daemon leads, and they are not here (`absent`), or another daemon leads now (`taken`)
   */
  compare(): Promise<void>;
  /** Asks whether the config of this daemon, with its glossary and style files, is that of the leader now. */
  isInAgreement(): Promise<boolean>;
  /** Calls the listener with jobs that other daemons have changed. */
  onJobs(listener: (jobs: readonly JobId[]) => void): void;
  /** Calls the listener with purchases that other daemons have written. */
  onRemotes(listener: (record: RemoteRecord) => void): void;
}
