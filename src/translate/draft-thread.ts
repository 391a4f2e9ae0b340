/** The main thread's side of a thread of drafts: drafts that are opened there and called as if they were here. */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { JobFailure } from '../failure.ts';
import type { Draft, DraftFacts } from './draft.ts';
import type { Finished } from './draft-outcome.ts';
import {
  type DraftMethod,
  type FromThread,
  packCase,
  packError,
  type Question,
  type ToThread,
  unpackError,
} from './draft-wire.ts';
import type { TextCase } from './text-case.ts';
import type { OpenText } from './text-orders.ts';

// As TypeScript, or a bundle of its own: chunks of the package lie in another folder of the same depth.
const ENTRY = new URL(`../translate/thread${extname(import.meta.url)}`, import.meta.url);

export interface DraftThreadOptions {
  /** Megabytes of JavaScript objects; absent: as Node does. */
  readonly heapMegabytes?: number;
  /** The thread has ended; it is of no further use. */
  onEnd(): void;
}

interface Pending {
  readonly draft: number;
  readonly promise: PromiseWithResolvers<unknown>;
}

export class DraftThread implements AsyncDisposable {
  readonly #options: DraftThreadOptions;
  readonly #worker: Worker;
  readonly #texts = new Map<number, TextCase>();
  readonly #pending = new Map<number, Pending>();
  #count = 0;
  #error: unknown;

  constructor(options: DraftThreadOptions) {
    const { heapMegabytes } = options;
    this.#options = options;
    this.#worker = new Worker(ENTRY, {
      ...(heapMegabytes === undefined
        ? {}
        : { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } }),
    });
    this.#worker.on('message', (message: FromThread) => this.#hear(message));
    this.#worker.on('error', (error) => {
      this.#error = error;
    });
    this.#worker.once('exit', () => this.#end());
  }

  /** Drafts that are open. */
  get drafts(): number {
    return this.#texts.size;
  }

  async open(text: TextCase): Promise<Draft> {
    const draft = ++this.#count;
    this.#texts.set(draft, text);
    try {
      const packed = packCase(text);
      const facts = await this.#ask<DraftFacts>({
        kind: 'open',
        call: ++this.#count,
        draft,
        text: packed,
      });
      return this.#proxy(draft, facts);
    } catch (error) {
      this.#close(draft);
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#error ??= new JobFailure({ kind: 'stopped' });
    await this.#worker.terminate();
  }

  #proxy(draft: number, facts: DraftFacts): Draft {
    const call = <T>(method: DraftMethod, ...args: readonly unknown[]) =>
      this.#ask<T>({ kind: 'call', call: ++this.#count, draft, method, args });
    return {
      facts,
      texts: (from) => call<readonly OpenText[]>('texts', from),
      answer: (answers) => call<void>('answer', answers),
      finish: (at) => call<Finished>('finish', at),
      prepare: () => call<void>('prepare'),
      staleTerms: () => call<readonly string[]>('staleTerms'),
      sample: (characters) => call<string>('sample', characters),
      [Symbol.dispose]: () => this.#close(draft),
    };
  }

  #ask<T>(message: Extract<ToThread, { readonly call: number }>): Promise<T> {
    const promise = Promise.withResolvers<unknown>();
    this.#pending.set(message.call, { draft: message.draft, promise });
    this.#send(message);
    return promise.promise as Promise<T>;
  }

  #send(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #close(draft: number): void {
    if (!this.#texts.delete(draft)) return;
    this.#send({ kind: 'close', draft });
  }

  #hear(message: FromThread): void {
    switch (message.kind) {
      case 'done':
        this.#take(message.call)?.promise.resolve(message.value);
        break;
      case 'failed':
        this.#take(message.call)?.promise.reject(unpackError(message.error));
        break;
      case 'ask':
        this.#answer(message);
        break;
    }
  }

  #answer({ question, draft, about }: Extract<FromThread, { readonly kind: 'ask' }>): void {
    answerTo(about, this.#texts.get(draft)).then(
      (value) => this.#send({ kind: 'known', question, value }),
      (error: unknown) => this.#send({ kind: 'refused', question, error: packError(error) }),
    );
  }

  #take(call: number): Pending | undefined {
    const pending = this.#pending.get(call);
    this.#pending.delete(call);
    return pending;
  }

  /** A thread that ends takes its open drafts with it, and nothing else of the process. */
  #end(): void {
    const left = [...this.#pending.values()];
    this.#pending.clear();
    for (const { draft, promise } of left) promise.reject(this.#reason(this.#texts.get(draft)));
    this.#texts.clear();
    this.#options.onEnd();
  }

  #reason(text: TextCase | undefined): JobFailure {
    const error = this.#error;
    if (error instanceof JobFailure) return error;
    if ((error as { code?: unknown } | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
      return new JobFailure({
        kind: 'unsupported',
        what: `${text?.sourcePath ?? 'a file'} needs more memory than this process may use`,
        advice: 'Split the file, or give the process more: NODE_OPTIONS=--max-old-space-size=8192.',
      });
    }
    const message = `the thread that read ${text?.sourcePath ?? 'a file'} ended: ${String(error)}`;
    return new JobFailure({ kind: 'internal', message }, { cause: error });
  }
}

/** @param text undefined when the draft was closed meanwhile: nobody reads the answer then */
async function answerTo(about: Question, text: TextCase | undefined): Promise<unknown> {
  switch (about.kind) {
    case 'memory':
      return about.asked.map(({ recipe, parts }) => text?.memory.lookup(recipe, parts));
    case 'read-baseline':
      return await text?.baseline.stored.read();
    case 'write-baseline':
      return await text?.baseline.stored.write(about.bytes);
  }
}
