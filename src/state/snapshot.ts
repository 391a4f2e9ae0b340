/**
 * The snapshot `db.json`, which people can read: first the totals, then one record per line, and a checksum of everything at
 * the end.
 */
import { constants as buffers } from 'node:buffer';
import { constants, createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { crc32, createGzip, gunzipSync, type ZlibOptions, constants as zlib } from 'node:zlib';
import { turnsOf } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import { errorCode, isAbsent, readFailure } from '../files/disk.ts';
import { streamFile } from '../files/read-file.ts';
import { isNoFile, openRegular } from '../files/regular-file.ts';
import type { Charge, LedgerTables, TableName } from '../ledger.ts';
import { hex } from './journal-line.ts';
import { emptyTables, TABLE_NAMES, type Tables } from './tables.ts';

export interface Snapshot {
  /** Version of the schema. */
  readonly version: number;
  /** The snapshot has the facts of the journal with this number and of all earlier ones. */
  readonly generation: number;
  readonly tables: Tables;
}

export type SnapshotRead =
  | { readonly kind: 'intact'; readonly snapshot: Snapshot }
  | { readonly kind: 'damaged'; readonly message: string }
  | { readonly kind: 'absent' };

type StoredSnapshot = { version: number; generation: number } & {
  [T in TableName]?: LedgerTables[T][];
};

const SEAL = /^"crc":"([0-9a-f]{8})"}\n$/;
const SEAL_BYTES = '"crc":"00000000"}\n'.length;
/** The first bytes of a packed snapshot. */
const GZIP = Buffer.from([0x1f, 0x8b]);
/** Bytes of a packed snapshot that have its first line. */
const PACKED_HEAD = 4096;
// About a millisecond of work; then other work has its turn while the write waits. So a long checkpoint delays nothing else.
const WRITE_LENGTH = 128 * 1024;
const TURN_MS = 1;

/** @throws JobFailure `unreadable` when the file is there and the system refuses to read it */
export async function readSnapshot(path: string): Promise<SnapshotRead> {
  try {
    await using handle = await openRegular(path);
    if ((await handle.stat()).size > buffers.MAX_STRING_LENGTH)
      return { kind: 'damaged', message: 'it is larger than any snapshot' };
    const bytes = unpacked(await handle.readFile(), {
      maxOutputLength: buffers.MAX_STRING_LENGTH,
    });
    const sealed = bytes.subarray(0, Math.max(0, bytes.length - SEAL_BYTES));
    const crc = SEAL.exec(bytes.toString('latin1', sealed.length))?.[1];
    if (crc === undefined) return { kind: 'damaged', message: 'it is cut off or was edited' };
    if (Number.parseInt(crc, 16) !== crc32(sealed))
      return { kind: 'damaged', message: 'its checksum is wrong' };
    return { kind: 'intact', snapshot: decode(bytes.toString('utf8')) };
  } catch (error) {
    if (isAbsent(error)) return { kind: 'absent' };
    if (error instanceof SyntaxError || isOfUnpacking(error))
      return { kind: 'damaged', message: error.message };
    throw stateReadFailure(path, error);
  }
}

/** @param options of a read of a packed snapshot; without meaning for another one */
function unpacked(bytes: Buffer, options: ZlibOptions): Buffer {
  return bytes.subarray(0, GZIP.length).equals(GZIP) ? gunzipSync(bytes, options) : bytes;
}

function isOfUnpacking(error: unknown): error is Error {
  return errorCode(error).startsWith('Z_') || errorCode(error) === 'ERR_BUFFER_TOO_LARGE';
}

/** The failure of a read of the ledger. What is no file is damage of the state: no job is at fault, and none can go on. */
export function stateReadFailure(file: string, error: unknown): JobFailure {
  const read = readFailure(file, error);
  const { failure } = read;
  if (failure.kind !== 'unreadable' || !isNoFile(failure.code)) return read;
  return new JobFailure(
    { kind: 'damaged-state', file, message: 'it is not a regular file' },
    { cause: error },
  );
}

/** The generation of a snapshot, from its beginning only; undefined when there is none or its beginning is damaged. */
export async function peekGeneration(path: string): Promise<number | undefined> {
  try {
    await using handle = await openRegular(path);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(PACKED_HEAD), 0, PACKED_HEAD, 0);
    const head = unpacked(buffer.subarray(0, bytesRead), { finishFlush: zlib.Z_SYNC_FLUSH });
    const found = /^\{"version":\d+,"generation":(\d+),/.exec(head.toString('latin1', 0, 64));
    return found ? Number(found[1]) : undefined;
  } catch (error) {
    if (isAbsent(error) || isOfUnpacking(error)) return undefined;
    throw stateReadFailure(path, error);
  }
}

/** Writes and flushes a snapshot into a new file, a little at a time. */
export async function writeSnapshot(path: string, snapshot: Snapshot): Promise<void> {
  await using handle = await open(
    path,
    constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY,
    0o600,
  );
  const out = new ChecksumWriter(handle);
  const totals = await totalsOf(snapshot.tables);
  for (const piece of pieces(snapshot, totals)) {
    if (out.add(piece) >= WRITE_LENGTH) await out.flush();
  }
  await out.seal();
  await handle.sync();
}

/**
 * Writes and flushes a packed copy of a snapshot into a new file. It has a sixth of the bytes, and is read like the snapshot itself.
 * @throws JobFailure `damaged-state` when the snapshot is not intact: a copy of damage would take the place of a good one
 */
export async function packSnapshot(from: string, to: string): Promise<void> {
  await pipeline(
    streamFile(from),
    (pieces: AsyncIterable<Uint8Array>) => checked(pieces, from),
    createGzip({ level: zlib.Z_BEST_SPEED }),
    createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }),
  );
}

/** The pieces of a snapshot. @throws JobFailure `damaged-state` at their end */
async function* checked(pieces: AsyncIterable<Uint8Array>, file: string) {
  let crc = 0;
  let seal = Buffer.alloc(0);
  for await (const piece of pieces) {
    const known = Buffer.concat([seal, piece]);
    const end = Math.max(0, known.length - SEAL_BYTES);
    crc = crc32(known.subarray(0, end), crc);
    seal = known.subarray(end);
    yield piece;
  }
  if (SEAL.exec(seal.toString('latin1'))?.[1] === hex(crc)) return;
  throw new JobFailure({ kind: 'damaged-state', file, message: 'its checksum is wrong' });
}

function decode(text: string): Snapshot {
  const stored = JSON.parse(text) as StoredSnapshot;
  const tables = emptyTables();
  for (const name of TABLE_NAMES) {
    const table: Map<string, { readonly id: string }> = tables[name];
    for (const record of stored[name] ?? []) table.set(record.id, record);
  }
  return { version: stored.version, generation: stored.generation, tables };
}

/** The charges are read twice: their sums come first in the file, where a person sees them without a tool. */
async function totalsOf({ charges }: Tables): Promise<string> {
  const totals = new Totals();
  const turns = turnsOf(TURN_MS);
  for (const charge of charges.values()) {
    totals.add(charge);
    if (turns.over()) await turns.next();
  }
  return totals.write();
}

function* pieces({ version, generation, tables }: Snapshot, totals: string): Iterable<string> {
  yield `{"version":${version},"generation":${generation},\n"totals":${totals},\n`;
  for (const name of TABLE_NAMES) {
    yield `\n"${name}":[`;
    let separator = '\n';
    for (const record of tables[name].values()) {
      yield separator + JSON.stringify(record);
      separator = ',\n';
    }
    yield '],';
  }
  yield '\n';
}

/** Collects text, writes it in large pieces, and computes the checksum of all of it. */
class ChecksumWriter {
  readonly #handle: FileHandle;
  #pending = '';
  #crc = 0;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** @returns how many UTF-16 units wait to be written */
  add(piece: string): number {
    this.#pending += piece;
    return this.#pending.length;
  }

  async flush(): Promise<void> {
    const bytes = Buffer.from(this.#pending);
    this.#pending = '';
    this.#crc = crc32(bytes, this.#crc);
    await this.#handle.appendFile(bytes);
  }

  async seal(): Promise<void> {
    await this.flush();
    await this.#handle.appendFile(`"crc":"${hex(this.#crc)}"}\n`);
  }
}

/**
 * The billed characters and seconds of audio, for a person who opens `db.json`. First in all; then the characters by month, project and
 * language, the newest month first. Pure.
 */
class Totals {
  readonly #months = new Map<string, Map<string, Map<string, number>>>();
  #billed = 0;
  #possiblyTwice = 0;
  #voiceSeconds = 0;

  add({ kind, characters, seconds, at, project, language }: Charge): void {
    if (kind === 'possibly-twice') {
      this.#possiblyTwice += characters ?? 0;
      return;
    }
    this.#voiceSeconds += seconds ?? 0;
    if (characters === null) return;
    this.#billed += characters;
    const month = inside(this.#months, at.slice(0, 7));
    const languages = inside(month, project);
    languages.set(language, (languages.get(language) ?? 0) + characters);
  }

  /** JSON with one line per month: editors and `head` show the present month first. */
  write(): string {
    const sums = {
      billed_characters: this.#billed,
      possibly_billed_twice: this.#possiblyTwice,
      voice_seconds: this.#voiceSeconds,
    };
    const months = [...this.#months]
      .sort(([a], [b]) => (a < b ? 1 : -1))
      .map(([month, projects]) => `\n${JSON.stringify({ month, billed: asObject(projects) })}`);
    return `${JSON.stringify(sums).slice(0, -1)},"months":[${months.join(',')}]}`;
  }
}

function inside<T>(maps: Map<string, Map<string, T>>, name: string): Map<string, T> {
  const found = maps.get(name) ?? new Map<string, T>();
  maps.set(name, found);
  return found;
}

function asObject(projects: ReadonlyMap<string, ReadonlyMap<string, number>>) {
  const sorted = [...projects].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, sums]) => [name, Object.fromEntries(sums)]));
}
