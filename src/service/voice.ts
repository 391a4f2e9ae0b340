/** Voice translation jobs (API document, "Voice translation job (closed alpha)" and "Voice translation jobs"). */
import { z } from 'zod';
import { JobFailure } from '../failure.ts';
import { jsonOf, noContent } from './answer.ts';
import type { Ask, Auth, CallOptions } from './call.ts';
import { type Download, type DownloadSink, notReady, receiveInto } from './download.ts';
import { measureFile } from './file-source.ts';
import { isLanguage, type Rule, requireRules } from './rule.ts';
import { rawBody, type UploadOptions } from './upload.ts';

export interface VoiceTarget {
  readonly language: string;
  /** `text/plain`, `application/x-subrip`, `audio/pcm;encoding=s16le;rate=16000` and others: unknown types are passed on. */
  readonly type: string;
}

export interface VoiceRequest {
  readonly source_file: {
    readonly name: string;
    /** An audio MIME type; the upload itself is always sent as bytes. */
    readonly content_type: string;
    /** Bytes. The service says how many it takes: 1 GiB where nothing else was agreed. */
    readonly content_length: number;
  };
  /** Without `source_language` it is detected. */
  readonly parameters?: { readonly source_language?: string };
  /** At least one; several outputs may come from one source. */
  readonly targets: readonly VoiceTarget[];
}

/**
 * `signed`: also asks for addresses that need no header. They are secrets that anybody who has them can use, so the
 * default is the signature in a header.
 */
export interface VoiceOptions extends CallOptions {
  readonly urls?: 'plain' | 'signed';
}

const VoiceTicket = z.object({
  job_id: z.string().min(1),
  upload_url: z.string(),
  signature: z.string(),
  signed_upload_url: z.string().optional(),
});
/** Where to upload, within 5 minutes of creation. The signature is a secret; it fits the upload only. */
export type VoiceTicket = z.infer<typeof VoiceTicket>;

const VoiceResult = z.object({
  status: z.string(),
  download_url: z.string().optional(),
  signature: z.string().optional(),
  signed_download_url: z.string().optional(),
  // One target without a reason must not take the results of the others along.
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
/** `results[i]` belongs to `targets[i]`; a job has no state of its own. */
export type VoiceJob = z.infer<typeof VoiceJob>;

/** What an upload needs of a ticket: the signed address alone, or address and signature. */
export type UploadTicket = Pick<VoiceTicket, 'upload_url' | 'signature' | 'signed_upload_url'>;
export type ResultTicket = Pick<VoiceResult, 'download_url' | 'signature' | 'signed_download_url'>;

export interface VoiceResource {
  /** Makes a job. Bills nothing and may be repeated; the upload is what counts. */
  create(request: VoiceRequest, options?: VoiceOptions): Promise<VoiceTicket>;
  /**
   * Sends the audio to the asset host with the ticket's signature, never the key. The last chunk waits for `onClosing`.
   * @throws JobFailure `unanswered` when the answer was lost after that: ask `get` whether results appear;
   * `forbidden` when the 5 minutes are over; `changed-meanwhile` when the file changed while it was sent
   */
  upload(ticket: UploadTicket, file: string, options?: UploadOptions): Promise<void>;
  /** Polls, every 5 seconds at most. @throws JobFailure `not-found` when everything was fetched or the hour is over */
  get(job_id: string, options?: VoiceOptions): Promise<VoiceJob>;
  /** Fetches one target's result, within an hour of the upload. Sent once, like a document's result. */
  download(ticket: ResultTicket, sink: DownloadSink, options?: CallOptions): Promise<Download>;
}

const CREATE = {
  operation: 'POST /v1/jobs/voice/translate',
  traffic: 'paid',
  repeat: 'safe',
  read: jsonOf(VoiceTicket),
} as const;
const UPLOAD = {
  operation: 'PUT {upload_url}',
  traffic: 'assets',
  repeat: 'once',
  length: 'unlimited',
  read: noContent,
} as const;
const GET = {
  operation: 'GET /v1/jobs/voice/translate/{job_id}',
  traffic: 'control',
  repeat: 'safe',
  read: jsonOf(
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
      requireRules(request, { operation: CREATE.operation, rules: VOICE_RULES });
      const json = { parameters: {}, ...request };
      return ask({ ...CREATE, query: urlsQuery(options), json }, options);
    },
    async upload({ upload_url, signature, signed_upload_url }, file, options = {}) {
      const auth = assetAuth({ signed: signed_upload_url, url: upload_url, signature });
      const source = await measureFile(file);
      return ask({ ...UPLOAD, auth, upload: () => rawBody(source, options) }, options);
    },
    get: (job_id, options = {}) =>
      ask({ ...GET, params: { job_id }, query: urlsQuery(options) }, options),
    async download({ signed_download_url, download_url, signature }, sink, options) {
      const auth = assetAuth({ signed: signed_download_url, url: download_url, signature });
      return ask({ ...DOWNLOAD, auth, read: receiveInto(sink) }, options);
    },
  };
}

function urlsQuery({ urls = 'plain' }: VoiceOptions): { include?: string } {
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

const VOICE_RULES: readonly Rule<VoiceRequest>[] = [
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
