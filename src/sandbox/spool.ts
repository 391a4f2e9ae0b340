/** Files that are too large for memory, uploads and results, in a temporary folder that is removed with the sandbox. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class LargeFiles implements AsyncDisposable {
  #folder: Promise<string> | undefined;
  #ended = false;

  /** A path for a new file; the folder is made for the first one. @throws Error after the sandbox has ended */
  async file(): Promise<string> {
    if (this.#ended) throw new Error('the sandbox has ended');
    this.#folder ??= mkdtemp(join(tmpdir(), 'dragoman-sandbox-'));
    return join(await this.#folder, randomUUID());
  }

  /** Removes a file; a file that is already gone is not an error. */
  async remove(file: string): Promise<void> {
    await rm(file, { force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    if (this.#folder === undefined) return;
    // A document that is being written can refill the folder, so removing it is retried.
    await rm(await this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
