/** A folder of the state for bytes that are paid for: copies that are sent, and results until they are of no more use. */
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

/** Where one result arrives: a part file until it is whole, then a file of its own name. */
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

  /** Opens the part file anew. */
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

  /** @param folder made when the first file comes; only its owner may look into it */
  constructor(folder: string) {
    this.#folder = folder;
  }

  path(name: string): string {
    return join(this.#folder, name);
  }

  /**
   * Copies a source, so that the bytes that are paid for are the bytes on record.
   * @returns whether the copy has the expected content; else there is none
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
   * Opens the place of a download anew. It is a new file each time: daemons of one tree share the folder, and one that stood still
   * goes on to write to the file that it opened.
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

  /** Bytes of a file that stands there; undefined when none does. */
  async size(name: string): Promise<number | undefined> {
    return (await stat(this.path(name)).catch(() => undefined))?.size;
  }

  /** Gives a flushed download its name, which is the proof that it is whole. */
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
   * @param folder where the bytes shall go: the spool when absent
   * @throws JobFailure `disk-full` when so many bytes are not free
   */
  async requireRoom(bytes: number, folder: string = this.#folder): Promise<void> {
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
   * Removes the files that are of no more use.
   * @param isOver told by the name, and when the file was written: milliseconds since the epoch
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

async function kept(file: string): Promise<SpooledFile> {
  const { size } = await stat(file);
  return { file, hash: await hashFile(file), size };
}

/** A download on its way to disk: written piece by piece, flushed before it counts. */
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
   * After it, everything written survives a power cut.
   * @throws JobFailure `stopped` where another process has begun the download anew
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
    const [own, standing] = await Promise.all([
      this.#handle.stat(),
      stat(this.path).catch(() => undefined),
    ]);
    return standing !== undefined && standing.dev === own.dev && standing.ino === own.ino;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#handle.close();
  }
}
