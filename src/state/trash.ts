/** The trash: files that dragoman removes go to `<folder>/<day>/<project>/<path>` and can be restored. */
import { constants, renameSync } from 'node:fs';
import { copyFile, lstat, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, DAY_MS } from '../clock.ts';
import { type Config, spoolOf } from '../config.ts';
import { JobFailure } from '../failure.ts';
import {
  errorCode,
  isAbsent,
  namesIn,
  statAtOnce,
  statOf,
  unlessAbsent,
  writeFailure,
} from '../files/disk.ts';
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

/**
 * The folders of the trash. Daemons of a tree share one beside its spool, so that a file can be restored when the machine that removed it is
 * lost. Those of earlier versions had one each, in their state folders.
 */
export function trashFolders(config: Pick<Config, 'state' | 'team'>): readonly string[] {
  const folders = [spoolOf(config), config.state].map((folder) => join(folder, 'trash'));
  return [...new Set(folders)];
}

export class Trash {
  /** The first one gets the files. */
  readonly #folders: readonly string[];
  readonly #clock: Clock;
  readonly #right: Right;

  /**
   * @param folders see `trashFolders`; made for the first file
   * @param right the right to move files of the projects
   */
  constructor(folders: string | readonly string[], clock: Clock, right: Right) {
    this.#folders = [folders].flat();
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
    return await this.#store(file, root, copyToFree);
  }

  /** Everything in the trash, oldest day first. */
  async list(): Promise<TrashEntry[]> {
    const entries: TrashEntry[] = [];
    for (const { day, within } of await this.#days()) {
      for (const project of await namesIn(within)) {
        const folder = join(within, project);
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
    const expired = days.filter(({ day }) => Date.parse(day.slice(0, 10)) + DAY_MS <= oldest);
    // Another daemon may remove it at the same time.
    for (const { within } of expired) await rm(within, { recursive: true, force: true });
    return expired.map(({ day }) => day);
  }

  /** @param transfer resolves to false when its new path is taken: another daemon puts the same file into the trash */
  async #store(
    file: TrashedFile,
    root: string,
    transfer: (from: string, to: string) => Promise<boolean>,
  ): Promise<string | undefined> {
    try {
      for (;;) {
        const stored = await this.#freePath(file);
        await makeFolder(dirname(stored), PRIVATE);
        if (await transfer(join(root, file.path), stored)) return stored;
      }
    } catch (error) {
      if (isAbsent(error)) return undefined;
      const failure = writeFailure(join(root, file.path), error);
      // Then the disk with the trash is full, and perhaps not the one with the file.
      if (failure.failure.kind !== 'disk-full') throw failure;
      throw writeFailure(join(this.#folders[0] ?? '', file.path), error);
    }
  }

  /** Renames a file; to another file system it copies and removes it. */
  async #move(from: string, to: string): Promise<boolean> {
    try {
      return await changeFile(this.#right, () => {
        if (statAtOnce(to) !== undefined) return false;
        renameSync(from, to);
        return true;
      });
    } catch (error) {
      if (errorCode(error) !== 'EXDEV') throw error;
      const seen = await statOf(from);
      if (!(await copyToFree(from, to))) return false;
      try {
        if (seen !== undefined && (await removeUnchanged(this.#right, from, seen))) return true;
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

  async #days(): Promise<readonly TrashDay[]> {
    const days: TrashDay[] = [];
    for (const folder of this.#folders) {
      for (const day of await namesIn(folder)) {
        if (/^\d{4}-\d\d-\d\d(\.\d+)?$/.test(day)) days.push({ day, within: join(folder, day) });
      }
    }
    return days.sort((a, b) => a.day.localeCompare(b.day, 'en', { numeric: true }));
  }

  async #freePath({ project, path }: TrashedFile): Promise<string> {
    const today = new Date(this.#clock.now()).toISOString().slice(0, 10);
    for (let n = 1; ; n++) {
      const stored = join(this.#folders[0] ?? '', n === 1 ? today : `${today}.${n}`, project, path);
      if ((await unlessAbsent(lstat(stored))) === undefined) return stored;
    }
  }
}

/** @returns false when the new path is taken */
async function copyToFree(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

interface TrashDay {
  readonly day: string;
  /** Absolute path of its folder. */
  readonly within: string;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
