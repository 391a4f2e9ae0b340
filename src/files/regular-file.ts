/**
 * The one place that opens files for reading. To open a named pipe waits for its writer, and nothing ends such a wait, not even SIGTERM. So
 * what is no file is refused.
 */
import { type BigIntStats, closeSync, constants, fstatSync, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { JobFailure } from '../failure.ts';

// Without O_NONBLOCK, opening a named pipe may block for ever; for regular files it changes nothing.
const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** @throws JobFailure `unreadable` if the path is not a regular file; the error of Node */
export async function openRegular(path: string): Promise<FileHandle> {
  const handle = await open(path, READ_FLAGS);
  try {
    requireRegular(path, await handle.stat({ bigint: true }));
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The same with synchronous calls. @param use gets the descriptor, which is closed after it */
export function withRegularNow<T>(
  path: string,
  use: (descriptor: number, stats: BigIntStats) => T,
): T {
  const descriptor = openSync(path, READ_FLAGS);
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    requireRegular(path, stats);
    return use(descriptor, stats);
  } finally {
    closeSync(descriptor);
  }
}

function requireRegular(path: string, stats: BigIntStats): void {
  if (stats.isDirectory()) throw unreadableFile(path, 'EISDIR');
  if (!stats.isFile()) throw unreadableFile(path, NO_FILE);
}

const NO_FILE = 'not a regular file';

/** Whether a path cannot be read because something else than a file is there. @param code of the failure `unreadable` */
export function isNoFile(code: string): boolean {
  return code === 'EISDIR' || code === NO_FILE;
}

export function unreadableFile(file: string, code: string): JobFailure {
  return new JobFailure({ kind: 'unreadable', file, code });
}
