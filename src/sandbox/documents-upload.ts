/**
 * The upload of a document: checks its fields and stores its file on disk (docs/design/api.md, "Documents").
 */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { LanguageTag } from '../language.ts';
import { Fields } from './fields.ts';
import { documentSource, documentTarget } from './language-table.ts';
import { collect, type FormPart, readParts } from './multipart.ts';
import { FORMALITIES, type RecipeRequest } from './recipe.ts';
import { badParameter, Refusal } from './refusal.ts';
import type { ReceivedCall, SandboxWorld } from './resource.ts';

export interface DocumentUpload extends RecipeRequest {
  /** Path of the file in the spool. */
  readonly file: string;
  /** The name that the caller gave. */
  readonly name: string;
  /** Lower case, without the dot. */
  readonly extension: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  /** Extension of the result. */
  readonly output: string;
}

/**
 * Reads the form while it arrives, and stores the file in the spool.
 * @throws Refusal 415, 400 that names the field, or 413 when the file is too large for its format; then the file is removed
 */
export async function receiveUpload(
  world: SandboxWorld,
  call: ReceivedCall,
): Promise<DocumentUpload> {
  const form = await readForm(world, call);
  try {
    return readUpload(world, form);
  } catch (error) {
    if (form.received) await world.spool.remove(form.received.file);
    throw error;
  }
}

interface UploadForm {
  readonly fields: Fields;
  readonly received: ReceivedFile | undefined;
}

interface ReceivedFile {
  readonly file: string;
  readonly filename: string | undefined;
  /** Bytes that arrived, including those beyond the limits, which are not kept. */
  readonly size: number;
  readonly sha256: string;
}

const MAX_FIELD_BYTES = 64 * 1024;

async function readForm(world: SandboxWorld, call: ReceivedCall): Promise<UploadForm> {
  const values: Record<string, string[]> = Object.create(null);
  let received: ReceivedFile | undefined;
  try {
    for await (const part of readParts(call)) {
      if (part.name !== 'file') {
        values[part.name] = [
          ...(values[part.name] ?? []),
          await collect(part.content, MAX_FIELD_BYTES),
        ];
      } else if (received === undefined) {
        received = await receiveFile(world, part);
      } else {
        throw badParameter('file', 'may be given only once');
      }
    }
  } catch (error) {
    if (received) await world.spool.remove(received.file);
    throw error;
  }
  return { fields: new Fields(values, 'form'), received };
}

async function receiveFile(world: SandboxWorld, part: FormPart): Promise<ReceivedFile> {
  const keep = Math.max(...Object.values(world.limits.upload));
  const file = await world.spool.file();
  await using handle = await open(file, 'wx');
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const chunk of part.content) {
      size += chunk.length;
      hash.update(chunk);
      if (size <= keep) await handle.write(chunk);
    }
  } catch (error) {
    await world.spool.remove(file);
    throw error;
  }
  return { file, filename: part.filename, size, sha256: hash.digest('hex') };
}

function readUpload(world: SandboxWorld, { fields, received }: UploadForm): DocumentUpload {
  if (received === undefined) throw badParameter('file', 'is required');
  const name = uploadedName(received, fields.text('filename'), world);
  const extension = uploadedExtension(name);
  const limit = uploadLimit(world, extension);
  if (limit === undefined) {
    const known = Object.keys(world.limits.upload).join(', ');
    throw badParameter('file', `has an unsupported file extension '${extension}': use ${known}`);
  }
  if (received.size > limit) {
    throw new Refusal(413, `Request size exceeds the limit of ${limit} bytes for ${extension}.`);
  }
  fields.text('model_type'); // accepted and ignored
  const upload = {
    file: received.file,
    name,
    extension,
    size: received.size,
    sha256: received.sha256,
    output: readOutput(fields, extension),
    target_lang: documentTarget(fields.requiredText('target_lang')),
    source_lang: readSource(fields),
    formality: fields.oneOf('formality', FORMALITIES),
    glossary_id: fields.text('glossary_id'),
    // Only deployments accept styles for documents (docs/design/api.md, "Where deployments differ").
    ...(world.dialect === 'deployed' && {
      style_id: fields.text('style_id'),
      translation_memory_id: fields.text('translation_memory_id'),
    }),
  };
  fields.refuseUnknown(world.dialect);
  return upload;
}

/** "File name taken from the part's content disposition, or from filename": the one with an accepted extension. */
function uploadedName(
  { filename }: ReceivedFile,
  field: string | undefined,
  world: SandboxWorld,
): string {
  const given = [filename, field].filter((name) => name !== undefined && name !== '');
  const name = given.find((each) => uploadLimit(world, uploadedExtension(each ?? ''))) ?? given[0];
  if (name === undefined)
    throw badParameter('filename', 'is required when the file part names none');
  return name;
}

/** Bytes; undefined for an extension that the service does not accept. */
function uploadLimit({ limits }: SandboxWorld, extension: string): number | undefined {
  return Object.hasOwn(limits.upload, extension) ? limits.upload[extension] : undefined;
}

function uploadedExtension(name: string): string {
  return /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

function readSource(fields: Fields): LanguageTag | undefined {
  const code = fields.text('source_lang');
  return code === undefined || code === '' ? undefined : documentSource(code);
}

/** Only pdf may be converted, to docx; doc always becomes docx. */
function readOutput(fields: Fields, extension: string): string {
  const wanted = fields.text('output_format')?.toLowerCase();
  if (extension === 'doc') {
    if (wanted === undefined || wanted === 'docx') return 'docx';
  } else if (wanted === undefined || wanted === extension) {
    return extension;
  } else if (extension === 'pdf' && wanted === 'docx') {
    return wanted;
  }
  throw badParameter(
    'output_format',
    `must not be '${wanted}' for ${extension}: only pdf can become docx`,
  );
}
