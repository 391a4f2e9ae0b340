/** Flushes, on threads of the system: who waits for the same folder waits for one flush. */
import { closeSync, constants, fsync, openSync } from 'node:fs';
import { promisify } from 'node:util';

const flush = promisify(fsync);

interface FolderFlush {
  hasBegun: boolean;
  done: Promise<void>;
}

const flushes = new Map<string, FolderFlush>();

/** Resolves when what was written to an open file survives a power cut. */
export async function flushFile(file: number): Promise<void> {
  await flush(file);
}

/**
 * Flushes a folder's entries, which a rename or a new file needs to survive a power cut. Whoever asks while a flush goes on
 * shares the next one: that begins after all that was renamed until then.
 */
export function flushFolder(folder: string): Promise<void> {
  const last = flushes.get(folder);
  if (last?.hasBegun === false) return last.done;
  const next: FolderFlush = { hasBegun: false, done: Promise.resolve() };
  next.done = begin(folder, next, last?.done);
  flushes.set(folder, next);
  return next.done;
}

async function begin(folder: string, own: FolderFlush, before?: Promise<void>): Promise<void> {
  // Its failure is told to those who asked for it.
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
