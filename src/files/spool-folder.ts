/** A folder of the state for paid work: copies of sources that are sent, and results until they are no longer needed. */
import { constants } from 'node:fs';
import {
  chmod,
  copyFile,
  type FileHandle,
  open,
  readdir,
  rename,
  rm,
  stat,
  statfs,
} from 'node:fs/promises';
import { join } from 'node:path';
import { JobFailure } from '../failure.ts';
import type { Hash } from '../job.ts';
import { hashFile, isAbsent, readFailure, statOf, writeFailure } from './disk.ts';
import { flushFolder } from './flush.ts';
import { makeFolder, PRIVATE } from './make-folder.ts';
import { replaceFile } from './replace.ts';

/** A finished file of the spool. */
export interface SpooledFile {
  readonly file: string;
  readonly hash: Hash;
  /** Bytes. */
  readonly size: number;
}

/** The files of one download: a part file until it is complete, then the result under its own name. */
export class ResultFiles {
  readonly #folder: SpoolFolder;
  readonly #part: string;
  readonly #result: string;

  constructor(folder: SpoolFolder, names: { readonly part: string; readonly result: string }) {
    this.#folder = folder;
    this.#part = names.part;
    this.#result = names.result;
  }

  get part(): string {
    return this.#folder.path(this.#part);
  }

  get result(): string {
    return this.#folder.path(this.#result);
  }

  /** Opens a new part file. */
  async begin(): Promise<PartFile> {
    return await this.#folder.part(this.#part);
  }

  /** Bytes in the part file; undefined when no download began. */
  async arrived(): Promise<number | undefined> {
    return await this.#folder.size(this.#part);
  }

  /** Makes a flushed part file the result. */
  async accept(): Promise<SpooledFile> {
    return await this.#folder.accept(this.#part, this.#result);
  }

  /** The result, if it is there. */
  async find(): Promise<SpooledFile | undefined> {
    return await this.#folder.find(this.#result);
  }
}

export class SpoolFolder {
  readonly #folder: string;

  /** @param folder absolute; made for the first file, with mode 0700 */
  constructor(folder: string) {
    this.#folder = folder;
  }

  path(name: string): string {
    return join(this.#folder, name);
  }

  /**
   * Copies a source, so that exactly the bytes on record are sent and paid.
   * @returns false, and makes no copy, when the source has other content
   */
  async take(name: string, file: string, expected: Hash): Promise<boolean> {
    const copy = this.path(name);
    const before = await statOf(file);
    try {
      await this.#open();
      await copyFile(file, copy, constants.COPYFILE_FICLONE);
      await chmod(copy, 0o600);
    } catch (error) {
      if (isAbsent(error)) return false;
      throw writeFailure(copy, error);
    }
    const isWhole = (await hashFile(copy)) === expected && (await statOf(file)) === before;
    if (!isWhole) await this.remove(name);
    return isWhole;
  }

  async write(name: string, content: Uint8Array): Promise<SpooledFile> {
    await this.#open();
    const path = this.path(name);
    await replaceFile({ path, root: this.#folder, content, mode: 0o600 });
    return await kept(path);
  }

  /**
   * Opens a new part file for a download. Each call makes another file. Daemons of a tree share the folder, and a daemon that was suspended
   * goes on to write to the file that it has open.
   */
  async part(name: string): Promise<PartFile> {
    const path = this.path(name);
    try {
      await this.#open();
      await rm(path, { force: true });
      return new PartFile(path, await open(path, 'wx', 0o600));
    } catch (error) {
      throw writeFailure(path, error);
    }
  }

  /** Bytes of a file; undefined when there is none. */
  async size(name: string): Promise<number | undefined> {
    return (await stat(this.path(name)).catch(() => undefined))?.size;
  }

  /** Gives a flushed download its final name: a file with such a name is complete. */
  async accept(part: string, name: string): Promise<SpooledFile> {
    const file = this.path(name);
    try {
      await rename(this.path(part), file);
      await flushFolder(this.#folder);
    } catch (error) {
      throw writeFailure(file, error);
    }
    return await kept(file);
  }

  /** The file of that name, if it is there. */
  async find(name: string): Promise<SpooledFile | undefined> {
    return (await this.has(name)) ? await kept(this.path(name)) : undefined;
  }

  async has(name: string): Promise<boolean> {
    return (await statOf(this.path(name))) !== undefined;
  }

  async remove(...names: readonly string[]): Promise<void> {
    for (const path of names.map((name) => this.path(name))) {
      try {
        await rm(path, { force: true });
      } catch (error) {
        throw writeFailure(path, error);
      }
    }
  }

  /**
   * @param folder the folder to write to; absent: the spool
   * @throws JobFailure `disk-full` when fewer bytes are free
   */
  async requireSpace(bytes: number, folder: string = this.#folder): Promise<void> {
    await this.#open();
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < bytes) {
      throw new JobFailure({ kind: 'disk-full', file: folder, needs: bytes });
    }
  }

  /** Whether another folder is on the same file system. */
  async isBeside(folder: string): Promise<boolean> {
    await this.#open();
    return (await stat(folder)).dev === (await stat(this.#folder)).dev;
  }

  /**
   * Removes files that are no longer needed.
   * @param isOver gets the name of a file and when it was written, in milliseconds since the epoch
   */
  async sweep(isOver: (name: string, written: number) => boolean): Promise<void> {
    for (const name of await this.#names()) {
      const found = await stat(this.path(name)).catch(() => undefined);
      if (found !== undefined && isOver(name, found.mtimeMs)) await this.remove(name);
    }
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.#folder);
    } catch (error) {
      if (isAbsent(error)) return [];
      throw readFailure(this.#folder, error);
    }
  }

  async #open(): Promise<void> {
    try {
      await makeFolder(this.#folder, PRIVATE);
    } catch (error) {
      throw writeFailure(this.#folder, error);
    }
  }
}

/** What is paid is hashed to its end, also when the process must end. */
const NEVER = new AbortController().signal;

async function kept(file: string): Promise<SpooledFile> {
  const { size } = await stat(file);
  return { file, hash: await hashFile(file, NEVER), size };
}

/** A download that is being written, chunk by chunk. It counts only after it is flushed. */
export class PartFile implements AsyncDisposable {
  readonly path: string;
  readonly #handle: FileHandle;
  #bytes = 0;
  #isOpen = true;

  constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /** Bytes written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @throws JobFailure `disk-full`, `unwritable` */
  async write(chunk: Uint8Array): Promise<void> {
    try {
      await this.#handle.writeFile(chunk);
      this.#bytes += chunk.byteLength;
    } catch (error) {
      throw writeFailure(this.path, error);
    }
  }

  /**
   * Flushes and closes the file: then everything that was written survives a power cut.
   * @throws JobFailure `stopped` when another process has begun the download again
   */
  async finish(): Promise<void> {
    try {
      await this.#handle.sync();
    } catch (error) {
      throw writeFailure(this.path, error);
    }
    const isStanding = await this.#isStanding();
    await this[Symbol.asyncDispose]();
    if (!isStanding) throw new JobFailure({ kind: 'stopped' });
  }

  async #isStanding(): Promise<boolean> {
    const [own, current] = await Promise.all([
      this.#handle.stat(),
      stat(this.path).catch(() => undefined),
    ]);
    return current !== undefined && current.dev === own.dev && current.ino === own.ino;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#handle.close();
  }
}
