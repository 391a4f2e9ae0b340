/**
 * The ledger of a folder tree that daemons share, in the database of a team. Readers see a mirror in memory; claims, steps,
 * settlements and what a change expects of a job are decided by the database. A change is visible here at once, and taken back
 * where the database refuses it.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { type JobId, type Step, sourceId } from '../../job.ts';
import {
  type Claim,
  type Condition,
  type Fact,
  type JobRecord,
  type Ledger,
  type LedgerTables,
  type RemoteRecord,
  type Settlement,
  StaleClaim,
  StaleRecord,
  type TableName,
  type TurnEnd,
} from '../../ledger.ts';
import { claimed, isOver, isStillMeant, placedBy, settled, stepped } from '../job-changes.ts';
import { type StoredFact, storedFacts } from '../tables.ts';
import type { TreeQueues } from './boss.ts';
import type { Database } from './database.ts';
import { isWithin, type Moment, momentOf } from './moment.ts';
import type { Seal } from './seal.ts';
import type { TreeAccord } from './tree-accord.ts';
import { keyOf, type MirrorRow, TreeMirror, type TreeView } from './tree-mirror.ts';
import { TreeSecrets } from './tree-secrets.ts';
import { fitText, textFrom } from './tree-text.ts';
import { type EndingTurn, type TreeAnswer, type TreeChange, TreeWriter } from './tree-writer.ts';

export interface TreeLedgerOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Daemons that name the same tree share it. */
  readonly tree: string;
  /** See the contract of `LedgerView`. */
  readonly view: TreeView;
  readonly seal: Seal;
  /** The runner that leads the tree: when it does not any more, its changes are refused. Absent: only claims are asked for. */
  readonly leader?: string;
  /** Names the config that claims are made by; undefined: the tree has another one, and nothing is claimed. Absent: nobody asks. */
  readonly accord?: Pick<TreeAccord, 'name' | 'look'>;
  /** The queues of the tree, in the same database: an offer ends with the settlement of its job. Absent: others end it. */
  readonly queues?: Pick<TreeQueues, 'turnOf' | 'endIn'>;
  /** What is written is known here alone, and nothing of it reaches the database. */
  readonly isLooking?: boolean;
  /** Jobs that others have changed. */
  onOthers?(jobs: readonly JobId[]): void;
  /** Purchases, and names on the service, that others wrote down. */
  onRemote?(record: RemoteRecord): void;
  /** Why what others do is not seen here; undefined: it is. */
  onLook?(error: unknown): void;
}

/**
 * Milliseconds after the sending of a step `publishing` for which a target may be put in place: others keep away from the job for
 * longer (`HELD_S`), so that a clock that goes wrong by a third does no harm.
 */
const PLACES_MS = 4000;
/** Milliseconds between looks whether a job is another writer's alone. */
const HELD_LOOK_MS = 50;
/** Milliseconds between looks at what others did; they say so as well, and that may be lost. */
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
  /** When the step `publishing` of each claim was last sent. */
  readonly #placing = new Map<JobId, Moment>();
  /** The next look, as long as it has not begun. */
  #looking: Promise<void> | undefined;
  readonly #onNews = (tree: string, by: string) => {
    if (tree === this.#options.tree && by !== this.#by) void this.look();
  };

  /** A change of it waits for being sent: it is decided by the answer to that. */
  readonly #isOurs = (table: TableName, id: string) => this.#writer.isWaiting(keyOf(table, id));

  static async open(options: TreeLedgerOptions): Promise<TreeLedger> {
    const isNew = await isFirst(options);
    const ledger = new TreeLedger(options, isNew ? 'first-contact' : 'intact');
    await ledger.#mirror.load();
    ledger.#follow();
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

  async commit(facts: readonly Fact[]): Promise<void> {
    if (facts.length === 0) return;
    const stored = storedFacts(facts, this.#mirror.tables);
    const records = this.#recordsOf(stored);
    const jobs = this.#changesOf(stored, takenBy(facts));
    const keys = [...jobs.map(({ id }) => keyOf('jobs', id)), ...records.keys];
    const marks = new Map([
      ...jobs.map(({ id, mark }) => [keyOf('jobs', id), mark] as const),
      ...records.op.puts.map(({ tbl, id, mark }) => [keyOf(tbl, id), mark] as const),
    ]);
    for (const fact of stored) this.#mirror.apply(fact, marks.get(keyOfFact(fact)));
    const { stale, tbl, held } = await this.#writer.write({
      op: { kind: 'commit', jobs, waits: true, ...records.op },
      jobs: jobs.map(({ id }) => id),
      keys,
    });
    if (stale === undefined) return;
    // Whoever decided it decides anew: the record is what became of it meanwhile.
    if (held === true) await this.#untilFree(stale);
    throw new StaleRecord(tbl ?? 'jobs', textFrom(stale));
  }

  async claim(id: JobId): Promise<Claim | undefined> {
    const { accord } = this.#options;
    for (;;) {
      const config = accord?.name;
      if (accord !== undefined && config === undefined) return undefined;
      const job = this.get('jobs', id);
      const known = job === undefined || isOver(job) ? undefined : claimed(job);
      const asked = { waits: true, ...(config === undefined ? {} : { config }) };
      const answer = await this.#change('claim', id, known, asked);
      const { fence, stale } = answer;
      if (stale === undefined && fence !== undefined) return { id, fence };
      this.#forget(id);
      if (answer.config === true) await accord?.look();
      else if (answer.held === true) await this.#untilFree(fitText(id));
      else return undefined;
    }
  }

  async step(claim: Claim, step: Step): Promise<void> {
    const job = this.#claimed(claim);
    const next = stepped(job, step);
    if (next === undefined) throw new StaleClaim(claim);
    const placed = placedBy(job, step);
    const { fence } = claim;
    const sent = momentOf(this.#options.clock);
    const answer = await this.#change('step', claim.id, next, { fence, step, placed });
    if (answer.stale !== undefined) throw new StaleClaim(claim);
    if (step.kind === 'publishing') this.#placing.set(claim.id, sent);
  }

  mayPlace({ id, fence }: Claim): boolean {
    const sent = this.#placing.get(id);
    const job = this.get('jobs', id);
    if (sent === undefined || job?.fence !== fence || job.state.kind !== 'running') return false;
    return isWithin(PLACES_MS, sent, momentOf(this.#options.clock));
  }

  async settle(claim: Claim, settlement: Settlement, turn?: TurnEnd): Promise<void> {
    const next = settled(this.#claimed(claim), settlement);
    const { facts = [], ...news } = settlement;
    const records = this.#recordsOf(facts);
    const keepsRelease = isStillMeant(settlement.state);
    const asked = { fence: claim.fence, news, keepsRelease, ...records.op };
    for (const fact of facts) this.#mirror.apply(fact);
    const more = { keys: records.keys, ends: this.#ending(claim.id, turn) };
    const answer = await this.#change('settle', claim.id, next, asked, more);
    this.#placing.delete(claim.id);
    if (answer.stale !== undefined) throw new StaleClaim(claim);
    this.#forget(claim.id);
  }

  /** This runner leads the tree from now on, and all of it is here when it resolves. */
  async lead(leader: string): Promise<void> {
    let failed: { readonly error: unknown } | undefined;
    await this.#writer.between(async () => {
      this.#writer.lead(leader);
      await this.#mirror.widen(this.#isOurs).catch((error: unknown) => {
        failed = { error };
      });
    });
    if (failed !== undefined) throw failed.error;
  }

  /** Everything is in the database. */
  async checkpoint(): Promise<void> {
    await this.#writer.idle();
  }

  /** A database loses nothing by itself; one that was restored is refused when it is opened. */
  async forgetLoss(): Promise<void> {}

  /** Takes what others have done until now. */
  async look(): Promise<void> {
    this.#looking ??= this.#writer.between(async () => {
      this.#looking = undefined;
      const jobs = await this.#followed();
      if (jobs.length > 0) this.#options.onOthers?.(jobs);
    });
    await this.#looking;
  }

  /** What fails is told, and tried again with the next look. */
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
        await this.look();
      }
    };
    // It ends when this is closed.
    keep().catch(() => {});
  }

  /** One job of a claim. */
  async #change(
    kind: 'claim' | 'step' | 'settle',
    id: JobId,
    next: JobRecord | undefined,
    asked: object,
    { keys = [], ends }: Partial<Pick<TreeChange, 'keys' | 'ends'>> = {},
  ): Promise<TreeAnswer> {
    const expect = this.#mirror.markOf('jobs', id);
    const mark = this.#nextMark();
    if (next !== undefined) this.#mirror.apply({ table: 'jobs', put: next }, mark);
    return await this.#writer.write({
      op: { kind, id, expect: next === undefined ? null : expect, mark, ...asked },
      jobs: [id],
      keys: [keyOf('jobs', id), ...keys],
      ends,
    });
  }

  #ending(id: JobId, end: TurnEnd | undefined): EndingTurn | undefined {
    const turn = end === undefined ? undefined : this.#options.queues?.turnOf(id);
    if (turn === undefined) return undefined;
    return end === 'over' ? { turn } : { turn, ...end };
  }

  /** Nothing is put in place any more. Where the database is away, others wait for some seconds. */
  async #free(): Promise<void> {
    const ids = [...this.#placing.keys()].map(fitText);
    this.#placing.clear();
    if (ids.length === 0) return;
    const { database, tree } = this.#options;
    await database.attempt('tree_free', tree, this.#by, JSON.stringify(ids)).catch(() => {});
  }

  /** Resolves when no other writer has the job to itself. @param id as the database has it */
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

  /** What becomes of each job: one that is dropped and added anew has changed. */
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

  /** What only claims brought goes with them. */
  #forget(id: JobId): void {
    if (this.#mirror.view === 'tree' || this.#writer.isWaiting(keyOf('jobs', id))) return;
    const job = this.get('jobs', id);
    this.#mirror.forgetJob(id);
    if (job === undefined) return;
    const source = sourceId(job.project, job.source);
    const isOfAnother = [...this.all('jobs')].some(
      (other) => sourceId(other.project, other.source) === source,
    );
    if (!isOfAnother) this.#mirror.learn({ ...GONE, tbl: 'sources', id: source });
  }

  /** The last word on each record that is no job. */
  #recordsOf(stored: readonly StoredFact[]) {
    const last = new Map<string, StoredFact>();
    for (const fact of stored) if (fact.table !== 'jobs') last.set(keyOfFact(fact), fact);
    const puts: (RecordChange & { readonly mark: string; readonly record: object })[] = [];
    const removes: RecordChange[] = [];
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

  /** Charges and requests have one writer each. */
  #expected(table: TableName, id: string): { readonly expect?: string | null } {
    if (table === 'charges' || table === 'requests') return {};
    return { expect: this.#mirror.markOf(table, id) };
  }

  #nextMark(): string {
    return `${this.#by}.${(++this.#marks).toString(36)}`;
  }
}

/** Who only looks leaves a tree that nobody has worked on as new as it is. */
async function isFirst({ database, tree, isLooking }: TreeLedgerOptions): Promise<boolean> {
  if (isLooking !== true) return await database.call<boolean>('tree_open', tree);
  return (await database.rows('select from @.trees where name = $1', [tree])).length === 0;
}

interface JobChange {
  readonly id: string;
  readonly expect: string | null;
  /** Absent: it is dropped. */
  readonly mark?: string;
  readonly fence?: number;
  readonly record?: object;
  /** Nobody else claims it for a while. */
  readonly takes?: true;
}

interface RecordChange {
  readonly tbl: TableName;
  readonly id: string;
  /** The mark of the record that it was decided from; null: there was none. Absent: nobody else writes it. */
  readonly expect?: string | null;
}

const GONE: Omit<MirrorRow, 'tbl' | 'id'> = { mark: null, fence: null, record: null };

/** Jobs of which only the fence is changed. */
function takenBy(facts: readonly Fact[]): ReadonlySet<JobId> {
  return new Set(
    facts.flatMap((fact) => {
      const isTaking = 'set' in fact && String(Object.keys(fact.set)) === 'fence';
      return isTaking ? [fact.from.id] : [];
    }),
  );
}

function keyOfFact(fact: StoredFact): string {
  return keyOf(fact.table, 'put' in fact ? fact.put.id : fact.remove);
}
