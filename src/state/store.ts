/**
 * The adapter of lowdb for the ledger: `read` recovers the tables, `write` makes a checkpoint, and `append` writes facts to the
 * journal in between.
 */
import { copyFile, link, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Adapter } from 'lowdb';
import type { Clock } from '../clock.ts';
import { sizeOfFile, unlessAbsent, writeFailure } from '../files/disk.ts';
import { flushFolder } from '../files/flush.ts';
import { makeFolder, PRIVATE } from '../files/make-folder.ts';
import { writeIfDifferent } from '../files/replace.ts';
import { temporaryName } from '../files/temporary.ts';
import { Journal } from './journal.ts';
import {
  INITIALIZED,
  journalGenerations,
  journalName,
  LOST,
  PREVIOUS,
  type Recovered,
  recover,
  SNAPSHOT,
} from './recovery.ts';
import { migrate, type Schema } from './schema.ts';
import { packSnapshot, writeSnapshot } from './snapshot.ts';
import type { StoredFact, Tables } from './tables.ts';

const WELCOME = `This folder remembers what was translated, what was paid for it and what is under way.
Delete all of it or nothing of it: single files are missed, and then nothing is bought before somebody has looked.
`;

/** In bytes: a smaller older snapshot stays as people can read it, with its journals. */
const LITTLE = 1024 * 1024;

export class Store implements Adapter<Tables>, AsyncDisposable {
  readonly #folder: string;
  readonly #schema: Schema;
  readonly #recovered: Recovered;
  #condition: Recovered['condition'];
  readonly #journal: Journal;
  /** Generation of the journal that is being written. */
  #generation: number;
  /** Generations of the two snapshots. Journals up to the older one are no longer needed. */
  #current: number | undefined;
  #previous: number | undefined;
  #facts: number;
  #isChanged = false;
  #checkpoint: Promise<void> | undefined;

  private constructor(folder: string, { schema, recovered, journal }: OpenFiles) {
    this.#folder = folder;
    this.#schema = schema;
    this.#recovered = recovered;
    this.#condition = recovered.condition;
    this.#journal = journal;
    this.#generation = recovered.journal.generation;
    this.#facts = recovered.journal.facts;
    this.#current = recovered.current;
    this.#previous = recovered.previous;
  }

  static async open(folder: string, using: { schema: Schema; clock: Clock }): Promise<Store> {
    const recovered = await recover(folder, using);
    const { schema } = using;
    if (recovered.snapshot.version !== schema.version) {
      await backUp(folder, recovered.snapshot.version);
    }
    migrate(schema, recovered.snapshot.version, recovered.snapshot.tables);
    const { generation, end } = recovered.journal;
    const journal = await Journal.open(join(folder, journalName(generation)), end);
    const store = new Store(folder, { schema, recovered, journal });
    try {
      await store.#writeAnew(recovered);
      return store;
    } catch (error) {
      await store[Symbol.asyncDispose]();
      throw error;
    }
  }

  get condition(): Recovered['condition'] {
    return this.#condition;
  }

  get notes(): Recovered['notes'] {
    return this.#recovered.notes;
  }

  /** Number of facts that the next start would replay. */
  get facts(): number {
    return this.#facts;
  }

  /** Resolves when the facts are durable. After a crash either all of them are there or none. */
  append(facts: readonly StoredFact[]): Promise<void> {
    const durable = this.#journal.append(JSON.stringify(facts));
    this.#isChanged = true;
    this.#facts += facts.length;
    return durable;
  }

  /**
   * Called at the end. The older snapshot and the journals that it needs may take much room, after a process that wrote something. Then a
   * packed copy of the present snapshot replaces it. With 50,000 jobs, 8 MB take the place of 46 MB, in 0.2 s of processor time.
   */
  async packPrevious(): Promise<void> {
    await this.#checkpoint;
    if (!this.#isChanged) return;
    const bytesOf = (name: string) => sizeOfFile(join(this.#folder, name)) ?? 0;
    const journals = (await journalGenerations(this.#folder)).map(journalName);
    const bytes = [PREVIOUS, ...journals].reduce((sum, name) => sum + bytesOf(name), 0);
    if (bytes < Math.max(LITTLE, bytesOf(SNAPSHOT) / 2)) return;
    const temp = join(this.#folder, temporaryName());
    try {
      await packSnapshot(join(this.#folder, SNAPSHOT), temp);
      await rename(temp, join(this.#folder, PREVIOUS));
      await flushFolder(this.#folder);
      this.#previous = this.#current;
      await this.#forgetJournals();
    } finally {
      await rm(temp, { force: true });
    }
  }

  async read(): Promise<Tables> {
    return this.#recovered.snapshot.tables;
  }

  /** Writes a new snapshot. Calls at the same time share one. */
  write(tables: Tables): Promise<void> {
    this.#checkpoint ??= this.#writeSnapshot(tables).finally(() => {
      this.#checkpoint = undefined;
    });
    return this.#checkpoint;
  }

  /** Ends the condition `facts-lost`, also for the next start. */
  async forgetLoss(): Promise<void> {
    await rm(join(this.#folder, LOST), { force: true });
    await flushFolder(this.#folder);
    if (this.#condition === 'facts-lost') this.#condition = 'repaired';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#checkpoint?.catch(() => {}); // its callers get the failure
    await this.#journal[Symbol.asyncDispose]();
  }

  /** After a loss or a migration, writes a new snapshot at once: nothing is appended to damaged files. */
  async #writeAnew({ condition, lossIsKnown, notes, snapshot, current }: Recovered): Promise<void> {
    await this.#writeMark(INITIALIZED, WELCOME);
    const lost = condition === 'facts-lost' && !lossIsKnown;
    if (lost) await this.#writeMark(LOST, `${JSON.stringify(notes, null, 2)}\n`);
    const isPresent = current !== undefined && snapshot.version === this.#schema.version;
    if (lost || !isPresent) await this.write(snapshot.tables);
  }

  async #writeMark(name: string, content: string): Promise<void> {
    const path = join(this.#folder, name);
    await writeIfDifferent({ path, root: this.#folder, content, mode: 0o600 });
  }

  async #writeSnapshot(tables: Tables): Promise<void> {
    const temp = join(this.#folder, temporaryName());
    const generation = this.#generation++;
    this.#facts = 0;
    try {
      await this.#journal.rotate(join(this.#folder, journalName(this.#generation)));
      await writeSnapshot(temp, { version: this.#schema.version, generation, tables });
      // The snapshot may have facts whose lines are not flushed yet. It must not be in place before they are durable.
      await this.#journal.flushed();
      await this.#putInPlace(temp, generation);
      await this.#forgetJournals();
    } catch (error) {
      await rm(temp, { force: true });
      throw writeFailure(join(this.#folder, SNAPSHOT), error);
    }
  }

  /**
   * The present snapshot becomes the previous one, and the new one takes its place. At each moment there are two snapshots in two
   * files. If the previous snapshot were replaced first, both names would be one file for a moment, and one damage would hit both.
   */
  async #putInPlace(temp: string, generation: number): Promise<void> {
    const path = join(this.#folder, SNAPSHOT);
    const aside = join(this.#folder, temporaryName());
    const wasPresent = await unlessAbsent(link(path, aside).then(() => true));
    await rename(temp, path);
    if (wasPresent) {
      await rename(aside, join(this.#folder, PREVIOUS));
      this.#previous = this.#current;
    }
    this.#current = generation;
    await flushFolder(this.#folder);
  }

  /**
   * Removes journals that the previous snapshot has too. The newer ones stay: when the present snapshot is damaged, nothing is
   * lost.
   */
  async #forgetJournals(): Promise<void> {
    for (const generation of await journalGenerations(this.#folder)) {
      if (generation > (this.#previous ?? 0)) return;
      await rm(join(this.#folder, journalName(generation)));
    }
  }
}

interface OpenFiles {
  readonly schema: Schema;
  readonly recovered: Recovered;
  readonly journal: Journal;
}

/** Copies the files of the older version into a folder: that version can go on from there. */
async function backUp(folder: string, version: number): Promise<void> {
  const backup = join(folder, `version-${version}`);
  await makeFolder(backup, PRIVATE);
  for (const name of await readdir(folder)) {
    if (name === SNAPSHOT || name === PREVIOUS || name.startsWith('journal.')) {
      await copyFile(join(folder, name), join(backup, name));
    }
  }
}
