/** A download on its way to disk: written piece by piece, flushed before it counts. */
import type { FileHandle } from 'node:fs/promises';
import { writeFailure } from './disk.ts';

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

  /** After it, everything written survives a power cut. */
  async finish(): Promise<void> {
    try {
      await this.#handle.sync();
    } catch (error) {
      throw writeFailure(this.path, error);
    }
    await this[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#handle.close();
  }
}
