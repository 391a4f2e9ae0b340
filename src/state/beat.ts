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

/** Another runner was silent, and its work is free. */
export interface GivenUp {
  readonly name: string;
  readonly requests: number;
  /** That may have been billed. */
  readonly characters: number;
}

/** From the thread. */
export type BeatNews =
  | { readonly kind: 'given-up'; readonly other: GivenUp }
  /** The database lacks a charge that was seen there. */
  | { readonly kind: 'forgot'; readonly message: string }
  | { readonly kind: 'remembers' };

/** To the thread: ids of charges that the database must have, or its end. */
export type BeatOrder = readonly string[] | 'end';

export interface BeatListener {
  hear(news: BeatNews): void;
  /** Ids of charges that the database must have. */
  known(): readonly string[];
}

// As TypeScript or compiled.
const PROGRAM = new URL(
  `../state/postgres/beat-thread${extname(import.meta.url)}`,
  import.meta.url,
);

/** How long the last beat may take; the thread gives its own queries up by then. */
const LAST_BEAT_MS = 5000;

export class Beat implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;

  constructor(options: BeatOptions, { hear, known }: BeatListener) {
    this.#worker = new Worker(PROGRAM, { workerData: options });
    // It keeps no process from ending.
    this.#worker.unref();
    this.#worker.on('message', (news: BeatNews | 'beat') => {
      if (news === 'beat') this.#worker.postMessage(known());
      else hear(news);
    });
    // Without its beat the runner is given up by the others, as one that died; what it paid for is booked all the same.
    this.#worker.on('error', () => {});
    this.#ended = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
  }

  /** A beat on its way arrives first: one that comes after its runner left would make the runner live again. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#worker.postMessage('end');
    const patience = setTimeout(() => void this.#worker.terminate(), LAST_BEAT_MS);
    await this.#ended;
    clearTimeout(patience);
  }
}
