/** The main thread's side of a thread that reads: calls, their answers, and the watch that ends a thread that does not answer. */
import { extname } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { JobFailure } from '../failure.ts';
import { type PackedError, unpackError } from './packed-error.ts';
import { limitFor, type Parser, type Subject, tookTooLong } from './parser.ts';
import { computedMs } from './within.ts';

/** To the thread. */
export interface ToThread {
  readonly id: number;
  /** Its name. */
  readonly parser: string;
  readonly input: unknown;
}

/** From the thread. `begun`: what may take its time is over, the limit counts from now. */
export type FromThread =
  | { readonly kind: 'begun'; readonly id: number }
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly error: PackedError };

/** The thread ended by another call's fault: this one may be made again on another thread. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost';
}

export interface ThreadOptions {
  /** Megabytes of JavaScript objects; absent: as Node does. */
  readonly heapMegabytes?: number | undefined;
  /** What the thread runs; absent: all parsers of the product. */
  readonly program?: URL | undefined;
  /** Milliseconds that work on so many bytes may take. */
  readonly limitFor?: ((bytes: number) => number) | undefined;
  /** The thread has ended; it is of no further use. */
  onEnd(): void;
}

interface Pending {
  readonly subject: Subject;
  readonly promise: PromiseWithResolvers<unknown>;
  /** By `performance.now`, and what the process had computed then; undefined while it waits, reads from the disk or loads. */
  begun?: { readonly at: number; readonly computed: number };
  /** Whether the last look found it late: the answer may have been waiting to be heard. */
  isLate?: true;
}

// As TypeScript or compiled.
const PROGRAM = new URL(`../thread${extname(import.meta.url)}`, import.meta.url);
const LOOK_MS = 50;
/** So many times the limit for what computes nothing: on a machine that is busy with other things, nothing else is slow. */
const STANDSTILL = 10;

export class ParserThread {
  readonly #options: ThreadOptions;
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #count = 0;
  #watch: NodeJS.Timeout | undefined;
  #end: { readonly culprit?: Pending; readonly error: unknown } | undefined;

  constructor(options: ThreadOptions) {
    const { heapMegabytes, program = PROGRAM } = options;
    this.#options = options;
    // Loaded with the first thread: a command that needs none starts sooner.
    const threads = process.getBuiltinModule('node:worker_threads');
    this.#worker = new threads.Worker(program, {
      ...(heapMegabytes === undefined
        ? {}
        : { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } }),
    });
    // A thread that waits for work keeps no process from ending.
    this.#worker.unref();
    this.#worker.on('message', (message: FromThread) => this.#hear(message));
    this.#worker.on('error', (error) => {
      this.#end ??= { error };
    });
    this.#worker.once('exit', () => this.#over());
  }

  /** Calls without an answer. */
  get calls(): number {
    return this.#pending.size;
  }

  /** @throws JobFailure `malformed` for what takes too long; ThreadLost; what the parser throws */
  run<Input, Output>(
    parser: Parser<Input, Output>,
    input: Input,
    subject: Subject,
  ): Promise<Output> {
    if (this.#end !== undefined) return Promise.reject(new ThreadLost());
    const id = ++this.#count;
    const promise = Promise.withResolvers<unknown>();
    this.#pending.set(id, { subject, promise });
    this.#keepWatch();
    this.#worker.postMessage({ id, parser: parser.name, input } satisfies ToThread);
    return promise.promise as Promise<Output>;
  }

  /** Calls without an answer get ThreadLost. */
  async end(): Promise<void> {
    this.#end ??= { error: undefined };
    // A process with nothing else to wait for would end before this does, with exit code 13.
    this.#worker.ref();
    await this.#worker.terminate();
  }

  #hear(message: FromThread): void {
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
        pending.promise.reject(unpackError(message.error));
        break;
    }
    this.#pending.delete(message.id);
    this.#keepWatch();
  }

  #keepWatch(): void {
    if (this.#pending.size > 0 && this.#watch === undefined) {
      this.#watch = setInterval(() => this.#look(), LOOK_MS);
      this.#worker.ref();
    } else if (this.#pending.size === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
      if (this.#end === undefined) this.#worker.unref();
    }
  }

  #look(): void {
    const limit = this.#options.limitFor ?? limitFor;
    for (const pending of this.#pending.values()) {
      const { begun, subject } = pending;
      const ms = limit(subject.bytes);
      if (begun === undefined || !isOver(begun, ms)) continue;
      // This thread may have been the slow one: then the answer is heard before the next look.
      if (pending.isLate === true) {
        this.#end ??= { culprit: pending, error: tookTooLong(subject.file, ms) };
        void this.#worker.terminate();
      }
      pending.isLate = true;
    }
  }

  /** A thread that ends takes its calls with it, and nothing else of the process. */
  #over(): void {
    this.#end ??= { error: undefined };
    const { error, culprit } = this.#end;
    const left = [...this.#pending.values()];
    this.#pending.clear();
    this.#keepWatch();
    const underway = left.find(({ begun }) => begun !== undefined) ?? left[0];
    const blamed = error === undefined ? undefined : (culprit ?? underway);
    for (const pending of left) {
      pending.promise.reject(pending === blamed ? reasonFor(error, pending) : new ThreadLost());
    }
    this.#options.onEnd();
  }
}

/** By what the process has computed since: a busy machine gives it less, and the content is not at fault. */
function isOver({ at, computed }: NonNullable<Pending['begun']>, ms: number): boolean {
  const passed = performance.now() - at;
  return passed > ms && (computedMs() - computed > ms || passed > ms * STANDSTILL);
}

function reasonFor(error: unknown, { subject: { file } }: Pending): unknown {
  if (error instanceof JobFailure) return error;
  if ((error as { code?: unknown } | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new JobFailure({
      kind: 'unsupported',
      what: `${file} needs more memory than this process may use`,
      advice: 'Split the file, or give the process more: NODE_OPTIONS=--max-old-space-size=8192.',
    });
  }
  const message = `the thread that read ${file} ended: ${String(error)}`;
  return new JobFailure({ kind: 'internal', message }, { cause: error });
}
