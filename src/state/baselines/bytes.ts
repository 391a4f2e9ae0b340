/** Bytes at a place of a file. At once, a call costs 2 to 5 µs; on a thread of the system it costs 50, and keeps nobody waiting. */
import { readSync, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/** Where bytes stand in a file. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** Fewer bytes where the file ends before. */
export async function readAt(
  handle: FileHandle,
  { offset, length }: ByteRange,
): Promise<Buffer<ArrayBuffer>> {
  // Not of the pool: it may be handed to another thread.
  const buffer = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** As `readAt`, at once. */
export function readNow({ fd }: FileHandle, { offset, length }: ByteRange): Buffer<ArrayBuffer> {
  const buffer = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const bytesRead = readSync(fd, buffer, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

export async function writeAt(
  handle: FileHandle,
  bytes: Uint8Array,
  offset: number,
): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const rest = bytes.length - written;
    written += (await handle.write(bytes, written, rest, offset + written)).bytesWritten;
  }
}

/** As `writeAt`, at once. */
export function writeNow({ fd }: FileHandle, bytes: Uint8Array, offset: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written, offset + written);
  }
}
