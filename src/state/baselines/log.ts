/**
 * The baselines of a state folder in one append log, `log.<generation>`, with an index in memory. One process writes it; others may
 * read it meanwhile. Writes survive the end of the process; the last ones may be lost in a power cut.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { turnsOf } from '../../clock.ts';
import { isAbsent, readFailure, writeFailure } from '../../files/disk.ts';
import { flushFolder } from '../../files/flush.ts';
import { makeFolder, PRIVATE } from '../../files/make-folder.ts';
import { Mutex } from '../../files/mutex.ts';
import { openRegular } from '../../files/regular-file.ts';
import { temporaryName } from '../../files/temporary.ts';
import { type ByteRange, readAt, readRangeNow, writeAt, writeNow } from './bytes.ts';
import {
  applyEntries,
  areEntriesWhole,
  type IdMove,
  moveEntries,
  moveLine,
  putLine,
  removeLine,
} from './entries.ts';
import { type BaselineId, BaselineIndex } from './hash-index.ts';
import { readIndex, writeIndex } from './index-file.ts';

const LOG_FILE = /^log\.(\d+)$/;
// Larger entries are read and written asynchronously: a synchronous call would block the event loop for milliseconds.
const LARGE = 256 * 1024;
const CHUNK = 1024 * 1024;
const TURN_MS = 10;
const WRITE = constants.O_CREAT | constants.O_RDWR;
// A smaller log is not compacted: it would save too little.
const WORTH_COMPACTING = 4 * CHUNK;
// For less, no index is written: the next start reads so many bytes of the log in a few milliseconds.
const WORTH_AN_INDEX = CHUNK;

/** An open log. */
interface OpenLog {
  readonly generation: number;
  readonly handle: FileHandle;
  readonly index: BaselineIndex;
  /** The end of the last entry. */
  size: number;
  /** Bytes of the log that the index file has. */
  indexed: number;
}

/** A line and, after a `put`, the baseline. */
type EntryBytes = readonly [Uint8Array, Uint8Array?];

/** A log that another process may be writing. */
export interface LogReader extends AsyncDisposable {
  /** The bytes that were written last; undefined when there are none. */
  read(id: BaselineId): Promise<Buffer | undefined>;
}

export class BaselineLog implements LogReader {
  readonly #folder: string;
  readonly #mutex = new Mutex();
  #log: OpenLog;
  /** The log is compacted when it is larger than this; raised after a failed compaction. */
  #tryFrom = WORTH_COMPACTING;

  private constructor(folder: string, log: OpenLog) {
    this.#folder = folder;
    this.#log = log;
  }

  /** @param folder absolute; made when it does not exist. Only one process may have the log open for writing: take the lock first */
  static async open(folder: string): Promise<BaselineLog> {
    try {
      await makeFolder(folder, PRIVATE);
      const generations = await generationsIn(folder);
      const log = await openLog(folder, generations.pop() ?? 1, WRITE);
      // A killed compaction left older logs: the newest one has everything.
      for (const older of generations) await rm(pathOf(folder, older));
      await log.handle.truncate(log.size);
      return new BaselineLog(folder, log);
    } catch (error) {
      throw writeFailure(folder, error);
    }
  }

  has(id: BaselineId): boolean {
    return this.#log.index.get(id) !== undefined;
  }

  read(id: BaselineId): Promise<Buffer | undefined> {
    return readEntry(this.#log, id);
  }

  async write(id: BaselineId, baseline: Uint8Array): Promise<void> {
    const line = Buffer.from(putLine(id, baseline.length));
    await this.#append([line, baseline], (log) =>
      log.index.set(id, { offset: log.size + line.length, length: baseline.length }),
    );
  }

  async remove(id: BaselineId): Promise<void> {
    if (!this.has(id)) return;
    await this.#append([Buffer.from(removeLine(id))], ({ index }) => index.delete(id));
  }

  /** Gives baselines other ids. Two ids may be exchanged. */
  async move(moves: readonly IdMove[]): Promise<void> {
    const known = moves.filter(({ from }) => this.has(from));
    if (known.length === 0) return;
    await this.#append([Buffer.from(moveLine(known))], ({ index }) => moveEntries(index, known));
  }

  /** Resolves when everything written so far survives a power cut. */
  async flush(): Promise<void> {
    using _lock = await this.#mutex.take(this.#folder);
    await this.#log.handle.sync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    using _lock = await this.#mutex.take(this.#folder);
    const log = this.#log;
    await using _handle = log.handle;
    if (log.size - log.indexed < WORTH_AN_INDEX) return;
    // The index must not have entries that the log may lose in a power cut.
    await log.handle.sync();
    await writeIndex(this.#folder, log);
  }

  async #append(entry: EntryBytes, apply: (log: OpenLog) => void): Promise<void> {
    using _lock = await this.#mutex.take(this.#folder);
    const log = this.#log;
    const path = pathOf(this.#folder, log.generation);
    try {
      const bytes = await writeEntry(log, entry);
      apply(log);
      log.size += bytes;
    } catch (error) {
      // The rest of an incomplete entry would make the next one unreadable.
      await log.handle.truncate(log.size).catch(() => {});
      throw writeFailure(path, error);
    }
    if (log.size > this.#tryFrom && log.size > 2 * log.index.bytes) await this.#compact();
  }

  /** Writes wait meanwhile; reads go on. */
  async #compact(): Promise<void> {
    const old = this.#log;
    const generation = old.generation + 1;
    const temp = join(this.#folder, temporaryName());
    try {
      const compacted = await compact(old, temp);
      await rename(temp, pathOf(this.#folder, generation));
      await flushFolder(this.#folder);
      this.#log = { generation, indexed: 0, ...compacted };
    } catch {
      // Nothing is lost, the old log is complete. The next try comes when the log is twice as large.
      this.#tryFrom = 2 * old.size;
      await rm(temp, { force: true });
      return;
    }
    await old.handle.close();
    await rm(pathOf(this.#folder, old.generation), { force: true });
  }
}

/**
 * Opens the log of a folder while another process may be writing it. Later writes are not visible.
 * @returns undefined when there is no log
 */
export async function openLogReader(folder: string): Promise<LogReader | undefined> {
  for (;;) {
    const generation = (await generationsIn(folder)).pop();
    if (generation === undefined) return undefined;
    try {
      const log = await openLog(folder, generation, constants.O_RDONLY);
      return {
        read: (id) => readEntry(log, id),
        [Symbol.asyncDispose]: () => log.handle.close(),
      };
    } catch (error) {
      // The log was compacted in between: there is a newer one.
      if (!isAbsent(error)) throw readFailure(pathOf(folder, generation), error);
    }
  }
}

/** Whether each byte of a log can be read. @param path of a log that no process writes */
export async function isLogWhole(path: string): Promise<boolean> {
  await using handle = await openRegular(path);
  const { size } = await handle.stat();
  return await areEntriesWhole({ handle, from: 0, size });
}

function pathOf(folder: string, generation: number): string {
  return join(folder, `log.${generation}`);
}

/** The generations of the logs in a folder, ascending. */
async function generationsIn(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw readFailure(folder, error);
  });
  return names
    .flatMap((name) => LOG_FILE.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

async function openLog(folder: string, generation: number, flags: number): Promise<OpenLog> {
  const handle = await open(pathOf(folder, generation), flags, 0o600);
  try {
    const { size } = await handle.stat();
    const known = await readIndex(folder, generation);
    const isUsable = known !== undefined && known.size <= size;
    const index = isUsable ? known.index : new BaselineIndex();
    const indexed = isUsable ? known.size : 0;
    const end = await applyEntries({ handle, from: indexed, size }, index);
    return { generation, handle, index, size: end, indexed };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readEntry({ handle, index }: OpenLog, id: BaselineId): Promise<Buffer | undefined> {
  const location = index.get(id);
  if (location === undefined) return undefined;
  if (location.length > LARGE) return await readAt(handle, location);
  return readRangeNow(handle, location);
}

/** Copies the present baselines to a new log, and flushes it. */
async function compact(
  { handle: from, index: entries }: OpenLog,
  path: string,
): Promise<Pick<OpenLog, 'handle' | 'index' | 'size'>> {
  const handle = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600);
  try {
    const index = new BaselineIndex();
    const turns = turnsOf(TURN_MS);
    let size = 0;
    for (const { id, ...old } of [...entries.entries()].sort((a, b) => a.offset - b.offset)) {
      const line = Buffer.from(putLine(id, old.length));
      writeNow(handle, line, size);
      size += line.length;
      index.set(id, { offset: size, length: old.length });
      for (const piece of chunksOfRange(old)) {
        writeNow(handle, readRangeNow(from, piece), size);
        size += piece.length;
        if (turns.over()) await turns.next();
      }
    }
    await handle.sync();
    return { handle, index, size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** @returns the number of bytes */
async function writeEntry(
  { handle, size }: OpenLog,
  [line, baseline = new Uint8Array()]: EntryBytes,
): Promise<number> {
  const length = line.length + baseline.length;
  if (length <= LARGE) {
    writeNow(handle, Buffer.concat([line, baseline]), size);
  } else {
    await writeAt(handle, line, size);
    await writeAt(handle, baseline, size + line.length);
  }
  return length;
}

function* chunksOfRange({ offset, length }: ByteRange): Generator<ByteRange> {
  for (let at = 0; at < length; at += CHUNK) {
    yield { offset: offset + at, length: Math.min(CHUNK, length - at) };
  }
}
