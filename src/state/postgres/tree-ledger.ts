/**
 * The ledger of a folder tree that several daemons share, in the database of a team. Reads use a copy in memory (`TreeMirror`). The
 * database decides claims, steps, settlements, and whether a job is still as a change expects. A change is visible in the copy at
 * once, and is undone there when the database refuses it.
 */
import { randomUUID } from 'node:crypto';
import { type JobId, type SourceId, type Step, sourceId } from '../../job.ts';
import {
  type Claim,
  type Condition,
  type Fact,
  type JobRecord,
  type Ledger,
  type LedgerTables,
  type OfferEnd,
  type Settlement,
  type SourceRecord,
  StaleClaim,
  StaleRecord,
  type TableName,
} from '../../ledger.ts';
import {
  claimed,
  isOver,
  isStillMeant,
  lackedByLock,
  placedBy,
  settled,
  stepped,
} from '../job-changes.ts';
import { closedBy, type StoredFact, storedFacts } from '../tables.ts';
import type { JobCount } from '../tree.ts';
import type { TreeQueues } from './boss.ts';
import { HELD_LOOK_MS, isWithinMs, type Moment, momentOf, PLACES_MS } from './moment.ts';
import type { Seal } from './seal.ts';
import type { TreeAgreement } from './tree-agreement.ts';
import { countOthers } from './tree-extent.ts';
import { type MirrorRow, recordKey, TreeMirror, type TreeMirrorOptions } from './tree-mirror.ts';
import { TreeSecrets } from './tree-secrets.ts';
import { fitText, textFrom } from './tree-text.ts';
import { type EndingOffer, type TreeAnswer, type TreeChange, TreeWriter } from './tree-writer.ts';

export interface TreeLedgerOptions extends Omit<TreeMirrorOptions, 'by' | 'secrets'> {
  readonly seal: Seal;
  /**
   * Id of the runner that leads the tree; the database refuses its changes when it no longer leads. Absent: this process only
   * changes jobs that it claims.
   */
  readonly leader?: string;
  /** `name` identifies the config for claims; undefined: the tree has another config, and nothing is claimed. Absent: the config is not checked. */
  readonly agreement?: Pick<TreeAgreement, 'name' | 'refresh'>;
  /** The queues of the tree, in the same database: a change that ends a job also ends its offer. Absent: offers are ended elsewhere. */
  readonly queues?: Pick<TreeQueues, 'takenOffer' | 'endIn' | 'withdrawIn'>;
  /** The lock of the team has lines of what a job writes. */
  readonly hasLock?: boolean;
  /** Changes stay in the memory of this process and never reach the database. */
  readonly isLooking?: boolean;
  /** Called with the jobs that other daemons changed. */
  onOthers?(jobs: readonly JobId[]): void;
  /** Called after each look at the changes of others, with its error; undefined: the look succeeded. */
  onLook?(error: unknown): void;
}

/** Milliseconds between looks at the changes of others. Others also send a message, but it may be lost. */
const LOOK_MS = 2000;

export class TreeLedger implements Ledger {
  readonly condition: Condition;
  readonly #options: TreeLedgerOptions;
  readonly #by: string;
  readonly #secrets: TreeSecrets;
  readonly #mirror: TreeMirror;
  readonly #writer: TreeWriter;
  readonly #closed = new AbortController();
  #marks = 0;
  #counted: readonly JobCount[] | undefined;
  /** When the step `publishing` of each claim was sent. */
  readonly #placing = new Map<JobId, Moment>();
  /** The next look, until it begins. */
  #looking: Promise<void> | undefined;
  readonly #onNews = (tree: string, by: string) => {
    if (tree === this.#options.tree && by !== this.#by) void this.refresh();
  };

  /** The targets of a moved source keep their content; their lines are at another place of the lock. */
  readonly #forLock = (fact: Fact): Fact =>
    this.#options.hasLock === true && 'add' in fact && fact.isInLock !== true
      ? { ...fact, add: lackedByLock(fact.add) }
      : fact;
  /** Whether a change of this record has no answer yet. Its answer brings the present record. */
  readonly #isOurs = (table: TableName, id: string) =>
    this.#writer.isSending && this.#writer.isWaiting(recordKey(table, id));

  static async open(options: TreeLedgerOptions): Promise<TreeLedger> {
    const isNew = await isFirst(options);
    const ledger = new TreeLedger(options, isNew ? 'first-contact' : 'intact');
    await ledger.#mirror.load();
    await ledger.#countOthers();
    if (options.extent === undefined) ledger.#follow();
    return ledger;
  }

  private constructor(options: TreeLedgerOptions, condition: Condition) {
    this.#options = options;
    this.condition = condition;
    this.#by = randomUUID().slice(0, 13);
    const by = this.#by;
    const { tree, seal } = options;
    this.#secrets = new TreeSecrets(seal, { tree });
    this.#mirror = new TreeMirror({ ...options, by, secrets: this.#secrets });
    const { queues } = options;
    this.#writer = new TreeWriter({
      ...{ ...options, by, learn: (row: MirrorRow) => this.#mirror.learn(row) },
      endTurns: queues && ((db, ended) => queues.endIn(db, ended)),
      withdraw: queues && ((db, ids) => queues.withdrawIn(db, ids)),
    });
  }

  get<T extends TableName>(table: T, id: string): LedgerTables[T] | undefined {
    return this.#mirror.tables[table].get(id);
  }

  all<T extends TableName>(table: T): IterableIterator<LedgerTables[T]> {
    return this.#mirror.tables[table].values();
  }

  size(table: TableName): number {
    return this.#mirror.tables[table].size;
  }

  async presentSource(id: SourceId): Promise<SourceRecord | undefined> {
    await this.#between(async () => await this.#mirror.refreshSource(id, this.#isOurs));
    return this.get('sources', id);
  }

  /** See `Tree.counted`. */
  get counted(): readonly JobCount[] | undefined {
    return this.#counted;
  }

  async #countOthers(): Promise<void> {
    const { database, tree, extent } = this.#options;
    if (extent?.of !== 'open work') return;
    this.#counted = await countOthers(database, { tree, extent, tables: this.#mirror.tables });
  }

  async commit(facts: readonly Fact[]): Promise<void> {
    if (facts.length === 0) return;
    const stored = storedFacts(facts.map(this.#forLock), this.#mirror.tables);
    const records = this.#recordsOf(stored);
    const jobs = this.#changesOf(stored, takenBy(facts));
    const keys = [...jobs.map(({ id }) => recordKey('jobs', id)), ...records.keys];
    const marks = new Map([
      ...jobs.map(({ id, mark }) => [recordKey('jobs', id), mark] as const),
      ...records.op.puts.map(({ tbl, id, mark }) => [recordKey(tbl, id), mark] as const),
    ]);
    const closes = this.#options.queues === undefined ? [] : closedBy(stored, this);
    for (const fact of stored) this.#mirror.apply(fact, marks.get(keyOfFact(fact)));
    const { stale, tbl, held } = await this.#writer.write({
      op: { kind: 'commit', jobs, waits: true, ...records.op },
      jobs: jobs.map(({ id }) => id),
      keys,
      closes,
    });
    if (stale === undefined) return;
    // The caller must decide again from the present record.
    if (held === true) await this.#untilFree(stale);
    throw new StaleRecord(tbl ?? 'jobs', textFrom(stale));
  }

  /** Calls nobody: the queue is in the same database, and `commit` withdraws the offers. */
  onClosed(): void {}

  async claim(id: JobId): Promise<Claim | undefined> {
    const { agreement } = this.#options;
    for (;;) {
      const config = agreement?.name;
      if (agreement !== undefined && config === undefined) return undefined;
      const known = this.#knownClaim(id);
      const asked = {
        waits: true,
        ...this.#turnOf(id),
        ...(config === undefined ? {} : { config }),
      };
      const answer = await this.#change({ kind: 'claim', id, next: known, asked });
      const { fence, stale } = answer;
      if (stale === undefined && fence !== undefined) return { id, fence };
      this.#forget(id);
      if (answer.config === true) await agreement?.refresh();
      else if (answer.held === true) await this.#untilFree(fitText(id));
      else return undefined;
    }
  }

  /**
   * The claimed job, where the copy may have its present record. A copy of claims does not follow the sources of its jobs: there, each
   * claim brings the job and its source.
   */
  #knownClaim(id: JobId): JobRecord | undefined {
    if (this.#mirror.view === 'claims') return undefined;
    const job = this.get('jobs', id);
    return job === undefined || isOver(job) ? undefined : claimed(job);
  }

  async step(claim: Claim, step: Step): Promise<void> {
    const job = this.#claimed(claim);
    const next = stepped(job, step);
    if (next === undefined) throw new StaleClaim(claim);
    const placed = placedBy(job, step);
    const { fence } = claim;
    const sent = momentOf(this.#options.clock);
    const turn = step.kind === 'publishing' ? this.#turnOf(claim.id) : {};
    const asked = { fence, step, placed, ...turn };
    const answer = await this.#change({ kind: 'step', id: claim.id, next, asked });
    if (answer.stale !== undefined) throw new StaleClaim(claim);
    if (step.kind === 'publishing') this.#placing.set(claim.id, sent);
  }

  mayPublish({ id, fence }: Claim): boolean {
    const sent = this.#placing.get(id);
    const job = this.get('jobs', id);
    if (sent === undefined || job?.fence !== fence || job.state.kind !== 'running') return false;
    return isWithinMs(PLACES_MS, sent, momentOf(this.#options.clock));
  }

  async settle(claim: Claim, settlement: Settlement, end?: OfferEnd): Promise<void> {
    const { facts = [], ...given } = settlement;
    const { state } = settlement;
    const isEnd = state.kind === 'done' || state.kind === 'held';
    const plain = settled(this.#claimed(claim), settlement);
    const next = isEnd && this.#options.hasLock === true ? lackedByLock(plain) : plain;
    const news = next.lockLacks ? { ...given, lockLacks: true } : given;
    const records = this.#recordsOf(facts);
    const keepsRelease = isStillMeant(state);
    const asked = { fence: claim.fence, news, keepsRelease, ...records.op };
    for (const fact of facts) this.#mirror.apply(fact);
    const answer = await this.#change({
      ...{ kind: 'settle', id: claim.id, next, asked },
      ...{ keys: records.keys, ends: this.#ending(claim.id, end) },
    });
    this.#placing.delete(claim.id);
    if (answer.stale !== undefined) throw new StaleClaim(claim);
    this.#forget(claim.id);
  }

  /** Makes this runner the leader of the tree. When it resolves, all records of the tree are in memory. */
  async lead(leader: string): Promise<void> {
    await this.#between(async () => {
      this.#writer.lead(leader);
      await this.#mirror.widen(this.#isOurs);
    });
  }

  /** Reads while no change is being sent. @throws the errors of `read` */
  async #between(read: () => Promise<void>): Promise<void> {
    let failed: { readonly error: unknown } | undefined;
    await this.#writer.between(async () => {
      await read().catch((error: unknown) => {
        failed = { error };
      });
    });
    if (failed !== undefined) throw failed.error;
  }

  /** Resolves when all changes are in the database. */
  async checkpoint(): Promise<void> {
    await this.#writer.idle();
  }

  /** Nothing to do: a database does not lose records. A restored backup is refused when it is opened. */
  async forgetLoss(): Promise<void> {}

  /** Reads the changes that other daemons made until now. */
  async refresh(): Promise<void> {
    this.#looking ??= this.#writer.between(async () => {
      this.#looking = undefined;
      const jobs = await this.#followed();
      if (jobs.length > 0) this.#options.onOthers?.(jobs);
    });
    await this.#looking;
  }

  /** An error is reported with `onLook`; the next look tries again. */
  async #followed(): Promise<readonly JobId[]> {
    try {
      const jobs = await this.#mirror.follow(this.#isOurs);
      this.#options.onLook?.(undefined);
      return jobs;
    } catch (error) {
      if (!this.#closed.signal.aborted) this.#options.onLook?.(error);
      return [];
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    this.#options.database.news.off('tree', this.#onNews);
    await this.#writer.idle();
    this.#writer.close();
    await this.#free();
  }

  #follow(): void {
    const { database, clock } = this.#options;
    database.news.on('tree', this.#onNews);
    const { signal } = this.#closed;
    const keep = async () => {
      for (;;) {
        await clock.sleep(LOOK_MS, signal);
        await this.refresh();
      }
    };
    // Disposing of this ledger ends the loop.
    keep().catch(() => {});
  }

  /** Makes one change to a claimed job. */
  async #change({ kind, id, next, asked, keys = [], ends }: ClaimedChange): Promise<TreeAnswer> {
    const expect = this.#mirror.markOf('jobs', id);
    const mark = this.#nextMark();
    if (next !== undefined) this.#mirror.apply({ table: 'jobs', put: next }, mark);
    return await this.#writer.write({
      op: { kind, id, expect: next === undefined ? null : expect, mark, ...asked },
      jobs: [id],
      keys: [recordKey('jobs', id), ...keys],
      ends,
    });
  }

  #ending(id: JobId, end: OfferEnd | undefined): EndingOffer | undefined {
    const taken = end === undefined ? undefined : this.#options.queues?.takenOffer(id);
    if (taken === undefined) return undefined;
    return end === 'over' ? { taken } : { taken, ...end };
  }

  /**
   * The taken offer of a job, which the database compares. A daemon that was silent for too long lost its turns: it claims nothing with
   * them and puts nothing in place. It still records what was paid for.
   */
  #turnOf(id: JobId): { readonly turn?: string } {
    const taken = this.#options.queues?.takenOffer(id);
    return taken === undefined ? {} : { turn: taken.offer };
  }

  /** Publishes that this process puts no more targets in place. If the database does not answer, the other daemons wait for some seconds. */
  async #free(): Promise<void> {
    const ids = [...this.#placing.keys()].map(fitText);
    this.#placing.clear();
    if (ids.length === 0) return;
    const { database, tree } = this.#options;
    await database.callOnce('tree_free', tree, this.#by, JSON.stringify(ids)).catch(() => {});
  }

  /** Resolves when no other writer holds the job. @param id as the database has it */
  async #untilFree(id: string): Promise<void> {
    const { database, tree, clock } = this.#options;
    for (;;) {
      const held = await database.rows(
        `select from @.tree_jobs where tree = $1 and id = $2 and held_by <> $3 and held_until > clock_timestamp()`,
        [tree, id, this.#by],
      );
      if (held.length === 0) return;
      await clock.sleep(HELD_LOOK_MS, this.#closed.signal);
    }
  }

  /** The last change of each job. A job that is dropped and added again counts as changed. */
  #changesOf(stored: readonly StoredFact[], taken: ReadonlySet<JobId>): readonly JobChange[] {
    const last = new Map<string, JobRecord | undefined>();
    for (const fact of stored) {
      if (fact.table !== 'jobs') continue;
      if ('put' in fact) last.set(fact.put.id, fact.put);
      else last.set(fact.remove, undefined);
    }
    return [...last].map(([id, job]) => {
      const expect = this.#mirror.markOf('jobs', id);
      if (job === undefined) return { id, expect };
      const { fence, ...record } = job;
      const takes = taken.has(job.id) ? ({ takes: true } as const) : {};
      return { id, expect, mark: this.#nextMark(), fence, record, ...takes };
    });
  }

  #claimed(claim: Claim): JobRecord {
    const job = this.get('jobs', claim.id);
    if (job?.fence !== claim.fence) throw new StaleClaim(claim);
    return job;
  }

  /** Removes a job, and its source if no other job has it, when only a claim loaded them. */
  #forget(id: JobId): void {
    if (this.#mirror.view === 'tree' || this.#writer.isWaiting(recordKey('jobs', id))) return;
    const job = this.get('jobs', id);
    this.#mirror.forgetJob(id);
    if (job === undefined) return;
    const source = sourceId(job.project, job.source);
    const isOfAnother = [...this.all('jobs')].some(
      (other) => sourceId(other.project, other.source) === source,
    );
    if (!isOfAnother) this.#mirror.learn({ ...REMOVED_ROW, tbl: 'sources', id: source });
  }

  /** The last change of each record that is not a job. */
  #recordsOf(stored: readonly StoredFact[]) {
    const last = new Map<string, StoredFact>();
    for (const fact of stored) if (fact.table !== 'jobs') last.set(keyOfFact(fact), fact);
    const puts: (RecordUpdate & { readonly mark: string; readonly record: object })[] = [];
    const removes: RecordUpdate[] = [];
    for (const fact of last.values()) {
      const { table: tbl } = fact;
      const id = 'put' in fact ? fact.put.id : fact.remove;
      const change = { tbl, id, ...this.#expected(tbl, id) };
      if ('remove' in fact) removes.push(change);
      else {
        const record = this.#secrets.closed(tbl, fact.put);
        puts.push({ ...change, mark: this.#nextMark(), record });
      }
    }
    return { op: { puts, removes }, keys: [...last.keys()] };
  }

  /** Only one process writes each charge and each request, so nothing is expected of them. */
  #expected(table: TableName, id: string): { readonly expect?: string | null } {
    if (table === 'charges' || table === 'requests') return {};
    return { expect: this.#mirror.markOf(table, id) };
  }

  #nextMark(): string {
    return `${this.#by}.${(++this.#marks).toString(36)}`;
  }
}

/** A process that only reads does not mark the tree as opened. */
async function isFirst({ database, tree, isLooking }: TreeLedgerOptions): Promise<boolean> {
  if (isLooking !== true) return await database.call<boolean>('tree_open', tree);
  return (await database.rows('select from @.trees where name = $1', [tree])).length === 0;
}

/** A change to a claimed job. */
interface ClaimedChange extends Partial<Pick<TreeChange, 'keys' | 'ends'>> {
  readonly kind: 'claim' | 'step' | 'settle';
  readonly id: JobId;
  /** The record after it; undefined: only the database has the present one. */
  readonly next: JobRecord | undefined;
  /** The rest of the operation. */
  readonly asked: object;
}

interface JobChange {
  readonly id: string;
  readonly expect: string | null;
  /** Absent: the job is dropped. */
  readonly mark?: string;
  readonly fence?: number;
  readonly record?: object;
  /** No other process can claim the job for some seconds. */
  readonly takes?: true;
}

interface RecordUpdate {
  readonly tbl: TableName;
  readonly id: string;
  /** The mark of the record that the change was decided from; null: there was no record. Absent: only this process writes the record. */
  readonly expect?: string | null;
}

const REMOVED_ROW: Omit<MirrorRow, 'tbl' | 'id'> = { mark: null, fence: null, record: null };

/** The jobs that change only in their fence. */
function takenBy(facts: readonly Fact[]): ReadonlySet<JobId> {
  return new Set(
    facts.flatMap((fact) => {
      const isTaking = 'set' in fact && String(Object.keys(fact.set)) === 'fence';
      return isTaking ? [fact.from.id] : [];
    }),
  );
}

function keyOfFact(fact: StoredFact): string {
  return recordKey(fact.table, 'put' in fact ? fact.put.id : fact.remove);
}
