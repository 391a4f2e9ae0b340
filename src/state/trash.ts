/** The trash: files that dragoman removes go to `<state>/trash/<day>/<project>/<path>` and can be restored. */
import { constants, renameSync } from 'node:fs';
import { copyFile, lstat, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, DAY_MS } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import { errorCode, isAbsent, namesIn, statOf, unlessAbsent, writeFailure } from '../files/disk.ts';
import { makeFolder, PRIVATE } from '../files/make-folder.ts';
import { moveFile, removeUnchanged } from '../files/move.ts';
import { changeFile, type Right } from '../files/right.ts';
import { temporaryName } from '../files/temporary.ts';

/** A file of a project, as the trash names it. */
export interface TrashedFile {
  readonly project: string;
  /** Relative to the project's root. */
  readonly path: string;
}

export interface TrashEntry extends TrashedFile {
  /** `2026-10-19`; with `.2` and so on for a path that was removed twice on one day. */
  readonly day: string;
  /** Absolute path inside the trash. */
  readonly stored: string;
}

export class Trash {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #right: Right;

  /**
   * @param folder `<state>/trash`, made for the first file
   * @param right the right to move files of the projects
   */
  constructor(folder: string, clock: Clock, right: Right) {
    this.#folder = folder;
    this.#clock = clock;
    this.#right = right;
  }

  /**
   * Moves a file into the trash.
   * @param root absolute root of the project
   * @returns its path in the trash; undefined when there was no file
   */
  async take(file: TrashedFile, root: string): Promise<string | undefined> {
    return await this.#store(file, root, (from, to) => this.#move(from, to));
  }

  /** Like `take`, but copies the file, because it is about to be replaced. */
  async keepCopy(file: TrashedFile, root: string): Promise<string | undefined> {
    return await this.#store(file, root, (from, to) =>
      copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE),
    );
  }

  /** Everything in the trash, oldest day first. */
  async list(): Promise<TrashEntry[]> {
    const entries: TrashEntry[] = [];
    for (const day of await this.#days()) {
      for (const project of await namesIn(join(this.#folder, day))) {
        const folder = join(this.#folder, day, project);
        for (const path of await filesBelow(folder)) {
          entries.push({ day, project, path, stored: join(folder, path) });
        }
      }
    }
    return entries;
  }

  /**
   * Restores the newest copy of a file.
   * @returns false when the trash has none
   * @throws JobFailure `unwritable` when there is a file at its path again
   */
  async restore(file: TrashedFile, root: string): Promise<boolean> {
    const copies = await this.list();
    const newest = copies.findLast(
      ({ project, path }) => project === file.project && path === file.path,
    );
    if (!newest) return false;
    const path = join(root, file.path);
    try {
      await makeFolder(dirname(path));
      if (await this.#bring(newest.stored, path)) return true;
      throw new JobFailure({
        kind: 'unwritable',
        file: path,
        code: 'there is a file at its path again',
      });
    } catch (error) {
      throw writeFailure(path, error);
    }
  }

  /** Removes files that have been in the trash for longer than `keepMs`. @returns the removed days */
  async expire(keepMs: number): Promise<string[]> {
    const oldest = this.#clock.now() - keepMs;
    const days = await this.#days();
    // A file of a day may be from its last moment.
    const expired = days.filter((day) => Date.parse(day.slice(0, 10)) + DAY_MS <= oldest);
    for (const day of expired) await rm(join(this.#folder, day), { recursive: true });
    return expired;
  }

  async #store(
    file: TrashedFile,
    root: string,
    transfer: (from: string, to: string) => Promise<void>,
  ): Promise<string | undefined> {
    try {
      const stored = await this.#freePath(file);
      await makeFolder(dirname(stored), PRIVATE);
      await transfer(join(root, file.path), stored);
      return stored;
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw writeFailure(join(root, file.path), error);
    }
  }

  /** Renames a file; to another file system it copies and removes it. */
  async #move(from: string, to: string): Promise<void> {
    try {
      await changeFile(this.#right, () => renameSync(from, to));
    } catch (error) {
      if (errorCode(error) !== 'EXDEV') throw error;
      const seen = await statOf(from);
      await copyFile(from, to, constants.COPYFILE_EXCL);
      try {
        if (seen !== undefined && (await removeUnchanged(this.#right, from, seen))) return;
      } catch (cause) {
        // The file stays where it is: each try would leave another copy.
        await rm(to, { force: true });
        throw cause;
      }
      throw new JobFailure({ kind: 'changed-meanwhile', file: from });
    }
  }

  /** @returns false when there is a file at the path by now */
  async #bring(stored: string, to: string): Promise<boolean> {
    try {
      return (await moveFile(this.#right, stored, to)) !== undefined;
    } catch (error) {
      if (errorCode(error) !== 'EXDEV') throw error;
      const temp = join(dirname(to), temporaryName());
      await copyFile(stored, temp, constants.COPYFILE_EXCL);
      const isThere = (await moveFile(this.#right, temp, to)) !== undefined;
      await rm(isThere ? stored : temp);
      return isThere;
    }
  }

  async #days(): Promise<string[]> {
    const days = await namesIn(this.#folder);
    return days
      .filter((name) => /^\d{4}-\d\d-\d\d(\.\d+)?$/.test(name))
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  }

  async #freePath({ project, path }: TrashedFile): Promise<string> {
    const today = new Date(this.#clock.now()).toISOString().slice(0, 10);
    for (let n = 1; ; n++) {
      const stored = join(this.#folder, n === 1 ? today : `${today}.${n}`, project, path);
      if ((await unlessAbsent(lstat(stored))) === undefined) return stored;
    }
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
