/** ZIP containers in memory: reads within limits, and writes so that every untouched entry keeps its bytes (PKWARE APPNOTE 6.3). */

import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { JobFailure } from '../failure.ts';
import { append } from '../parsing/append.ts';
import { readDirectory, type ZipEntry } from './zip-directory.ts';

/** An opened container. `entries` are in the order of the central directory. */
export interface Zip {
  /** For messages. */
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly entries: readonly ZipEntry[];
  /** The offsets of the central directory and of the end record. */
  readonly directoryStart: number;
  readonly endRecord: number;
}

/** How much may be unpacked. A 30 MB upload never needs more; a zip bomb of 600 MB in 600 kB does. */
export interface UnpackLimits {
  /** Bytes of one unpacked entry. */
  readonly entryBytes: number;
}

const DEFAULT_LIMITS: UnpackLimits = { entryBytes: 128 * 1024 * 1024 };

const STORED = 0;
const DEFLATED = 8;
const UTF8_NAME = 0x0800;
const LOCAL_HEADER_BYTES = 30;
const CENTRAL_HEADER_BYTES = 46;
const END_RECORD_BYTES = 22;
// 1980-01-01 00:00, the first moment of the DOS calendar: so each run writes the same bytes.
const DOS_EPOCH_DATE = 0x0021;

/**
 * Reads the directory, and refuses entries that overlap, that occur twice, or whose name leads out of the container.
 * Nothing is unpacked.
 * @throws JobFailure `malformed` for a damaged or hostile container, `unsupported` for Zip64, encryption and split archives
 */
export function openZip(bytes: Uint8Array, file: string): Zip {
  return { file, bytes, ...readDirectory(bytes, file) };
}

/**
 * Unpacks one entry and checks its length and CRC-32. Never allocates more than the entry declares.
 * @throws JobFailure `malformed` when its size is wrong or it is damaged, `unsupported` above the limits or for other methods
 */
export function unpackEntry(zip: Zip, entry: ZipEntry, limits = DEFAULT_LIMITS): Uint8Array {
  if (entry.size > limits.entryBytes) {
    throw new JobFailure({
      kind: 'unsupported',
      what: `${zip.file}: ${entry.name} would unpack to ${entry.size} bytes, more than ${limits.entryBytes}`,
      advice: 'Split the file.',
    });
  }
  const packed = zip.bytes.subarray(entry.dataStart, entry.dataStart + entry.packedSize);
  const data = inflate(zip, entry, packed);
  if (data.length !== entry.size || crc32(data) !== entry.crc) {
    throw damaged(zip.file, `${entry.name} is damaged: its length or CRC-32 is not as declared`);
  }
  return data;
}

/** The packed content of an entry, to copy it into another container without unpacking it. */
export function packedEntry({ bytes }: Zip, entry: ZipEntry): PackedEntry {
  const { method, dataStart, packedSize, size, crc } = entry;
  return { method, data: bytes.subarray(dataStart, dataStart + packedSize), size, crc };
}

function inflate(zip: Zip, entry: ZipEntry, packed: Uint8Array): Uint8Array {
  if (entry.method === STORED) return packed;
  if (entry.method !== DEFLATED) {
    throw new JobFailure({
      kind: 'unsupported',
      what: `${zip.file}: ${entry.name} is packed with method ${entry.method}`,
      advice: 'Save the file again with its own application.',
    });
  }
  try {
    // zlib stops when an entry is longer than its declared size. It does not accept 0 as a limit.
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.size) });
  } catch (cause) {
    throw damaged(
      zip.file,
      `${entry.name} does not unpack to its declared ${entry.size} bytes`,
      cause,
    );
  }
}

/**
 * The same container with other content for some entries. Everything else stays as it is, also packed bytes, headers, order, gaps
 * and the archive comment; only the offsets in the directory change.
 */
export function replaceEntries(
  zip: Zip,
  contents: ReadonlyMap<string, Uint8Array | PackedEntry>,
): Uint8Array {
  const inFileOrder = zip.entries.toSorted((a, b) => a.headerStart - b.headerStart);
  const written: Uint8Array[] = [
    zip.bytes.subarray(0, inFileOrder[0]?.headerStart ?? zip.directoryStart),
  ];
  const placed = new Map<ZipEntry, PlacedEntry>();
  let offset = written[0]?.length ?? 0;
  for (const [index, entry] of inFileOrder.entries()) {
    const until = inFileOrder[index + 1]?.headerStart ?? zip.directoryStart;
    const content = contents.get(entry.name);
    const packed = content instanceof Uint8Array ? pack(content) : content;
    placed.set(entry, { offset, packed });
    const chunks = packed
      ? [localHeader(zip, entry, packed), packed.data]
      : [zip.bytes.subarray(entry.headerStart, until)];
    append(written, chunks);
    offset += totalBytes(chunks);
  }
  const directory = zip.entries.map((entry) => centralHeader(zip, entry, placed.get(entry)));
  return Buffer.concat([...written, ...directory, endRecord(zip, offset, totalBytes(directory))]);
}

/** The content of an entry as it is packed in a container. */
export interface PackedEntry {
  readonly method: number;
  readonly data: Uint8Array;
  readonly size: number;
  readonly crc: number;
}

interface PlacedEntry {
  readonly offset: number;
  readonly packed: PackedEntry | undefined;
}

function pack(content: Uint8Array): PackedEntry {
  const deflated = deflateRawSync(content);
  const smaller = deflated.length < content.length;
  return {
    method: smaller ? DEFLATED : STORED,
    data: smaller ? deflated : content,
    size: content.length,
    crc: crc32(content),
  };
}

function localHeader(zip: Zip, entry: ZipEntry, packed: PackedEntry): Uint8Array {
  const header = Buffer.from(zip.bytes.subarray(entry.headerStart, entry.dataStart));
  writeSizes(header, 6, packed);
  return header;
}

function centralHeader(zip: Zip, entry: ZipEntry, placed: PlacedEntry | undefined): Uint8Array {
  const header = Buffer.from(zip.bytes.subarray(entry.centralStart, entry.centralEnd));
  if (placed === undefined) return header;
  if (placed.packed) writeSizes(header, 8, placed.packed);
  header.writeUInt32LE(placed.offset, 42);
  return header;
}

/** Both headers have flags, method, CRC and sizes in the same order; in the central one they begin two bytes later. */
function writeSizes(header: Buffer, at: number, packed: PackedEntry): void {
  const withoutDataDescriptor = header.readUInt16LE(at) & ~0x0008;
  header.writeUInt16LE(withoutDataDescriptor, at);
  header.writeUInt16LE(packed.method, at + 2);
  header.writeUInt32LE(packed.crc, at + 8);
  header.writeUInt32LE(packed.data.length, at + 12);
  header.writeUInt32LE(packed.size, at + 16);
}

function endRecord(zip: Zip, directoryStart: number, directoryBytes: number): Uint8Array {
  const record = Buffer.from(zip.bytes.subarray(zip.endRecord));
  record.writeUInt32LE(directoryBytes, 12);
  record.writeUInt32LE(directoryStart, 16);
  return record;
}

/** A new container with these entries in this order. The same input gives the same bytes. */
export function createZip(contents: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const files: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, content] of contents) {
    const packed = pack(content);
    const encodedName = Buffer.from(name);
    const local = newHeader(LOCAL_HEADER_BYTES, 0x04034b50, encodedName);
    writeSizes(local, 6, packed);
    const central = newHeader(CENTRAL_HEADER_BYTES, 0x02014b50, encodedName);
    writeSizes(central, 8, packed);
    central.writeUInt32LE(offset, 42);
    files.push(local, packed.data);
    directory.push(central);
    offset += local.length + packed.data.length;
  }
  const end = Buffer.alloc(END_RECORD_BYTES);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(contents.size, 8);
  end.writeUInt16LE(contents.size, 10);
  end.writeUInt32LE(totalBytes(directory), 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, ...directory, end]);
}

function newHeader(bytes: number, signature: number, name: Uint8Array): Buffer {
  const header = Buffer.alloc(bytes + name.length);
  const versions = bytes === CENTRAL_HEADER_BYTES ? 2 : 1;
  header.writeUInt32LE(signature, 0);
  for (let field = 0; field < versions; field++) header.writeUInt16LE(20, 4 + field * 2);
  const flags = 4 + versions * 2;
  header.writeUInt16LE(UTF8_NAME, flags);
  header.writeUInt16LE(DOS_EPOCH_DATE, flags + 6);
  header.writeUInt16LE(name.length, flags + 20);
  header.set(name, bytes);
  return header;
}

function totalBytes(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((bytes, chunk) => bytes + chunk.length, 0);
}

function damaged(file: string, message: string, cause?: unknown): JobFailure {
  return new JobFailure({ kind: 'malformed', where: { file }, message }, { cause });
}
