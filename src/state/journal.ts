/** A journal being written: an appended line is on the disk when its promise resolves; lines that wait together are flushed together. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JobFailure } from '../failure.ts';
import { writeFailure } from '../files/disk.ts';
import { flushFolder } from '../files/flush.ts';
import { frame } from './frame.ts';

/** Lines that will be written with one flush. */
interface Batch {
  readonly lines: string[];
  durable: Promise<void>;
}

export class Journal implements AsyncDisposable {
  #path: string;
  #handle: FileHandle;
  #size: number;
  /** Takes further lines until its turn comes. */
  #open: Batch | undefined;
  /** Writes, flushes and rotations happen one after the other: the end of the chain. */
  #tail: Promise<unknown> = Promise.resolve();
  #failure: JobFailure | undefined;

  private constructor(path: string, handle: FileHandle, size: number) {
    this.#path = path;
    this.#handle = handle;
    this.#size = size;
  }

  /**
   * Opens a journal for writing, and creates it if need be.
   * @param end where to go on: what `replay` reported; what stands behind it is cut off
   */
  static async open(path: string, end = 0): Promise<Journal> {
    return new Journal(path, await openAt(path, end), end);
  }

  /** Resolves when the line is durable. Rejects with the same failure for ever after the first one. */
  append(json: string): Promise<void> {
    this.#open ??= this.#newBatch();
    this.#open.lines.push(json);
    return this.#open.durable;
  }

  /** Resolves when everything appended so far is durable. */
  flushed(): Promise<void> {
    return this.#open?.durable ?? this.#enqueue(async () => {});
  }

  /** Everything appended from now on goes into a new file; resolves when the old one is complete. */
  rotate(path: string): Promise<void> {
    this.#open = undefined;
    return this.#enqueue(async () => {
      const handle = await openAt(path, 0);
      await this.#handle.close();
      this.#handle = handle;
      this.#path = path;
      this.#size = 0;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tail;
    await this.#handle.close();
  }

  #newBatch(): Batch {
    const batch: Batch = { lines: [], durable: Promise.resolve() };
    batch.durable = this.#enqueue(async () => {
      if (this.#open === batch) this.#open = undefined;
      await this.#write(batch.lines);
    });
    return batch;
  }

  async #write(lines: readonly string[]): Promise<void> {
    const bytes = Buffer.from(lines.map((line) => frame(line, this.#size)).join(''));
    await this.#handle.appendFile(bytes);
    await this.#handle.datasync();
    this.#size += bytes.length;
  }

  // After a failed flush the kernel may have dropped the pages and report success next time (PostgreSQL's "fsyncgate"):
  // nothing is tried again on this file, a new process reads what really is there.
  #enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#tail.then(async () => {
      if (this.#failure) throw this.#failure;
      try {
        await work();
      } catch (error) {
        this.#failure = writeFailure(this.#path, error);
        throw this.#failure;
      }
    });
    this.#tail = done.catch(() => {});
    return done;
  }
}

async function openAt(path: string, end: number): Promise<FileHandle> {
  try {
    const handle = await open(
      path,
      constants.O_CREAT | constants.O_WRONLY | constants.O_APPEND,
      0o600,
    );
    if ((await handle.stat()).size > end) await handle.truncate(end);
    await handle.sync();
    await flushFolder(dirname(path));
    return handle;
  } catch (error) {
    throw writeFailure(path, error);
  }
}
