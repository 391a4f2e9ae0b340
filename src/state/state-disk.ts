/** The disk of the state folder: which failures say that it is full or read-only, and whether there is room for what is bought. */
import { statfs } from 'node:fs/promises';
import { sep } from 'node:path';
import { JobFailure } from '../failure.ts';

/** Errors of the disk, not of one file in it. */
const OF_THE_DISK = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EFBIG']);
/** Files of another user: a state of which a part cannot be read is not worked with. */
const OF_RIGHTS = new Set(['EACCES', 'EPERM']);

/**
 * The failure that ends the process where the state folder cannot be written, or not read by this user: no job is at fault, and none can go on.
 * Every other error is returned as it is. An error of a disposal never hides the one that came before it.
 */
export function asStateFailure(error: unknown, folder: string): unknown {
  const first = firstError(error);
  if (!(first instanceof JobFailure)) return first;
  const { failure } = first;
  if (failure.kind === 'unreadable' && isIn(failure.file, folder) && OF_RIGHTS.has(failure.code)) {
    const { file: unread, code } = failure;
    return new JobFailure({ kind: 'state-unwritable', folder, code, unread }, { cause: first });
  }
  if (failure.kind !== 'disk-full' && failure.kind !== 'unwritable') return first;
  const code = failure.kind === 'disk-full' ? 'ENOSPC' : failure.code;
  // What a single job wants to lay down there may be too large although others fit.
  const isPrecaution = failure.kind === 'disk-full' && failure.needs !== undefined;
  if (!isIn(failure.file, folder) || isPrecaution || !OF_THE_DISK.has(code)) return first;
  return new JobFailure({ kind: 'state-unwritable', folder, code }, { cause: first });
}

function isIn(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}${sep}`);
}

/** What was thrown first, where disposals threw after it. */
export function firstError(error: unknown): unknown {
  let first = error;
  // By its name: where the language has no such class yet, the compiled code brings its own.
  while (first instanceof Error && first.name === 'SuppressedError' && 'suppressed' in first) {
    first = first.suppressed;
  }
  return first;
}

/** Bytes that stay free for the ledger's own lines and its snapshot. */
const SPARE = 256 * 1024;
/** Of the memory's journal for each character that is sent: source and translation, both escaped perhaps. */
const BYTES_PER_CHARACTER = 16;
/** Of journals and baselines for each text. */
const BYTES_PER_TEXT = 1024;

/** Sets room on the state's disk aside for the answers of requests that are on their way. */
export class StateRoom {
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
    const { bavail, bsize } = await statfs(this.#folder).catch(() => ({
      bavail: 1,
      bsize: Infinity,
    }));
    if (bavail * bsize >= this.#reserved + SPARE) return release;
    release[Symbol.dispose]();
    throw new JobFailure({ kind: 'state-unwritable', folder: this.#folder, code: 'ENOSPC' });
  }
}
