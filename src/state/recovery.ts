/** Reads a state folder at the start: the best snapshot, the journals after it, and what is damaged. */
import { existsSync } from 'node:fs';
import { copyFile, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import { errorCode, readFailure, writeFailure } from '../files/disk.ts';
import { makeFolder, PRIVATE } from '../files/make-folder.ts';
import { removeForeignTemps } from '../files/temporary.ts';
import { replay } from './replay.ts';
import { requireKnownVersion, type Schema } from './schema.ts';
import { peekGeneration, readSnapshot, type Snapshot, stateReadFailure } from './snapshot.ts';
import { applyFact, emptyTables, type StoredFact } from './tables.ts';

export const SNAPSHOT = 'db.json';
export const PREVIOUS = 'db.prev.json';
/** Proves that this folder had a ledger, also when all other files are gone. */
export const INITIALIZED = 'initialized';
/** Exists from a loss until `forgetLoss`: so the loss is known after a crash too. */
export const LOST = 'state-lost';
/** Damaged files are kept in this folder. */
export const DAMAGED = 'damaged';

export interface Recovered {
  readonly snapshot: Snapshot;
  /** Generations of `db.json` and `db.prev.json`; undefined: not usable. */
  readonly current: number | undefined;
  readonly previous: number | undefined;
  /** The journal to continue, and the offset. */
  readonly journal: { readonly generation: number; readonly end: number; readonly facts: number };
  readonly condition: 'first-contact' | 'intact' | 'repaired' | 'facts-lost';
  /** True when an earlier start has found the loss, and `forgetLoss` was not called since. */
  readonly lossIsKnown: boolean;
  /** The damages that were found, for people. */
  readonly notes: readonly RecoveryNote[];
}

export interface RecoveryNote {
  readonly file: string;
  readonly message: string;
}

export function journalName(generation: number): string {
  return `journal.${generation}.log`;
}

/** Numbers of the journals in a folder, ascending. */
export async function journalGenerations(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch((error) => {
    throw readFailure(folder, error);
  });
  return names
    .flatMap((name) => /^journal\.(\d+)\.log$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/**
 * Reads everything that can be read. A damaged file is moved to `damaged/`, or copied there when it is still needed.
 * @throws JobFailure `damaged-state` when a file is of an unknown version or cannot be set aside; `unreadable`
 */
export async function recover(
  folder: string,
  { schema, clock }: { schema: Schema; clock: Clock },
): Promise<Recovered> {
  const names = new Set(await prepare(folder));
  const recovery = new Recovery(folder, new Date(clock.now()).toISOString().replaceAll(':', ''));
  const current = await recovery.snapshot(SNAPSHOT, schema);
  const base = current ?? (await recovery.snapshot(PREVIOUS, schema));
  const generations = await journalGenerations(folder);
  const first = !base && generations.length === 0 && !names.has(INITIALIZED) && !names.has(DAMAGED);
  if (base && !current) recovery.repaired(SNAPSHOT, 'the previous snapshot was used');
  // A journal is removed when two snapshots have its facts. So without a snapshot all journals must be there, or facts are lost.
  if (!base && !first && generations[0] !== 1) recovery.lost(SNAPSHOT, 'no snapshot is left');
  const snapshot = base ?? { version: schema.version, generation: 0, tables: emptyTables() };
  const journal = await recovery.journals(snapshot, generations);
  const lossIsKnown = names.has(LOST) && recovery.condition !== 'facts-lost';
  if (lossIsKnown) recovery.lost(LOST, 'an earlier loss has not been dealt with');
  return {
    snapshot,
    current: current?.generation,
    previous: await peekGeneration(join(folder, PREVIOUS)),
    journal,
    condition: recovery.condition ?? (first ? 'first-contact' : 'intact'),
    lossIsKnown,
    notes: recovery.notes,
  };
}

/** Makes the folder, and removes temporary files of a killed checkpoint. @returns the names in the folder */
async function prepare(folder: string): Promise<string[]> {
  try {
    await makeFolder(folder, PRIVATE);
  } catch (error) {
    throw writeFailure(folder, error);
  }
  try {
    await removeForeignTemps(folder);
    return await readdir(folder);
  } catch (error) {
    throw readFailure(folder, error);
  }
}

/** Whether a state folder has a ledger. */
export function hasLedger(folder: string): boolean {
  return existsSync(join(folder, SNAPSHOT));
}

class Recovery {
  readonly #folder: string;
  readonly #stamp: string;
  readonly notes: RecoveryNote[] = [];
  condition: 'repaired' | 'facts-lost' | undefined;

  constructor(folder: string, stamp: string) {
    this.#folder = folder;
    this.#stamp = stamp;
  }

  async snapshot(name: string, schema: Schema): Promise<Snapshot | undefined> {
    const path = join(this.#folder, name);
    const read = await readSnapshot(path);
    switch (read.kind) {
      case 'absent':
        return undefined;
      case 'damaged':
        this.repaired(name, `${read.message}; kept as ${await this.#setAside(name, rename)}`);
        return undefined;
      case 'intact':
        requireKnownVersion(schema, read.snapshot.version, path);
        return read.snapshot;
    }
  }

  async journals(base: Snapshot, generations: readonly number[]): Promise<Recovered['journal']> {
    const newer = generations.filter((generation) => generation > base.generation);
    let journal = { generation: base.generation + 1, end: 0, facts: 0 };
    let expected = base.generation + 1;
    for (const generation of newer) {
      if (generation !== expected) this.lost(journalName(expected), 'it is missing');
      journal = await this.#replay(base, generation, generation === newer.at(-1));
      expected = generation + 1;
    }
    // The next journal is made before a snapshot is put in place. So a snapshot without a later journal means that the journal was lost.
    if (newer.length === 0 && base.generation > 0)
      this.lost(journalName(expected), 'it is missing');
    return journal;
  }

  repaired(file: string, message: string): void {
    this.condition ??= 'repaired';
    this.notes.push({ file: join(this.#folder, file), message });
  }

  lost(file: string, message: string): void {
    this.repaired(file, message);
    this.condition = 'facts-lost';
  }

  async #replay(base: Snapshot, generation: number, newest: boolean) {
    const name = journalName(generation);
    const path = join(this.#folder, name);
    let facts = 0;
    const replayed = await replay(path, (json) => {
      for (const fact of JSON.parse(json) as StoredFact[]) {
        applyFact(base.tables, fact);
        facts++;
      }
    }).catch((error: unknown) => {
      throw stateReadFailure(path, error);
    });
    const [damage] = replayed.damaged;
    // Only the newest journal can end in an unfinished write. In an older one, an incomplete end is damage.
    if (damage || (replayed.torn > 0 && !newest)) {
      const kept = await this.#setAside(name, copyFile);
      this.lost(
        name,
        `bytes from ${damage?.offset ?? replayed.end} on are damaged; kept as ${kept}`,
      );
    } else if (replayed.torn > 0) {
      this.repaired(name, `${replayed.torn} bytes of an unfinished write were dropped`);
    }
    return { generation, end: replayed.end, facts };
  }

  async #setAside(
    name: string,
    transfer: (from: string, to: string) => Promise<void>,
  ): Promise<string> {
    const kept = join(DAMAGED, `${this.#stamp}-${name}`);
    try {
      await makeFolder(join(this.#folder, DAMAGED), PRIVATE);
      await transfer(join(this.#folder, name), join(this.#folder, kept));
      return kept;
    } catch (error) {
      throw new JobFailure(
        {
          kind: 'damaged-state',
          file: join(this.#folder, name),
          message: `it cannot be set aside (${errorCode(error)})`,
        },
        { cause: error },
      );
    }
  }
}
