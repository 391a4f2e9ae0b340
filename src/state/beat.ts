/** The heartbeat of a runner in the team's database. It has a thread of its own: a long parse on the event loop must not delay it. */
import { extname } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { systemClock } from '../clock.ts';

/** The data that the thread starts with. */
export interface BeatOptions {
  readonly url: string;
  readonly schema: string;
  readonly id: string;
  readonly name: string;
}

/** Another runner was silent for too long: its work is free for others. */
export interface GivenUp {
  readonly name: string;
  readonly requests: number;
  /** Unicode code points that may have been billed. */
  readonly characters: number;
}

/** Messages of the thread. */
export type BeatNews =
  | { readonly kind: 'given-up'; readonly other: GivenUp }
  /** Id of the newest charge of all runners: the database must have it from now on. Null: there is none. */
  | { readonly kind: 'newest'; readonly charge: string | null }
  /** The database no longer has a charge that it had: a backup was restored. */
  | { readonly kind: 'forgot'; readonly message: string }
  | { readonly kind: 'remembers' }
  /** The database answers, and takes no heartbeat. */
  | { readonly kind: 'read-only'; readonly reason: string }
  | { readonly kind: 'writable' };

/** To the thread: the ids of charges that the database must have; or `end`. */
export type BeatOrder = readonly string[] | 'end';

export interface BeatListener {
  hear(news: BeatNews): void;
  /** Ids of charges that the database must have. */
  known(): readonly string[];
}

// In TypeScript or compiled, like this file.
const PROGRAM = new URL(
  `../state/postgres/beat-thread${extname(import.meta.url)}`,
  import.meta.url,
);

/**
 * A runner records its first beat when it opens the database, and the thread those from the second on. A command that ends before then
 * starts no thread: it would take a third of its processor time, and a connection.
 */
const SECOND_BEAT_MS = 2000;
/** Milliseconds to wait for the last beat. The thread itself gives up its queries by then. */
const LAST_BEAT_MS = 5000;

export class Beat implements AsyncDisposable {
  readonly #waiting: NodeJS.Timeout | undefined;
  #worker: Worker | undefined;
  #ended: Promise<void> = Promise.resolve();

  /** @param begins when the thread does: a daemon whose event loop is busy from the start must not be given up */
  constructor(options: BeatOptions, listener: BeatListener, begins: 'now' | 'later') {
    if (begins === 'now') {
      this.#begin(options, listener);
      return;
    }
    const begin = () => this.#begin(options, listener);
    // Neither the timer nor the thread keeps the process alive.
    this.#waiting = setTimeout(begin, SECOND_BEAT_MS).unref();
  }

  #begin(options: BeatOptions, { hear, known }: BeatListener): void {
    const threads = process.getBuiltinModule('node:worker_threads');
    const worker = new threads.Worker(PROGRAM, { workerData: options });
    worker.unref();
    worker.on('message', (news: BeatNews | 'beat') => {
      if (news === 'beat') worker.postMessage(known());
      else hear(news);
    });
    // Without the heartbeat, the other runners treat this one as dead. Its paid work is booked in any case.
    worker.on('error', () => {});
    this.#ended = new Promise((resolve) => worker.once('exit', () => resolve()));
    this.#worker = worker;
  }

  /** Waits for a beat that is being sent: if it arrived after the runner left, the runner would count as alive again. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#waiting);
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.postMessage('end');
    const ended = new AbortController();
    const terminate = () => worker.terminate();
    systemClock.sleep(LAST_BEAT_MS, ended.signal).then(terminate, () => {});
    await this.#ended;
    ended.abort();
  }
}
