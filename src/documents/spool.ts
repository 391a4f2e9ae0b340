/** The spool: the bytes that are sent and the results that came, in the state folder until they are of no more use (decisions.md 19). */
import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { hashFile, isAbsent, readFailure, statOf, writeFailure } from '../disk.ts';
import { JobFailure } from '../failure.ts';
import type { Hash } from '../job.ts';
import { flushFolder, replaceFile } from '../replace.ts';
import { PartFile } from './part-file.ts';
import type { PurchaseKey } from './rules/purchase.ts';

/** A finished result. */
export interface Kept {
  readonly file: string;
  readonly hash: Hash;
  /** Bytes. */
  readonly size: number;
}

export class Spool {
  readonly #folder: string;

  /** @param folder `<state>/spool`, made when the first file comes */
  constructor(folder: string) {
    this.#folder = folder;
  }

  sourceOf(key: PurchaseKey): string {
    return join(this.#folder, `${key}.source`);
  }

  /** What is uploaded where that is not the source itself. */
  minifiedOf(key: PurchaseKey): string {
    return join(this.#folder, `${key}.minified`);
  }

  partOf(key: PurchaseKey): string {
    return join(this.#folder, `${key}.part`);
  }

  resultOf(key: PurchaseKey): string {
    return join(this.#folder, `${key}.result`);
  }

  /**
   * Copies a source, so that the bytes that are paid for are the bytes on record.
   * @returns whether the copy has the expected content; else there is none
   */
  async takeSource(key: PurchaseKey, file: string, expected: Hash): Promise<boolean> {
    const copy = this.sourceOf(key);
    const before = await statOf(file);
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await copyFile(file, copy, constants.COPYFILE_FICLONE);
      await chmod(copy, 0o600);
    } catch (error) {
      if (isAbsent(error)) return false;
      throw writeFailure(copy, error);
    }
    const isWhole = (await hashFile(copy)) === expected && (await statOf(file)) === before;
    if (!isWhole) await this.#remove(copy);
    return isWhole;
  }

  async putMinified(key: PurchaseKey, content: Uint8Array): Promise<void> {
    await this.#write(this.minifiedOf(key), content);
  }

  /** Opens the place of a download anew. */
  async part(key: PurchaseKey): Promise<PartFile> {
    const path = this.partOf(key);
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      return new PartFile(path, await open(path, 'w', 0o600));
    } catch (error) {
      throw writeFailure(path, error);
    }
  }

  /** Bytes of a download that stand there; undefined when it never began. */
  async partSize(key: PurchaseKey): Promise<number | undefined> {
    return (await stat(this.partOf(key)).catch(() => undefined))?.size;
  }

  /** Makes a flushed download the result: the name is the proof that it is whole. */
  async acceptPart(key: PurchaseKey): Promise<Kept> {
    const file = this.resultOf(key);
    try {
      await rename(this.partOf(key), file);
      await flushFolder(this.#folder);
    } catch (error) {
      throw writeFailure(file, error);
    }
    return await this.#kept(file);
  }

  /** Makes other bytes the result of a download. */
  async acceptResult(key: PurchaseKey, content: Uint8Array): Promise<Kept> {
    await this.#write(this.resultOf(key), content);
    await this.#remove(this.partOf(key));
    return await this.#kept(this.resultOf(key));
  }

  /** The result, if it is there. */
  async result(key: PurchaseKey): Promise<Kept | undefined> {
    const file = this.resultOf(key);
    return (await statOf(file)) === undefined ? undefined : await this.#kept(file);
  }

  /** Forgets what was sent; the result stays. */
  async dropSource(key: PurchaseKey): Promise<void> {
    await this.#remove(this.sourceOf(key));
    await this.#remove(this.minifiedOf(key));
  }

  async drop(key: PurchaseKey): Promise<void> {
    await this.dropSource(key);
    await this.#remove(this.partOf(key));
    await this.#remove(this.resultOf(key));
  }

  /** @throws JobFailure `disk-full` when so many bytes are not free */
  async requireRoom(bytes: number): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(this.#folder);
    if (bavail * bsize < bytes) throw new JobFailure({ kind: 'disk-full', file: this.#folder });
  }

  /**
   * Removes files that have been there for longer than `keepMs`.
   * @param isNeeded whether a purchase still waits for its files
   */
  async sweep(
    { keepMs, clock }: { keepMs: number; clock: Clock },
    isNeeded: (key: PurchaseKey) => boolean,
  ): Promise<void> {
    for (const name of await this.#names()) {
      const path = join(this.#folder, name);
      const key = name.slice(0, name.indexOf('.')) as PurchaseKey;
      const found = await stat(path).catch(() => undefined);
      if (found === undefined || isNeeded(key)) continue;
      if (clock.now() - found.mtimeMs > keepMs) await this.#remove(path);
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

  async #write(path: string, content: Uint8Array): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await replaceFile({ path, root: this.#folder, content, mode: 0o600 });
  }

  async #kept(file: string): Promise<Kept> {
    const { size } = await stat(file);
    return { file, hash: await hashFile(file), size };
  }

  async #remove(path: string): Promise<void> {
    try {
      await rm(path, { force: true });
    } catch (error) {
      throw writeFailure(path, error);
    }
  }
}
