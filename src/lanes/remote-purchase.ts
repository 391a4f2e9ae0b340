/**
 * What documents and recordings share when they buy on the service, so that nothing is paid twice and nothing that is paid is lost:
 *
 *     send      the record says `closing` before the last bytes leave: from then on it may have been paid
 *     receive   the record says `downloading` before the request: the service hands a result out only once
 *     keep      a result is flushed and has its name before the record says that it came
 */
import { JobFailure } from '../failure.ts';
import type { ResultFiles, SpooledFile } from '../files/spool-folder.ts';
import type { Download, DownloadSink } from '../service/download.ts';

export type Sent<T> =
  | { readonly kind: 'accepted'; readonly answer: T }
  /** `mayHaveArrived`: its last bytes were allowed to leave. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly mayHaveArrived: boolean };

/** @param noteClosing writes down that it may have been paid; the last bytes wait until that is durable */
export async function send<T>(
  upload: (onClosing: () => Promise<void>) => Promise<T>,
  noteClosing: () => Promise<unknown>,
): Promise<Sent<T>> {
  let mayHaveArrived = false;
  const onClosing = async () => {
    await noteClosing();
    mayHaveArrived = true;
  };
  try {
    return { kind: 'accepted', answer: await upload(onClosing) };
  } catch (error) {
    return { kind: 'failed', error, mayHaveArrived };
  }
}

export type Received =
  /** All of it is flushed to the part file. */
  | { readonly kind: 'whole' }
  /** `bytes`: how many came before it broke off. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly bytes: number }
  | Extract<Download, { kind: 'not-ready' }>;

export interface Request {
  readonly operation: string;
  download(sink: DownloadSink): Promise<Download>;
  /** Writes down how many bytes are announced, before the first of them. */
  noteLength(bytes: number): Promise<unknown>;
}

export async function receive(files: ResultFiles, request: Request): Promise<Received> {
  await using part = await files.begin();
  let announced: number | undefined;
  const sink: DownloadSink = {
    async headers({ content_length }) {
      announced = content_length;
      if (announced !== undefined) await request.noteLength(announced);
    },
    write: (chunk) => part.write(chunk),
  };
  try {
    const answer = await request.download(sink);
    if (answer.kind === 'not-ready') return answer;
    if (announced !== undefined && part.bytes !== announced) {
      const message = `${part.bytes} of ${announced} bytes came`;
      throw new JobFailure({ kind: 'unanswered', operation: request.operation, message });
    }
    await part.finish();
    return { kind: 'whole' };
  } catch (error) {
    return { kind: 'failed', error, bytes: part.bytes };
  }
}

/**
 * What a process left whole on the disk and died before it could say so.
 * @param length bytes that were announced to it
 * @returns the result, or `part` where it has not its name yet
 */
export async function leftWhole(
  files: ResultFiles,
  length: number | undefined,
): Promise<SpooledFile | 'part' | undefined> {
  const kept = await files.find();
  if (kept !== undefined) return kept;
  return length !== undefined && (await files.arrived()) === length ? 'part' : undefined;
}

/** Who works on a purchase: several jobs share one, and two at a time would send or fetch it twice. */
export class InProgress<K> {
  readonly #keys = new Set<K>();

  has(key: K): boolean {
    return this.#keys.has(key);
  }

  /** Until it is disposed, the purchase is taken. */
  begin(key: K): Disposable {
    this.#keys.add(key);
    return { [Symbol.dispose]: () => void this.#keys.delete(key) };
  }
}

/** Milliseconds until a job asks again for a purchase that another one is just working on. */
export const BUSY_MS = 1000;
