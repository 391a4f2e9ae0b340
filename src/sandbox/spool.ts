/** Files that are too large for memory: uploads and results, in a temporary folder that goes with the sandbox. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class Spool implements AsyncDisposable {
  #folder: Promise<string> | undefined;
  #ended = false;

  /** A path for a new file; the folder is made when the first one is asked for. @throws Error once the sandbox has ended */
  async file(): Promise<string> {
    if (this.#ended) throw new Error('the sandbox has ended');
    this.#folder ??= mkdtemp(join(tmpdir(), 'dragoman-sandbox-'));
    return join(await this.#folder, randomUUID());
  }

  /** Removes a file that is needed no more; one that is gone already is fine. */
  async remove(file: string): Promise<void> {
    await rm(file, { force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    if (this.#folder === undefined) return;
    // A document that is being written meanwhile makes the folder non-empty again: then it is tried once more.
    await rm(await this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
