/** Whether a file could be put in place: by its name, by what is there now, and by permissions and free space. Looks, and writes nothing. */
import { accessSync, constants, realpathSync, type StatsFs, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { JobFailure } from '../failure.ts';
import { atOnce } from './at-once.ts';
import { errorCode, isAbsent, statsAt, writeFailure } from './disk.ts';

/**
 * Checks without writing that files could be put in place, before something is bought for them.
 * @param files absolute @param root as `FileReplacement.root` @param bytes the least size of each file
 * @throws JobFailure `unwritable` or `disk-full`, as `replaceFile` would
 */
export async function requireWritable(
  root: string,
  files: readonly string[],
  bytes = 1,
): Promise<void> {
  for (const file of files) await atOnce(() => requireWritableFile(file, { root, bytes }));
}

/** The same for one file, with synchronous calls. */
export function requireWritableFile(
  file: string,
  { root, bytes }: { readonly root: string; readonly bytes: number },
): void {
  try {
    const { target, folder } = requirePossible(file, root);
    accessSync(folder, constants.W_OK | constants.X_OK);
    // The new file is written beside the old one before it replaces that.
    requireSpace(folder, Math.max(bytes, Number(statsAt(target)?.size ?? 0)));
  } catch (error) {
    throw writeFailure(file, error);
  }
}

/** Checks, without doing it, that a file could be moved away or removed. @throws JobFailure `unwritable` */
export function requireRemovable(file: string): void {
  try {
    accessSync(dirname(file), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw writeFailure(file, error);
  }
}

/**
 * Looks only at the disk of a file: not at permissions, nor at what is in its place.
 * @throws JobFailure `unwritable` for a read-only disk, `disk-full`
 */
export async function requireDisk(file: string): Promise<void> {
  await atOnce(() => {
    let folder = dirname(file);
    while (!isFolder(folder) && folder !== dirname(folder)) folder = dirname(folder);
    try {
      accessSync(folder, constants.W_OK);
    } catch (error) {
      if (errorCode(error) === 'EROFS') throw writeFailure(file, error);
    }
    requireSpace(folder, Math.max(1, sizeAt(file)));
  });
}

/**
 * Why no file can ever be at a path, whatever the permissions are. Undefined: one can, or a link leads out of the root. Behind such a link,
 * a target may be up to date.
 * @param file absolute @param root as `FileReplacement.root`
 */
export function whyImpossible(file: string, root: string): string | undefined {
  try {
    // Where a file is, a file can be. With 100,000 targets, to look at its folders too took 4 % of the first run.
    if (!isFile(file)) requirePossible(file, root);
    return undefined;
  } catch (error) {
    // Another error may pass.
    const failure = error instanceof JobFailure ? error.failure : undefined;
    return failure?.kind === 'unwritable' && failure.code !== OUTSIDE ? failure.code : undefined;
  }
}

const OUTSIDE = 'it leads out of the root';

/** In bytes: the limit of nearly all file systems. */
const LONGEST_FILE_NAME = 255;

/** @returns the real path, and the nearest folder above it that exists */
function requirePossible(file: string, root: string): { target: string; folder: string } {
  const refuse = (code: string) => new JobFailure({ kind: 'unwritable', file, code });
  try {
    const target = confine(file, root);
    const current = statsAt(target);
    if (current?.isDirectory() === true) throw refuse('there is a folder at its path');
    if (current?.isFile() === false)
      throw refuse('there is a pipe, a socket or a device at its path');
    let folder = dirname(target);
    while (statsAt(folder) === undefined) folder = dirname(folder);
    if (statsAt(folder)?.isDirectory() !== true) {
      throw refuse(
        `${relative(realpathSync.native(root), folder)} is a file, and would have to be a folder`,
      );
    }
    const names = target.slice(folder.length).split(sep);
    const longest = Math.max(...names.map((name) => Buffer.byteLength(name)));
    if (longest > LONGEST_FILE_NAME) throw refuse(tooLong(longest));
    return { target, folder };
  } catch (error) {
    throw errorCode(error) === 'ENAMETOOLONG'
      ? refuse(tooLong(Buffer.byteLength(basename(file))))
      : error;
  }
}

function tooLong(bytes: number): string {
  return bytes > LONGEST_FILE_NAME
    ? `its name has ${bytes} bytes; a file name may have ${LONGEST_FILE_NAME}`
    : 'its path is too long';
}

/** @throws JobFailure `disk-full` when the disk reports less free space */
function requireSpace(folder: string, needs: number): void {
  const disk = spaceOf(folder);
  // Some file systems do not report their size.
  if (disk === undefined || disk.blocks === 0) return;
  // A new file needs an inode; some file systems make them when they are needed, and report none at all.
  if (disk.files > 0 && disk.ffree === 0) throw new JobFailure({ kind: 'disk-full', file: folder });
  const { bsize, bavail, bfree } = disk;
  const free = process.getuid?.() === 0 ? bfree : bavail;
  if (free * bsize < needs) throw new JobFailure({ kind: 'disk-full', file: folder, needs });
}

function spaceOf(folder: string): StatsFs | undefined {
  try {
    return statfsSync(folder);
  } catch {
    return undefined;
  }
}

/** The path without symbolic links. @throws JobFailure when it is outside of the root, or a link leads nowhere */
export function confine(path: string, root: string): string {
  const realRoot = resolveExisting(root);
  const target = resolveExisting(path);
  if (
    target === realRoot ||
    !target.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep)
  ) {
    throw new JobFailure({ kind: 'unwritable', file: path, code: OUTSIDE });
  }
  return target;
}

/** The real path of the part that exists, and the rest of the path. */
function resolveExisting(path: string): string {
  const current = statsAt(path);
  if (current === undefined) return join(resolveExisting(dirname(path)), basename(path));
  try {
    return realpathSync.native(path);
  } catch (error) {
    const code = LINK_WORDS.get(isAbsent(error) ? 'ENOENT' : errorCode(error));
    if (!current.isSymbolicLink() || code === undefined) throw error;
    throw new JobFailure({ kind: 'unwritable', file: path, code });
  }
}

const LINK_WORDS = new Map(
  Object.entries({ ENOENT: 'a symbolic link to nowhere', ELOOP: 'a symbolic link in a loop' }),
);

function isFile(path: string): boolean {
  try {
    return statsAt(path)?.isFile() === true;
  } catch {
    return false;
  }
}

/** In bytes; 0 also for what cannot be looked at. */
function sizeAt(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
