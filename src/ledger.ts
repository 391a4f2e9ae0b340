/** The ledger contract: every job's state, every paid fact, every billed character; durable before anything happens on it. */
import type { Fingerprint, Hash, Job, JobId, JobState, Lane, SourceId, Stat, Step } from './job.ts';
import type { LanguageTag } from './language.ts';

/** A source as it was when it was last stable. */
export interface SourceRecord {
  readonly id: SourceId;
  readonly project: string;
  /** Relative to the project's root, NFC. */
  readonly path: string;
  /** As it is spelled on disk, where that is not NFC. */
  readonly raw?: string;
  readonly hash: Hash;
  readonly stat: Stat;
  /** Where the content tells it, not the extension: XLIFF of version 2.1 is a document, others are strings. */
  readonly lane?: Lane;
  /** Where the config asks the service for it: the answer for this content. */
  readonly language?: SourceLanguage;
  /** ISO 8601, first seen. */
  readonly since: string;
}

/** What the detection endpoint said of a source. */
export type SourceLanguage =
  | { readonly kind: 'detected'; readonly tag: LanguageTag }
  | { readonly kind: 'unclear'; readonly reason: string };

/** A target as dragoman wrote or adopted it: another hash on disk is a person's edit. */
export interface Written {
  /** Relative to the project's root. */
  readonly path: string;
  readonly hash: Hash;
  readonly stat: Stat;
  /** Whose content it is, where it is not ours; only of targets without segments. */
  readonly by?: 'person' | 'adopted';
  /** The source that it stands for, where a job's targets may be of different ages (voice). */
  readonly from?: Hash;
}

/** A whole target, and the source that it was made from. */
export type PlacedTarget = Required<Pick<Written, 'path' | 'hash' | 'from'>>;

export interface JobRecord extends Job {
  readonly state: JobState;
  /** Rises with every claim; settling with an older one is refused. */
  readonly fence: number;
  /** Targets as they were left by us; empty before the first delivery. */
  readonly wrote: readonly Written[];
  /** Whole targets that were put in place, or about to be, since `wrote` was noted: the process died before it could note them. */
  readonly placed?: readonly PlacedTarget[];
  /** The fingerprint that `wrote` was made from: differs from `fingerprint` while new work is open. */
  readonly delivered: Fingerprint | null;
  /** Characters expected to be billed for this fingerprint, Unicode code points. */
  readonly estimate: number;
  /** A person's word: what was approved or asked for, until the job is done. */
  readonly release?: Release;
  /** How the page was read that `wrote` was made from; absent: by version 0.1.0, or it is no page. */
  readonly reading?: string;
}

/** What a person allowed for one fingerprint: never carried over to another content. */
export interface Release {
  readonly kind: 'approve' | 'retry' | 'human' | 'machine';
  readonly fingerprint: Fingerprint;
  readonly at: string;
  /** A person's word on the conflicts of single segments, by key. */
  readonly choices?: Readonly<Record<string, 'human' | 'machine' | { readonly text: string }>>;
}

/** One paid (or counted) fact. Applied once per id. */
export interface Charge {
  /** Request id and owner: unique, also after a crash and replay. */
  readonly id: string;
  readonly job: JobId | null;
  readonly project: string;
  readonly language: LanguageTag;
  readonly lane: Lane;
  /** ISO 8601. */
  readonly at: string;
  /** `billed`: the service said so. `counted`: the answer carries no bill. `possibly-twice`: sent again after a lost answer. */
  readonly kind: 'billed' | 'counted' | 'possibly-twice';
  /** Unicode code points; null for voice, which is not in `character_count`. */
  readonly characters: number | null;
  /** What the plan expected for the same work. */
  readonly estimated: number;
  /** Seconds of audio, voice only. */
  readonly seconds?: number;
  /** Bytes that the service kept for a voice job. */
  readonly storageBytes?: number;
}

/** A request that bills and was sent: open until its charges are booked. Found at start = was in flight at a crash. */
export interface OpenRequest {
  readonly id: string;
  readonly project: string;
  readonly language: LanguageTag;
  readonly lane: Lane;
  readonly jobs: readonly JobId[];
  readonly characters: number;
  readonly at: string;
}

/** What something remote (glossary, style list, voice job) is called on the service, per data center; JSON, owned by its writer. */
export interface RemoteRecord {
  readonly id: string;
  readonly kind: 'glossary' | 'style' | 'voice' | 'spool' | 'account' | 'pair';
  readonly value: unknown;
}

/** The tables of the ledger, each a map from id to record. */
export interface LedgerTables {
  sources: SourceRecord;
  jobs: JobRecord;
  charges: Charge;
  requests: OpenRequest;
  remotes: RemoteRecord;
}
export type TableName = keyof LedgerTables;

/** One change of a table. */
export type Fact = PlainFact | SharedFact | JobFact;

/** A record put under its id, or removed: each of these has one writer. */
export type PlainFact = {
  [T in 'charges' | 'requests']:
    | { readonly table: T; readonly put: LedgerTables[T] }
    | { readonly table: T; readonly remove: string };
}['charges' | 'requests'];

/**
 * A source, or what is remote, put under its id or removed. All daemons of a tree write them, and one that stood still writes
 * late. So a change names the record that it was decided from, as the ledger gave it, and is refused when another writer has
 * changed it since. `from` is undefined where there was none.
 */
export type SharedFact = {
  [T in 'sources' | 'remotes']:
    | {
        readonly table: T;
        readonly put: LedgerTables[T];
        readonly from: LedgerTables[T] | undefined;
      }
    | { readonly table: T; readonly remove: LedgerTables[T] };
}['sources' | 'remotes'];

/**
 * One change of a job. A job has several writers: its worker, the intake, the plan and people. So a change names the record
 * that it was decided from, as the ledger gave it, and is refused when another writer has changed the job since.
 */
export type JobFact =
  | { readonly table: 'jobs'; readonly add: JobRecord }
  | { readonly table: 'jobs'; readonly from: JobRecord; readonly set: JobPatch }
  | { readonly table: 'jobs'; readonly drop: JobRecord };

/** The fields that a change sets; a release that is undefined ends. */
export type JobPatch = Partial<Omit<JobRecord, 'id' | 'release'>> & {
  readonly release?: Release | undefined;
};

/** The right to work on a job, until somebody claims it anew. */
export interface Claim {
  readonly id: JobId;
  readonly fence: number;
}

/** How a claimed job ended or went on. */
export interface Settlement {
  readonly state: JobState;
  readonly wrote?: readonly Written[];
  readonly delivered?: Fingerprint;
  readonly reading?: string;
  /** Commit together with the state: both or neither. */
  readonly facts?: readonly PlainFact[];
}

/**
 * What became of the ledger's files since the last time. `facts-lost`: what was paid may be unknown, so that documents and
 * recordings without a target must be held (`state-lost`), until `forgetLoss`.
 */
export type Condition = 'first-contact' | 'intact' | 'repaired' | 'facts-lost';

/**
 * Read side: what is true now, in memory. A daemon that plans sees all records. A worker of a tree that daemons share may hold
 * less (`claims`): the jobs that it has claimed, from the claim to the end of it, as others change them too; their sources; and all
 * remotes. Lanes ask for no other record of a single job. What they ask of all jobs (whose source has the same content, whose
 * recording is the same, whether somebody else waits for a result) a worker answers from its own claims; what is paid for is
 * bought once all the same, because purchases are claimed in the database.
 */
export interface LedgerView {
  readonly condition: Condition;
  get<T extends TableName>(table: T, id: string): LedgerTables[T] | undefined;
  all<T extends TableName>(table: T): IterableIterator<LedgerTables[T]>;
  size(table: TableName): number;
}

/**
 * The ledger. A write is visible to readers at once and durable when its promise resolves; nothing outside the process
 * may happen on a fact before that. After a failed write every further one rejects: the process ends and replays.
 */
export interface Ledger extends LedgerView, AsyncDisposable {
  /** The holds are in the ledger: the loss has been dealt with. */
  forgetLoss(): Promise<void>;
  /**
   * Commits the facts together: after a crash either all are there or none. A change of the fence alone takes the job from its worker.
   * In a tree that daemons share, who puts a target of a job in place at this moment is waited for, and what is taken nobody else
   * claims for some seconds, until its next change.
   * @throws StaleRecord when a record of them is not as the fact says; then none is applied
   */
  commit(facts: readonly Fact[]): Promise<void>;
  /**
   * Moves a job to running and returns the claim. Keeps the step of an interrupted run.
   * @returns undefined when there is nothing to work on: the job is gone, is done, or waits for a person who has not spoken
   */
  claim(id: JobId): Promise<Claim | undefined>;
  /** Records how far a claimed job is. @throws StaleClaim */
  step(claim: Claim, step: Step): Promise<void>;
  /**
   * Whether a claim gives the right to put a target in place at this moment: asked right before that, after a step `publishing`.
   * Until then nobody else changes the job, and a worker that stood still for too long has to take the step anew.
   */
  mayPlace(claim: Claim): boolean;
  /** Ends or re-arms a claimed job. @throws StaleClaim */
  settle(claim: Claim, settlement: Settlement): Promise<void>;
  /** Writes the readable snapshot and forgets the journal before it. */
  checkpoint(): Promise<void>;
}

/** Somebody else claimed the job since: this worker's news is of no interest any more. */
export class StaleClaim extends Error {
  override readonly name = 'StaleClaim';
  constructor(claim: Claim) {
    super(`${claim.id}: claim ${claim.fence} is stale`);
  }
}

/** A record was changed by another writer since it was read: whoever decided on it reads it anew. */
export class StaleRecord extends Error {
  override readonly name = 'StaleRecord';
  constructor(table: TableName, id: string) {
    super(`${table} ${id}: another writer changed it since it was read`);
  }
}

/** Each refusal means that another writer changed a record. So many in a row mean that the ledger is broken. */
const MOST_REFUSALS = 100;

/**
 * Commits what is decided from the records as they are. When another writer changes one of them at that moment, the ledger
 * refuses the facts and knows the new record: then `decide` is called again.
 * @param decide reads the records and returns the facts
 * @throws StaleRecord after a hundred refusals
 */
export async function commitDecision(
  ledger: Pick<Ledger, 'commit'>,
  decide: () => readonly Fact[],
): Promise<void> {
  for (let count = 1; ; count++) {
    try {
      return await ledger.commit(decide());
    } catch (error) {
      if (!(error instanceof StaleRecord) || count === MOST_REFUSALS) throw error;
    }
  }
}
