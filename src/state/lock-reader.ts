/** Reads files of the lock, and keeps them in memory: a file is read again only when it has changed. */
import { JobFailure } from '../failure.ts';
import { type ReadFile, readBytesIfPresent, sizeOfFile } from '../files/disk.ts';
import type { Stat } from '../job.ts';
import { inEnglish } from '../language.ts';
import { inTurns, type ParsedLock } from './committed-locks.ts';
import { readable, refuseStrangers, statOfLock } from './lock-place.ts';
import { LOCK_VERSION, lockIn } from './lock-text.ts';

/** A file as it was read last. */
export interface ReadLock extends ParsedLock {
  readonly stat: Stat;
  readonly text: string;
  readonly versions: SectionVersions;
}

/** Shows whether the statements of a section are still those that were read. */
interface SectionVersions {
  /** The stat of the file when it was last read. Later writings of this process change only the versions of their sections. */
  readonly since: Stat;
  /** How often this process has written each section since. */
  readonly written: Map<string, number>;
}

/**
 * Characters of all files that are kept in memory. A file for a hundred thousand texts has three million characters, and takes
 * ten times as many bytes.
 */
const MOST_CHARACTERS = 12_000_000;

/** In bytes: eight million statements. */
const LARGEST_LOCK = 256 * 1024 * 1024;

export class LockReader {
  readonly #read = new Map<string, ReadLock>();
  /** The files that are being read, with their stats before. */
  readonly #reading = new Map<
    string,
    { stat: Stat | undefined; read: Promise<ReadLock | undefined> }
  >();

  /** Keeps a file in memory, and forgets those that were used least recently when there are too many characters. */
  keep(path: string, read: ReadLock): void {
    this.#read.delete(path);
    this.#read.set(path, read);
    let characters = 0;
    for (const [each, { text }] of [...this.#read].reverse()) {
      characters += text.length;
      if (each !== path && characters > MOST_CHARACTERS) this.#read.delete(each);
    }
  }

  /** Reads a file, if it has changed since the last time. Concurrent callers share one read. */
  async load(path: string): Promise<ReadLock | undefined> {
    const stat = await statOfLock(path);
    const known = this.#read.get(path);
    if (known !== undefined && stat === known.stat) return known;
    const other = this.#reading.get(path);
    if (other !== undefined && other.stat === stat) return await other.read;
    const reading = { stat, read: this.#readNow(path, known) };
    this.#reading.set(path, reading);
    try {
      return await reading.read;
    } finally {
      if (this.#reading.get(path) === reading) this.#reading.delete(path);
    }
  }

  /** @param before the content that is in memory; when this process writes the file meanwhile, the newer content stays there */
  async #readNow(path: string, before: ReadLock | undefined): Promise<ReadLock | undefined> {
    const file = await readLockBytes(path);
    const lock = file && (await inTurns(lockIn(file.bytes.toString('utf8'))));
    const isStill = this.#read.get(path) === before;
    if (file === undefined || lock === undefined) {
      if (isStill) this.#read.delete(path);
      return undefined;
    }
    if (lock.version > LOCK_VERSION) throw tooNew(path, lock.version);
    const versions = { since: file.stat, written: new Map() };
    const read = { stat: file.stat, text: file.bytes.toString('utf8'), lock, versions };
    if (isStill) this.keep(path, read);
    return read;
  }

  /** It is read again when it is needed. */
  forget(path: string): void {
    this.#read.delete(path);
  }
}

/** The content of a file of the lock; undefined when there is none. @throws JobFailure `damaged-state` if it is not a regular file, or too large */
export async function readLockBytes(path: string): Promise<ReadFile | undefined> {
  refuseStrangers(path);
  const size = sizeOfFile(path) ?? 0;
  if (size <= LARGEST_LOCK) return await readable(path, readBytesIfPresent(path, LARGEST_LOCK));
  const message = `it has ${inEnglish(size)} bytes, more than any lock that dragoman writes; take it from git again`;
  throw new JobFailure({ kind: 'damaged-state', file: path, message, isLock: true });
}

/** The lines of a newer version may mean something else: this version must not write them. */
export function tooNew(file: string, version: number): JobFailure {
  const message = `the lock is of version ${version}, written by a newer dragoman; this one reads and writes version ${LOCK_VERSION}`;
  return new JobFailure({ kind: 'damaged-state', file, message, isNewer: true, isLock: true });
}
