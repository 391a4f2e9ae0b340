/** Reads whole texts, and files as streams. Neither waits for a named pipe, and no text is larger than a string can be. */
import { readFileSync } from 'node:fs';
import { readFailure } from './disk.ts';
import { openRegular, unreadableFile, withRegularNow } from './regular-file.ts';

/** In bytes: a string has at most 512 MiB. */
const LARGEST_TEXT = 256 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;

/** A whole text, in UTF-8. @throws JobFailure `unreadable`, also for what no string takes */
export async function readText(path: string): Promise<string> {
  try {
    await using handle = await openRegular(path);
    const { size } = await handle.stat();
    if (size > LARGEST_TEXT) throw unreadableFile(path, 'too large');
    return await handle.readFile('utf8');
  } catch (error) {
    throw readFailure(path, error);
  }
}

/**
 * The bytes of a small file, with synchronous calls.
 * @param limit in bytes
 * @throws JobFailure `unreadable` for what is larger, or no file; the error of Node
 */
export function readAtOnce(path: string, limit: number): Buffer {
  return withRegularNow(path, (descriptor, { size }) => {
    if (size > limit) throw unreadableFile(path, 'too large');
    return readFileSync(descriptor);
  });
}

/** The bytes of a file, piece by piece. It is opened when the first piece is asked for. */
export async function* streamFile(path: string): AsyncGenerator<Uint8Array> {
  await using handle = await openRegular(path);
  for (;;) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(PIECE_BYTES));
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}
