/**
 * A copy in memory of the tree's records in the database. It follows the commits of others without gaps. Each row names the transaction
 * that wrote it; `follow` reads the rows of transactions that were open at the call before, or began later.
 */
import type { Clock } from '../../clock.ts';
import { type JobId, type SourceId, sourceId, targetList } from '../../job.ts';
import type { JobRecord, LedgerTables, RemoteRecord, TableName, Written } from '../../ledger.ts';
import { growHeapSlowly } from '../../parsing/heap.ts';
import { applyFact, emptyTables, type StoredFact, type Tables } from '../tables.ts';
import type { Extent } from '../tree.ts';
import type { Database } from './database.ts';
import { PORTION, type Portions, recordsOf, remotesOnly } from './tree-extent.ts';
import { REMOVALS_STAND_S } from './tree-schema.ts';
import type { TreeSecrets } from './tree-secrets.ts';
import { fitText, recordFrom, textFrom } from './tree-text.ts';

/** `tree`: all records are copied; `claims`: the records of claimed jobs and all remotes. */
export type TreeView = 'tree' | 'claims';

/** A row, or the removal of one. */
export interface MirrorRow {
  readonly tbl: TableName;
  readonly id: string;
  readonly mark: string | null;
  /** The fence of a job; null for other records. */
  readonly fence: number | null;
  /** JSON; null: the record was removed. */
  readonly record: string | null;
}

export interface TreeMirrorOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Daemons with the same name here share the tree. */
  readonly tree: string;
  /** Id of this writer: its own changes are copied already. */
  readonly by: string;
  /** See the contract of `LedgerView`. */
  readonly view: TreeView;
  /** The records that the view `tree` copies; absent: everything. Only a process that never calls `follow` may copy less. */
  readonly extent?: Extent;
  readonly secrets: TreeSecrets;
  /** Called with purchases and names on the service that other daemons recorded. */
  onRemote?(record: RemoteRecord): void;
}

const BEGIN = '0';
/** From so many on, reading them lets the heap grow: 100,000 jobs took 300 MB, and take 190 MB. */
const MANY_PORTIONS = 4;

export class TreeMirror {
  readonly tables: Tables = emptyTables();
  readonly #options: TreeMirrorOptions;
  #view: TreeView;
  /** The mark of each record, which its next change names. */
  readonly #marks: Readonly<Record<TableName, Map<string, string>>> = {
    sources: new Map(),
    jobs: new Map(),
    charges: new Map(),
    requests: new Map(),
    remotes: new Map(),
  };
  /** The oldest transaction that was open at the last `follow`: all older changes are copied. */
  #horizon = BEGIN;
  #looked = 0;

  constructor(options: TreeMirrorOptions) {
    this.#options = options;
    this.#view = options.view;
  }

  /** Null: there is no such record. */
  markOf(table: TableName, id: string): string | null {
    return this.#marks[table].get(id) ?? null;
  }

  /** Applies a change of this writer before the database has it. */
  apply(fact: StoredFact, mark?: string): void {
    applyFact(this.tables, fact);
    const marks = this.#marks[fact.table];
    if ('remove' in fact) marks.delete(fact.remove);
    else if (mark !== undefined) marks.set(fact.put.id, mark);
  }

  learn({ tbl, id: stored, mark, fence, record }: MirrorRow): void {
    const id = textFrom(stored);
    if (record === null) {
      this.tables[tbl].delete(id);
      this.#marks[tbl].delete(id);
      return;
    }
    // Rows may be read twice: the record stays the same object for those who hold it.
    if (this.#marks[tbl].get(id) === mark) return;
    const read = this.#options.secrets.opened(
      tbl,
      recordFrom<LedgerTables[typeof tbl]>(fence === null ? record : withFence(record, fence)),
    );
    if (tbl === 'jobs') this.#shareTexts(read as Fresh<JobRecord>);
    // Both maps have the id of the record, and not the equal one of the row.
    (this.tables[tbl] as Map<string, typeof read>).set(read.id, read);
    // Only now: a record that cannot be read is read again by the next `follow`.
    this.#marks[tbl].set(read.id, mark ?? '');
    if (tbl === 'remotes') this.#options.onRemote?.(read as RemoteRecord);
  }

  /** A leader has hundreds of thousands of jobs: texts that are equal in a job and in its source are kept once. */
  #shareTexts(job: Fresh<JobRecord>): void {
    const { path } = this.tables.sources.get(sourceId(job.project, job.source)) ?? {};
    if (path === job.source) job.source = path;
    if (job.delivered === job.fingerprint) job.delivered = job.fingerprint;
    const targets = targetList(job.targets);
    for (const each of job.wrote as readonly Fresh<Written>[]) {
      each.path = targets.find((target) => target === each.path) ?? each.path;
    }
  }

  forgetJob(id: string): void {
    this.tables.jobs.delete(id as JobRecord['id']);
    this.#marks.jobs.delete(id);
  }

  get view(): TreeView {
    return this.#view;
  }

  /** Copies all records from now on. */
  async widen(isOurs: (table: TableName, id: string) => boolean): Promise<void> {
    this.#view = 'tree';
    await this.load(isOurs);
  }

  /**
   * Reads all records of the view, in portions. The first `follow` reads those that change meanwhile again.
   * @param isOurs see `follow`
   */
  async load(isOurs: (table: TableName, id: string) => boolean = () => false): Promise<void> {
    const { database, tree, clock } = this.#options;
    this.#looked = clock.now();
    const [now] = await database.rows<{ horizon: string }>(
      'select pg_snapshot_xmin(pg_current_snapshot())::text as horizon',
    );
    const known = this.#keys();
    let portions = 0;
    for (const wanted of this.#wanted()) {
      for await (const rows of portionsOf(database, tree, wanted)) {
        // A portion is read in some milliseconds, and leaves about as much garbage as records.
        if (++portions === MANY_PORTIONS) growHeapSlowly();
        for (const row of rows) {
          const id = textFrom(row.id);
          if (!isOurs(row.tbl, id)) this.learn(row);
          if (known.size > 0) known.delete(recordKey(row.tbl, id));
        }
      }
    }
    for (const { tbl, id } of known.values()) {
      if (!isOurs(tbl, id)) this.learn({ tbl, id, ...REMOVED_RECORD });
    }
    this.#horizon = now?.horizon ?? BEGIN;
  }

  /**
   * Takes the changes of others since the last call.
   * @param isOurs whether a change of this writer to the record waits to be sent: the answer to it brings the record
   * @returns the jobs among the changes, without removed ones
   */
  async follow(isOurs: (table: TableName, id: string) => boolean): Promise<readonly JobId[]> {
    const { database, tree, by, clock } = this.#options;
    const now = clock.now();
    if (now - this.#looked > (REMOVALS_STAND_S * 1000) / 2) {
      await this.load(isOurs);
      return [];
    }
    const claimed = this.#view === 'claims' ? [...this.tables.jobs.keys()] : null;
    // One statement has one snapshot: a row and a removal of the same transaction are seen together.
    const rows = await database.rows<MirrorRow & { horizon: string | null }>(NEWS, [
      tree,
      by,
      this.#horizon,
      claimed,
    ]);
    const jobs: JobId[] = [];
    let horizon = this.#horizon;
    for (const row of rows) {
      if (row.horizon !== null) {
        horizon = row.horizon;
        continue;
      }
      const id = textFrom(row.id);
      if (isOurs(row.tbl, id) || this.#isForgotten(row.tbl, id)) continue;
      const isKnown = this.#marks[row.tbl].get(id) === row.mark;
      this.learn(row);
      if (row.tbl === 'jobs' && row.record !== null && !isKnown) jobs.push(id as JobId);
    }
    // Only now: when a row cannot be read, the next call reads all of them again.
    this.#horizon = horizon;
    this.#looked = now;
    return jobs;
  }

  /** Takes the present record of one source, which the view `claims` does not follow. @param isOurs see `follow` */
  async refreshSource(
    id: SourceId,
    isOurs: (table: TableName, id: string) => boolean,
  ): Promise<void> {
    const { database, tree } = this.#options;
    const [row] = await database.rows<MirrorRow>(
      `select tbl, id, mark, null::int as fence, record::text as record from @.tree_records
        where tree = $1 and tbl = 'sources' and id = $2`,
      [tree, fitText(id)],
    );
    if (isOurs('sources', id)) return;
    this.learn(row ?? { tbl: 'sources', id: fitText(id), ...REMOVED_RECORD });
  }

  /** Whether the job was settled, and therefore forgotten, while its row was read. */
  #isForgotten(table: TableName, id: string): boolean {
    return this.#view === 'claims' && table === 'jobs' && !this.#marks.jobs.has(id);
  }

  #wanted(): Iterable<Portions> {
    if (this.#view === 'claims') return remotesOnly();
    return recordsOf(this.#options.extent ?? { of: 'everything' }, this.tables);
  }

  #keys(): Map<string, Pick<MirrorRow, 'tbl' | 'id'>> {
    const keys = new Map<string, Pick<MirrorRow, 'tbl' | 'id'>>();
    for (const tbl of Object.keys(this.tables) as TableName[]) {
      for (const id of this.tables[tbl].keys()) keys.set(recordKey(tbl, id), { tbl, id });
    }
    return keys;
  }
}

/** The database makes the next portion while the caller reads this one. */
async function* portionsOf(
  database: Pick<Database, 'rows'>,
  tree: string,
  { sql, values, look }: Portions,
): AsyncGenerator<readonly MirrorRow[]> {
  const ask = (after: string) =>
    database.rows<MirrorRow & { readonly seq: string }>(sql, [tree, after, ...values]);
  let rows = await ask('0');
  for (;;) {
    const isOver = look?.(rows) === true || rows.length < PORTION;
    const next = isOver ? undefined : ask(rows.at(-1)?.seq ?? '0');
    // It is awaited below, unless the caller fails first.
    next?.catch(() => {});
    if (look === undefined) yield rows;
    if (next === undefined) return;
    rows = await next;
  }
}

/** A record that was just parsed, and that nobody else has yet. */
type Fresh<T> = { -readonly [K in keyof T]: T[K] };

/** The record of a job with its fence, which the database keeps beside it: parsed together, they are one object. */
function withFence(record: string, fence: number): string {
  return `{"fence":${fence},${record.slice(1)}`;
}

export function recordKey(table: TableName, id: string): string {
  return `${table} ${id}`;
}

const REMOVED_RECORD = { mark: null, fence: null, record: null } as const;

/** Changes of other writers. A record that was removed and added again is a row and not a removal. */
const NEWS = `select 0 as part, 0::bigint as seq, null as tbl, null as id, null as mark, null::int as fence, null as record,
  pg_snapshot_xmin(pg_current_snapshot())::text as horizon
union all
select 1, 0, tbl, id, null, null, null, null from @.tree_removals r
  where tree = $1 and by <> $2 and rev >= $3::xid8 and ($4::text[] is null or tbl = 'remotes' or tbl = 'jobs' and id = any($4))
    and not exists (select from @.tree_jobs j where r.tbl = 'jobs' and j.tree = r.tree and j.id = r.id)
    and not exists (select from @.tree_records o where o.tree = r.tree and o.tbl = r.tbl and o.id = r.id)
union all
select 2, seq, tbl, id, mark, null, record::text, null from @.tree_records
  where tree = $1 and by <> $2 and rev >= $3::xid8 and ($4::text[] is null or tbl = 'remotes')
union all
select 3, seq, 'jobs', id, mark, fence::int, record::text, null from @.tree_jobs
  where tree = $1 and by <> $2 and rev >= $3::xid8 and ($4::text[] is null or id = any($4))
order by part, seq`;
