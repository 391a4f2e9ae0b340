/** A journal being written: an appended line is on the disk when its promise resolves; lines that wait together are flushed together. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JobFailure } from '../failure.ts';
import { readFailure, writeFailure } from '../files/disk.ts';
import { flushFolder } from '../files/flush.ts';
import { frame, parseLine } from './frame.ts';

interface Line {
  readonly json: string;
  /** Hears where the line begins, before it is told to be durable. */
  readonly placed?: ((offset: number) => void) | undefined;
}

/** Lines that will be written with one flush. */
interface Batch {
  readonly lines: Line[];
  durable: Promise<void>;
}

/** Bytes that are read at first of a line that is looked at again. */
const GLANCE = 16 * 1024;

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
  append(json: string, placed?: Line['placed']): Promise<void> {
    this.#open ??= this.#newBatch();
    this.#open.lines.push({ json, placed });
    return this.#open.durable;
  }

  /** @returns the JSON of the line that begins at this offset; undefined where it was damaged since. @throws JobFailure `unreadable` */
  async lineAt(offset: number): Promise<string | undefined> {
    for (let size = GLANCE; ; size *= 8) {
      const glance = await this.#read(offset, size);
      const parsed = parseLine(glance, 0);
      if (parsed.kind === 'line') return parsed.json;
      if (parsed.kind === 'bad' || glance.length < size) return;
    }
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

  async #write(lines: readonly Line[]): Promise<void> {
    const framed = lines.map(({ json }) => frame(json, this.#size));
    const bytes = Buffer.from(framed.join(''));
    await this.#handle.appendFile(bytes);
    await this.#handle.datasync();
    let offset = this.#size;
    this.#size += bytes.length;
    for (const [index, { placed }] of lines.entries()) {
      placed?.(offset);
      offset += Buffer.byteLength(framed[index] ?? '');
    }
  }

  async #read(offset: number, bytes: number): Promise<Buffer> {
    try {
      const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(bytes), 0, bytes, offset);
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      throw readFailure(this.#path, error);
    }
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
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, constants.O_CREAT | constants.O_RDWR | constants.O_APPEND, 0o600);
    if ((await handle.stat()).size > end) await handle.truncate(end);
    await handle.sync();
    await flushFolder(dirname(path));
    return handle;
  } catch (error) {
    await handle?.close();
    throw writeFailure(path, error);
  }
}
