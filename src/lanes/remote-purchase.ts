/**
 * The steps of a purchase on the service, for documents and recordings: nothing is paid twice, and nothing paid is lost.
 *
 *     send      the record says `closing` before the last bytes are sent: from then on it may be billed
 *     receive   the record says `downloading` before the request: the service returns a result only once
 *     keep      the result is flushed and has its final name before the record says that it is there
 */
import { JobFailure } from '../failure.ts';
import type { ResultFiles, SpooledFile } from '../files/spool-folder.ts';
import { inEnglish } from '../language.ts';
import type { Download, DownloadSink } from '../service/download.ts';

export type Sent<T> =
  | { readonly kind: 'accepted'; readonly answer: T }
  /** `mayHaveArrived`: its last bytes may have been sent. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly mayHaveArrived: boolean };

/** @param recordClosing writes that it may be billed; the last bytes are sent when that is durable */
export async function sendPurchase<T>(
  upload: (onClosing: () => Promise<void>) => Promise<T>,
  recordClosing: () => Promise<unknown>,
): Promise<Sent<T>> {
  let mayHaveArrived = false;
  const onClosing = async () => {
    await recordClosing();
    mayHaveArrived = true;
  };
  try {
    return { kind: 'accepted', answer: await upload(onClosing) };
  } catch (error) {
    return { kind: 'failed', error, mayHaveArrived };
  }
}

export type Received =
  /** The complete result is flushed to the part file. `type`: its Content-Type. */
  | { readonly kind: 'whole'; readonly type?: string }
  /** `bytes`: how many were received. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly bytes: number }
  | Extract<Download, { kind: 'not-ready' }>;

export interface Request {
  readonly operation: string;
  /** Bytes of the longest result that is possible: one that does not end would fill the disk. */
  readonly mostBytes: number;
  download(sink: DownloadSink): Promise<Download>;
  /** Writes how many bytes are announced, before the first one is received. */
  recordLength(bytes: number): Promise<unknown>;
}

export async function receive(files: ResultFiles, request: Request): Promise<Received> {
  await using part = await files.begin();
  let announced: number | undefined;
  let type: string | undefined;
  const sink: DownloadSink = {
    async headers({ content_length, content_type }) {
      announced = content_length;
      type = content_type;
      if (announced === undefined) return;
      requirePossible(announced, request);
      await request.recordLength(announced);
    },
    async write(chunk) {
      requirePossible(part.bytes + chunk.byteLength, request);
      await part.write(chunk);
    },
  };
  try {
    const answer = await request.download(sink);
    if (answer.kind === 'not-ready') return answer;
    if (announced !== undefined && part.bytes !== announced) {
      const message = `${part.bytes} of ${announced} bytes arrived`;
      throw new JobFailure({ kind: 'unanswered', operation: request.operation, message });
    }
    await part.finish();
    return { kind: 'whole', ...(type === undefined ? {} : { type }) };
  } catch (error) {
    return { kind: 'failed', error, bytes: part.bytes };
  }
}

/** @throws JobFailure `bad-answer` */
function requirePossible(bytes: number, { operation, mostBytes }: Request): void {
  if (bytes <= mostBytes) return;
  const message = `it has more than ${inEnglish(mostBytes)} bytes, which no result of this source has`;
  throw new JobFailure({ kind: 'bad-answer', operation, message });
}

/**
 * Finds a complete result that a process left on the disk before it died.
 * @param length bytes that were announced
 * @returns the result, or `part` when it does not have its final name yet
 */
export async function leftWhole(
  files: ResultFiles,
  length: number | undefined,
): Promise<SpooledFile | 'part' | undefined> {
  const kept = await files.find();
  if (kept !== undefined) return kept;
  return length !== undefined && (await files.arrived()) === length ? 'part' : undefined;
}

/** The purchases that a job is working on now. Several jobs may share a purchase, and two at a time would send or fetch it twice. */
export class InProgress<K> {
  readonly #keys = new Set<K>();

  has(key: K): boolean {
    return this.#keys.has(key);
  }

  /** Marks a purchase until the result is disposed. */
  begin(key: K): Disposable {
    this.#keys.add(key);
    return { [Symbol.dispose]: () => void this.#keys.delete(key) };
  }
}

/** Milliseconds until a job looks again at a purchase that another job is working on. */
export const BUSY_MS = 1000;
