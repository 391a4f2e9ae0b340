/** The main thread's side of a parser thread: calls, their answers, and the watch that ends a thread which does not answer. */
import { extname } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { failureOf, JobFailure } from '../failure.ts';
import { FilePaces } from './paces.ts';
import { type PackedError, unpackError } from './packed-error.ts';
import {
  errorIn,
  limitFor,
  type Subject,
  type ThreadCall,
  TIMES_WHEN_PAID,
  tookTooLong,
} from './thread-call.ts';
import { ParserTurns } from './turns.ts';
import { computedMs } from './within.ts';

/** A message to the thread. */
export interface ToThread {
  readonly id: number;
  /** Name of the parser. */
  readonly parser: string;
  readonly input: unknown;
}

/** A message from the thread. `begun`: loading is done, and the time limit starts now. */
export type FromThread =
  | { readonly kind: 'begun'; readonly id: number }
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly error: PackedError };

/**
 * Another call ended the thread: this call is repeated on another thread. That other call has failed with a reason of its own and is not
 * repeated, so the repetitions end.
 */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost';

  constructor() {
    super('another file ended the thread');
  }
}

export interface ThreadOptions {
  /** Heap limit in megabytes; absent: Node's own. */
  readonly heapMegabytes?: number | undefined;
  /** The program of the thread; absent: the one with all parsers. */
  readonly program?: URL | undefined;
  /** Milliseconds that the work on so many bytes may take. */
  readonly limitFor?: ((bytes: number) => number) | undefined;
  /** Files that took long before; absent: nothing is known of any. */
  readonly paces?: FilePaces | undefined;
  /** Called once, when the thread takes no more calls: it ends. */
  onEnd(): void;
}

/** A file that a thread reads, and since when (by `performance.now`). */
export interface FileSince {
  readonly file: string;
  readonly since: number;
}

interface PendingCall {
  readonly subject: Subject;
  readonly message: ToThread;
  /** By `performance.now`. */
  readonly since: number;
  readonly promise: PromiseWithResolvers<unknown>;
  /**
   * Time by `performance.now`, and processor time of the process, when the work began; undefined while the call waits, reads from the disk
   * or loads.
   */
  begun?: { at: number; readonly computed: number };
  /** The last check found it late. It is ended only at the next check, since its answer may already be in the queue. */
  isLate?: true;
}

/** Why a thread ends: the call that is guilty (absent: the thread was asked to end), and the error. */
interface ThreadEnd {
  readonly culprit?: PendingCall;
  readonly error: unknown;
}

// The program is TypeScript or compiled, like this file.
const PROGRAM = new URL(`../thread${extname(import.meta.url)}`, import.meta.url);
const LOOK_MS = 50;
/** A call that uses no processor time is ended after so many times the limit: on a busy machine it may just get none. */
const STANDSTILL = 10;
/** When more milliseconds are between two checks, the process was suspended, or its main thread was busy. */
const STOOD_MS = 500;

export class ParserThread {
  readonly #options: ThreadOptions;
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingCall>();
  readonly #paces: FilePaces;
  /** The calls that the thread does not have yet, so that quick files pass slow ones. */
  readonly #turns: ParserTurns<PendingCall>;
  #count = 0;
  #watch: NodeJS.Timeout | undefined;
  /** The last check. */
  #looked = 0;
  #end: ThreadEnd | undefined;

  constructor(options: ThreadOptions) {
    const { heapMegabytes, program = PROGRAM } = options;
    this.#options = options;
    this.#paces = options.paces ?? new FilePaces();
    this.#turns = new ParserTurns(({ subject }) => this.#paces.isQuick(subject));
    // Loaded with the first thread: commands without threads start faster.
    const threads = process.getBuiltinModule('node:worker_threads');
    this.#worker = new threads.Worker(program, {
      ...(heapMegabytes === undefined
        ? {}
        : { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } }),
    });
    // An idle thread does not keep the process alive.
    this.#worker.unref();
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    this.#worker.on('error', (error) => this.#refuseCalls({ error }));
    this.#worker.once('exit', () => this.#over());
  }

  /** Number of calls without an answer. */
  get calls(): number {
    return this.#pending.size;
  }

  /** The file that is read now. */
  get reading(): FileSince | undefined {
    for (const { subject, begun } of this.#pending.values()) {
      if (begun !== undefined) return { file: subject.file, since: begun.at };
    }
    return undefined;
  }

  /** The files that wait. */
  *waiting(): Generator<FileSince> {
    for (const { subject, begun, since } of this.#pending.values()) {
      if (begun === undefined) yield { file: subject.file, since };
    }
  }

  /** @throws JobFailure `malformed` for what takes too long; ThreadLost; what the parser throws */
  run<Input, Output>(
    parser: ThreadCall<Input, Output>,
    input: Input,
    subject: Subject,
  ): Promise<Output> {
    if (this.#end !== undefined) return Promise.reject(new ThreadLost());
    const id = ++this.#count;
    const promise = Promise.withResolvers<unknown>();
    const message = { id, parser: parser.name, input };
    const call = { subject, promise, message, since: performance.now() };
    this.#pending.set(id, call);
    this.#keepWatch();
    this.#turns.add(call);
    this.#post();
    return promise.promise as Promise<Output>;
  }

  /** Ends the thread. Calls without an answer are rejected with ThreadLost. */
  async end(): Promise<void> {
    this.#refuseCalls({ error: undefined });
    // Otherwise a process with nothing else to wait for would end before the thread, with exit code 13.
    this.#worker.ref();
    await this.#worker.terminate();
  }

  #post(): void {
    for (const { message } of this.#turns.next()) this.#worker.postMessage(message);
  }

  #receive(message: FromThread): void {
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    switch (message.kind) {
      case 'begun':
        pending.begun = { at: performance.now(), computed: computedMs() };
        return;
      case 'done':
        pending.promise.resolve(message.value);
        break;
      case 'failed':
        pending.promise.reject(errorIn(pending.subject.file, unpackError(message.error)));
        break;
    }
    this.#pending.delete(message.id);
    const ms = pending.begun === undefined ? 0 : workedMs(pending.begun);
    this.#paces.learn(pending.subject, ms);
    this.#turns.done(pending, ms);
    this.#keepWatch();
    this.#post();
  }

  #keepWatch(): void {
    if (this.#pending.size > 0 && this.#watch === undefined) {
      this.#looked = performance.now();
      this.#watch = setInterval(() => this.#endOverdue(), LOOK_MS);
      this.#worker.ref();
    } else if (this.#pending.size === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
      if (this.#end === undefined) this.#worker.unref();
    }
  }

  #endOverdue(): void {
    this.#leaveOutStandstill();
    const limit = this.#options.limitFor ?? limitFor;
    for (const pending of this.#pending.values()) {
      const { begun, subject } = pending;
      const ms = limit(subject.bytes) * (subject.isPaid === true ? TIMES_WHEN_PAID : 1);
      if (begun === undefined || !isTimeOver(begun, ms)) continue;
      // The main thread may have been the slow one; then the answer arrives before the next check.
      if (pending.isLate === true) {
        this.#refuseCalls({ culprit: pending, error: tookTooLong(subject.file, ms) });
        void this.#worker.terminate();
      }
      pending.isLate = true;
    }
  }

  /** A process that was suspended computed nothing: without this, all that it was reading would be late when it wakes up. */
  #leaveOutStandstill(): void {
    const now = performance.now();
    const stood = now - this.#looked - LOOK_MS;
    this.#looked = now;
    if (stood < STOOD_MS) return;
    for (const { begun } of this.#pending.values()) {
      if (begun !== undefined) begun.at = Math.min(now, begun.at + stood);
    }
  }

  /** From now on, calls go to other threads, also while this one is still ending. */
  #refuseCalls(end: ThreadEnd): ThreadEnd {
    if (this.#end === undefined) {
      this.#end = end;
      // Each further look would end the thread again, and Node warns about the eleventh.
      clearInterval(this.#watch);
      this.#options.onEnd();
    }
    return this.#end;
  }

  /** Rejects all open calls of the ended thread; nothing else in the process is affected. */
  #over(): void {
    const { error, culprit } = this.#refuseCalls({ error: undefined });
    const left = [...this.#pending.values()];
    this.#pending.clear();
    this.#keepWatch();
    const underway =
      left.find(({ begun }) => begun !== undefined) ??
      left.find((pending) => this.#turns.isGiven(pending));
    const blamed = error === undefined ? undefined : (culprit ?? underway);
    for (const pending of left) {
      pending.promise.reject(pending === blamed ? reasonFor(error, pending) : new ThreadLost());
    }
  }
}

/** At most so long: on a busy machine a call takes longer than its work. */
function workedMs({ at, computed }: NonNullable<PendingCall['begun']>): number {
  return Math.min(performance.now() - at, computedMs() - computed);
}

/** Processor time counts: a busy machine gives the thread less of it, and the content is not to blame. */
function isTimeOver({ at, computed }: NonNullable<PendingCall['begun']>, ms: number): boolean {
  const passed = performance.now() - at;
  return passed > ms && (computedMs() - computed > ms || passed > ms * STANDSTILL);
}

function reasonFor(error: unknown, { subject: { file } }: PendingCall): unknown {
  if (error instanceof JobFailure) return error;
  if ((error as { code?: unknown } | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new JobFailure({
      kind: 'unsupported',
      what: `${file} needs more memory than this process may use`,
      advice: 'Split the file, or give the process more: NODE_OPTIONS=--max-old-space-size=8192.',
    });
  }
  const failure = failureOf(error);
  if (failure.kind === 'unreadable') return new JobFailure(failure, { cause: error });
  const message = `the thread that read ${file} ended: ${String(error)}`;
  return new JobFailure({ kind: 'internal', message }, { cause: error });
}
