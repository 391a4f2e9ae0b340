/** The disk of the state folder: which failures show that it is full or read-only, and whether it has space for bought answers. */
import { statfsSync } from 'node:fs';
import { sep } from 'node:path';
import type { Clock } from '../clock.ts';
import { type Config, spoolOf } from '../config.ts';
import { JobFailure } from '../failure.ts';
import type { StateLock } from '../files/exclusive.ts';

/** Errors of the whole disk or folder, not of one file. */
const OF_THE_DISK = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EFBIG']);
/** Something that is no folder stands at its path. */
const NO_FOLDER = new Set(['EEXIST', 'ENOTDIR']);
/** Errors for files of another user: dragoman does not work with a state that it cannot read completely. */
const OF_RIGHTS = new Set(['EACCES', 'EPERM']);

/**
 * Turns the failure of a file of the state into `state-unwritable`, which ends the process: no job is at fault, and none can go on.
 * Every other error is returned as it is; where disposals threw after an error, that first error.
 */
export function asStateFailure(error: unknown, config: Pick<Config, 'state' | 'team'>): unknown {
  const first = firstError(error);
  if (!(first instanceof JobFailure)) return first;
  const { failure } = first;
  if (!('file' in failure)) return first;
  // The daemons of a tree have part of their state in its spool.
  const folder = [config.state, spoolOf(config)].find((each) => isIn(failure.file, each));
  if (folder === undefined) return first;
  const place = { folder, ...(folder !== config.state && { isSpool: true as const }) };
  if (failure.kind === 'unreadable' && OF_RIGHTS.has(failure.code)) {
    const { file: unread, code } = failure;
    return new JobFailure({ kind: 'state-unwritable', ...place, code, unread }, { cause: first });
  }
  if (failure.kind !== 'disk-full' && failure.kind !== 'unwritable') return first;
  const code = failure.kind === 'disk-full' ? 'ENOSPC' : failure.code;
  // A single job may need more space than there is, while other jobs can go on.
  const isPrecaution = failure.kind === 'disk-full' && failure.needs !== undefined;
  // Folders are made before files, so somebody removed one. In the spool of a tree, another daemon may have moved the file.
  const isRemoved = code === 'ENOENT' && folder === config.state;
  const isNoFolder = NO_FOLDER.has(code) && failure.file === folder;
  if (isPrecaution || !(isRemoved || isNoFolder || OF_THE_DISK.has(code))) return first;
  return new JobFailure({ kind: 'state-unwritable', ...place, code }, { cause: first });
}

function isIn(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}${sep}`);
}

/** The first error, where disposals threw after it. */
export function firstError(error: unknown): unknown {
  let first = error;
  // By its name: on older versions of Node the class is another one (`builtins.ts`).
  while (first instanceof Error && first.name === 'SuppressedError' && 'suppressed' in first) {
    first = first.suppressed;
  }
  return first;
}

/** Milliseconds between two looks whether the state folder is still there. */
const LOOK_MS = 1000;

/**
 * Until the signal.
 * @throws JobFailure `state-unwritable` when the folder was removed or replaced. This process would go on with files that nobody can read
 * again, and another process could work beside it
 */
export async function watchStateFolder(
  lock: Pick<StateLock, 'folder' | 'isInPlace'>,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    if (!(await lock.isInPlace())) {
      const { folder } = lock;
      throw new JobFailure({ kind: 'state-unwritable', folder, code: 'ENOENT' });
    }
    await clock.sleep(LOOK_MS, signal).catch(() => {});
  }
}

/** Bytes that stay free for the journal and the snapshot of the ledger: with less, nothing is bought. */
export const LEAST_STATE_SPACE = 256 * 1024;
/** Bytes in the memory for each sent character: source and translation, possibly escaped. */
const BYTES_PER_CHARACTER = 16;
/** Bytes in journals and baselines for each text. */
const BYTES_PER_TEXT = 1024;

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}

/** Reserves space on the disk of the state for the answers of requests that are under way. */
export class StateSpace {
  readonly #folder: string;
  #reserved = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws JobFailure `state-unwritable` when the answer would not fit: then nothing may be bought */
  async reserve(order: {
    readonly characters: number;
    readonly texts: number;
  }): Promise<Disposable> {
    const bytes = order.characters * BYTES_PER_CHARACTER + order.texts * BYTES_PER_TEXT;
    this.#reserved += bytes;
    const release = {
      [Symbol.dispose]: () => {
        this.#reserved -= bytes;
      },
    };
    if (freeBytes(this.#folder) >= this.#reserved + LEAST_STATE_SPACE) return release;
    release[Symbol.dispose]();
    throw new JobFailure({ kind: 'state-unwritable', folder: this.#folder, code: 'ENOSPC' });
  }
}
