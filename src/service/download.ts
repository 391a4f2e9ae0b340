/** Results that can be fetched only once: the head is handed over first, then the bytes piece by piece. */
import { JobFailure } from '../failure.ts';
import type { HttpAnswer } from './http.ts';
import type { Refusal } from './refusal.ts';

/** The headers of a result, before its first byte; a field is absent when the service does not send it. */
export interface DownloadHead {
  /** Bytes. */
  readonly content_length?: number;
  readonly content_type?: string;
}

/** The receiver of a result. An error of these methods ends the transfer and is thrown unchanged. */
export interface DownloadSink {
  /** Called once, before the first byte. From here on the service may no longer have the result. */
  headers(head: DownloadHead): Promise<void>;
  /** Called with each piece, in order; the next piece waits until it resolves. */
  write(chunk: Uint8Array): Promise<void>;
}

/** `not-ready`: the result is not there yet; nothing was consumed, so ask again. */
export type Download =
  | { readonly kind: 'downloaded'; readonly bytes: number }
  | { readonly kind: 'not-ready'; readonly retryAfterMs?: number };

/**
 * @throws JobFailure `unanswered` when the bytes break off, or when nothing would show that they do; if `sink.headers` was called, the
 * result may be lost
 */
export function receiveInto(sink: DownloadSink): (answer: HttpAnswer) => Promise<Download> {
  return async (answer) => {
    await requireEnd(answer);
    await sink.headers(downloadHead(answer));
    let bytes = 0;
    for await (const chunk of answer.body) {
      bytes += chunk.byteLength;
      await sink.write(chunk);
    }
    return { kind: 'downloaded', bytes };
  };
}

/** Without a length and without chunks, the answer ends with its connection, as one that was cut off does. */
async function requireEnd({ operation, header, body }: HttpAnswer): Promise<void> {
  const isChunked = /chunked/i.test(header('transfer-encoding') ?? '');
  if (isChunked || header('content-length') !== undefined) return;
  // Closes the connection.
  for await (const _ of body) break;
  const message = 'the answer does not say how long it is, so it may be cut off';
  throw new JobFailure({ kind: 'unanswered', operation, message });
}

/** 503 before the result is ready means "ask again" (docs/design/api.md, "Where deployments differ"), not that the key must wait. */
export function notReady({ status, retryAfterMs }: Refusal): Download | undefined {
  if (status !== 503) return undefined;
  return { kind: 'not-ready', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

function downloadHead(answer: HttpAnswer): DownloadHead {
  const length = answer.header('content-length');
  const type = answer.header('content-type');
  return {
    ...(length === undefined ? {} : { content_length: Number(length) }),
    ...(type === undefined ? {} : { content_type: type }),
  };
}
