/** Reads the directory of a ZIP container, and refuses hostile containers before anything is unpacked (PKWARE APPNOTE 6.3, 4.3). */
import { JobFailure } from '../failure.ts';

export interface ZipEntry {
  readonly name: string;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  /** Offsets in the container: local header, its data, and the record in the central directory. */
  readonly headerStart: number;
  readonly dataStart: number;
  readonly centralStart: number;
  readonly centralEnd: number;
}

export interface ZipDirectory {
  readonly entries: readonly ZipEntry[];
  readonly directoryStart: number;
  readonly endRecord: number;
}

/** More than any office file has. A directory of millions of empty entries is an attack. */
const MAX_ENTRIES = 20_000;
const END_RECORD_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const ZIP64_LOCATOR_BYTES = 20;
/** In place of a number that is too large for its field: the ZIP64 record has it. */
const ZIP64_HAS_IT_16 = 0xffff;
const ZIP64_HAS_IT_32 = 0xffffffff;
const ENCRYPTED = 0x0001;
const SIZES_FOLLOW_DATA = 0x0008;
const MASKED_HEADERS = 0x2000;

/** @throws JobFailure `malformed` or `unsupported`, with the file and what is wrong with it */
export function readDirectory(bytes: Uint8Array, file: string): ZipDirectory {
  const reader: DirectoryReader = {
    view: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    file,
  };
  const endRecord = findEndRecord(reader);
  const { count, directoryStart } = readEndRecord(reader, endRecord);
  const entries: ZipEntry[] = [];
  let at = directoryStart;
  for (let index = 0; index < count; index++) {
    const entry = readEntry(reader, { at, directoryStart, endRecord });
    entries.push(entry);
    at = entry.centralEnd;
  }
  if (at !== endRecord) throw malformed(reader, 'its directory has another length than it says');
  refuseDuplicates(reader, entries);
  refuseOverlaps(reader, entries);
  return { entries, directoryStart, endRecord };
}

interface DirectoryReader {
  readonly view: Buffer;
  readonly file: string;
}

function findEndRecord({ view, file }: DirectoryReader): number {
  const lowest = Math.max(0, view.length - END_RECORD_BYTES - MAX_COMMENT_BYTES);
  for (let at = view.length - END_RECORD_BYTES; at >= lowest; at--) {
    const isRecord = view.readUInt32LE(at) === 0x06054b50;
    // The comment must reach the end exactly: two readers must not find two different directories.
    if (isRecord && at + END_RECORD_BYTES + view.readUInt16LE(at + 20) === view.length) return at;
  }
  throw malformed({ view, file }, 'it is no complete ZIP container: the end record is missing');
}

function readEndRecord(
  reader: DirectoryReader,
  at: number,
): { count: number; directoryStart: number } {
  const { view } = reader;
  const [disk, directoryDisk] = [view.readUInt16LE(at + 4), view.readUInt16LE(at + 6)];
  const [countHere, count] = [view.readUInt16LE(at + 8), view.readUInt16LE(at + 10)];
  const [size, directoryStart] = [view.readUInt32LE(at + 12), view.readUInt32LE(at + 16)];
  const locator = at - ZIP64_LOCATOR_BYTES;
  const hasLocator = locator >= 0 && view.readUInt32LE(locator) === 0x07064b50;
  if (
    hasLocator ||
    count === ZIP64_HAS_IT_16 ||
    size === ZIP64_HAS_IT_32 ||
    directoryStart === ZIP64_HAS_IT_32
  ) {
    throw unsupported(reader, 'it is a Zip64 container, which no office file of this size needs');
  }
  if (disk !== 0 || directoryDisk !== 0 || countHere !== count) {
    throw unsupported(reader, 'it is one volume of a split archive');
  }
  if (count > MAX_ENTRIES) throw unsupported(reader, `it has more than ${MAX_ENTRIES} entries`);
  if (directoryStart + size !== at) throw malformed(reader, 'its directory is not where it says');
  return { count, directoryStart };
}

interface DirectoryPosition {
  readonly at: number;
  readonly directoryStart: number;
  readonly endRecord: number;
}

function readEntry(
  reader: DirectoryReader,
  { at, directoryStart, endRecord }: DirectoryPosition,
): ZipEntry {
  const { view } = reader;
  if (at + 46 > endRecord || view.readUInt32LE(at) !== 0x02014b50) {
    throw malformed(reader, 'its directory is damaged');
  }
  const nameEnd = at + 46 + view.readUInt16LE(at + 28);
  const centralEnd = nameEnd + view.readUInt16LE(at + 30) + view.readUInt16LE(at + 32);
  if (centralEnd > endRecord) throw malformed(reader, 'its directory is damaged');
  const name = readName(reader, at + 46, nameEnd);
  const entry = {
    name,
    method: view.readUInt16LE(at + 10),
    crc: view.readUInt32LE(at + 16),
    packedSize: view.readUInt32LE(at + 20),
    size: view.readUInt32LE(at + 24),
    headerStart: view.readUInt32LE(at + 42),
    centralStart: at,
    centralEnd,
  };
  refuseFlags(reader, name, view.readUInt16LE(at + 8));
  if ([entry.packedSize, entry.size, entry.headerStart].includes(ZIP64_HAS_IT_32)) {
    throw unsupported(reader, `${name} needs Zip64, which no office file of this size does`);
  }
  const dataStart = readLocalHeader(reader, entry);
  if (dataStart + entry.packedSize > directoryStart) {
    throw malformed(reader, `${name} reaches into the directory`);
  }
  return { ...entry, dataStart };
}

function readName(reader: DirectoryReader, start: number, end: number): string {
  const raw = reader.view.subarray(start, end);
  let name: string;
  try {
    name = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    name = raw.toString('latin1');
  }
  const leaves = name.split('/').includes('..') || /^[/\\]|^[A-Za-z]:|\\|\0/.test(name);
  if (name === '' || leaves) {
    throw malformed(reader, `the entry name ${JSON.stringify(name)} leads out of the container`);
  }
  return name;
}

function refuseFlags(reader: DirectoryReader, name: string, flags: number): void {
  if ((flags & (ENCRYPTED | MASKED_HEADERS)) === 0) return;
  throw unsupported(reader, `${name} is encrypted`);
}

type CentralFacts = Omit<ZipEntry, 'dataStart'>;

/** Both headers must agree: else two programs could read two different files. */
function readLocalHeader(reader: DirectoryReader, entry: CentralFacts): number {
  const { view } = reader;
  const at = entry.headerStart;
  if (at + 30 > entry.centralStart || view.readUInt32LE(at) !== 0x04034b50) {
    throw malformed(reader, `${entry.name} has no local header where the directory says`);
  }
  const nameEnd = at + 30 + view.readUInt16LE(at + 26);
  const dataStart = nameEnd + view.readUInt16LE(at + 28);
  const sizesFollow = (view.readUInt16LE(at + 6) & SIZES_FOLLOW_DATA) !== 0;
  const sameSizes =
    sizesFollow ||
    (view.readUInt32LE(at + 14) === entry.crc &&
      view.readUInt32LE(at + 18) === entry.packedSize &&
      view.readUInt32LE(at + 22) === entry.size);
  const sameName = readName(reader, at + 30, nameEnd) === entry.name;
  if (!sameName || !sameSizes || view.readUInt16LE(at + 8) !== entry.method) {
    throw malformed(reader, `${entry.name} is described differently in its two headers`);
  }
  return dataStart;
}

// Part names are equal without regard to case (ECMA-376 part 2, 6.2.2.3).
function refuseDuplicates(reader: DirectoryReader, entries: readonly ZipEntry[]): void {
  const seen = new Set<string>();
  for (const { name } of entries) {
    const folded = name.toLowerCase();
    if (seen.has(folded)) throw malformed(reader, `${name} is in it twice`);
    seen.add(folded);
  }
}

// Overlapping entries are how 40 kB unpack to terabytes (D. Fifield, "A better zip bomb", 2019).
function refuseOverlaps(reader: DirectoryReader, entries: readonly ZipEntry[]): void {
  let end = 0;
  for (const entry of entries.toSorted((a, b) => a.headerStart - b.headerStart)) {
    if (entry.headerStart < end) throw malformed(reader, `${entry.name} overlaps another entry`);
    end = entry.dataStart + entry.packedSize;
  }
}

function malformed({ file }: DirectoryReader, message: string): JobFailure {
  return new JobFailure({ kind: 'malformed', where: { file }, message });
}

function unsupported({ file }: DirectoryReader, reason: string): JobFailure {
  return new JobFailure({
    kind: 'unsupported',
    what: `${file} cannot be read: ${reason}`,
    advice: 'Save the file again with its own application.',
  });
}
