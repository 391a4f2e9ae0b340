/** Reads files: their stats, their hashes, and bytes that did not change during the read. */
import { createHash, hash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { fstatSync, lstatSync, readSync, realpathSync, statSync, unlinkSync } from 'node:fs';
import { type FileHandle, readdir } from 'node:fs/promises';
import { JobFailure } from '../failure.ts';
import type { Hash, Stat } from '../job.ts';
import { LARGEST_SOURCE } from '../lane.ts';
import { inEnglish } from '../language.ts';
import { atOnce } from './at-once.ts';
import { LEAST_POINTER_BYTES, POINTER_BYTES, pointedTo } from './lfs.ts';
import { openRegular, withRegularNow } from './regular-file.ts';

/** The parts of a Stat. Times in nanoseconds since the epoch, size in bytes. */
export interface StatFields {
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly inode: bigint;
}

/** Content and stat that belong together: the file was the same before and after the read. */
export interface ReadFile {
  readonly bytes: Buffer;
  readonly hash: Hash;
  readonly stat: Stat;
}

const CHUNK = 1024 * 1024;
/** In bytes. No source may be larger, and no answer of the service makes a larger target. */
const LARGEST_HASHED = Math.max(...Object.values(LARGEST_SOURCE));
/** In bytes. A single read of 2 GiB ends the process: it is a bug of Node that no `catch` sees. */
const LARGEST_READ = 1024 * CHUNK;
/** Up to this size a file is read with synchronous calls: most are smaller, and there may be 100,000 of them. */
const SMALL = 64 * 1024;

/** The stat of what is at `path` (of the link itself, if it is a link); undefined when nothing is. @throws JobFailure `unreadable` */
export async function statOf(path: string): Promise<Stat | undefined> {
  try {
    return await atOnce(() => statAtOnce(path));
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw readFailure(path, error);
  }
}

/** The same as a synchronous call. @throws the error of Node */
export function statAtOnce(path: string): Stat | undefined {
  const stats = statsAt(path);
  return stats && formatStat(stats);
}

/**
 * Stats of what is at a path (of the link itself, if it is a link); undefined when nothing is. Nothing is below a file, or below a link
 * in a loop, that is in the place of a folder.
 * @throws the error of Node
 */
export function statsAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (isAbsent(error) || errorCode(error) === 'ELOOP') return undefined;
    throw error;
  }
}

/** Bytes of the file at `path`, also through links; undefined when there is none, or this process may not look. */
export function sizeOfFile(path: string): number | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? stats.size : undefined;
  } catch {
    return undefined;
  }
}

/** @throws JobFailure `unwritable` when links make a target the file of its source: writing it would replace the source */
export function requireOwnFile(source: string, target: string): void {
  const [of, at] = [source, target].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (source === target || of === undefined || at === undefined) return;
  if (of.dev !== at.dev || of.ino !== at.ino || realpathSync(source) !== realpathSync(target))
    return;
  throw new JobFailure({ kind: 'unwritable', file: target, code: 'a link to its source' });
}

/** Removes a file if it is there. `rmSync` is not for this: on a read-only disk its error has no code. @throws the error of Node */
export function removeAtOnce(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}

/** @param stats of `lstat(path, { bigint: true })`: with times in milliseconds, three of four rewrites would look equal */
export function formatStat(stats: BigIntStats): Stat {
  return `${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}:${stats.ino}` as Stat;
}

/** For a file whose content is not the recorded one: no file has this stat, so the next look reads the file. */
export const NO_STAT = '0:0:0:0' as Stat;

export function parseStat(stat: Stat): StatFields {
  const [size = 0n, mtimeNs = 0n, ctimeNs = 0n, inode = 0n] = stat.split(':').map(BigInt);
  return { size, mtimeNs, ctimeNs, inode };
}

/** The sum of the bytes of files; 0 for a file that does not exist. */
export async function bytesIn(...paths: readonly string[]): Promise<number> {
  const stats = await Promise.all(paths.map((path) => statOf(path)));
  return stats.reduce((sum, stat) => sum + (stat ? Number(parseStat(stat).size) : 0), 0);
}

/** The sha256 of bytes, or of a string in UTF-8. */
export function hashBytes(bytes: Uint8Array | string): Hash {
  return hash('sha256', bytes) as Hash;
}

/**
 * The sha256 of a file; for a pointer of git-LFS, that of the file that it stands for. A file that is too large for every lane gets a
 * stand-in. Reads 1 MiB at a time, so that the event loop is not blocked for longer.
 * @param signal ends the reading; absent: the signals that end the process, see `endHashingAt`
 * @throws JobFailure `unreadable`, `stopped`
 */
export async function hashFile(path: string, signal?: AbortSignal): Promise<Hash> {
  const small = await readSmall(path);
  if (small !== undefined) return pointedTo(small.bytes) ?? hashBytes(small.bytes);
  return reading(path, async (handle, stats) => {
    if (stats.size > LARGEST_HASHED) return standInFor(formatStat(stats));
    const { size } = stats;
    const digest = createHash('sha256');
    // One byte more than the file has, so that the first read can find its end.
    const buffer = Buffer.allocUnsafe(size < CHUNK ? Number(size) + 1 : CHUNK);
    for (;;) {
      for (const { aborted, reason } of signal === undefined ? endings : [signal])
        if (aborted) throw new JobFailure({ kind: 'stopped' }, { cause: reason });
      const { bytesRead } = await handle.read(buffer);
      if (bytesRead === 0) return digest.digest('hex') as Hash;
      digest.update(buffer.subarray(0, bytesRead));
    }
  });
}

/** When the process must end. */
const endings = new Set<AbortSignal>();

/** Until disposed of, this signal ends the reading of files for their hashes: nobody waits for 8 GiB after Ctrl-C. */
export function endHashingAt(signal: AbortSignal): Disposable {
  endings.add(signal);
  return { [Symbol.dispose]: () => void endings.delete(signal) };
}

/**
 * In place of the hash of a file that is too large for its lane. It differs from the hash of every file that dragoman wrote, and shows
 * whether the file changed. To read 300 GB would delay all other files by minutes.
 */
export function standInFor(stat: Stat): Hash {
  const { size, mtimeNs } = parseStat(stat);
  return hashBytes(`too large to be read: ${size} ${mtimeNs}`);
}

/** Like `hashFile`, but undefined when there is no file. */
export async function hashIfPresent(path: string, signal?: AbortSignal): Promise<Hash | undefined> {
  return ifPresent(path, () => hashFile(path, signal));
}

/**
 * Reads a whole file, with its hash and stat.
 * @param limit in bytes; a larger file is refused before it is read, and so is one that no buffer takes
 * @throws JobFailure `unreadable`, `unsupported` (over the limit), `changed-meanwhile`
 */
export async function readBytes(path: string, limit: number): Promise<ReadFile> {
  const small = limit < SMALL ? undefined : await readSmall(path);
  return small === undefined ? await readLarge(path, limit) : whole(path, small);
}

async function readLarge(path: string, limit: number): Promise<ReadFile> {
  return reading(path, async (handle, before) => {
    const most = Math.min(limit, LARGEST_READ);
    if (before.size > most) throw tooLarge(path, before.size, most);
    const bytes = await readWhole(handle, Number(before.size));
    return whole(path, { bytes, before, after: await handle.stat({ bigint: true }) });
  });
}

interface StableRead {
  readonly bytes: Buffer;
  readonly before: BigIntStats;
  readonly after: BigIntStats;
}

function whole(path: string, { bytes, before, after }: StableRead): ReadFile {
  const stat = formatStat(before);
  // Another program may have written to this file during the read. A file that replaced it by a rename does no harm.
  if (formatStat(after) !== stat) throw new JobFailure({ kind: 'changed-meanwhile', file: path });
  return { bytes, hash: hashBytes(bytes), stat };
}

/** @returns undefined for a file that is not small */
async function readSmall(path: string): Promise<StableRead | undefined> {
  try {
    return await atOnce(() => readNow(path));
  } catch (error) {
    throw readFailure(path, error);
  }
}

function readNow(path: string): StableRead | undefined {
  return withRegularNow(path, (file, before) => {
    const size = Number(before.size);
    if (size > SMALL) return undefined;
    // One byte more than the file has, so that the first reading may find its end.
    const buffer = Buffer.allocUnsafe(size + 1);
    let length = 0;
    while (length < buffer.length) {
      const read = readSync(file, buffer, length, buffer.length - length, null);
      length += read;
      if (read === 0 || length === size) break;
    }
    return { bytes: buffer.subarray(0, length), before, after: fstatSync(file, { bigint: true }) };
  });
}

/** Reads everything from a handle, in as few calls as possible. */
async function readWhole(handle: FileHandle, size: number): Promise<Buffer> {
  // One byte more than the file has, so that the first reading may find its end.
  const buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
    length += bytesRead;
    if (bytesRead === 0 || length === size) break;
  }
  return buffer.subarray(0, length);
}

/** Whether a file still has the content that was read. Its stat may have changed: it was touched, or replaced by an equal copy. */
export async function holdsStill(
  path: string,
  { hash, stat }: Pick<ReadFile, 'hash' | 'stat'>,
): Promise<boolean> {
  return (await statOf(path)) === stat || (await hashIfPresent(path)) === hash;
}

/** The first bytes of a file; fewer when it is shorter. @throws JobFailure `unreadable` */
export async function readFileHead(path: string, bytes: number): Promise<Buffer> {
  try {
    return await atOnce(() => headNow(path, bytes));
  } catch (error) {
    throw readFailure(path, error);
  }
}

function headNow(path: string, bytes: number): Buffer {
  return withRegularNow(path, (file) => {
    const head = Buffer.alloc(bytes);
    return head.subarray(0, readSync(file, head, 0, bytes, 0));
  });
}

/**
 * Whether a file is a pointer of git-LFS.
 * @param file absolute path; false for a file that cannot be read, because its reader reports that
 */
export async function isPointer(file: string): Promise<boolean> {
  // Most files have another size, and need not be opened.
  const bytes = await atOnce(() => sizeOfFile(file));
  if (bytes === undefined || bytes < LEAST_POINTER_BYTES || bytes >= POINTER_BYTES) return false;
  const head = await readFileHead(file, POINTER_BYTES).catch(() => undefined);
  return head !== undefined && pointedTo(head) !== undefined;
}

/** Like `readBytes`, but undefined when there is no file. */
export async function readBytesIfPresent(
  path: string,
  limit: number,
): Promise<ReadFile | undefined> {
  return ifPresent(path, () => readBytes(path, limit));
}

/** Whether an error says that the path, or a folder of it, does not exist. */
export function isAbsent(error: unknown): boolean {
  const code = errorCode(error instanceof JobFailure ? error.cause : error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The code of a failed file operation (`EACCES`), or `unknown`. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

export function readFailure(file: string, error: unknown): JobFailure {
  if (error instanceof JobFailure) return error;
  return new JobFailure({ kind: 'unreadable', file, code: errorCode(error) }, { cause: error });
}

export function writeFailure(file: string, error: unknown): JobFailure {
  if (error instanceof JobFailure) return error;
  const code = errorCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new JobFailure({ kind: 'disk-full', file }, { cause: error });
  }
  return new JobFailure({ kind: 'unwritable', file, code }, { cause: error });
}

async function reading<T>(
  path: string,
  read: (handle: FileHandle, stats: BigIntStats) => Promise<T>,
): Promise<T> {
  try {
    await using handle = await openRegular(path);
    return await read(handle, await handle.stat({ bigint: true }));
  } catch (error) {
    throw readFailure(path, error);
  }
}

async function ifPresent<T>(path: string, read: () => Promise<T>): Promise<T | undefined> {
  // Asked first: an error takes ten times as long as an answer.
  return (await statOf(path)) === undefined ? undefined : await unlessAbsent(read());
}

function tooLarge(file: string, size: bigint, limit: number): JobFailure {
  return new JobFailure({
    kind: 'unsupported',
    what: `${file} has ${inEnglish(Number(size))} bytes, more than the limit of ${inEnglish(Number(limit))}`,
    advice: 'Split the file, or exclude it from the route.',
  });
}

/** The answer; undefined when the file or folder does not exist. */
export async function unlessAbsent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** The names in a folder; empty when it does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await unlessAbsent(readdir(folder))) ?? [];
}
