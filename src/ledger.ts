/**
 * The ledger contract: the state of every job, and everything that was paid or billed. A fact is durable before anything else
 * happens because of it.
 */
import {
  type Fingerprint,
  type Hash,
  type Job,
  type JobId,
  type JobState,
  type Lane,
  NO_CONTENT,
  type SourceId,
  type Stat,
  type Step,
} from './job.ts';
import type { LanguageTag } from './language.ts';

/** A source with the content that it had when it last stopped changing. */
export interface SourceRecord {
  readonly id: SourceId;
  readonly project: string;
  /** Relative to the project's root, NFC. */
  readonly path: string;
  /** The path as it is spelled on disk, where that is not NFC. */
  readonly raw?: string;
  readonly hash: Hash;
  readonly stat: Stat;
  /**
   * Names the content that others last left there. Only for a file that is also its own target (one file with all languages), after
   * deliveries have changed it. Absent: `hash` names that content.
   */
  readonly edition?: Hash;
  /** Only where the content decides the lane, not the extension: XLIFF of version 2.1 is a document, other versions are strings. */
  readonly lane?: Lane;
  /** Only where the config has the service detect the language: its answer for this content. */
  readonly language?: SourceLanguage;
  /** ISO 8601, first seen. */
  readonly since: string;
  /** Its file vanished with many others, and a person has not confirmed that yet: meanwhile its jobs wait. */
  readonly vanished?: true;
}

/** The answer of the detection endpoint for a source. */
export type SourceLanguage =
  | { readonly kind: 'detected'; readonly tag: LanguageTag }
  | { readonly kind: 'unclear'; readonly reason: string };

/** A target as dragoman wrote or adopted it. When the file on disk has another hash, a person edited it. */
export interface Written {
  /** Relative to the project's root. */
  readonly path: string;
  readonly hash: Hash;
  readonly stat: Stat;
  /** Who wrote the content; absent: dragoman. Only for targets without segments. */
  readonly by?: 'person' | 'adopted';
  /**
   * Hash of the source that it was made from, where the targets of a job may be of different ages (voice). For a file that is its own
   * source: the content that the delivery replaced.
   */
  readonly from?: Hash;
}

/**
 * @param found hash of the present target; undefined: there is none
 * @param left the target as dragoman left it; undefined before the first delivery
 * @returns the hash of the present translation: an empty file that dragoman did not leave there is none
 */
export function contentFound({
  found,
  left,
}: {
  readonly found: Hash | undefined;
  readonly left: Written | undefined;
}): Hash | undefined {
  return found === NO_CONTENT && left?.hash !== found ? undefined : found;
}

/** A target that is translated whole, with the hash of the source that it was made from. */
export interface PlacedTarget extends Required<Pick<Written, 'path' | 'hash' | 'from'>> {
  /** Nothing was there before. Absent: something was, or an earlier version put it in place. */
  readonly isFirst?: true;
}

/** A move of the targets of a job to the place of its moved source, as it is on record before the first file moves. */
export interface MoveBegun {
  /** The new path of the source. */
  readonly source: string;
  readonly files: readonly MovingFile[];
}

/** A file with its old and new path, relative to the project's root, and its stat at the old one. */
export interface MovingFile {
  readonly from: string;
  readonly to: string;
  readonly stat: Stat;
}

export interface JobRecord extends Job {
  readonly state: JobState;
  /** Rises with every claim. The ledger refuses a worker with an older one. */
  readonly fence: number;
  /** The targets as dragoman left them; empty before the first delivery. */
  readonly wrote: readonly Written[];
  /**
   * Targets that are translated whole and were put in place, or almost, after `wrote` was written: the process died before it
   * wrote `wrote` again.
   */
  readonly placed?: readonly PlacedTarget[];
  /** Its targets may be at either place: the move did not come to its end. */
  readonly moveBegun?: MoveBegun;
  /** The ids of the job before its source moved: documents that it bought under these ids may still be under way. */
  readonly formerIds?: readonly JobId[];
  /** The fingerprint that `wrote` was made from. It differs from `fingerprint` while new work is open. */
  readonly delivered: Fingerprint | null;
  /** Unicode code points that the service is expected to bill for `fingerprint`. */
  readonly estimate: number;
  /** The approval or the request of a person, until the job is done. */
  readonly release?: Release;
  /** Only in the lane `text`: names the reader and its settings that `wrote` was made with. Absent: an earlier version's. */
  readonly reading?: string;
  /** Only where daemons share the tree: the lock of the team may lack the lines of what is in `wrote`. Whoever leads writes them. */
  readonly lockLacks?: true;
}

/** The permission of a person for one fingerprint. It does not count for other content. */
export interface Release {
  readonly kind: 'approve' | 'retry' | 'human' | 'machine';
  readonly fingerprint: Fingerprint;
  readonly at: string;
  /** The choices of a person for the conflicts of single segments, by key. */
  readonly choices?: Readonly<Record<string, 'human' | 'machine' | { readonly text: string }>>;
  /**
   * By the same keys: the source text that the person saw. Such a choice holds as long as its text is the same, also where others of
   * the file change.
   */
  readonly chosenFor?: Readonly<Record<string, string>>;
}

/** One purchase, as it was billed or counted. The ledger applies each id once. */
export interface Charge {
  /** Id of the request, and its owner: unique, also when a charge is booked again after a crash. */
  readonly id: string;
  readonly job: JobId | null;
  readonly project: string;
  readonly language: LanguageTag;
  readonly lane: Lane;
  /** ISO 8601. */
  readonly at: string;
  /**
   * `billed`: the answer says how much. `counted`: the answer has no bill, dragoman counted. `possibly-twice`: the request was
   * sent again after a lost answer.
   */
  readonly kind: 'billed' | 'counted' | 'possibly-twice';
  /** Unicode code points; null for voice, which is not in `character_count`. */
  readonly characters: number | null;
  /** Unicode code points that the plan expected for the same work. */
  readonly estimated: number;
  /** Seconds of audio, voice only. */
  readonly seconds?: number;
  /** Bytes that the service kept for a voice job. */
  readonly storageBytes?: number;
}

/**
 * A request that bills and was sent. It is open until its charges are booked: a request that is found at the start was under way at a
 * crash.
 */
export interface OpenRequest {
  readonly id: string;
  readonly project: string;
  readonly language: LanguageTag;
  readonly lane: Lane;
  readonly jobs: readonly JobId[];
  /** Unicode code points. */
  readonly characters: number;
  /** ISO 8601, when it was sent. */
  readonly at: string;
}

/**
 * The record of an object on the service (glossary, style list, voice job, account). `value` is JSON; only its writer
 * knows its shape.
 */
export interface RemoteRecord {
  readonly id: string;
  readonly kind: 'glossary' | 'style' | 'voice' | 'spool' | 'account' | 'pair';
  readonly value: unknown;
}

/** The tables of the ledger. Each is a map from id to record. */
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

/** Puts a record under its id, or removes it. Each record of these tables has one writer. */
export type PlainFact = {
  [T in 'charges' | 'requests']:
    | { readonly table: T; readonly put: LedgerTables[T] }
    | { readonly table: T; readonly remove: string };
}['charges' | 'requests'];

/**
 * Puts a source or a remote record under its id, or removes it. All daemons of a tree write these tables, and a daemon that was
 * suspended may write late. So a change names the record that it was decided from, as the ledger returned it (`from`; undefined:
 * there was none). The ledger refuses the change when another writer has changed that record since.
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
 * One change of a job. A job has several writers: its worker, the intake, the planner and people. So a change names the record
 * that it was decided from, as the ledger returned it. The ledger refuses the change when another writer has changed the job since.
 */
export type JobFact =
  | {
      readonly table: 'jobs';
      readonly add: JobRecord;
      /** The lock has the lines of its targets, if under another project: see `JobRecord.lockLacks`. */
      readonly isInLock?: true;
    }
  | { readonly table: 'jobs'; readonly from: JobRecord; readonly set: JobPatch }
  | { readonly table: 'jobs'; readonly drop: JobRecord };

/** The fields that a change sets. `undefined` removes a release, a begun move, or `lockLacks`. */
export type JobPatch = Partial<Omit<JobRecord, 'id' | 'release' | 'moveBegun' | 'lockLacks'>> & {
  readonly release?: Release | undefined;
  readonly moveBegun?: MoveBegun | undefined;
  readonly lockLacks?: undefined;
};

/** The right to work on a job, until it is claimed again. */
export interface Claim {
  readonly id: JobId;
  readonly fence: number;
}

/** What happens to the offer of a settled job. `againAt`: it is offered again at this time, in milliseconds since the epoch. */
export type OfferEnd = 'over' | { readonly againAt: number };

export interface Settlement {
  readonly state: JobState;
  readonly wrote?: readonly Written[];
  readonly delivered?: Fingerprint;
  readonly reading?: string;
  /** Are committed together with the state: all or none. */
  readonly facts?: readonly PlainFact[];
}

/**
 * The condition in which the files of the ledger were found. `facts-lost`: the ledger may not know all that was paid. So documents
 * and recordings without a target must be held (`state-lost`), until `forgetLoss`.
 */
export type Condition = 'first-contact' | 'intact' | 'repaired' | 'facts-lost';

/**
 * The read side: the present records, in memory. A daemon that plans sees all records. A worker of a shared tree may see less. It sees the
 * jobs that it has claimed, with the changes of other daemons, from claim to end. It sees the sources of these jobs, and all remote
 * records. A lane asks for no other single job. A lane also asks about all jobs: which one has the same source content or recording, or
 * waits for the same result. A worker answers them from its own claims. Nothing is bought twice, because purchases are claimed in the
 * database.
 */
export interface LedgerView {
  readonly condition: Condition;
  get<T extends TableName>(table: T, id: string): LedgerTables[T] | undefined;
  /** Charges come in the order in which they were put, also after a restart. The order of other records has no meaning. */
  all<T extends TableName>(table: T): IterableIterator<LedgerTables[T]>;
  size(table: TableName): number;
}

/**
 * The ledger. A write is visible to readers at once, and durable when its promise resolves. Before that, nothing outside of the
 * process may happen because of it. After a failed write every later write rejects: the process must end, and its next start
 * reads what is durable.
 */
export interface Ledger extends LedgerView, AsyncDisposable {
  /**
   * Reads a source anew. A worker of a shared tree does not follow the sources of its jobs. Only this call tells it what another daemon has
   * written about one, for example its detected language.
   */
  presentSource(id: SourceId): Promise<SourceRecord | undefined>;
  /** Ends the condition `facts-lost`: all jobs that must be held are held. */
  forgetLoss(): Promise<void>;
  /**
   * Commits the facts together: after a crash either all of them are there or none. A fact that sets nothing but a higher `fence`
   * takes the job from its worker. In a shared tree, the commit waits while a worker puts a target of the job in place. No other daemon
   * claims a job that was taken from its worker, until its next change or for some seconds.
   * @throws StaleRecord when a record is not the one that a fact names; then no fact is applied
   */
  commit(facts: readonly Fact[]): Promise<void>;
  /**
   * From now on, a commit calls the listener with the jobs that it ended or removed while they were open. Their offers are to be withdrawn.
   * It does so as soon as it is visible. If the queue is in the same database, the commit withdraws them itself, and calls nobody.
   */
  onClosed(listener: (jobs: readonly JobId[]) => void): void;
  /**
   * Sets a job to `running` with a higher fence, and keeps the step of an interrupted run. A job that is done or held is claimed
   * only when it has the release of a person.
   * @returns undefined when there is nothing to work on: no such job, it is done, or it waits for a person
   */
  claim(id: JobId): Promise<Claim | undefined>;
  /** Sets the step of a claimed job. @throws StaleClaim */
  step(claim: Claim, step: Step): Promise<void>;
  /**
   * Whether a worker may put a target in place at this moment. It asks right before it does, after a step `publishing`. From that
   * step until the target is in place nobody else changes the job. A worker that was suspended too long must do the step again.
   */
  mayPublish(claim: Claim): boolean;
  /**
   * Sets the state of a claimed job: its end, or when it goes on.
   * @param offer what happens to the offer of the job. If the queue is in the same database, both are one transaction, so that the
   * worker cannot end between them. Absent: the queue is changed later
   * @throws StaleClaim
   */
  settle(claim: Claim, settlement: Settlement, offer?: OfferEnd): Promise<void>;
  /** Writes all records at once, so that the next start need not repeat the earlier changes. Without a journal there is nothing to do. */
  checkpoint(): Promise<void>;
}

/** Another worker has claimed the job since: the ledger takes nothing more from this one. */
export class StaleClaim extends Error {
  override readonly name = 'StaleClaim';
  constructor(claim: Claim) {
    super(`${claim.id}: claim ${claim.fence} is stale`);
  }
}

/** Another writer has changed a record since it was read: the caller must read it again and decide again. */
export class StaleRecord extends Error {
  override readonly name = 'StaleRecord';
  constructor(table: TableName, id: string) {
    super(`${table} ${id}: another writer changed it since it was read`);
  }
}

/** Each refusal means that another writer changed a record. A hundred in a row mean that the ledger is broken. */
const MOST_REFUSALS = 100;

/**
 * Decides from the present records, and commits. When another writer changes one of the records meanwhile, the ledger refuses the
 * facts: then `decide` is called again, and reads the new record.
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
