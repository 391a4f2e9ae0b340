/** The content of an upload: a file, bytes or a stream, read in chunks as often as it must be sent. */
import type { BigIntStats } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { JobFailure } from '../failure.ts';
import { requireShape } from './shape.ts';

/** The content, and its size when it was measured. */
export interface UploadSource extends AsyncDisposable {
  /** Bytes. */
  readonly size: number;
  /** The first bytes. @param bytes how many at most */
  head(bytes: number): Promise<Buffer>;
  /**
   * The whole content in chunks. It may be called again for another attempt.
   * @throws JobFailure `changed-meanwhile` before the last chunk when the file changed since it was measured
   */
  chunks(): AsyncGenerator<Uint8Array>;
}

/** The content as the caller gives it: a file, bytes, or a stream. */
export type UploadInput =
  | {
      /** Path of a file. A file that changes while it is sent is refused. */
      readonly file: string;
      /** The name that the service gets; absent: the name of the file. */
      readonly filename?: string | undefined;
    }
  | { readonly content: Uint8Array; readonly filename: string }
  | StreamInput;

interface StreamInput {
  /** Read into a temporary file first, so that its size is known and another attempt can send it again. */
  readonly stream: AsyncIterable<Uint8Array>;
  readonly filename: string;
}

const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array, {
  error: 'must be a Buffer or Uint8Array',
});
const Stream = z.custom<AsyncIterable<Uint8Array>>(
  (value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value,
  { error: 'must be a readable stream of bytes' },
);
const Named = z.object({ filename: z.string() });

/** @throws JobFailure `invalid-request` unless there is exactly one of file, content and stream, of the right type */
export function requireInput(input: unknown, operation: string): void {
  requireShape(input, { operation, shape: z.looseObject({}) });
  const given = KINDS.filter((kind) => (input as Record<string, unknown>)[kind] !== undefined);
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    const rule = 'or content or stream must be given, and only one of them';
    throw new JobFailure({ kind: 'invalid-request', operation, parameter: 'file', rule });
  }
  requireShape(input, { operation, shape: SHAPES[kind] });
}

const KINDS = ['file', 'content', 'stream'] as const;
const SHAPES = {
  file: z.looseObject({
    file: z.string().min(1, 'must not be empty'),
    filename: z.string().optional(),
  }),
  content: Named.extend({ content: Bytes }),
  stream: Named.extend({ stream: Stream }),
} as const;

export function uploadName(input: UploadInput): string {
  return 'file' in input ? (input.filename ?? basename(input.file)) : input.filename;
}

export interface StreamBounds {
  /** The most bytes that are read from a stream; one more shows that it is too large. */
  readonly limit: number;
  /** Checked after each piece of a stream. */
  readonly signal: AbortSignal | undefined;
}

/** @throws JobFailure `unreadable` when the file cannot be read or is not a regular file, `stopped` */
export async function openUpload(input: UploadInput, bounds: StreamBounds): Promise<UploadSource> {
  if ('content' in input) return bytesSource(input.content);
  if ('stream' in input) return await streamSource(input, bounds);
  return await measureFile(input.file);
}

/** The bytes must not change while they are sent. */
function bytesSource(content: Uint8Array): UploadSource {
  return {
    size: content.byteLength,
    head: async (bytes) => Buffer.from(content.subarray(0, bytes)),
    async *chunks() {
      for (let at = 0; at < content.byteLength; at += CHUNK_BYTES) {
        yield content.subarray(at, at + CHUNK_BYTES);
      }
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

async function streamSource(input: StreamInput, bounds: StreamBounds): Promise<UploadSource> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-upload-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const file = join(folder, 'content');
    await store(streamPieces(input.stream, bounds.signal), file, bounds);
    return { ...(await measureFile(file)), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** @throws JobFailure `stopped`, `invalid-request` for a piece of another type; an error of the stream is thrown unchanged */
async function* streamPieces(
  stream: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    // In plain JavaScript a stream may yield anything; with an encoding it yields strings.
    for await (const piece of stream as AsyncIterable<unknown>) yield bytesOf(piece);
  } catch (error) {
    // If the caller's signal also ends the stream, it fails with an AbortError before store() checks the signal.
    if (signal?.aborted) throw new JobFailure({ kind: 'stopped' }, { cause: signal.reason });
    throw error;
  }
}

function bytesOf(piece: unknown): Uint8Array {
  if (piece instanceof Uint8Array) return piece;
  if (typeof piece === 'string') return Buffer.from(piece);
  const rule = 'must be a readable stream of bytes';
  throw new JobFailure({
    kind: 'invalid-request',
    operation: 'upload',
    parameter: 'stream',
    rule,
  });
}

async function store(
  stream: AsyncIterable<Uint8Array>,
  file: string,
  { limit, signal }: StreamBounds,
): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    let size = 0;
    for await (const chunk of stream) {
      await handle.appendFile(chunk);
      size += chunk.length;
      if (size > limit) return;
      if (signal?.aborted) throw new JobFailure({ kind: 'stopped' }, { cause: signal.reason });
    }
  } finally {
    await handle.close();
  }
}

// Chunks of 64 KiB take twice the processor time, chunks of 1 MiB more memory.
const CHUNK_BYTES = 262_144;

/** @throws JobFailure `unreadable` when the file cannot be read or is not a regular file */
export async function measureFile(file: string): Promise<UploadSource> {
  const measured = await stat(file, { bigint: true }).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  if (!measured.isFile()) throw new JobFailure({ kind: 'unreadable', file, code: 'EISDIR' });
  return {
    size: Number(measured.size),
    head: (bytes) => readHead(file, bytes),
    chunks: () => readChunks(file, measured),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

async function readHead(file: string, bytes: number): Promise<Buffer> {
  const handle = await open(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
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
  // A new buffer for each chunk: undici may still use the last one.
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
