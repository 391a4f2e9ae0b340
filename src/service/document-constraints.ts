/** Checks a document before the upload: for requests that would be refused, or would bill without a useful result. */
import { extname } from 'node:path';
import * as z from 'zod';
import { JobFailure } from '../failure.ts';
import { parseLanguage, sameLanguage } from '../language.ts';
import { xliffVersion } from '../parsing/markup.ts';
import { type Constraint, isLanguage, requireConstraints } from './constraint.ts';
import { requireShape } from './shape.ts';
import {
  type Dialect,
  FORMALITIES,
  type Formality,
  MODEL_TYPES,
  type ModelType,
} from './text-request.ts';
import { requireInput, type UploadInput, type UploadSource, uploadName } from './upload-source.ts';

/** A document and how to translate it. The extension of its file name decides the format. */
export type UploadRequest = UploadInput & DocumentFields;

export interface DocumentFields {
  readonly target_lang: string;
  /** Absent: detected. Required with `glossary_id`. */
  readonly source_lang?: string | undefined;
  readonly formality?: Formality | undefined;
  readonly glossary_id?: string | undefined;
  /** Extension of the result: only pdf can become docx; a doc always becomes docx. */
  readonly output_format?: string | undefined;
  /** The service accepts and ignores it. */
  readonly model_type?: ModelType | undefined;
  /** Only with the configured capability `document_style`. */
  readonly style_id?: string | undefined;
  readonly translation_memory_id?: string | undefined;
}

const FIELDS_SHAPE = z.looseObject({
  target_lang: z.string(),
  source_lang: z.string().optional(),
  formality: z.enum(FORMALITIES).optional(),
  glossary_id: z.string().optional(),
  output_format: z.string().optional(),
  model_type: z.enum(MODEL_TYPES).optional(),
  style_id: z.string().optional(),
  translation_memory_id: z.string().optional(),
});

/** The dialect of this deployment, and the features and limits that differ between deployments. */
export interface DocumentAbilities {
  readonly dialect: Dialect;
  /** Whether documents accept `style_id` and `translation_memory_id`. */
  readonly styles: 'accepted' | 'unknown';
  /** Upload limits in bytes by extension, where they differ from the known ones. */
  readonly limits: Readonly<Record<string, number>>;
}

const MB = 1_000_000;

/** Extensions that the service takes, with the limits in bytes of a paid plan (docs/design/api.md, "Documents" and "What is not documented"). */
export const UPLOAD_LIMITS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    docx: 30 * MB,
    doc: 30 * MB,
    pptx: 30 * MB,
    xlsx: 30 * MB,
    pdf: 30 * MB,
    htm: 5 * MB,
    html: 5 * MB,
    txt: MB,
    xlf: 10 * MB,
    xliff: 10 * MB,
    srt: 150_000,
    jpeg: 3 * MB,
    jpg: 3 * MB,
    png: 3 * MB,
  }),
);

const OPERATION = 'POST /v2/document';

/** @throws JobFailure `invalid-request` that names parameter and rule; nothing was read or sent before */
export function checkFields(request: UploadRequest, { styles }: DocumentAbilities): void {
  requireInput(request, OPERATION);
  requireShape(request, { operation: OPERATION, shape: FIELDS_SHAPE });
  const rules = styles === 'accepted' ? DOCUMENT_RULES : [...DOCUMENT_RULES, ...WITHOUT_STYLES];
  requireConstraints(request, { operation: OPERATION, constraints: rules });
}

/** Bytes that a document of this name may have. */
export function uploadLimit(request: UploadRequest, { limits }: DocumentAbilities): number {
  const extension = extensionOfUpload(request);
  const own = Object.hasOwn(limits, extension) ? limits[extension] : undefined;
  return own ?? UPLOAD_LIMITS.get(extension) ?? Number.POSITIVE_INFINITY;
}

/** @throws JobFailure `too-large`, or `invalid-request` for an empty file or an XLIFF version that is not accepted */
export async function checkContent(
  request: UploadRequest,
  source: Pick<UploadSource, 'size' | 'head'>,
  abilities: DocumentAbilities,
): Promise<void> {
  const extension = extensionOfUpload(request);
  const limit = uploadLimit(request, abilities);
  if (source.size > limit) {
    const found = 'stream' in request ? 'more' : source.size;
    const message = `${extension} may have ${limit} bytes, this has ${found}`;
    throw new JobFailure({ kind: 'too-large', operation: OPERATION, message });
  }
  if (source.size === 0) throw invalid('file', 'must not be empty');
  if (abilities.dialect === 'document' && /^xli?ff?$/.test(extension)) await requireXliff21(source);
}

const DOCUMENT_RULES: readonly Constraint<UploadRequest>[] = [
  {
    parameter: 'filename',
    rule: `must end in one of ${[...UPLOAD_LIMITS.keys()].join(', ')}`,
    holds: (request) => UPLOAD_LIMITS.has(extensionOfUpload(request)),
  },
  {
    parameter: 'target_lang',
    rule: 'must be a language code',
    holds: ({ target_lang }) => isLanguage(target_lang),
  },
  {
    parameter: 'source_lang',
    rule: 'must be a language code, or absent to have it detected',
    holds: ({ source_lang }) => source_lang === undefined || isLanguage(source_lang),
  },
  {
    parameter: 'target_lang',
    rule: 'is the language of the source: such a document is billed, or ends in an error',
    holds: ({ source_lang, target_lang }) => !isSameLanguage(source_lang, target_lang),
  },
  {
    parameter: 'glossary_id',
    rule: 'needs source_lang: glossaries cannot be used with detection',
    holds: ({ glossary_id, source_lang }) => glossary_id === undefined || source_lang !== undefined,
  },
  {
    parameter: 'output_format',
    rule: 'only pdf can be converted, to docx; a doc always becomes docx',
    holds: (request) => {
      const input = extensionOfUpload(request);
      const output = request.output_format?.toLowerCase();
      if (output === undefined || (input === 'doc' && output === 'docx')) return true;
      return (output === input && input !== 'doc') || (input === 'pdf' && output === 'docx');
    },
  },
];

const WITHOUT_STYLES: readonly Constraint<UploadRequest>[] = (
  ['style_id', 'translation_memory_id'] as const
).map((parameter) => ({
  parameter,
  rule: 'is no parameter of documents, unless service.capabilities lists document_style',
  holds: (request) => request[parameter] === undefined,
}));

/** Lower case, without the dot. */
function extensionOfUpload(request: UploadRequest): string {
  return extname(uploadName(request)).slice(1).toLowerCase();
}

function isSameLanguage(source: string | undefined, target: string): boolean {
  const [from, to] = [parseLanguage(source ?? ''), parseLanguage(target)];
  return from !== undefined && to !== undefined && sameLanguage(from, to);
}

/** Only XLIFF 2.1 is documented; deployments also accept 1.2 and 2.0 (docs/design/api.md, "Where deployments differ"). */
async function requireXliff21(source: Pick<UploadSource, 'head'>): Promise<void> {
  const head = (await source.head(HEAD_BYTES)).toString('utf8');
  const version = xliffVersion(head);
  if (version === '2.1') return;
  throw invalid('file', `must be XLIFF 2.1, this is ${version === undefined ? 'none' : version}`);
}

const HEAD_BYTES = 65_536;

function invalid(parameter: string, rule: string): JobFailure {
  return new JobFailure({ kind: 'invalid-request', operation: OPERATION, parameter, rule });
}
