/** What the main thread and a thread of drafts tell each other: calls and their answers, text cases and failures as plain data. */

import type { StoredBaseline } from '../baseline.ts';
import { type Failure, JobFailure } from '../failure.ts';
import type { Part } from '../format.ts';
import type { RecipeKey } from '../job.ts';
import type { Entries } from '../segments/dictionary.ts';
import { TermIndex } from '../segments/terms.ts';
import { segmentBaseline } from '../state/baselines/segment-baseline.ts';
import type { LockFiles } from '../state/lock-file.ts';
import type { Memory } from '../state/memory.ts';
import type { Draft } from './draft.ts';
import type { TextCase } from './text-case.ts';

/** The methods of a draft that are called from thread to thread. */
export type DraftMethod = 'texts' | 'answer' | 'finish' | 'prepare' | 'staleTerms' | 'sample';

/** To the thread. `call` names the answer, `draft` the draft that is meant. */
export type ToThread =
  | { readonly kind: 'open'; readonly call: number; readonly draft: number; readonly text: Packed }
  | {
      readonly kind: 'call';
      readonly call: number;
      readonly draft: number;
      readonly method: DraftMethod;
      readonly args: readonly unknown[];
    }
  | { readonly kind: 'close'; readonly draft: number }
  | { readonly kind: 'known'; readonly question: number; readonly value: unknown }
  | { readonly kind: 'refused'; readonly question: number; readonly error: PackedError };

/** From the thread. */
export type FromThread =
  | { readonly kind: 'done'; readonly call: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly call: number; readonly error: PackedError }
  | {
      readonly kind: 'ask';
      readonly question: number;
      readonly draft: number;
      readonly about: Question;
    };

/** Memory and baselines are the main thread's alone. */
export type Question =
  | { readonly kind: 'memory'; readonly asked: readonly Asked[] }
  | { readonly kind: 'read-baseline' }
  | { readonly kind: 'write-baseline'; readonly bytes: Uint8Array };

export interface Asked {
  readonly recipe: RecipeKey;
  readonly parts: readonly Part[];
}

export type Found = ReturnType<Memory['lookup']>;

/** A text case without what lives on the main thread. */
export interface Packed
  extends Omit<TextCase, 'memory' | 'improvements' | 'baseline' | 'projectTerms' | 'lock'> {
  /** Folder of the lock. */
  readonly lockFolder?: string;
  readonly terms?: { readonly entries: Entries; readonly version: string };
  readonly style?: string;
}

export function packCase(text: TextCase): Packed {
  const {
    memory: _memory,
    improvements: _improvements,
    baseline: _baseline,
    lock,
    projectTerms,
    ...data
  } = text;
  const { terms, style } = projectTerms;
  return {
    ...data,
    ...(lock === undefined ? {} : { lockFolder: lock.folder }),
    ...(terms === undefined
      ? {}
      : { terms: { entries: terms.index.entries, version: terms.version } }),
    ...(style === undefined ? {} : { style }),
  };
}

/** What a thread has in the place of memory, baseline and lock: it asks the main thread, and reads the lock itself. */
export interface AskedFor {
  readonly memory: Memory;
  readonly stored: StoredBaseline;
  /** The lock in a folder. */
  lock(folder: string): LockFiles;
}

export function unpackCase(
  { lockFolder, terms, style, ...data }: Packed,
  { memory, stored, lock }: AskedFor,
): TextCase {
  const { job, wrote } = data;
  return {
    ...data,
    memory,
    ...(lockFolder === undefined ? {} : { lock: lock(lockFolder) }),
    baseline: segmentBaseline({ stored, path: job.source, wrote }),
    projectTerms: {
      ...(terms === undefined
        ? {}
        : { terms: { index: new TermIndex(terms.entries), version: terms.version } }),
      ...(style === undefined ? {} : { style }),
    },
  };
}

/** Errors lose their class on the way between threads; a failure keeps its facts. */
export interface PackedError {
  readonly failure?: Failure;
  readonly message: string;
  readonly stack?: string;
}

export function packError(error: unknown): PackedError {
  if (error instanceof JobFailure) return { failure: error.failure, message: error.message };
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack } = error;
  return stack === undefined ? { message } : { message, stack };
}

export function unpackError({ failure, message, stack }: PackedError): Error {
  if (failure !== undefined) return new JobFailure(failure);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}

/** A draft that is called over the wire. */
export type Callable = Pick<Draft, DraftMethod>;
