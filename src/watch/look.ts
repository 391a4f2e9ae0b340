/** One look at one path: what is there, and whether a file that has stopped changing is complete. */
import { type BigIntStats, readSync, realpathSync, statSync } from 'node:fs';
import {
  HEAD_BYTES,
  hasEndMark,
  mayLackItsEnd,
  missingPart,
  TAIL_BYTES,
} from '../files/completeness.ts';
import { errorCode, formatStat, isAbsent, statsAt } from '../files/disk.ts';
import { withRegularNow } from '../files/regular-file.ts';
import { unreadableReason } from '../files/scan.ts';
import type { Stat } from '../job.ts';
import { extensionOf } from '../routes/extensions.ts';
import type { Look } from './settle.ts';

/** @param absolute path to look at; a link is not followed */
export function lookAt(absolute: string): Look {
  try {
    const stats = statsAt(absolute);
    // A folder in place of a file is listed on its own; the file is gone.
    if (stats === undefined || stats.isDirectory()) return { kind: 'absent' };
    if (!stats.isFile()) return { kind: 'refused', reason: 'it is not a regular file' };
    const reason = unreadableReason(absolute, stats);
    return reason === undefined ? fileLook(stats) : { kind: 'refused', reason, isUnreadable: true };
  } catch (error) {
    return refusalFor(error);
  }
}

/** A look at the file to which links lead; what is no file counts as absent. */
export function lookThroughLinks(absolute: string): Look {
  try {
    const stats = statSync(absolute, { bigint: true, throwIfNoEntry: false });
    return stats?.isFile() ? lookAt(realpathSync(absolute)) : { kind: 'absent' };
  } catch (error) {
    return errorCode(error) === 'ELOOP' ? { kind: 'absent' } : refusalFor(error);
  }
}

/** The stat of a regular file; undefined for everything else, which `lookAt` explains. */
export function statOfFile(absolute: string): Stat | undefined {
  try {
    const stats = statsAt(absolute);
    return stats?.isFile() ? formatStat(stats) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The missing part of an incomplete file, in words for people. Undefined: it lacks nothing, its format does not show its end, or the
 * file is gone.
 */
export function lackOf(absolute: string, size: number): string | undefined {
  if (size === 0) return 'it is empty';
  const extension = extensionOf(absolute).toLowerCase();
  if (!hasEndMark(extension)) return undefined;
  try {
    return missingPart(extension, readEnds(absolute, size));
  } catch (error) {
    if (isAbsent(error)) return undefined;
    return `it cannot be read (${errorCode(error)})`;
  }
}

/** Whether the format allows a file without its end: such a file is translated when it has not changed for long. */
export function mayLackEnd(path: string): boolean {
  return mayLackItsEnd(extensionOf(path).toLowerCase());
}

function refusalFor(error: unknown): Look {
  return {
    kind: 'refused',
    reason: `it cannot be read (${errorCode(error)})`,
    isUnreadable: true,
  };
}

function fileLook(stats: BigIntStats): Look {
  return {
    kind: 'file',
    stat: formatStat(stats),
    size: Number(stats.size),
    modified: Number(stats.mtimeMs),
    changed: Number(stats.ctimeMs),
  };
}

function readEnds(absolute: string, size: number) {
  return withRegularNow(absolute, (file) => {
    const head = Buffer.alloc(Math.min(size, HEAD_BYTES));
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(file, head, 0, head.length, 0);
    readSync(file, tail, 0, tail.length, size - tail.length);
    return { head, tail, size };
  });
}
