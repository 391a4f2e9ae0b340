/** Daily copies of the ledger, for damage that recovery cannot repair: somebody deleted or replaced its files. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Clock, DAY_MS } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import { errorCode, namesIn, readFailure, unlessAbsent, writeFailure } from '../files/disk.ts';
import { flushFolder } from '../files/flush.ts';
import { makeFolder, PRIVATE } from '../files/make-folder.ts';
import { openRegular } from '../files/regular-file.ts';
import { temporaryName } from '../files/temporary.ts';
import { journalGenerations, journalName, PREVIOUS, SNAPSHOT } from './recovery.ts';
import { packSnapshot, readSnapshot } from './snapshot.ts';

const BACKUP_FILE = /^(\d{4}-\d\d-\d\d)\.json\.gz$/;

export class Backups {
  /** The state folder. */
  readonly #state: string;
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(state: string, clock: Clock) {
    this.#state = state;
    this.#folder = join(state, 'backup');
    this.#clock = clock;
  }

  /** The days (UTC) with a copy, oldest first. */
  async days(): Promise<string[]> {
    const names = await namesIn(this.#folder);
    return names.flatMap((name) => BACKUP_FILE.exec(name)?.[1] ?? []).sort();
  }

  /**
   * Copies the snapshot once a day, and removes copies older than `keepMs`.
   * @param checkpoint writes a complete snapshot; called only when a copy is made
   * @returns whether a copy was made
   */
  async keep(checkpoint: () => Promise<void>, keepMs: number): Promise<boolean> {
    const now = this.#clock.now();
    const today = dayOf(now);
    const days = await this.days();
    for (const day of days) {
      if (Date.parse(day) + DAY_MS + keepMs <= now) await rm(this.#pathOf(day), { force: true });
    }
    if (days.includes(today)) return false;
    await checkpoint();
    await this.#copy(this.#pathOf(today));
    return true;
  }

  /**
   * Replaces the ledger by a copy, and keeps its present files in `damaged/`. The next start then finds that facts are lost, and holds
   * jobs that may have been paid since the backup. The caller must have the lock.
   * @throws JobFailure `damaged-state` when the copy is not complete; `unreadable`, `unwritable`, `disk-full`
   */
  async restore(day: string): Promise<void> {
    const temp = join(this.#state, temporaryName());
    const path = this.#pathOf(day);
    try {
      await unpack(path, temp);
      const read = await readSnapshot(temp);
      if (read.kind !== 'intact') {
        const message = read.kind === 'damaged' ? read.message : 'it is gone';
        throw new JobFailure({ kind: 'damaged-state', file: path, message });
      }
      await this.#setAside();
      await rename(temp, join(this.#state, SNAPSHOT));
      await flushFolder(this.#state);
    } catch (error) {
      await rm(temp, { force: true });
      throw writeFailure(join(this.#state, SNAPSHOT), error);
    }
  }

  async #copy(to: string): Promise<void> {
    const temp = join(this.#folder, temporaryName());
    try {
      await makeFolder(this.#folder, PRIVATE);
      await packSnapshot(join(this.#state, SNAPSHOT), temp);
      await rename(temp, to);
      await flushFolder(this.#folder);
    } catch (error) {
      await rm(temp, { force: true });
      throw writeFailure(to, error);
    }
  }

  async #setAside(): Promise<void> {
    const aside = join(this.#state, 'damaged');
    const stamp = new Date(this.#clock.now()).toISOString().replaceAll(':', '');
    await makeFolder(aside, PRIVATE);
    const journals = (await journalGenerations(this.#state)).map(journalName);
    for (const name of [...journals, PREVIOUS, SNAPSHOT]) {
      await unlessAbsent(rename(join(this.#state, name), join(aside, `${stamp}-${name}`)));
    }
  }

  #pathOf(day: string): string {
    return join(this.#folder, `${day}.json.gz`);
  }
}

async function unpack(copy: string, to: string): Promise<void> {
  await using packed = await openRegular(copy).catch((error: unknown) => {
    throw readFailure(copy, error);
  });
  await pipeline(
    packed.createReadStream(),
    createGunzip(),
    createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }),
  ).catch((error: unknown) => {
    // Only errors of zlib are a damage of the copy; a full disk is not.
    if (!errorCode(error).startsWith('Z_')) throw error;
    throw new JobFailure({ kind: 'damaged-state', file: copy, message: String(error) });
  });
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
