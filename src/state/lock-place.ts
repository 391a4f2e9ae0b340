/** The place of a file of the lock: what is there, and whether the file can be read and written. Looks, and writes nothing. */
import { type Dirent, lstatSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Failure, failureOf, JobFailure } from '../failure.ts';
import { isAbsent, sizeOfFile, statOf } from '../files/disk.ts';
import { requireWritableFile } from '../files/writable.ts';
import { type Stat, shellWords } from '../job.ts';

/** For git: it keeps both sides of a merge where it supports the attribute. */
export const GIT_ATTRIBUTES = '* text eol=lf merge=union linguist-generated\n';

/** In the folder of the lock. @param folder absolute */
export function attributesPath(folder: string): string {
  return join(folder, '.gitattributes');
}

/**
 * @param path of a file of the lock
 * @throws JobFailure `damaged-state` for what is neither file nor folder, for a folder in the file's place, and for a file in a folder's place
 */
export function refuseStrangers(path: string): void {
  const kind = kindAtPlace(path);
  if (kind !== undefined && kind !== 'a file') throw stranger(path, kind);
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const above = kindAtPlace(folder);
    if (above === 'a folder') return;
    if (above !== undefined) throw stranger(folder, above);
  }
}

function stranger(file: string, kind: string): JobFailure {
  const message =
    kind === 'a file'
      ? 'a file is in the place of a folder of the lock; move it away, or let "lock" name another folder'
      : `${kind} is in its place; "git checkout HEAD -- ${shellWords(file)}" brings the lock back; without git, delete it`;
  return new JobFailure({ kind: 'damaged-state', file, message, isLock: true });
}

/** In words; undefined: there is nothing, or the system does not tell it. */
function kindAtPlace(path: string): string | undefined {
  let isLink = false;
  try {
    isLink = lstatSync(path).isSymbolicLink();
    const stats = statSync(path);
    if (stats.isDirectory()) return 'a folder';
    return stats.isFile() ? 'a file' : 'a pipe, a socket or a device';
  } catch (error) {
    if (!isLink) return undefined;
    return isAbsent(error) ? 'a symbolic link to nowhere' : 'a symbolic link in a loop';
  }
}

/**
 * Absolute paths of the files in the folder of a lock, also of those that dragoman did not write. Links, pipes, and folders that this user
 * may not read belong to somebody else.
 */
export async function filesOfLock(folder: string): Promise<string[]> {
  const projects = await pathsIn(folder, (entry) => entry.isDirectory());
  const files = await Promise.all(
    projects.map((project) => pathsIn(project, (entry) => entry.isFile())),
  );
  return files.flat();
}

async function pathsIn(folder: string, isMeant: (entry: Dirent) => boolean): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const shown = entries.filter((entry) => isMeant(entry) && !entry.name.startsWith('.'));
    return shown.map(({ name }) => join(folder, name));
  } catch (error) {
    if (isAbsent(error) || (error as NodeJS.ErrnoException).code === 'EACCES') return [];
    throw error;
  }
}

/** The stat of a file of the lock; undefined: there is none. @throws JobFailure `damaged-state`, as all readers of the lock */
export async function statOfLock(path: string): Promise<Stat | undefined> {
  return await readable(path, statOf(path));
}

/** @returns what is read from a file of the lock @throws JobFailure `damaged-state` where this user may not read it */
export async function readable<T>(path: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind !== 'unreadable' || isAbsent(error)) throw error;
    refuseStrangers(path);
    const { code } = failure;
    const message = RIGHTS.has(code)
      ? 'this user may not read it; give it the right to read the file and its folders'
      : `the disk does not give it (${code}); take it from git again`;
    throw new JobFailure(
      { kind: 'damaged-state', file: path, message, isLock: true },
      { cause: error },
    );
  }
}

/**
 * Whether a file of the lock could be written. Looks at what is there and above it, at the rights of this user, and at the disk.
 * @param folder of the lock @param path of the file; both absolute
 * @throws JobFailure `unwritable`, `disk-full`, `damaged-state`, as the writer would
 */
export function requireWritableLock(folder: string, path: string): void {
  try {
    refuseStrangers(path);
    const attributes = attributesPath(folder);
    const isComplete = sizeOfFile(attributes) === GIT_ATTRIBUTES.length;
    for (const file of isComplete ? [path] : [path, attributes]) {
      requireWritableFile(file, { root: folder, bytes: 1 });
    }
  } catch (error) {
    throw asLockFailure(error);
  }
}

/** Why a file of the lock cannot be written, see `requireWritableLock`; undefined: it can. */
export function whyUnwritable(folder: string, path: string): Failure | undefined {
  try {
    requireWritableLock(folder, path);
    return undefined;
  } catch (error) {
    return failureOf(error);
  }
}

/** The same failure, as one of the lock: it says what to do about the lock. */
export function asLockFailure(error: unknown): unknown {
  const failure = error instanceof JobFailure ? error.failure : undefined;
  switch (failure?.kind) {
    case 'disk-full':
    case 'damaged-state':
      return new JobFailure({ ...failure, isLock: true }, { cause: error });
    case 'unwritable': {
      const code = RIGHTS.has(failure.code) ? 'this user may not write there' : failure.code;
      return new JobFailure({ ...failure, code, isLock: true }, { cause: error });
    }
    default:
      return error;
  }
}

/** Codes of a file operation that needs more rights. */
const RIGHTS: ReadonlySet<string> = new Set(['EACCES', 'EPERM']);
