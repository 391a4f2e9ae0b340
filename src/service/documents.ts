/** Document translation: upload, poll, download once (docs/design/api.md, "Documents"). */
import type { Clock } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import { jsonAnswer } from './answer.ts';
import type { Ask } from './call.ts';
import {
  checkContent,
  checkFields,
  type DocumentAbilities,
  type UploadRequest,
  uploadLimit,
} from './document-constraints.ts';
import { type DocumentHandle, type DocumentSteps, Handle, Status } from './document-steps.ts';
import { notReady, receiveInto } from './download.ts';
import type { Refusal } from './refusal.ts';
import { requireShape, Sink } from './shape.ts';
import {
  type TranslateDocumentOptions,
  type TranslateDocumentRequest,
  type TranslatedDocument,
  translateDocument,
} from './translate-document.ts';
import { multipart, requireUploadOptions, type UploadOptions } from './upload.ts';
import { openUpload, uploadName } from './upload-source.ts';

export type { UploadRequest } from './document-constraints.ts';

export interface DocumentsResource extends DocumentSteps {
  /**
   * Uploads a document, waits until it is translated, and saves it. It waits as long as the service works; the signal ends it.
   * @throws JobFailure when nothing was bought (as `upload`, and `unwritable` when there is no space for `save`).
   * `PartialFailure<{ handle }>` when it failed after the upload, with `rejected` when the service could not translate it
   */
  translate(
    request: TranslateDocumentRequest,
    options?: TranslateDocumentOptions,
  ): Promise<TranslatedDocument>;
}

const readHandle = jsonAnswer(Handle);
const readStatus = jsonAnswer(Status);

export function documentsResource(
  ask: Ask,
  abilities: DocumentAbilities,
  clock: Clock,
): DocumentsResource {
  const steps = stepsOf(ask, abilities);
  return {
    ...steps,
    translate: (request, options) => translateDocument(steps, clock, request, options),
  };
}

function stepsOf(ask: Ask, abilities: DocumentAbilities): DocumentSteps {
  return {
    upload: (request, options) => upload(ask, abilities, request, options),
    async status(handle, options) {
      const { document_id, document_key } = checked(STATUS.operation, handle);
      const secrets = [document_key];
      return ask({ ...STATUS, params: { document_id }, json: { document_key }, secrets }, options);
    },
    async result(handle, sink, options) {
      const { document_id, document_key } = checked(RESULT.operation, handle);
      requireShape(sink, { operation: RESULT.operation, shape: Sink, name: 'sink' });
      const given = { params: { document_id }, json: { document_key }, secrets: [document_key] };
      return ask({ ...RESULT, ...given, read: receiveInto(sink) }, options);
    },
  };
}

const UPLOAD = {
  operation: 'POST /v2/document',
  traffic: 'paid',
  repeat: 'once',
  length: 'unlimited',
  read: readHandle,
} as const;
const STATUS = {
  operation: 'POST /v2/document/{document_id}',
  traffic: 'control',
  repeat: 'safe',
  onRefusal: throwIfGone,
  read: readStatus,
} as const;
const RESULT = {
  operation: 'POST /v2/document/{document_id}/result',
  traffic: 'transfers',
  repeat: 'once',
  length: 'unlimited',
  onRefusal: (refusal: Refusal) => throwIfGone(refusal) ?? notReady(refusal),
} as const;

async function upload(
  ask: Ask,
  abilities: DocumentAbilities,
  request: UploadRequest,
  options: UploadOptions = {},
): Promise<DocumentHandle> {
  checkFields(request, abilities);
  requireUploadOptions(options, UPLOAD.operation);
  await using source = await openUpload(request, {
    limit: uploadLimit(request, abilities),
    signal: options.signal,
  });
  await checkContent(request, source, abilities);
  const filename = uploadName(request);
  const body = () => multipart(source, { fields: fieldsOf(request), filename, ...options });
  return await ask({ ...UPLOAD, upload: body }, options);
}

/** All fields except the content and its name. */
function fieldsOf(request: UploadRequest): Record<string, string> {
  const content = ['file', 'content', 'stream', 'filename'];
  return Object.fromEntries(
    Object.entries(request).filter(
      ([name, value]) => value !== undefined && !content.includes(name),
    ),
  );
}

function checked(operation: string, handle: DocumentHandle): DocumentHandle {
  requireShape(handle, { operation, shape: Handle, name: 'handle' });
  return handle;
}

/** 404, or on deployments 503 "already downloaded" (docs/design/api.md, "Where deployments differ"): both mean that the result is gone. */
function throwIfGone({ status, operation, message, ...rest }: Refusal): undefined {
  if (status === 503 && /already downloaded/i.test(message)) {
    throw new JobFailure({ kind: 'not-found', operation, message }, rest);
  }
}
