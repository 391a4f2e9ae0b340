/** The index of the log as a file: so a start need not read the whole log. A damaged or too old index is ignored. */
import { endianness } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readBytesIfPresent } from '../../files/disk.ts';
import { replaceFile } from '../../files/replace.ts';
import { journalLine, parseLine } from '../journal-line.ts';
import { BaselineIndex } from './hash-index.ts';

export interface Indexed {
  /** Generation of the log. */
  readonly generation: number;
  /** Bytes of the log that are in the index. */
  readonly size: number;
  readonly index: BaselineIndex;
}

interface Heading {
  readonly generation: number;
  readonly size: number;
  /** Order of the bytes of a word: that of the processor that wrote the file. */
  readonly order: 'BE' | 'LE';
  /** Checksum of the bytes after this line. */
  readonly crc: number;
}

const INDEX = 'index';

export async function writeIndex(
  folder: string,
  { generation, size, index }: Indexed,
): Promise<void> {
  const bytes = index.toBytes();
  const heading: Heading = { generation, size, order: endianness(), crc: crc32(bytes) };
  const content = Buffer.concat([Buffer.from(journalLine(JSON.stringify(heading), 0)), bytes]);
  const path = join(folder, INDEX);
  await replaceFile({ path, root: folder, content, durability: 'cached', mode: 0o600 });
}

/** @returns undefined when there is none for this generation */
export async function readIndex(folder: string, generation: number): Promise<Indexed | undefined> {
  const file = await readBytesIfPresent(join(folder, INDEX), Number.POSITIVE_INFINITY);
  if (file === undefined) return undefined;
  const line = parseLine(file.bytes, 0);
  if (line.kind !== 'line') return undefined;
  const heading = JSON.parse(line.json) as Heading;
  const bytes = file.bytes.subarray(line.bytes);
  if (heading.generation !== generation || heading.order !== endianness()) return undefined;
  if (heading.crc !== crc32(bytes)) return undefined;
  return { generation, size: heading.size, index: BaselineIndex.from(bytes) };
}
