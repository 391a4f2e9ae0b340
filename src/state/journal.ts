/** Writes a journal: a line is durable when the promise of `append` resolves. Lines that wait at the same time are flushed together. */
import { constants, fstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { JobFailure } from '../failure.ts';
import { readFailure, writeFailure } from '../files/disk.ts';
import { flushFolder } from '../files/flush.ts';
import { journalLine, parseLine } from './journal-line.ts';

interface WaitingLine {
  readonly json: string;
  /** Called with the offset of the line, before `append` resolves. */
  readonly placed?: ((offset: number) => void) | undefined;
}

/** Lines that will be written with one flush. */
interface FlushedLines {
  readonly lines: WaitingLine[];
  durable: Promise<void>;
}

/** Bytes that are read first when a line is read again. */
const GLANCE = 16 * 1024;

export class Journal implements AsyncDisposable {
  #path: string;
  #handle: FileHandle;
  #size: number;
  /** Takes more lines until it is written. */
  #open: FlushedLines | undefined;
  /** The end of the chain: writes, flushes and rotations happen one after the other. */
  #tail: Promise<unknown> = Promise.resolve();
  #failure: JobFailure | undefined;

  private constructor(path: string, handle: FileHandle, size: number) {
    this.#path = path;
    this.#handle = handle;
    this.#size = size;
  }

  /**
   * Opens a journal for writing, and creates it if it does not exist.
   * @param end offset from `replay`: the file is cut there, and goes on there
   */
  static async open(path: string, end = 0): Promise<Journal> {
    return new Journal(path, await openAt(path, end), end);
  }

  /** Resolves when the line is durable. After the first failure, every call rejects with that failure. */
  append(json: string, placed?: WaitingLine['placed']): Promise<void> {
    this.#open ??= this.#newBatch();
    this.#open.lines.push({ json, placed });
    return this.#open.durable;
  }

  /** @returns the JSON of the line at this offset; undefined when it is damaged. @throws JobFailure `unreadable` */
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

  /** Writes later lines to a new file; resolves when the old one is complete. */
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

  #newBatch(): FlushedLines {
    const batch: FlushedLines = { lines: [], durable: Promise.resolve() };
    batch.durable = this.#enqueue(async () => {
      if (this.#open === batch) this.#open = undefined;
      await this.#write(batch.lines);
    });
    return batch;
  }

  async #write(lines: readonly WaitingLine[]): Promise<void> {
    const framed = lines.map(({ json }) => journalLine(json, this.#size));
    const bytes = Buffer.from(framed.join(''));
    await this.#handle.appendFile(bytes);
    await this.#handle.datasync();
    this.#requireName();
    let offset = this.#size;
    this.#size += bytes.length;
    for (const [index, { placed }] of lines.entries()) {
      placed?.(offset);
      offset += Buffer.byteLength(framed[index] ?? '');
    }
  }

  /** A file without a name takes lines, and nobody can read them again. @throws JobFailure `unwritable` */
  #requireName(): void {
    if (fstatSync(this.#handle.fd).nlink > 0) return;
    throw new JobFailure({ kind: 'unwritable', file: this.#path, code: 'ENOENT' });
  }

  async #read(offset: number, bytes: number): Promise<Buffer> {
    try {
      const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(bytes), 0, bytes, offset);
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      throw readFailure(this.#path, error);
    }
  }

  // After a failed flush the kernel may have dropped the pages, and the next flush may report success (PostgreSQL's "fsyncgate").
  // So nothing is written to this file any more: a new process must read what is really there.
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
