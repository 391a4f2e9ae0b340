/** A thread that stays for many batches, and its watchdog, which ends it when an input does not end. */
import { Worker } from 'node:worker_threads';
import type { Batch, Message, Setting, ThreadData } from './fuzz-process.ts';

const HEAP_MB = 512;
const LOOK_MS = 100;
/** The thread loads all parsers before its first batch. */
const NOT_BEGUN = -1;

/** How a batch ended. `lost`: the thread is over; `nth` of the batch was at work. */
export type Outcome =
  | Exclude<Message, { readonly kind: 'found' }>
  | { readonly kind: 'lost'; readonly nth: number; readonly what: string };

export interface Watch {
  /** Processor time of the process after which an input does not end, so that other work of the machine does not count. */
  readonly frozenMs: number;
  found(number: number, what: string): void;
}

export class WarmThread implements AsyncDisposable {
  readonly #watch: Watch;
  readonly #worker: Worker;
  readonly #at: Int32Array;
  readonly #over: Promise<unknown>;
  #failure: Error | undefined;
  #settle: ((outcome: Outcome) => void) | undefined;

  constructor(setting: Setting, watch: Watch) {
    const place = new SharedArrayBuffer(4);
    this.#watch = watch;
    this.#at = new Int32Array(place);
    this.#worker = new Worker(new URL('fuzz-process.ts', import.meta.url), {
      workerData: { ...setting, place } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    this.#over = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.on('message', (message: Message) => {
      if (message.kind === 'found') watch.found(message.number, message.what);
      else this.#settle?.(message);
    });
    this.#worker.once('error', (error: Error) => {
      this.#failure = error;
    });
    this.#worker.once('exit', () => this.#lose(this.#failure?.message ?? 'the thread ended'));
  }

  /** @param until when the batch is given up, as `performance.now()` says it */
  async work(batch: Batch, until: number): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#settle = resolve;
    Atomics.store(this.#at, 0, NOT_BEGUN);
    this.#worker.postMessage(batch);
    let [at, since] = [NOT_BEGUN, processorTime()];
    const looking = setInterval(() => {
      const now = Atomics.load(this.#at, 0);
      const { frozenMs } = this.#watch;
      if (now !== at || now === NOT_BEGUN) [at, since] = [now, processorTime()];
      else if (processorTime() - since > frozenMs) this.#lose(`frozen: ${frozenMs} ms`);
      if (performance.now() > until) this.#lose('out of time');
    }, LOOK_MS);
    try {
      return await promise;
    } finally {
      clearInterval(looking);
      this.#settle = undefined;
    }
  }

  #lose(what: string): void {
    this.#settle?.({ kind: 'lost', nth: Math.max(0, Atomics.load(this.#at, 0)), what });
  }

  /** Waits for the servers of a thread that answers. */
  async end(): Promise<void> {
    this.#worker.postMessage('end');
    await this.#over;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
