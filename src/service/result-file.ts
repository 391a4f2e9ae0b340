/** A result on its way to disk: under a name of its own until every byte is there, since it can be fetched only once. */
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { JobFailure } from '../failure.ts';
import type { DownloadSink } from './download.ts';

export class ResultFile implements DownloadSink, AsyncDisposable {
  readonly #path: string;
  readonly #handle: FileHandle;

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  /** @throws JobFailure `unwritable`: before anything is paid */
  static async claim(path: string): Promise<ResultFile> {
    try {
      return new ResultFile(path, await open(partOf(path), 'w'));
    } catch (error) {
      const { code = 'EIO' } = error as NodeJS.ErrnoException;
      throw new JobFailure({ kind: 'unwritable', file: path, code }, { cause: error });
    }
  }

  async headers(): Promise<void> {
    await this.#handle.truncate();
  }

  async write(chunk: Uint8Array): Promise<void> {
    await this.#handle.appendFile(chunk);
  }

  async finish(): Promise<void> {
    await this.#handle.sync();
    await rename(partOf(this.#path), this.#path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
    await rm(partOf(this.#path), { force: true });
  }
}

function partOf(path: string): string {
  return `${path}.part`;
}
