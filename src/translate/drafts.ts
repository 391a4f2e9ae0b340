/**
 * Opens drafts: small files of short-lived commands on this thread, all others on threads of their own. So the event loop, the watchdog and
 * the watcher keep running beside a file of 10 MB or one whose parser never ends. The number of bytes that are open at a time is limited.
 */
import { join } from 'node:path';
import { JobFailure } from '../failure.ts';
import { bytesIn } from '../files/disk.ts';
import { Mutex } from '../files/mutex.ts';
import { extensionsOf } from '../formats/all.ts';
import { growHeapAsUsual, growHeapSlowly } from '../parsing/heap.ts';
import { HERE_MS, isReadHere, threads } from '../parsing/parse.ts';
import { ThreadLost } from '../parsing/thread.ts';
import type { Subject } from '../parsing/thread-call.ts';
import { LARGE, type ParserThreads } from '../parsing/threads.ts';
import { TookTooLong, withinTurn } from '../parsing/within.ts';
import { extensionOf } from '../routes/extensions.ts';
import { type Draft, openDraft } from './draft.ts';
import { openOnThread } from './draft-thread.ts';
import type { TextCase } from './text-case.ts';

export interface DraftsOptions {
  /** Absent: the threads that the whole process shares. */
  readonly threads?: ParserThreads;
}

/** Pages are slower to read: 5 KB of Markdown take as long as 64 KB of JSON (bench/formats-throughput.ts). */
const SLOWNESS_OF_PAGES = 13;
const PAGES = extensionsOf('markdown', 'html');

/**
 * Bytes that are open at a time; a larger file is open alone. While a megabyte of JSON is bought, it takes some 60 MB on the main thread
 * and on its own thread. 20 open files of 1 MB took 1.6 GB.
 */
const LARGE_BYTES = 2 * 1024 * 1024;
/**
 * The same for many small files: while a file is bought, its texts, orders and answers take up to a hundred times its bytes.
 * The open files still fill the requests: a text has a tenth of a kilobyte, and a request has 50 texts.
 */
const SMALL_BYTES = 1024 * 1024;
/** Files below so many bytes have a limit of their own. 44 pages of 60 kB, each slow to read, kept all others waiting for minutes. */
const TINY = 32_000;
const TINY_BYTES = 512 * 1024;
/** Bytes that a file counts at least. */
const LEAST = 1024;

/** Memory reserved for the draft of one job. Reserve it first: other jobs wait for the texts of each job that has joined. */
export interface DraftReservation extends Disposable {
  /** @throws JobFailure `malformed`, `unreadable`, `unsupported`, `changed-meanwhile` */
  open(): Promise<Draft>;
  /**
   * Opens the draft for some work. Each time the draft is lost, the work is done once more. It is lost when another file ended its thread,
   * or when the draft takes longer than this thread allows. What was paid before is in the memory then.
   */
  use<T>(work: (draft: Draft) => Promise<T>): Promise<T>;
}

export class Drafts implements AsyncDisposable {
  readonly #threads: ParserThreads;
  /** Separate limits: a price can be computed while other jobs wait for their answers. */
  readonly #large = { buy: new OpenBytes(LARGE_BYTES), read: new OpenBytes(LARGE_BYTES) };
  readonly #small = { buy: new OpenBytes(SMALL_BYTES), read: new OpenBytes(SMALL_BYTES) };
  readonly #tiny = { buy: new OpenBytes(TINY_BYTES), read: new OpenBytes(TINY_BYTES) };
  /** Files that took longer than this thread has. */
  readonly #slow = new Set<string>();
  readonly #looks = new Mutex();
  #isOver = false;

  constructor(options: DraftsOptions = {}) {
    this.#threads = options.threads ?? threads;
  }

  /** @param purpose `read` for drafts that are never finished */
  async reserve(text: TextCase, purpose: 'buy' | 'read'): Promise<DraftReservation> {
    const bytes = await bytesIn(text.sourcePath, join(text.root, text.targetPath));
    if (purpose === 'buy') growHeapSlowly();
    const limits = bytes < TINY ? this.#tiny : bytes < LARGE ? this.#small : this.#large;
    const taken = await limits[purpose].take(Math.max(bytes, LEAST));
    const open = () => this.#open(text, { file: text.sourcePath, bytes });
    return {
      open,
      use: (work) => this.#use(open, work),
      [Symbol.dispose]: () => taken[Symbol.dispose](),
    };
  }

  /**
   * Opens a draft beside the limits, one at a time: the caller may itself have a reservation, and would wait for its own end.
   */
  async look<T>(text: TextCase, work: (draft: Draft) => Promise<T>): Promise<T> {
    const bytes = await bytesIn(text.sourcePath, join(text.root, text.targetPath));
    using _lock = await this.#looks.take('');
    return await this.#use(() => this.#open(text, { file: text.sourcePath, bytes }), work);
  }

  /**
   * Starts the thread that the first large source needs: it loads while the caller waits for the service. One file of 3,000 texts is
   * bought 0.1 s sooner.
   */
  startThread(sources: Iterable<Subject>): void {
    for (const { file, bytes } of sources) {
      const weight = weightOf(file, bytes);
      if (isReadHere(weight)) continue;
      growHeapSlowly();
      this.#threads.lease({ bytes: weight })[Symbol.dispose]();
      return;
    }
  }

  /** Drafts that are open on threads are lost. Idle threads end by themselves: the next run in this process may need one. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#threads.endBusy();
    growHeapAsUsual();
  }

  async #use<T>(open: () => Promise<Draft>, work: (draft: Draft) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await withDraft(open, work);
      } catch (error) {
        if (!(error instanceof ThreadLost)) throw error;
        if (this.#isOver) throw new JobFailure({ kind: 'stopped' });
      }
    }
  }

  async #open(text: TextCase, subject: Subject): Promise<Draft> {
    if (this.#isOver) throw new JobFailure({ kind: 'stopped' });
    const isSlow = this.#slow.has(text.sourcePath);
    if (!isSlow && isReadHere(weightOf(text.sourcePath, subject.bytes))) {
      try {
        return this.#guarded(text, await openDraft(text, (work) => withinTurn(HERE_MS, work)));
      } catch (error) {
        // The draft may only be slow: on a thread it has more time.
        if (!(error instanceof TookTooLong)) throw error;
        this.#slow.add(text.sourcePath);
      }
    }
    return await this.#openThere(text, subject);
  }

  /** A draft of this thread that takes too long to compose is lost, and is opened on a thread the next time. */
  #guarded(text: TextCase, draft: Draft): Draft {
    const guard = async <T>(work: () => Promise<T>): Promise<T> => {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof TookTooLong)) throw error;
        this.#slow.add(text.sourcePath);
        throw new ThreadLost();
      }
    };
    return {
      ...draft,
      tryToCompose: (at) => guard(() => draft.tryToCompose(at)),
      frameConflicts: (at) => guard(() => draft.frameConflicts(at)),
      finish: (at) => guard(() => draft.finish(at)),
    };
  }

  async #openThere(text: TextCase, subject: Subject): Promise<Draft> {
    const lease = this.#threads.lease({ bytes: weightOf(text.sourcePath, subject.bytes) });
    try {
      const draft = await openOnThread(text, { thread: lease.thread, subject });
      return {
        ...draft,
        [Symbol.dispose]: () => {
          draft[Symbol.dispose]();
          lease[Symbol.dispose]();
        },
      };
    } catch (error) {
      lease[Symbol.dispose]();
      if (this.#isOver) throw new JobFailure({ kind: 'stopped' });
      throw error;
    }
  }
}

async function withDraft<T>(
  open: () => Promise<Draft>,
  work: (draft: Draft) => Promise<T>,
): Promise<T> {
  using draft = await open();
  return await work(draft);
}

/** Bytes of JSON that take as long to read. */
function weightOf(path: string, bytes: number): number {
  return PAGES.has(extensionOf(path).toLowerCase()) ? bytes * SLOWNESS_OF_PAGES : bytes;
}

/** Limits the bytes of large files that are open at a time. A caller waits for those before it. */
export class OpenBytes {
  readonly #bytes: number;
  #taken = 0;
  readonly #waiting: (() => boolean)[] = [];

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Resolves when the bytes fit into the limit, in the order of the calls. A file larger than the whole limit is open alone. */
  async take(bytes: number): Promise<Disposable> {
    const size = Math.min(bytes, this.#bytes);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(() => {
      if (this.#taken + size > this.#bytes) return false;
      this.#taken += size;
      resolve();
      return true;
    });
    this.#admit();
    await promise;
    let isTaken = true;
    return {
      [Symbol.dispose]: () => {
        if (isTaken) this.#taken -= size;
        isTaken = false;
        this.#admit();
      },
    };
  }

  #admit(): void {
    while (this.#waiting[0]?.()) this.#waiting.shift();
  }
}
