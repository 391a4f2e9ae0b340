/**
 * Hashes of whole files that are the same in each checkout. Git may check out a text with other line ends, which change the hash of the
 * bytes.
 */
import { extname } from 'node:path';
import type { Hash } from '../job.ts';
import { bytesIn, hashBytes, hashFile, readBytesIfPresent } from './disk.ts';
import { pointedTo } from './lfs.ts';

/** The hashes that the content of one file may have in checkouts. */
export interface CheckedOut {
  /** With line feeds; for a file that is not text, the hash of its bytes. */
  readonly text: Hash;
  /** All of them, the hash of the present bytes first. */
  readonly all: readonly [Hash, ...Hash[]];
}

const TEXT_EXTENSIONS: ReadonlySet<string> = new Set(
  '.txt .text .html .htm .xhtml .xlf .xliff .xml .srt .vtt .ttml .md .csv .json'.split(' '),
);
/** For a larger text, only the hash of its bytes counts. */
const MOST_TEXT_BYTES = 32 * 1024 * 1024;

/** The hashes of a file on the disk. @throws JobFailure */
export async function checkedOut(path: string): Promise<CheckedOut> {
  return (await checkedOutIfText(path)) ?? asItIs(await hashFile(path));
}

/** @returns undefined when the file is not text, is too large, or does not exist. @throws JobFailure */
export async function checkedOutIfText(path: string): Promise<CheckedOut | undefined> {
  if (!isTextPath(path) || (await bytesIn(path)) > MOST_TEXT_BYTES) return undefined;
  const file = await readBytesIfPresent(path, MOST_TEXT_BYTES);
  return file && checkedOutAs(file.bytes, path);
}

/** Pure. @param path its extension says whether it is a text */
export function checkedOutAs(bytes: Buffer, path: string): CheckedOut {
  const pointed = pointedTo(bytes);
  const own = pointed ?? hashBytes(bytes);
  // Git does not convert a file with a zero byte, so no text in UTF-16.
  const isConverted = pointed === undefined && isTextPath(path) && !bytes.includes(0);
  if (!isConverted || !bytes.includes(LF)) return asItIs(own);
  const plain = bytes.toString('latin1').replaceAll('\r\n', '\n');
  const text = hashBytes(Buffer.from(plain, 'latin1'));
  const windows = hashBytes(Buffer.from(plain.replaceAll('\n', '\r\n'), 'latin1'));
  return { text, all: [own, ...[text, windows].filter((hash) => hash !== own)] };
}

const LF = 0x0a;

/** By the extension. */
export function isTextPath(path: string): boolean {
  return TEXT_EXTENSIONS.has(extname(path).toLowerCase());
}

function asItIs(hash: Hash): CheckedOut {
  return { text: hash, all: [hash] };
}
