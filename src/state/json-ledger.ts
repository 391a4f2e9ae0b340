/**
 * The ledger in one folder: lowdb has the tables, a flushed journal makes each change durable, `db.json` is a snapshot that
 * people can read.
 */
import { Low } from 'lowdb';
import type { Clock } from '../clock.ts';
import type { Listener } from '../event.ts';
import type { JobId, SourceId, Step } from '../job.ts';
import {
  type Claim,
  type Fact,
  type JobRecord,
  type Ledger,
  type LedgerTables,
  type Settlement,
  type SourceRecord,
  StaleClaim,
  type TableName,
} from '../ledger.ts';
import { claimed, isOver, settled, stepped } from './job-changes.ts';
import { SCHEMA, type Schema } from './schema.ts';
import { Store } from './store.ts';
import {
  applyFact,
  closedBy,
  emptyTables,
  recordCount,
  type StoredFact,
  storedFacts,
  type Tables,
} from './tables.ts';

export interface LedgerOptions {
  /** Absolute; made with mode 0700 when it does not exist. Only one process may have it open: take the lock first. */
  readonly folder: string;
  readonly clock: Clock;
  /** Called with `state-recovered` for each damage that was found. */
  readonly onEvent?: Listener;
  /** The shape of the records; only tests of migrations use another one. */
  readonly schema?: Schema;
}

// To replay a fact takes about as long as to read a record of the snapshot: so a start takes at most twice as long.
const CHECKPOINT_FACTS = 20_000;
/** Up to so many records, the snapshot of a closed ledger is complete: a person who opens the file sees the last run. */
const SMALL_LEDGER = 5000;
/**
 * The snapshot of a larger ledger is written again at the end when one record in so many has changed. With 100,000 records, to write it
 * takes 0.34 s of processor time, which was a fifth of what one edited file cost.
 */
const CHANGED_SHARE = 20;

/**
 * Opens or creates the ledger of a folder.
 * @throws JobFailure `damaged-state` when damaged files cannot be moved away, or files are of a newer version;
 * `unreadable`, `unwritable`, `disk-full`
 */
export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  const { folder, clock, schema = SCHEMA, onEvent } = options;
  const store = await Store.open(folder, { schema, clock });
  for (const { file, message } of store.notes)
    onEvent?.({ kind: 'state-recovered', file, message });
  const db = new Low<Tables>(store, emptyTables());
  await db.read();
  return new LowLedger(db, store);
}

class LowLedger implements Ledger {
  readonly #db: Low<Tables>;
  readonly #store: Store;
  #onClosed: (jobs: readonly JobId[]) => void = () => {};

  constructor(db: Low<Tables>, store: Store) {
    this.#db = db;
    this.#store = store;
  }

  get condition(): Ledger['condition'] {
    return this.#store.condition;
  }

  get<T extends TableName>(table: T, id: string): LedgerTables[T] | undefined {
    return this.#db.data[table].get(id);
  }

  all<T extends TableName>(table: T): IterableIterator<LedgerTables[T]> {
    return this.#db.data[table].values();
  }

  size(table: TableName): number {
    return this.#db.data[table].size;
  }

  async presentSource(id: SourceId): Promise<SourceRecord | undefined> {
    return this.get('sources', id);
  }

  async commit(facts: readonly Fact[]): Promise<void> {
    if (facts.length === 0) return;
    const stored = storedFacts(facts, this.#db.data);
    const closed = closedBy(stored, this);
    const written = this.#write(stored);
    if (closed.length > 0) this.#onClosed(closed);
    await written;
  }

  onClosed(listener: (jobs: readonly JobId[]) => void): void {
    this.#onClosed = listener;
  }

  async claim(id: JobId): Promise<Claim | undefined> {
    const job = this.get('jobs', id);
    if (!job || isOver(job)) return undefined;
    const put = claimed(job);
    await this.#write([{ table: 'jobs', put }]);
    return { id, fence: put.fence };
  }

  async step(claim: Claim, step: Step): Promise<void> {
    const put = stepped(this.#claimed(claim), step);
    if (put === undefined) throw new StaleClaim(claim);
    await this.#write([{ table: 'jobs', put }]);
  }

  mayPublish({ id, fence }: Claim): boolean {
    const job = this.get('jobs', id);
    return job?.fence === fence && job.state.kind === 'running';
  }

  async settle(claim: Claim, settlement: Settlement): Promise<void> {
    const put = settled(this.#claimed(claim), settlement);
    await this.#write([{ table: 'jobs', put }, ...(settlement.facts ?? [])]);
  }

  checkpoint(): Promise<void> {
    return this.#db.write();
  }

  forgetLoss(): Promise<void> {
    return this.#store.forgetLoss();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      // A failure loses nothing: the callers got the failures of their facts, and the next start reads the journals.
      await this.#checkpointAtEnd().catch(() => {});
    } finally {
      await this.#store[Symbol.asyncDispose]();
    }
  }

  async #checkpointAtEnd(): Promise<void> {
    if (this.#isSnapshotOld) await this.checkpoint();
    await this.#store.packPrevious();
  }

  get #isSnapshotOld(): boolean {
    const { facts } = this.#store;
    const records = recordCount(this.#db.data);
    return facts > 0 && (records <= SMALL_LEDGER || facts * CHANGED_SHARE > records);
  }

  async #write(facts: readonly StoredFact[]): Promise<void> {
    const durable = this.#store.append(facts);
    for (const fact of facts) applyFact(this.#db.data, fact);
    await durable;
    this.#checkpointIfLong();
  }

  #claimed(claim: Claim): JobRecord {
    const job = this.get('jobs', claim.id);
    if (job?.fence !== claim.fence) throw new StaleClaim(claim);
    return job;
  }

  #checkpointIfLong(): void {
    if (this.#store.facts <= Math.max(CHECKPOINT_FACTS, recordCount(this.#db.data))) return;
    // Nobody waits for it. A failure loses nothing: the journals stay, and a later checkpoint tries again.
    this.checkpoint().catch(() => {});
  }
}
