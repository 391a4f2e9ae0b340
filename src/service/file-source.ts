/** A file as the body of a request: read in chunks, and refused when it is no longer the file that was measured. */
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { JobFailure } from '../failure.ts';

/** A file and how it was when its upload was decided. */
export interface FileSource {
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  /**
   * The whole file in chunks of 256 KiB. May be called again for another attempt.
   * @throws JobFailure `changed-meanwhile` before the last chunk when the file is not the one that was measured
   */
  chunks(): AsyncGenerator<Uint8Array>;
}

// 64 KiB chunks cost twice the CPU, 1 MiB chunks more memory.
const CHUNK_BYTES = 262_144;

/** @throws JobFailure `unreadable` when the file cannot be looked at or is no regular file */
export async function measureFile(file: string): Promise<FileSource> {
  const measured = await stat(file, { bigint: true }).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  if (!measured.isFile()) throw new JobFailure({ kind: 'unreadable', file, code: 'EISDIR' });
  return { file, size: Number(measured.size), chunks: () => readChunks(file, measured) };
}

async function* readChunks(file: string, measured: BigIntStats): AsyncGenerator<Uint8Array> {
  const handle = await open(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  try {
    const size = Number(measured.size);
    await requireSame(handle, { file, measured });
    for (let position = 0; position < size; ) {
      const chunk = await readAt(handle, { file, position, size });
      position += chunk.byteLength;
      if (position >= size) await requireSame(handle, { file, measured });
      yield chunk;
    }
  } finally {
    await handle.close();
  }
}

async function readAt(
  handle: FileHandle,
  { file, position, size }: { file: string; position: number; size: number },
): Promise<Uint8Array> {
  // A buffer of its own for each chunk: undici may still hold the one before.
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - position));
  const { bytesRead } = await handle
    .read(buffer, 0, buffer.byteLength, position)
    .catch((error: unknown) => {
      throw unreadable(file, error);
    });
  if (bytesRead === 0) throw new JobFailure({ kind: 'changed-meanwhile', file });
  return buffer.subarray(0, bytesRead);
}

async function requireSame(
  handle: FileHandle,
  { file, measured }: { file: string; measured: BigIntStats },
): Promise<void> {
  const now = await handle.stat({ bigint: true });
  const same =
    now.ino === measured.ino &&
    now.size === measured.size &&
    now.mtimeNs === measured.mtimeNs &&
    now.ctimeNs === measured.ctimeNs;
  if (!same) throw new JobFailure({ kind: 'changed-meanwhile', file });
}

function unreadable(file: string, error: unknown): JobFailure {
  const { code = 'EIO' } = error as NodeJS.ErrnoException;
  return new JobFailure({ kind: 'unreadable', file, code }, { cause: error });
}
