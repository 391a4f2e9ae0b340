/** Replaces files: completely or not at all, never over a newer change, and never outside of the root. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  lstatSync,
  openSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { JobFailure } from '../failure.ts';
import type { Hash, Stat } from '../job.ts';
import { atOnce } from './at-once.ts';
import {
  formatStat,
  hashBytes,
  hashIfPresent,
  isAbsent,
  parseStat,
  statAtOnce,
  writeFailure,
} from './disk.ts';
import { flushFile, flushFolder } from './flush.ts';
import { makeFolderAtOnce } from './make-folder.ts';
import type { Right } from './right.ts';
import { temporaryName } from './temporary.ts';
import { confine } from './writable.ts';

/** Up to so many bytes are written with synchronous calls. */
const SMALL = 64 * 1024;

export type FileContent = Uint8Array | string | AsyncIterable<Uint8Array>;

export interface FileReplacement {
  /** Absolute path of the file. */
  readonly path: string;
  /** Absolute folder that the file must be in, after all symbolic links. */
  readonly root: string;
  readonly content: FileContent;
  /** Refuse when the file has other content; null: refuse when there is a file; absent: replace any content. */
  readonly expectedOld?: Hash | null;
  /** Absolute folder of the temporary file, on the same file system; absent: that of the file. */
  readonly tempIn?: string;
  /** `flushed` survives a power cut. `cached` survives only the end of the process: for what can be built again. */
  readonly durability?: 'flushed' | 'cached';
  /** Permissions of a new file; absent: 0o666 without the umask. An existing file keeps its own. */
  readonly mode?: number;
  /** The right to change the file; absent: no other daemon writes it. */
  readonly right?: Right;
}

/** The file as it is now. */
export interface FoundFileStat {
  readonly hash: Hash;
  readonly stat: Stat;
  /** Bytes. */
  readonly size: number;
}

/** A temporary file with the new content, on the file system of its target; flushed unless `cached`. */
export interface Staged {
  readonly temp: string;
  readonly target: string;
  readonly hash: Hash;
  /** Bytes. */
  readonly size: number;
  readonly durability: 'flushed' | 'cached';
}

/**
 * Replaces or creates a file, and makes its folders.
 * @throws JobFailure `changed-meanwhile` when the content is not `expectedOld`, `unwritable`, `disk-full`
 */
export async function replaceFile(replacement: FileReplacement): Promise<FoundFileStat> {
  const { expectedOld, right } = replacement;
  return publishStaged(await stageFile(replacement), expectedOld, right);
}

/** Like `replaceFile`, but does not touch a file that already has these bytes. */
export async function writeIfDifferent(
  replacement: FileReplacement & { readonly content: Uint8Array | string },
): Promise<FoundFileStat & { readonly written: boolean }> {
  const { path, content } = replacement;
  const hash = hashBytes(content);
  // Taken before the content is read: a later change then has another stat.
  const seen = await atOnce(() => statNow(path));
  if (seen === undefined || (await hashIfPresent(path)) !== hash) {
    return { ...(await replaceFile(replacement)), written: true };
  }
  return { hash, stat: seen, size: Number(parseStat(seen).size), written: false };
}

/** Writes the content to a temporary file, and does not touch the target. */
export async function stageFile(replacement: FileReplacement): Promise<Staged> {
  const { path, root, content, durability = 'flushed' } = replacement;
  try {
    const target = await placeFor(path, { root, durability });
    const temp = join(replacement.tempIn ?? dirname(target), temporaryName());
    try {
      const next = { ...replacement, path: target, durability };
      const written = isSmall(content)
        ? await writeSmall(temp, { ...next, content })
        : await writeTemp(temp, next);
      return { temp, target, durability, ...written };
    } catch (error) {
      await rm(temp, { force: true });
      throw error;
    }
  } catch (error) {
    throw writeFailure(path, error);
  }
}

/**
 * Renames a staged file to its target. When that is refused or fails, the staged file is removed and the target is as it was.
 * @param right absent: no other daemon writes the target
 */
export async function publishStaged(
  staged: Staged,
  expectedOld?: Hash | null,
  right?: Right,
): Promise<FoundFileStat> {
  const { target } = staged;
  try {
    let seen = await requireOld(target, expectedOld);
    for (;;) {
      // This check is as late as possible: between it and the rename there is only one system call.
      const isSeen = seen === undefined || (statNow(target) ?? null) === seen;
      if (isSeen && right?.isValid() !== false) return await renameStaged(staged);
      if (isSeen) await right?.renew();
      else seen = await requireOld(target, expectedOld);
    }
  } catch (error) {
    await rm(staged.temp, { force: true });
    throw error;
  }
}

async function renameStaged({
  temp,
  target,
  hash,
  size,
  durability,
}: Staged): Promise<FoundFileStat> {
  try {
    renameSync(temp, target);
    // Right after the rename: another writer may replace the file next, and the stat must belong to this content.
    const stat = formatStat(lstatSync(target, { bigint: true }));
    if (durability === 'flushed') await flushFolder(dirname(target));
    return { hash, size, stat };
  } catch (error) {
    throw writeFailure(target, error);
  }
}

/**
 * Checks the present content. The hash of a large file takes a while, and it may be changed meanwhile.
 * @returns the stat before the check, null: there was no file; undefined: nothing was to be checked
 */
async function requireOld(
  target: string,
  expectedOld: Hash | null | undefined,
): Promise<Stat | null | undefined> {
  if (expectedOld === undefined) return undefined;
  const seen = statNow(target) ?? null;
  const found = await hashIfPresent(target).catch((error: unknown) => {
    throw writeFailure(target, error);
  });
  if ((found ?? null) === expectedOld) return seen;
  throw new JobFailure({ kind: 'changed-meanwhile', file: target });
}

function statNow(path: string): Stat | undefined {
  try {
    return statAtOnce(path);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw writeFailure(path, error);
  }
}

type Bounds = Required<Pick<FileReplacement, 'root' | 'durability'>>;

/** The path without symbolic links; makes its folder. @throws JobFailure when it is outside of the root, or a link leads nowhere */
async function placeFor(path: string, { root, durability }: Bounds): Promise<string> {
  const { target, made } = await atOnce(() => {
    const target = confine(path, root);
    return { target, made: makeFolderAtOnce(dirname(target)) };
  });
  if (made === undefined || durability === 'cached') return target;
  for (let folder = dirname(target); folder.length >= made.length; folder = dirname(folder)) {
    await flushFolder(dirname(folder));
  }
  return target;
}

type Small = FileReplacement & { readonly content: Uint8Array | string };

interface WrittenTemp {
  readonly hash: Hash;
  readonly size: number;
}

function isSmall(content: FileContent): content is Uint8Array | string {
  return typeof content === 'string' || content instanceof Uint8Array
    ? content.length <= SMALL
    : false;
}

/** With synchronous calls, except for the flush. */
async function writeSmall(temp: string, { path, content, ...how }: Small): Promise<WrittenTemp> {
  const file = await atOnce(() => openSync(temp, 'wx', how.mode ?? 0o666));
  try {
    await atOnce(() => {
      writeFileSync(file, content);
      const old = statSync(path, { throwIfNoEntry: false });
      if (old) fchmodSync(file, old.mode & 0o777);
    });
    if (how.durability !== 'cached') await flushFile(file);
  } finally {
    closeSync(file);
  }
  return { hash: hashBytes(content), size: Buffer.byteLength(content) };
}

async function writeTemp(
  temp: string,
  { path, content, durability, mode }: FileReplacement,
): Promise<WrittenTemp> {
  await using handle = await open(temp, 'wx', mode ?? 0o666);
  const written = await writeContent(handle, content);
  const old = await stat(path).catch(() => undefined);
  if (old) await handle.chmod(old.mode & 0o777);
  if (durability !== 'cached') await handle.sync();
  return written;
}

async function writeContent(handle: FileHandle, content: FileContent): Promise<WrittenTemp> {
  const digest = createHash('sha256');
  let size = 0;
  for await (const chunk of partsOfContent(content)) {
    digest.update(chunk);
    await handle.appendFile(chunk);
    size += chunk.byteLength;
  }
  return { hash: digest.digest('hex') as Hash, size };
}

/** Bytes that are hashed at a time: those of a file of 50 MB together would block the event loop for 70 ms. */
const CHUNK = 1024 * 1024;

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.byteLength; from += CHUNK)
    yield bytes.subarray(from, from + CHUNK);
}

function partsOfContent(content: FileContent): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if (typeof content === 'string') return piecesOf(Buffer.from(content));
  return content instanceof Uint8Array ? piecesOf(content) : content;
}
