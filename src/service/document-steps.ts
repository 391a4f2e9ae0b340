/** The three steps of a document on the service: upload, status, result. */
import * as z from 'zod';
import type { CallOptions } from './call.ts';
import type { UploadRequest } from './document-rules.ts';
import type { Download, DownloadSink } from './download.ts';
import type { UploadOptions } from './upload.ts';

export const Handle = z.object({ document_id: z.string().min(1), document_key: z.string().min(1) });

/** Names a document on the service. The key is a secret: it belongs into the ledger, never into a message. */
export type DocumentHandle = z.infer<typeof Handle>;

/** The API document calls the reason of a failure `message`; deployed services send it as `error_message`. */
export const Status = z
  .object({
    document_id: z.string(),
    status: z.string(),
    seconds_remaining: z.number().optional(),
    billed_characters: z.int().nonnegative().optional(),
    message: z.string().optional(),
    error_message: z.string().optional(),
  })
  .transform(({ error_message, ...status }) =>
    status.message === undefined && error_message !== undefined
      ? { ...status, message: error_message }
      : status,
  );

/**
 * `status` is `queued`, `translating`, `done` or `error` (then with `message`); any other means wait. `billed_characters`
 * when done: Unicode code points, at least 50,000 for office documents and pdf. Never schedule by `seconds_remaining`:
 * it is sometimes stuck, sometimes 2147483647.
 */
export type DocumentStatus = z.infer<typeof Status>;

/** What a document goes through, step by step. */
export interface DocumentSteps {
  /**
   * Uploads a document, which bills it. A file is streamed; nothing of it is kept in memory.
   * @throws JobFailure `unanswered` when the answer was lost after `onClosing`: in doubt, hold it. Before that,
   * interruptions are harmless and retried. `changed-meanwhile`, `too-large`, `invalid-request` bill nothing.
   */
  upload(request: UploadRequest, options?: UploadOptions): Promise<DocumentHandle>;
  /** Polls. @throws JobFailure `not-found` when the result is gone: downloaded, or never there */
  status(handle: DocumentHandle, options?: CallOptions): Promise<DocumentStatus>;
  /**
   * Fetches the result, which removes it from the service: have `sink` write to disk, and flush before anything else.
   * Sent once; a lost answer is never followed by a second request.
   * @throws JobFailure `not-found` when the result is gone, `unanswered` when it broke off
   */
  result(handle: DocumentHandle, sink: DownloadSink, options?: CallOptions): Promise<Download>;
}
