/** The three steps of a document on the service: upload, status, result. */
import * as z from 'zod';
import type { CallOptions } from './call.ts';
import type { UploadRequest } from './document-constraints.ts';
import type { Download, DownloadSink } from './download.ts';
import type { UploadOptions } from './upload.ts';

export const Handle = z.object({ document_id: z.string().min(1), document_key: z.string().min(1) });

/** Identifies a document on the service. Its key is a secret: it may be in the ledger, but never in a message. */
export type DocumentHandle = z.infer<typeof Handle>;

/** The reason of a failure is `message`, on deployments `error_message` (docs/design/api.md, "Where deployments differ"). */
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
 * `status` is `queued`, `translating`, `done` or `error` (then with `message`); wait for any other value. `billed_characters` when done:
 * Unicode code points, at least 50,000 for office documents and pdf. Do not use `seconds_remaining` for scheduling: it is sometimes stuck,
 * sometimes 2147483647.
 */
export type DocumentStatus = z.infer<typeof Status>;

/** The steps of a document. */
export interface DocumentSteps {
  /**
   * Uploads a document, which bills it. A file is streamed and never whole in memory.
   * @throws JobFailure `unanswered` when the answer was lost after `onClosing`: it may have been billed, so hold it. Interruptions before
   * that are harmless and retried. `changed-meanwhile`, `too-large` and `invalid-request` bill nothing.
   */
  upload(request: UploadRequest, options?: UploadOptions): Promise<DocumentHandle>;
  /** Asks for the status. @throws JobFailure `not-found` when the result is gone: downloaded, or never there */
  status(handle: DocumentHandle, options?: CallOptions): Promise<DocumentStatus>;
  /**
   * Fetches the result, which removes it from the service: `sink` must write it to disk and flush. Sent once; a lost answer is never
   * followed by a second request.
   * @throws JobFailure `not-found` when the result is gone, `unanswered` when the transfer broke off
   */
  result(handle: DocumentHandle, sink: DownloadSink, options?: CallOptions): Promise<Download>;
}
