/** Voice translation jobs (docs/design/api.md, "Voice jobs"). */
import * as z from 'zod';
import { JobFailure } from '../failure.ts';
import { anyContent, jsonAnswer } from './answer.ts';
import type { Ask, Auth, CallOptions } from './call.ts';
import { type Constraint, isLanguage, requireConstraints } from './constraint.ts';
import { type Download, type DownloadSink, notReady, receiveInto } from './download.ts';
import { requireShape, Sink } from './shape.ts';
import { rawBody, requireUploadOptions, type UploadOptions } from './upload.ts';
import { openUpload, requireInput } from './upload-source.ts';

export interface VoiceTarget {
  readonly language: string;
  /** `text/plain`, `application/x-subrip`, `audio/pcm;encoding=s16le;rate=16000` and others: unknown types are also sent. */
  readonly type: string;
}

export interface VoiceRequest {
  readonly source_file: {
    readonly name: string;
    /** An audio MIME type; the upload itself is always sent as bytes. */
    readonly content_type: string;
    /** Bytes. The service has the limit: 1 GiB unless agreed otherwise. */
    readonly content_length: number;
  };
  /** Without `source_language`, the language is detected. */
  readonly parameters?: { readonly source_language?: string | undefined } | undefined;
  /** At least one; several outputs of one source are possible. */
  readonly targets: readonly VoiceTarget[];
}

const VOICE_SHAPE = z.looseObject({
  source_file: z.looseObject({
    name: z.string(),
    content_type: z.string(),
    content_length: z.number(),
  }),
  parameters: z.looseObject({ source_language: z.string().optional() }).optional(),
  targets: z.array(z.looseObject({ language: z.string(), type: z.string() })),
});

/** The audio of a job: the path of a file, bytes, or a stream, which is read to a temporary file first. */
export type Recording =
  | string
  | { readonly file: string }
  | { readonly content: Uint8Array }
  | { readonly stream: AsyncIterable<Uint8Array> };

/**
 * `signed`: also asks for addresses that work without a header. Such an address is a secret that anybody can use, so the default is a
 * signature in a header.
 */
export interface VoiceOptions extends CallOptions {
  readonly urls?: 'plain' | 'signed' | undefined;
}

const VoiceTicket = z.object({
  job_id: z.string().min(1),
  upload_url: z.string(),
  signature: z.string(),
  signed_upload_url: z.string().optional(),
});
/** The address for the upload, valid for 5 minutes after creation. The signature is a secret; it fits the upload only. */
export type VoiceTicket = z.infer<typeof VoiceTicket>;

const VoiceResult = z.object({
  status: z.string(),
  download_url: z.string().optional(),
  signature: z.string().optional(),
  signed_download_url: z.string().optional(),
  // A failed target without a reason must not spoil the results of the others.
  error: z.object({ message: z.string() }).optional().catch(undefined),
});
/**
 * `status` is `processing`, `complete` (with `download_url` and `signature`, which fits this target only), `downloaded` or
 * `failed` (with `error`); any other means wait.
 */
export type VoiceResult = z.infer<typeof VoiceResult>;

const VoiceJob = z.object({
  job_id: z.string(),
  product: z.string().optional(),
  operation: z.string().optional(),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
  usage: z.object({ storage_used: z.number() }).optional(),
  source_file: z
    .object({ name: z.string(), content_type: z.string(), content_length: z.number() })
    .optional(),
  parameters: z.object({ source_language: z.string().optional() }).optional(),
  targets: z.array(z.object({ language: z.string(), type: z.string() })),
  results: z.array(VoiceResult),
});
/** `results[i]` belongs to `targets[i]`; the job itself has no state. */
export type VoiceJob = z.infer<typeof VoiceJob>;

/** The parts of a ticket that an upload needs: the signed address alone, or address and signature. */
export type UploadTicket = Pick<VoiceTicket, 'upload_url' | 'signature' | 'signed_upload_url'>;
export type ResultTicket = Pick<VoiceResult, 'download_url' | 'signature' | 'signed_download_url'>;

const Address = z.string().optional();
const UPLOAD_TICKET = z.looseObject({
  upload_url: Address,
  signature: Address,
  signed_upload_url: Address,
});
const RESULT_TICKET = z.looseObject({
  download_url: Address,
  signature: Address,
  signed_download_url: Address,
});

export interface VoiceResource {
  /** Creates a job. It bills nothing and may be repeated; only the upload counts. */
  create(request: VoiceRequest, options?: VoiceOptions): Promise<VoiceTicket>;
  /**
   * Sends the audio to the asset host with the ticket's signature, never the key. The last chunk waits for `onClosing`.
   * @throws JobFailure `unanswered` when the answer was lost after that: ask `get` whether results appear. `forbidden` when the 5 minutes
   * are over, `changed-meanwhile` when the file changed while it was sent
   */
  upload(ticket: UploadTicket, recording: Recording, options?: UploadOptions): Promise<void>;
  /** Asks for the state, at most every 5 seconds. @throws JobFailure `not-found` when everything was fetched or the hour is over */
  get(job_id: string, options?: VoiceOptions): Promise<VoiceJob>;
  /** Fetches one target's result, within an hour of the upload. Sent once, like a document's result. */
  download(ticket: ResultTicket, sink: DownloadSink, options?: CallOptions): Promise<Download>;
}

const CREATE = {
  operation: 'POST /v1/jobs/voice/translate',
  traffic: 'paid',
  repeat: 'safe',
  read: jsonAnswer(VoiceTicket),
} as const;
const UPLOAD = {
  operation: 'PUT {upload_url}',
  traffic: 'assets',
  repeat: 'once',
  length: 'unlimited',
  read: anyContent,
} as const;
const GET = {
  operation: 'GET /v1/jobs/voice/translate/{job_id}',
  traffic: 'control',
  repeat: 'safe',
  read: jsonAnswer(
    VoiceJob.refine(({ results, targets }) => results.length === targets.length, {
      message: 'not one result for each target',
      path: ['results'],
    }),
  ),
} as const;
const DOWNLOAD = {
  operation: 'GET {download_url}',
  traffic: 'assets',
  repeat: 'once',
  length: 'unlimited',
  onRefusal: notReady,
} as const;

export function voiceResource(ask: Ask): VoiceResource {
  return {
    async create(request, options = {}) {
      const { operation } = CREATE;
      requireShape(request, { operation, shape: VOICE_SHAPE });
      requireConstraints(request, { operation, constraints: VOICE_RULES });
      const json = { parameters: {}, ...request };
      return ask({ ...CREATE, query: urlsQuery(options, operation), json }, options);
    },
    async upload(ticket, recording, options = {}) {
      const { operation } = UPLOAD;
      requireShape(ticket, { operation, shape: UPLOAD_TICKET, name: 'ticket' });
      // The asset host has the name from the job.
      const given = typeof recording === 'string' ? { file: recording } : recording;
      const input = { filename: 'recording', ...given };
      requireInput(input, operation);
      requireUploadOptions(options, operation);
      const { upload_url: url, signature, signed_upload_url: signed } = ticket;
      const auth = assetAuth({ signed, url, signature });
      await using source = await openUpload(input, {
        limit: Number.POSITIVE_INFINITY,
        signal: options.signal,
      });
      return await ask({ ...UPLOAD, auth, upload: () => rawBody(source, options) }, options);
    },
    async get(job_id, options = {}) {
      const query = urlsQuery(options, GET.operation);
      return ask({ ...GET, params: { job_id }, query }, options);
    },
    async download(ticket, sink, options) {
      const { operation } = DOWNLOAD;
      requireShape(ticket, { operation, shape: RESULT_TICKET, name: 'ticket' });
      requireShape(sink, { operation, shape: Sink, name: 'sink' });
      const { signed_download_url: signed, download_url: url, signature } = ticket;
      const auth = assetAuth({ signed, url, signature });
      return ask({ ...DOWNLOAD, auth, read: receiveInto(sink) }, options);
    },
  };
}

const OPTIONS_SHAPE = z.looseObject({ urls: z.enum(['plain', 'signed']).optional() });

function urlsQuery(options: VoiceOptions, operation: string): { include?: string } {
  requireShape(options, { operation, shape: OPTIONS_SHAPE, name: 'options' });
  const { urls = 'plain' } = options;
  return urls === 'signed' ? { include: 'signed_url' } : {};
}

interface AssetTicket {
  readonly signed: string | undefined;
  readonly url: string | undefined;
  readonly signature: string | undefined;
}

function assetAuth({ signed, url, signature }: AssetTicket): Auth {
  if (signed !== undefined) return { kind: 'signed-url', url: signed };
  if (url !== undefined && signature !== undefined) return { kind: 'signature', url, signature };
  throw new JobFailure({
    kind: 'invalid-request',
    operation: 'GET {download_url}',
    parameter: 'download_url',
    rule: 'is there only when the target is complete',
  });
}

const VOICE_RULES: readonly Constraint<VoiceRequest>[] = [
  {
    parameter: 'source_file.name',
    rule: 'must not be empty',
    holds: ({ source_file }) => source_file.name !== '',
  },
  {
    parameter: 'source_file.content_type',
    rule: 'must be an audio type, such as audio/mpeg',
    holds: ({ source_file }) => source_file.content_type.startsWith('audio/'),
  },
  {
    parameter: 'source_file.content_length',
    rule: 'must be a number of bytes from 1 on',
    holds: ({ source_file: { content_length: bytes } }) => Number.isInteger(bytes) && bytes >= 1,
  },
  {
    parameter: 'targets',
    rule: 'must hold at least one target, each with the code of a language and a type',
    holds: ({ targets }) =>
      targets.length > 0 &&
      targets.every(({ language, type }) => isLanguage(language) && type !== ''),
  },
  {
    parameter: 'parameters.source_language',
    rule: 'must be a language code, or absent to have it detected',
    holds: ({ parameters: { source_language: code } = {} }) =>
      code === undefined || isLanguage(code),
  },
];
