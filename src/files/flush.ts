/** Flushes files and folders to the disk, on the thread pool of Node. Callers that flush the same folder share one flush. */
import { closeSync, constants, fsync, openSync } from 'node:fs';
import { promisify } from 'node:util';

const flush = promisify(fsync);

interface FolderFlush {
  hasBegun: boolean;
  done: Promise<void>;
}

const flushes = new Map<string, FolderFlush>();

/** When it resolves, everything that was written to the open file survives a power cut. */
export async function flushFile(file: number): Promise<void> {
  await flush(file);
}

/**
 * Flushes the entries of a folder: a renamed or new file needs that to survive a power cut. Calls during a flush share the next one,
 * because the present one may have begun before their rename.
 */
export function flushFolder(folder: string): Promise<void> {
  const last = flushes.get(folder);
  if (last?.hasBegun === false) return last.done;
  const next: FolderFlush = { hasBegun: false, done: Promise.resolve() };
  next.done = beginFlush(folder, next, last?.done);
  flushes.set(folder, next);
  return next.done;
}

async function beginFlush(folder: string, own: FolderFlush, before?: Promise<void>): Promise<void> {
  // Its own callers get its failure.
  await before?.catch(() => {});
  own.hasBegun = true;
  try {
    await flushNow(folder);
  } finally {
    if (flushes.get(folder) === own) flushes.delete(folder);
  }
}

async function flushNow(folder: string): Promise<void> {
  const file = openSync(folder, constants.O_RDONLY);
  try {
    await flush(file);
  } finally {
    closeSync(file);
  }
}
