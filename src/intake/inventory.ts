/** What the ledger knows about the files of one project: by path, and by content for moves, copies and files that dragoman wrote. */
import type { Hash, JobId } from '../job.ts';
import type { JobRecord, LedgerView, SourceRecord, Written } from '../ledger.ts';

/** A target as a job left it. */
export interface OwnWrite {
  readonly job: JobRecord;
  readonly written: Written;
}

export class Inventory {
  readonly #sources = new Map<string, SourceRecord>();
  readonly #jobs = new Map<JobId, JobRecord>();
  readonly #written = new Map<string, readonly OwnWrite[]>();
  // Built after some questions: a start with nothing to do asks none, and one edited file asks two for each.
  #sourcesByHash: Map<Hash, Set<string>> | undefined;
  #writtenByHash: Map<Hash, Set<string>> | undefined;
  /** Questions that were answered without an index. */
  #scans = 0;

  putSource(record: SourceRecord): void {
    this.removeSource(record.path);
    this.#sources.set(record.path, record);
    if (this.#sourcesByHash) addTo(this.#sourcesByHash, record.hash, record.path);
  }

  removeSource(path: string): void {
    const before = this.#sources.get(path);
    if (!before) return;
    this.#sources.delete(path);
    this.#sourcesByHash?.get(before.hash)?.delete(path);
  }

  putJob(record: JobRecord): void {
    this.removeJob(record.id);
    this.#jobs.set(record.id, record);
    for (const written of record.wrote) {
      const write = { job: record, written };
      this.#written.set(written.path, [...this.writes(written.path), write]);
      if (this.#writtenByHash) addTo(this.#writtenByHash, written.hash, written.path);
    }
  }

  removeJob(id: JobId): void {
    const before = this.#jobs.get(id);
    if (!before) return;
    this.#jobs.delete(id);
    for (const { path, hash } of before.wrote) {
      const others = this.writes(path).filter(({ job }) => job.id !== id);
      if (others.length > 0) this.#written.set(path, others);
      else this.#written.delete(path);
      const isStillThere = others.some(({ written }) => written.hash === hash);
      if (!isStillThere) this.#writtenByHash?.get(hash)?.delete(path);
    }
  }

  get sourceCount(): number {
    return this.#sources.size;
  }

  source(path: string): SourceRecord | undefined {
    return this.#sources.get(path);
  }

  sources(): IterableIterator<SourceRecord> {
    return this.#sources.values();
  }

  /** Paths of the sources with this content. */
  sourcesWith(hash: Hash): ReadonlySet<string> {
    if (this.#sourcesByHash === undefined && this.#mayScan())
      return pathsWith(hash, this.#sources.values());
    this.#sourcesByHash ??= indexed(this.#sources.values());
    return this.#sourcesByHash.get(hash) ?? NONE;
  }

  /** The targets that jobs left at a path: several where one file has all languages. */
  writes(path: string): readonly OwnWrite[] {
    return this.#written.get(path) ?? NO_WRITES;
  }

  /** Paths of all targets that jobs left. */
  written(): IterableIterator<string> {
    return this.#written.keys();
  }

  /** Paths of the targets that a job left with this content. */
  targetsWith(hash: Hash): ReadonlySet<string> {
    if (this.#writtenByHash === undefined && this.#mayScan())
      return pathsWith(hash, this.#allWritten());
    this.#writtenByHash ??= indexed(this.#allWritten());
    return this.#writtenByHash.get(hash) ?? NONE;
  }

  #mayScan(): boolean {
    this.#scans += 1;
    return this.#scans <= SCANS;
  }

  *#allWritten(): Generator<Written> {
    for (const writes of this.#written.values()) for (const { written } of writes) yield written;
  }
}

/** One inventory for each project of the ledger, in one walk over it. */
export function inventoriesOf(ledger: LedgerView): Map<string, Inventory> {
  const inventories = new Map<string, Inventory>();
  for (const source of ledger.all('sources')) of(inventories, source.project).putSource(source);
  for (const job of ledger.all('jobs')) of(inventories, job.project).putJob(job);
  return inventories;
}

function of(inventories: Map<string, Inventory>, project: string): Inventory {
  const found = inventories.get(project);
  if (found) return found;
  const made = new Inventory();
  inventories.set(project, made);
  return made;
}

function indexed(files: Iterable<{ readonly hash: Hash; readonly path: string }>) {
  const index = new Map<Hash, Set<string>>();
  for (const { hash, path } of files) addTo(index, hash, path);
  return index;
}

function addTo(index: Map<Hash, Set<string>>, hash: Hash, path: string): void {
  const paths = index.get(hash);
  if (paths) paths.add(path);
  else index.set(hash, new Set([path]));
}

/** The paths with this content, without an index. */
function pathsWith(
  hash: Hash,
  files: Iterable<{ readonly hash: Hash; readonly path: string }>,
): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const file of files) if (file.hash === hash) paths.add(file.path);
  return paths;
}

/** An index takes about as long as 30 scans, and a scan of 50,000 files 2 ms. */
const SCANS = 8;
const NONE: ReadonlySet<string> = new Set();
const NO_WRITES: readonly OwnWrite[] = [];
