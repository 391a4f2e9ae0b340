/** Document translation: upload, poll, download once (API document, "Document translation resources" and "Documents"). */
import { z } from 'zod';
import { JobFailure } from '../failure.ts';
import { jsonOf } from './answer.ts';
import type { Ask, CallOptions } from './call.ts';
import { checkDocument, type DocumentAbilities, type UploadRequest } from './document-rules.ts';
import { type Download, type DownloadSink, notReady, receiveInto } from './download.ts';
import { measureFile } from './file-source.ts';
import type { Refusal } from './refusal.ts';
import { multipart, type UploadOptions } from './upload.ts';

export type { UploadRequest } from './document-rules.ts';

const Handle = z.object({ document_id: z.string().min(1), document_key: z.string().min(1) });

/** Names a document on the service. The key is a secret: it belongs into the ledger, never into a message. */
export type DocumentHandle = z.infer<typeof Handle>;

const Status = z.object({
  document_id: z.string(),
  status: z.string(),
  seconds_remaining: z.number().optional(),
  billed_characters: z.int().nonnegative().optional(),
  message: z.string().optional(),
});

/**
 * `status` is `queued`, `translating`, `done` or `error` (then with `message`); any other means wait. `billed_characters`
 * when done: Unicode code points, at least 50,000 for office documents and pdf. Never schedule by `seconds_remaining`:
 * it is sometimes stuck, sometimes 2147483647.
 */
export type DocumentStatus = z.infer<typeof Status>;

export interface DocumentsResource {
  /**
   * Uploads a document, which bills it. The file is streamed; nothing of it is kept in memory.
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

const readHandle = jsonOf(Handle);
const readStatus = jsonOf(Status);

export function documentsResource(ask: Ask, abilities: DocumentAbilities): DocumentsResource {
  return {
    async upload(request, options = {}) {
      const source = await measureFile(request.file);
      await checkDocument(request, source, abilities);
      const { file: _, filename, ...given } = request;
      const fields = Object.fromEntries(
        Object.entries(given).filter(([, value]) => value !== undefined),
      );
      return ask(
        {
          operation: 'POST /v2/document',
          traffic: 'paid',
          repeat: 'once',
          length: 'unlimited',
          upload: () => multipart(source, { fields, filename, ...options }),
          read: readHandle,
        },
        options,
      );
    },
    status: ({ document_id, document_key }, options) =>
      ask(
        {
          operation: 'POST /v2/document/{document_id}',
          params: { document_id },
          json: { document_key },
          secrets: [document_key],
          traffic: 'control',
          repeat: 'safe',
          onRefusal: throwIfGone,
          read: readStatus,
        },
        options,
      ),
    result: ({ document_id, document_key }, sink, options) =>
      ask(
        {
          operation: 'POST /v2/document/{document_id}/result',
          params: { document_id },
          json: { document_key },
          secrets: [document_key],
          traffic: 'transfers',
          repeat: 'once',
          length: 'unlimited',
          onRefusal: (refusal) => throwIfGone(refusal) ?? notReady(refusal),
          read: receiveInto(sink),
        },
        options,
      ),
  };
}

/** Deployments answer 503 "already downloaded" where the document says 404 (docs/design/api.md): both mean gone. */
function throwIfGone({ status, operation, message, ...rest }: Refusal): undefined {
  if (status === 503 && /already downloaded/i.test(message)) {
    throw new JobFailure({ kind: 'not-found', operation, message }, rest);
  }
}
