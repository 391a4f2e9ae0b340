/** The messages between the main thread and a thread of drafts: calls, answers, and text cases as plain data. */

import type { StoredBaseline } from '../baseline.ts';
import type { KnownRevisions } from '../files/git-history.ts';
import type { TranslationElsewhere } from '../segments/decision.ts';
import type { IncomingText } from '../segments/moving-texts.ts';
import type { TermIndex } from '../segments/terms.ts';
import { segmentBaseline } from '../state/baselines/segment-baseline.ts';
import type { LockFiles } from '../state/lock-file.ts';
import type { AskedText, KnownTranslation, Memory } from '../state/memory.ts';
import { type PackedLock, packLock } from '../state/thread-locks.ts';
import type { Draft, DraftFacts } from './draft.ts';
import type { TextCase } from './text-case.ts';

/** The methods of a draft that may be called from another thread. */
type DraftMethod =
  | 'texts'
  | 'answer'
  | 'tryToCompose'
  | 'frameConflicts'
  | 'finish'
  | 'records'
  | 'staleTerms'
  | 'openUnits'
  | 'sample';

/** A draft that is called over messages. */
export type Callable = Pick<Draft, DraftMethod>;

export interface OpenedDraft {
  /** Number of the draft, unique in the process. */
  readonly draft: number;
  readonly text: PackedCase;
  /** Bytes of the stored baseline; absent: there is none. */
  readonly stored?: Uint8Array;
  /** What git has answered about the source. */
  readonly revisions: KnownRevisions;
}

/** The first answer to `OpenedDraft`. */
export interface BegunDraft {
  readonly opening: Opening;
  /** The answers of git about the source, also to this thread. */
  readonly revisions: KnownRevisions;
}

export interface DraftCall {
  readonly draft: number;
  readonly method: DraftMethod;
  readonly args: readonly unknown[];
}

/** The memory's answers to the questions of a draft, in their order. */
export interface SentDraft {
  readonly draft: number;
  readonly found: readonly KnownTranslation[];
}

/** Translations of people for texts that came from other files, one per sought text. */
export interface SentMoved {
  readonly draft: number;
  readonly moved: readonly (TranslationElsewhere | undefined)[];
}

/**
 * The state of a draft that is being opened. It asks the memory of the main thread for one portion after another, and then for texts of other
 * files; then it is open.
 */
export type Opening =
  | { readonly kind: 'asks'; readonly asked: readonly AskedText[] }
  | { readonly kind: 'seeks'; readonly format: string; readonly sought: readonly IncomingText[] }
  | { readonly kind: 'open'; readonly facts: DraftFacts };

/** Terms that several drafts of a thread use. */
export interface SentTerms {
  /** Unique in the process. */
  readonly number: number;
  /** As the API has them: so they are sent in a moment. */
  readonly tsv: string;
}

/** A text case without the parts that exist only on the main thread. */
export interface PackedCase
  extends Omit<
    TextCase,
    'memory' | 'improvements' | 'baseline' | 'projectTerms' | 'lock' | 'moved'
  > {
  /** The main thread may find texts that came from other files. */
  readonly seeksMoved?: true;
  readonly packedLock?: PackedLock;
  /** The number of terms that the thread has. */
  readonly terms?: { readonly number: number; readonly version: string };
  readonly style?: string;
}

/** @param number of its terms on the thread; undefined: it has none @param seeksMoved see `MovedLookup.mayFind` */
export function packCase(
  text: TextCase,
  number: number | undefined,
  seeksMoved: boolean,
): PackedCase {
  const {
    memory: _memory,
    improvements: _improvements,
    baseline: _baseline,
    lock,
    moved: _moved,
    projectTerms: { terms, style },
    ...data
  } = text;
  return {
    ...data,
    ...(seeksMoved && { seeksMoved }),
    ...(lock === undefined ? {} : { packedLock: packLock(lock) }),
    ...(terms && number !== undefined ? { terms: { number, version: terms.version } } : {}),
    ...(style === undefined ? {} : { style }),
  };
}

/** The parts that the receiving thread adds to a packed case. */
export interface Unpacking {
  readonly memory: Memory;
  readonly stored: StoredBaseline;
  /** @param number of the terms */
  indexOf(number: number): TermIndex;
  /** Opens the lock. */
  lock(place: PackedLock): LockFiles;
}

export function unpackCase(
  { packedLock, terms, style, ...data }: PackedCase,
  { memory, stored, indexOf, lock }: Unpacking,
): TextCase {
  const { job, wrote, fence } = data;
  return {
    ...data,
    memory,
    ...(packedLock === undefined ? {} : { lock: lock(packedLock) }),
    baseline: segmentBaseline({ stored, path: job.source, wrote, fence }),
    projectTerms: {
      ...(terms === undefined
        ? {}
        : { terms: { index: indexOf(terms.number), version: terms.version } }),
      ...(style === undefined ? {} : { style }),
    },
  };
}
