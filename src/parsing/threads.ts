/** The parser threads of a process: started when they are needed, kept while there is work, ended when idle. */
import { availableParallelism } from 'node:os';
import { JobFailure } from '../failure.ts';
import { FilePaces } from './paces.ts';
import { type FileSince, ParserThread, ThreadLost, type ThreadOptions } from './thread.ts';
import type { Subject, ThreadCall } from './thread-call.ts';

/** Bytes; larger content blocks the event loop for more than about 20 ms. Pages are slower than resource files. */
export const LARGE = 64_000;

/** Two kinds of threads, so that small content never waits behind large content, which may take minutes. */
type ThreadKind = 'small' | 'large';

/** A thread that is reserved for several calls: state that one call leaves in its modules is there for the next. */
export interface Lease extends Disposable {
  readonly thread: ParserThread;
}

interface PooledThread {
  readonly thread: ParserThread;
  leases: number;
  idle?: NodeJS.Timeout | undefined;
}

/** A file is in `waiting` once for each call. */
export interface ParserLoad {
  readonly reading: readonly FileSince[];
  readonly waiting: readonly FileSince[];
}

/** Milliseconds after which an idle thread ends and frees its memory. */
const IDLE_MS = 5000;

interface ThreadsOptions extends Omit<ThreadOptions, 'onEnd' | 'paces'> {
  /** Milliseconds after which an idle thread ends; absent: 5000. */
  readonly idleMs?: number;
}

export class ParserThreads implements AsyncDisposable {
  readonly #options: ThreadsOptions;
  readonly #places: Readonly<Record<ThreadKind, Set<PooledThread>>> = {
    small: new Set(),
    large: new Set(),
  };

  readonly #paces = new FilePaces();
  #isOver = false;
  #stops = 0;

  constructor(options: ThreadsOptions = {}) {
    this.#options = options;
  }

  /** What is read now, and what waits for it. */
  get load(): ParserLoad {
    const all = Object.values(this.#places).flatMap((places) => [...places]);
    const reading = all.flatMap(({ thread }) => thread.reading ?? []);
    const waiting = all.flatMap(({ thread }) => [...thread.waiting()]);
    return { reading, waiting };
  }

  /** @throws JobFailure `malformed` for what takes too long; what the parser throws */
  async run<Input, Output>(
    parser: ThreadCall<Input, Output>,
    input: Input,
    subject: Subject,
  ): Promise<Output> {
    return await this.onOneThread(subject, (thread) => thread.run(parser, input, subject));
  }

  /**
   * Makes several calls on one thread, where each may use the results of the earlier ones. If a call for another file ends that thread, all
   * of these calls are made again on another thread, as often as that happens. So a file never fails because of other files.
   * @throws JobFailure `malformed` for what takes too long; what the calls throw
   */
  async onOneThread<T>(subject: Subject, calls: (thread: ParserThread) => Promise<T>): Promise<T> {
    const stops = this.#stops;
    for (;;) {
      try {
        return await this.#onceOnOneThread(subject, calls);
      } catch (error) {
        if (!(error instanceof ThreadLost)) throw error;
        if (this.#isOver || stops !== this.#stops) throw new JobFailure({ kind: 'stopped' });
      }
    }
  }

  async #onceOnOneThread<T>(
    subject: Subject,
    calls: (thread: ParserThread) => Promise<T>,
  ): Promise<T> {
    using lease = this.lease(subject);
    return await calls(lease.thread);
  }

  lease({ bytes }: Pick<Subject, 'bytes'>): Lease {
    const kind = bytes < LARGE ? 'small' : 'large';
    const pooled = this.#placeFor(kind);
    pooled.leases += 1;
    clearTimeout(pooled.idle);
    let isHeld = true;
    return {
      thread: pooled.thread,
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        pooled.leases -= 1;
        if (pooled.leases === 0) this.#rest(kind, pooled);
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.end();
  }

  /** Ends what is read now: its calls fail with `stopped`. Later calls get new threads. */
  async stop(): Promise<void> {
    this.#stops += 1;
    await this.end();
  }

  /** Ends all threads; calls that wait for one get a new one. */
  async end(): Promise<void> {
    await this.#endThose(() => true);
  }

  /** As `end`, but threads without work stay for what is read next. */
  async endBusy(): Promise<void> {
    await this.#endThose(({ leases }) => leases > 0);
  }

  async #endThose(isMeant: (pooled: PooledThread) => boolean): Promise<void> {
    const meant = Object.values(this.#places).flatMap((places) => [...places].filter(isMeant));
    for (const { idle } of meant) clearTimeout(idle);
    await Promise.all(meant.map(({ thread }) => thread.end()));
  }

  #placeFor(kind: ThreadKind): PooledThread {
    const places = this.#places[kind];
    const [free] = [...places].sort((a, b) => a.leases - b.leases);
    const most = kind === 'small' ? 1 : Math.max(1, Math.min(3, availableParallelism() - 1));
    if (free !== undefined && (free.leases === 0 || places.size >= most)) return free;
    const pooled: PooledThread = {
      leases: 0,
      thread: new ParserThread({
        ...this.#options,
        paces: this.#paces,
        onEnd: () => places.delete(pooled),
      }),
    };
    places.add(pooled);
    return pooled;
  }

  #rest(kind: ThreadKind, pooled: PooledThread): void {
    pooled.idle = setTimeout(() => {
      if (pooled.leases > 0 || !this.#places[kind].delete(pooled)) return;
      void pooled.thread.end();
    }, this.#options.idleMs ?? IDLE_MS).unref();
  }
}
