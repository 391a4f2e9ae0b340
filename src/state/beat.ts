/** The beat of a runner, from a thread of its own: a long parse on the event loop is no death. */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** What the thread is told when it starts. */
export interface BeatOptions {
  readonly url: string;
  readonly schema: string;
  readonly id: string;
  readonly name: string;
}

/** From the thread: another runner was silent, and its work is free. */
export interface GivenUp {
  readonly name: string;
  readonly requests: number;
  /** That may have been billed. */
  readonly characters: number;
}

// As TypeScript or compiled.
const PROGRAM = new URL(
  `../state/postgres/beat-thread${extname(import.meta.url)}`,
  import.meta.url,
);

export class Beat implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;

  constructor(options: BeatOptions, onGivenUp: (other: GivenUp) => void) {
    this.#worker = new Worker(PROGRAM, { workerData: options });
    // It keeps no process from ending.
    this.#worker.unref();
    this.#worker.on('message', onGivenUp);
    // Without its beat the runner is given up by the others, as one that died; what it paid for is booked all the same.
    this.#worker.on('error', () => {});
    this.#ended = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
    await this.#ended;
  }
}
