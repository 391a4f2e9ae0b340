/**
 * Records which charges a folder has seen in a team's database. A database without them was restored from a backup and lacks
 * purchases.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { JobFailure } from '../../failure.ts';
import { readText } from '../../files/read-file.ts';
import { replaceFile } from '../../files/replace.ts';
import { SEEN } from '../team.ts';
import type { Database } from './database.ts';

/** Empty after a `state push`. */
export interface SeenDatabase {
  /** Id of the last process in the folder: a daemon or a command. */
  readonly runner?: string;
  /** Id of the last daemon in the folder. Absent in files of 0.1.0: then `runner`. */
  readonly daemon?: string | undefined;
  readonly generation?: string;
  /** Number of the last charge. */
  readonly charges?: number;
  /** Ids of charges that the database had. */
  readonly known?: readonly string[];
  /** Since then dragoman has worked in the folder without a database. */
  readonly alone?: true;
}

/** The present content of the database. */
export interface DatabaseState {
  readonly generation: string;
  readonly charges: number;
}

/** Milliseconds between writes. After a kill, the next process knows the state of the last write. */
const WRITE_MS = 10_000;

/** The charges that this process has seen. Each purchase asks the database whether it still has them. */
export class SeenCharges {
  readonly #options: {
    readonly folder: string;
    readonly clock: Clock;
    readonly seen: SeenDatabase;
  };
  /** Id of the last charge of this runner. */
  #own: string | undefined;
  /** Id of the last charge of all runners. */
  #newest: string | undefined;
  #daemon: string | undefined;
  #writing: Promise<void> = Promise.resolve();
  #written: number;

  constructor(options: {
    readonly folder: string;
    readonly clock: Clock;
    readonly seen: SeenDatabase;
  }) {
    this.#options = options;
    [this.#own, this.#newest] = options.seen.known ?? [];
    this.#daemon = options.seen.daemon;
    this.#written = options.clock.now();
  }

  get known(): readonly string[] {
    return [...new Set([this.#own, this.#newest])].filter((id) => id !== undefined);
  }

  /** Records that the database has taken a charge of this runner. */
  took(id: string | undefined): void {
    this.#own = id ?? this.#own;
    this.#writeSometimes();
  }

  /** Records the newest charge of all runners. */
  saw(id: string | null | undefined): void {
    if ((id ?? this.#newest) === this.#newest) return;
    this.#newest = id ?? this.#newest;
    this.#writeSometimes();
  }

  /** Records that this process is a daemon: the next daemon in the folder takes its place. */
  async enter(daemon: string): Promise<void> {
    this.#daemon = daemon;
    await this.write();
  }

  /** Durable when it resolves. */
  async write(charges = this.#options.seen.charges): Promise<void> {
    const { folder, seen } = this.#options;
    const { known } = this;
    const now = {
      ...seen,
      daemon: this.#daemon,
      ...(charges !== undefined && { charges }),
      known,
    };
    this.#writing = this.#writing.catch(() => {}).then(() => writeSeen(folder, now));
    await this.#writing;
  }

  #writeSometimes(): void {
    const now = this.#options.clock.now();
    if (now - this.#written < WRITE_MS) return;
    this.#written = now;
    // If it fails, a restored backup is noticed later.
    this.write().catch(() => {});
  }
}

/** @throws JobFailure `team-state` for a restored backup: later purchases would be made again without a message */
export async function refuseOlder(
  database: Database,
  {
    present,
    before = {},
  }: { readonly present: DatabaseState; readonly before: SeenDatabase | undefined },
): Promise<void> {
  const { generation, charges: seen = 0, known = [] } = before;
  if (generation !== present.generation) return;
  if (seen > present.charges) {
    const message = `it has ${present.charges} charges, and had ${seen}`;
    throw new JobFailure({ kind: 'team-state', problem: 'older', host: database.host, message });
  }
  await database.call('check_seen', JSON.stringify(known));
}

/** @throws JobFailure `team-state` for a folder with purchases that this database does not have: they would be made again */
export function refuseUnshared(
  { host }: Database,
  {
    folder,
    present,
    before,
  }: {
    readonly folder: string;
    readonly present: DatabaseState;
    readonly before: SeenDatabase | undefined;
  },
): void {
  const own = join(folder, 'memory');
  const { charges = 0, generation = present.generation, alone } = before ?? { alone: true };
  const message =
    alone === true && existsSync(own)
      ? `${own} holds translations of this folder alone`
      : charges > 0 && generation !== present.generation
        ? 'its tables are not those that this folder worked with, or were made again'
        : undefined;
  if (message === undefined) return;
  throw new JobFailure({ kind: 'team-state', problem: 'unshared', host, message });
}

/**
 * For a process that only reads and has a folder of its own. It then refuses a database that lacks records which the state folder has seen
 * there.
 */
export async function copySeen(from: string, to: string): Promise<void> {
  const seen = await seenIn(from);
  if (seen === undefined) return;
  // The runner lives, where a daemon works in the state folder.
  const { runner: _, ...rest } = seen;
  await writeSeen(to, rest);
}

export async function seenIn(folder: string): Promise<SeenDatabase | undefined> {
  try {
    return JSON.parse(await readText(join(folder, SEEN))) as SeenDatabase;
  } catch {
    return undefined;
  }
}

async function writeSeen(folder: string, seen: SeenDatabase): Promise<void> {
  await replaceFile({
    path: join(folder, SEEN),
    root: folder,
    tempIn: folder,
    content: Buffer.from(`${JSON.stringify(seen)}\n`),
    mode: 0o600,
  });
}
