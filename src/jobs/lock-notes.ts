/** Notes of the jobs whose lines the lock may lack. They outlive the process: whoever writes the lock next reads them. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { atOnce } from '../files/at-once.ts';
import { removeAtOnce, unlessAbsent, writeFailure } from '../files/disk.ts';
import { makeFolder, PRIVATE } from '../files/make-folder.ts';
import { readText } from '../files/read-file.ts';
import type { JobId } from '../job.ts';
import { commitDecision, type Fact, type JobRecord, type Ledger } from '../ledger.ts';
import type { Tree } from '../state/tree.ts';

/** File with the jobs whose targets were written and whose lines may not be: the next start reads it after a kill. */
const PENDING = 'lock-pending';

/** Among the notes, for what belongs to no job: lines of removed sources, files of removed languages, versions of glossaries. */
export const REST = '' as JobId;

/** The most jobs of one commit. */
const TOGETHER = 500;

export interface LockNotes {
  /** False: another daemon writes the lock. */
  readonly isOurs: boolean;
  /** The jobs that earlier processes noted, and that this one is to write. None where the lock is not ours. */
  left(): Promise<readonly JobId[]>;
  /** Durable when it resolves. */
  note(ids: Iterable<JobId>): Promise<void>;
  /** Jobs with a note, whichever process made it. In a folder, this one knows all of them. */
  others(): readonly JobRecord[];
  /**
   * Called after the lock was written.
   * @param written the jobs as they were before their lines were made
   * @param all whether nothing is left to write
   */
  forget(written: readonly JobRecord[], all: 'all' | 'all but the rest' | 'some'): Promise<void>;
}

/** In the state folder. */
export class FolderNotes implements LockNotes {
  readonly isOurs = true;
  readonly #state: string;
  /** The jobs in the file `PENDING`; undefined: there is no file. */
  #noted: Set<JobId> | undefined;

  constructor(state: string) {
    this.#state = state;
  }

  async left(): Promise<readonly JobId[]> {
    const text = await unlessAbsent(readText(this.#path));
    if (text === undefined) return [];
    const ids = text
      .split('\n')
      .flatMap((line) => (/^"(?:[^"\\]|\\.)*"$/.test(line) ? [JSON.parse(line) as JobId] : []));
    this.#noted = new Set(ids);
    return ids;
  }

  async note(ids: Iterable<JobId>): Promise<void> {
    const news = [...ids].filter((id) => this.#noted?.has(id) !== true);
    if (news.length === 0) return;
    const lines = news.map((id) => `${JSON.stringify(id)}\n`).join('');
    try {
      if (this.#noted === undefined) await makeFolder(this.#state, PRIVATE);
      await atOnce(() => appendFileSync(this.#path, lines, { mode: 0o600 }));
      this.#noted ??= new Set();
      for (const id of news) this.#noted.add(id);
    } catch (error) {
      throw writeFailure(this.#path, error);
    }
  }

  others(): readonly JobRecord[] {
    return [];
  }

  /** In one step: what is noted from now on stays. */
  async forget(_written: readonly JobRecord[], all: 'all' | 'all but the rest' | 'some') {
    if (this.#noted === undefined || all === 'some') return;
    if (all === 'all but the rest' && this.#noted.has(REST)) return;
    removeAtOnce(this.#path);
    this.#noted = undefined;
  }

  get #path(): string {
    return join(this.#state, PENDING);
  }
}

/**
 * In the records of a shared tree, see `JobRecord.lockLacks`: whoever leads next finds them, on any machine. The ledger itself makes a note
 * with each delivery.
 */
export class TreeNotes implements LockNotes {
  readonly #ledger: Ledger;
  readonly #tree: Pick<Tree, 'task'>;
  /** An earlier version noted jobs in the folder of the leader. */
  readonly #folder: FolderNotes;

  constructor(ledger: Ledger, tree: Pick<Tree, 'task'>, state: string) {
    this.#ledger = ledger;
    this.#tree = tree;
    this.#folder = new FolderNotes(state);
  }

  get isOurs(): boolean {
    return this.#tree.task !== 'works';
  }

  async left(): Promise<readonly JobId[]> {
    if (!this.isOurs) return [];
    const former = this.#tree.task === 'leads' ? await this.#folder.left() : [];
    return [...former, ...this.others().map(({ id }) => id)];
  }

  async note(): Promise<void> {}

  others(): readonly JobRecord[] {
    return [...this.#ledger.all('jobs')].filter(
      ({ lockLacks, state }) => lockLacks && state.kind !== 'running',
    );
  }

  async forget(written: readonly JobRecord[], all: 'all' | 'all but the rest' | 'some') {
    const noted = written.filter(({ lockLacks }) => lockLacks);
    for (let from = 0; from < noted.length; from += TOGETHER) {
      const some = noted.slice(from, from + TOGETHER);
      await commitDecision(this.#ledger, () => some.flatMap((job) => this.#written(job)));
    }
    await this.#folder.forget(written, all);
  }

  /** A job that has been settled since has a note again. */
  #written(job: JobRecord): Fact[] {
    const from = this.#ledger.get('jobs', job.id);
    const isStill =
      from === job || (from?.state.kind === 'queued' && isDeepStrictEqual(from.wrote, job.wrote));
    return from !== undefined && isStill
      ? [{ table: 'jobs', from, set: { lockLacks: undefined } }]
      : [];
  }
}
