/** The recordings that are sent and the results that came, in the state folder until they are of no more use (decisions.md 19). */
import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, open, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { hashFile, isAbsent, statOf, writeFailure } from '../disk.ts';
import { PartFile } from '../documents/part-file.ts';
import { JobFailure } from '../failure.ts';
import type { Hash } from '../job.ts';
import { flushFolder } from '../replace.ts';
import type { ContentKey } from './rules/recipe.ts';
import type { RemoteJob } from './rules/remote-job.ts';

/** A result of a voice job, by the place of its target. */
export interface ResultPlace {
  readonly job: Pick<RemoteJob, 'id'>;
  readonly index: number;
}

export class VoiceSpool {
  readonly #folder: string;

  /** @param folder `<state>/voice`, made when the first file comes */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The copy that is uploaded. */
  sourceOf(content: ContentKey): string {
    return join(this.#folder, `${content}.source`);
  }

  /** What is uploaded where the service does not take the copy. */
  convertedOf(content: ContentKey): string {
    return join(this.#folder, `${content}.flac`);
  }

  resultOf({ job, index }: ResultPlace): string {
    return join(this.#folder, `${job.id}-${index}.result`);
  }

  /** Where a result is packed. */
  packedOf({ job, index }: ResultPlace): string {
    return join(this.#folder, `${job.id}-${index}.packed`);
  }

  /**
   * Copies a recording, so that the bytes that are paid for are the bytes on record.
   * @returns the copy; undefined when the file does not hold the expected content
   */
  async takeSource(content: ContentKey, file: string, expected: Hash): Promise<string | undefined> {
    const copy = this.sourceOf(content);
    const before = await statOf(file);
    try {
      await this.#open();
      await copyFile(file, copy, constants.COPYFILE_FICLONE);
      await chmod(copy, 0o600);
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw writeFailure(copy, error);
    }
    if ((await hashFile(copy)) === expected && (await statOf(file)) === before) return copy;
    await this.#remove(copy);
    return undefined;
  }

  async dropSource(content: ContentKey): Promise<void> {
    await this.#remove(this.sourceOf(content));
    await this.#remove(this.convertedOf(content));
  }

  /** Opens the place of a download anew. */
  async part(place: ResultPlace): Promise<PartFile> {
    const path = this.#partOf(place);
    try {
      await this.#open();
      return new PartFile(path, await open(path, 'w', 0o600));
    } catch (error) {
      throw writeFailure(path, error);
    }
  }

  /** Bytes of a download that stand there; undefined when it never began. */
  async partSize(place: ResultPlace): Promise<number | undefined> {
    return (await stat(this.#partOf(place)).catch(() => undefined))?.size;
  }

  /** Makes a flushed download the result: the name is the proof that it is whole. */
  async accept(place: ResultPlace): Promise<{ readonly hash: Hash; readonly bytes: number }> {
    const file = this.resultOf(place);
    try {
      await rename(this.#partOf(place), file);
      await flushFolder(this.#folder);
    } catch (error) {
      throw writeFailure(file, error);
    }
    const { size: bytes } = await stat(file);
    return { hash: await hashFile(file), bytes };
  }

  /** A result that came whole, if it is there. */
  async result(
    place: ResultPlace,
  ): Promise<{ readonly hash: Hash; readonly bytes: number } | undefined> {
    const found = await stat(this.resultOf(place)).catch(() => undefined);
    return found && { hash: await hashFile(this.resultOf(place)), bytes: found.size };
  }

  async has(place: ResultPlace): Promise<boolean> {
    return (await statOf(this.resultOf(place))) !== undefined;
  }

  /** The copy that was uploaded went before; another job may be about to upload it again. */
  async drop({ id, outputs }: RemoteJob): Promise<void> {
    for (const index of outputs.keys()) {
      await this.#remove(this.resultOf({ job: { id }, index }));
      await this.dropPacked({ job: { id }, index });
    }
  }

  async dropPacked(place: ResultPlace): Promise<void> {
    await this.#remove(this.packedOf(place));
  }

  /**
   * @param folder where the bytes shall go: the spool when absent
   * @throws JobFailure `disk-full` when they would not fit
   */
  async requireRoom(bytes: number, folder: string = this.#folder): Promise<void> {
    await this.#open();
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < bytes) throw new JobFailure({ kind: 'disk-full', file: folder });
  }

  #partOf(place: ResultPlace): string {
    return `${this.resultOf(place)}.part`;
  }

  async #open(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
  }

  async #remove(path: string): Promise<void> {
    try {
      await rm(path, { force: true });
    } catch (error) {
      throw writeFailure(path, error);
    }
  }
}
