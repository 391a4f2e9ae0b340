/** The half of a state that belongs to a folder tree, where daemons share it. */
import type { Baselines } from '../baseline.ts';
import type { SharedSettings } from '../config/shared-settings.ts';
import type { Right } from '../files/right.ts';
import type { JobId, Lane } from '../job.ts';
import type { Ledger, RemoteRecord } from '../ledger.ts';
import type { TreeQueues } from './postgres/boss.ts';

/**
 * `leads`: one process at a time, which knows the whole tree. `works`: it knows what it runs. `looks`: it knows the whole tree, and
 * nothing that it writes leaves it.
 */
export type TreeTask = 'leads' | 'works' | 'looks';

/** What a daemon does of a tree that several work on. One that is alone does both. */
export type Role = 'worker' | 'leader' | 'both';

/** How a process comes to a tree. */
export interface TreeEntry {
  /** `may-lead`: it leads where nobody does, and works until it does. */
  readonly task: TreeTask | 'may-lead';
  readonly settings: SharedSettings;
  /** What it says of itself to people; absent: a command, which is gone soon. */
  readonly daemon?: OwnDaemon;
}

export interface OwnDaemon {
  readonly role: Role;
  /** Of dragoman. */
  readonly version: string;
  /** Names the volume that its spool is on; null: the spool cannot be written. */
  readonly volume: string | null;
}

/** What changes while a daemon works. */
export interface DaemonFigures {
  /** Jobs at a time. */
  readonly places: Readonly<Record<Lane, number>>;
  /** Jobs that it settled since its start. */
  readonly settled: number;
  readonly troubles: Tree['troubles'];
}

/** A daemon of a tree, as the database knows it. Times are ISO 8601. */
export interface DaemonLine extends OwnDaemon {
  readonly name: string;
  readonly host: string;
  /** `waits`: it leads when the leader ends. `silent`: it was given up, and its jobs go on elsewhere. */
  readonly state: 'leads' | 'works' | 'waits' | 'silent';
  readonly since: string;
  /** When it was last heard of, and how long that is ago. */
  readonly seen: string;
  readonly silentSeconds: number;
  readonly isThis: boolean;
  /** Those in which it has places. */
  readonly lanes: readonly {
    readonly lane: Lane;
    readonly places: number;
    readonly running: number;
  }[];
  /** What it has worked at for longest: the first few. */
  readonly work: readonly DaemonWork[];
  readonly settled: number;
  /** How often a daemon has begun to lead the tree, this one as the last; null: it does not lead. */
  readonly epoch: number | null;
  /** What keeps it from its part; null: nothing does. */
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
  /** In order of their starts; as they were seen last where the database is away. */
  look(): Promise<readonly DaemonLine[]>;
  /** Says what this one has and does. Rejects where the database is away. */
  tell(figures: DaemonFigures): Promise<void>;
}

/** The file of a state folder that says of which tree its jobs are now. */
export const PUSHED = 'tree.json';

export interface Tree extends AsyncDisposable {
  readonly name: string;
  readonly task: TreeTask;
  readonly ledger: Ledger;
  readonly baselines: Baselines;
  /** To change files without a claim: of who leads. */
  readonly right: Right;
  readonly queues: TreeQueues;
  readonly daemons: Daemons;
  /** Whether this daemon works by the config of who leads: else it takes no jobs. */
  readonly agrees: boolean;
  /** What keeps this daemon from its part, as sentences for people; empty: nothing does. */
  readonly troubles: readonly string[];
  /** Resolves when this daemon leads it, and knows all of it. Rejects when the signal fires before. */
  lead(signal: AbortSignal): Promise<void>;
  /** This daemon has another config now. Where it leads, that counts for all when it resolves. */
  configure(settings: SharedSettings): Promise<void>;
  /** Learns whether the leader has another config now; by itself nothing asks. */
  compare(): Promise<void>;
  /** Hears which jobs other daemons have changed. */
  hear(listener: (jobs: readonly JobId[]) => void): void;
  /** Hears of purchases that other daemons wrote down. */
  hearRemotes(listener: (record: RemoteRecord) => void): void;
}
