/** The ledger in one folder: lowdb holds the tables, a flushed journal makes each change durable, `db.json` is the readable snapshot. */
import { Low } from 'lowdb';
import type { Clock } from '../clock.ts';
import type { Listener } from '../event.ts';
import { isPassing } from '../failure.ts';
import { type JobId, type JobState, type Step, sourceHashOf } from '../job.ts';
import {
  type Claim,
  type Fact,
  type JobRecord,
  type Ledger,
  type LedgerTables,
  type Settlement,
  StaleClaim,
  type TableName,
} from '../ledger.ts';
import { SCHEMA, type Schema } from './schema.ts';
import { Store } from './store.ts';
import {
  apply,
  emptyTables,
  recordCount,
  type StoredFact,
  storedFacts,
  type Tables,
} from './tables.ts';

export interface LedgerOptions {
  /** Absolute; made with mode 0700 when it is absent. Only one process may have it open: take the lock first. */
  readonly folder: string;
  readonly clock: Clock;
  /** Hears `state-recovered` for everything that was found wrong. */
  readonly onEvent?: Listener;
  /** The shape of the records; another one only in tests of migrations. */
  readonly schema?: Schema;
}

// Replaying a fact costs about as much as reading a record of the snapshot: a start takes at most twice as long.
const CHECKPOINT_FACTS = 20_000;

/**
 * Opens or creates the ledger of a folder.
 * @throws JobFailure `damaged-state` when its files cannot be read and not be set aside either, or are of a newer version;
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

  async commit(facts: readonly Fact[]): Promise<void> {
    if (facts.length > 0) await this.#write(storedFacts(facts, this.#db.data));
  }

  async claim(id: JobId): Promise<Claim | undefined> {
    const job = this.get('jobs', id);
    if (!job || isOver(job)) return undefined;
    const claim = { id, fence: job.fence + 1 };
    const put = { ...job, fence: claim.fence, state: claimed(job.state) };
    await this.#write([{ table: 'jobs', put }]);
    return claim;
  }

  async step(claim: Claim, step: Step): Promise<void> {
    const job = this.#claimed(claim);
    if (job.state.kind !== 'running') throw new StaleClaim(claim);
    const state: JobState = { kind: 'running', attempt: job.state.attempt, step };
    await this.#write([{ table: 'jobs', put: { ...job, state, ...placedBy(job, step) } }]);
  }

  async settle(claim: Claim, settlement: Settlement): Promise<void> {
    const { release, placed, ...job } = this.#claimed(claim);
    const { state, wrote, delivered, reading, facts = [] } = settlement;
    const put: JobRecord = {
      ...job,
      ...(release && isStillMeant(state) && { release }),
      ...(reading && { reading }),
      ...(placed && wrote === undefined && { placed }),
      state,
      wrote: wrote ?? job.wrote,
      delivered: delivered ?? job.delivered,
    };
    await this.#write([{ table: 'jobs', put }, ...facts]);
  }

  checkpoint(): Promise<void> {
    return this.#db.write();
  }

  forgetLoss(): Promise<void> {
    return this.#store.forgetLoss();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      // Whoever waited for the facts heard why they could not be written; the journals tell the next start what is there.
      if (this.#store.facts > 0) await this.checkpoint().catch(() => {});
    } finally {
      await this.#store[Symbol.asyncDispose]();
    }
  }

  async #write(facts: readonly StoredFact[]): Promise<void> {
    const durable = this.#store.append(facts);
    for (const fact of facts) apply(this.#db.data, fact);
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
    // Nobody waits for it, and its failure loses nothing: the journals stay, a later one tries again.
    this.checkpoint().catch(() => {});
  }
}

/** Done, or waits for a person who has not spoken. */
function isOver({ state, release }: JobRecord): boolean {
  return (state.kind === 'done' || state.kind === 'held') && release === undefined;
}

/** A person's word is for one try: what it ended with is its answer, unless it comes again by itself. */
function isStillMeant(state: JobState): boolean {
  switch (state.kind) {
    case 'queued':
    case 'running':
      return true;
    case 'failed':
      return isPassing(state.failure);
    case 'done':
    case 'held':
      return false;
  }
}

function claimed(state: JobState): JobState {
  const step: Step = { kind: 'started' };
  switch (state.kind) {
    case 'running':
      return { kind: 'running', attempt: state.attempt, step: state.step };
    case 'failed':
      return { kind: 'running', attempt: state.attempts + 1, step };
    case 'queued':
    case 'done':
    case 'held':
      return { kind: 'running', attempt: 1, step };
  }
}

/** Texts have a baseline, which says the same for each segment. */
function placedBy(
  { lane, fingerprint, placed = [] }: JobRecord,
  step: Step,
): Pick<JobRecord, 'placed'> {
  if (step.kind !== 'publishing' || (lane !== 'document' && lane !== 'voice')) return {};
  const { path, hash } = step;
  const others = placed.filter((each) => each.path !== path || each.hash !== hash);
  return { placed: [...others, { path, hash, from: sourceHashOf(fingerprint) }] };
}
