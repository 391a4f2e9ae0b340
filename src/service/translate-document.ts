/** Translates a document in one call, from its upload to the saved translation. */

import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import * as z from 'zod';
import type { Clock } from '../clock.ts';
import { failureOf, JobFailure } from '../failure.ts';
import type { CallOptions } from './call.ts';
import type { UploadRequest } from './document-constraints.ts';
import type { DocumentHandle, DocumentStatus, DocumentSteps } from './document-steps.ts';
import type { DownloadSink } from './download.ts';
import { PartialFailure } from './parts.ts';
import { Callback, requireShape, Sink } from './shape.ts';

export type TranslateDocumentRequest = UploadRequest & {
  /** Where to save the translation: a path, which is replaced when the translation is complete; or a sink of the caller. */
  readonly save: string | DownloadSink;
};

export interface TranslateDocumentOptions extends CallOptions {
  /** Called for every step. Keep the handle of `uploaded`: only with it can the paid result be fetched. */
  readonly onProgress?: ((progress: DocumentProgress) => void) | undefined;
}

export type DocumentProgress =
  | { readonly kind: 'uploaded'; readonly handle: DocumentHandle }
  | { readonly kind: 'status'; readonly status: DocumentStatus }
  | { readonly kind: 'saved'; readonly bytes: number };

export interface TranslatedDocument {
  /** Bytes of the translation. */
  readonly bytes: number;
  /** Absent when the service does not send it. */
  readonly billed_characters?: number;
}

const OPERATION = 'POST /v2/document';
const FIRST_POLL_MS = 1000;
const LAST_POLL_MS = 15_000;
const SAVE_SHAPE = z.looseObject({
  save: z.union([z.string().min(1), Sink], { error: 'must be a path or a sink' }),
});
const OPTIONS_SHAPE = z.looseObject({ onProgress: Callback.optional() });

export async function translateDocument(
  documents: DocumentSteps,
  clock: Clock,
  request: TranslateDocumentRequest,
  options: TranslateDocumentOptions = {},
): Promise<TranslatedDocument> {
  requireShape(request, { operation: OPERATION, shape: SAVE_SHAPE });
  requireShape(options, { operation: OPERATION, shape: OPTIONS_SHAPE, name: 'options' });
  const { save, ...upload } = request;
  if (typeof save !== 'string') return await buy({ documents, clock, upload, sink: save, options });
  await using file = await ResultFile.claim(save);
  const bought = await buy({ documents, clock, upload, sink: file, options });
  await file.finish();
  return bought;
}

interface Purchase {
  readonly documents: DocumentSteps;
  readonly clock: Clock;
  readonly upload: UploadRequest;
  readonly sink: DownloadSink;
  readonly options: TranslateDocumentOptions;
}

async function buy({ documents, upload, options, ...rest }: Purchase): Promise<TranslatedDocument> {
  const { onProgress = () => undefined, ...call } = options;
  const handle = await documents.upload(upload, call);
  try {
    onProgress({ kind: 'uploaded', handle });
    return await waitAndFetch({ documents, handle, onProgress, call, ...rest });
  } catch (error) {
    throw new PartialFailure(failureOf(error), { done: { handle }, cause: error });
  }
}

interface AcceptedDocument extends Pick<Purchase, 'documents' | 'clock' | 'sink'> {
  readonly handle: DocumentHandle;
  readonly onProgress: (progress: DocumentProgress) => void;
  readonly call: CallOptions;
}

async function waitAndFetch(bought: AcceptedDocument): Promise<TranslatedDocument> {
  const { documents, clock, sink, handle, onProgress, call } = bought;
  for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(waitMs * 1.5, LAST_POLL_MS)) {
    const status = await documents.status(handle, call);
    onProgress({ kind: 'status', status });
    if (status.status === 'error') throw refusedBy(status);
    if (status.status === 'done') {
      const download = await documents.result(handle, sink, call);
      if (download.kind === 'downloaded') {
        const { bytes } = download;
        onProgress({ kind: 'saved', bytes });
        return translated(status, bytes);
      }
    }
    await sleep(clock, waitMs, call.signal);
  }
}

function translated({ billed_characters }: DocumentStatus, bytes: number): TranslatedDocument {
  return { bytes, ...(billed_characters === undefined ? {} : { billed_characters }) };
}

function refusedBy({ message = 'it gave no reason' }: DocumentStatus): JobFailure {
  return new JobFailure({
    kind: 'rejected',
    status: 200,
    operation: 'POST /v2/document/{document_id}',
    message: `the service could not translate the document: ${message}`,
  });
}

async function sleep(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    throw new JobFailure({ kind: 'stopped' }, { cause: error });
  }
}

/** A result while it is written to disk: in a part file until all bytes are there, since it can be fetched only once. */
class ResultFile implements DownloadSink, AsyncDisposable {
  readonly #path: string;
  readonly #handle: FileHandle;

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  /** @throws JobFailure `unwritable`, before anything is paid */
  static async claim(path: string): Promise<ResultFile> {
    try {
      return new ResultFile(path, await open(partOf(path), 'w'));
    } catch (error) {
      const { code = 'EIO' } = error as NodeJS.ErrnoException;
      throw new JobFailure({ kind: 'unwritable', file: path, code }, { cause: error });
    }
  }

  async headers(): Promise<void> {
    await this.#handle.truncate();
  }

  async write(chunk: Uint8Array): Promise<void> {
    await this.#handle.appendFile(chunk);
  }

  async finish(): Promise<void> {
    await this.#handle.sync();
    await rename(partOf(this.#path), this.#path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
    await rm(partOf(this.#path), { force: true });
  }
}

function partOf(path: string): string {
  return `${path}.part`;
}
