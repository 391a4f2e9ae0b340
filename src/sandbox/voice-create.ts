/** The request that creates a voice job, with its rules and limits (docs/design/api.md, "Voice jobs" and "What is not documented"). */
import * as z from 'zod';
import type { LanguageTag } from '../language.ts';
import type { Fields } from './fields.ts';
import { sourceLanguage, targetLanguage } from './language-table.ts';
import { badParameter, Refusal } from './refusal.ts';
import type { SandboxWorld } from './resource.ts';

export interface VoiceRequest {
  readonly source_file: UploadedAudio;
  /** The fields as they were sent. */
  readonly parameters: { readonly source_language?: string | undefined };
  readonly source: LanguageTag | undefined;
  readonly targets: readonly VoiceTarget[];
}

export interface UploadedAudio {
  readonly name: string;
  /** An audio MIME type. */
  readonly content_type: string;
  /** Bytes. */
  readonly content_length: number;
}

export interface VoiceTarget {
  readonly language: string;
  readonly type: string;
}

const SOURCE_TYPES = ['mpeg', 'wav', 'ogg', 'flac', 'mp4', 'webm'].map((type) => `audio/${type}`);
/** A possible type of output: there are more than the three that are named (docs/design/api.md, "Voice jobs"). */
const TARGET_TYPE = /^(?:text|application|audio)\/[\w.+-]+(?:;[\w.=-]+)*$/;

const UploadedAudio = z.object({
  name: z.string().min(1),
  content_type: z.string(),
  content_length: z.int().positive(),
});
const Targets = z
  .array(z.object({ language: z.string(), type: z.string().regex(TARGET_TYPE) }))
  .min(1);
const Parameters = z.object({ source_language: z.string().optional() });

/** @throws Refusal 400 that names the field, 413 for a file above the limit */
export function readVoiceRequest(fields: Fields, world: SandboxWorld): VoiceRequest {
  const source_file = readField(UploadedAudio, fields, 'source_file');
  const parameters = fields.has('parameters') ? readField(Parameters, fields, 'parameters') : {};
  const targets = readField(Targets, fields, 'targets');
  fields.refuseUnknown(world.dialect);
  const media = source_file.content_type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!SOURCE_TYPES.includes(media)) {
    throw badParameter('source_file.content_type', `must be one of ${SOURCE_TYPES.join(', ')}`);
  }
  if (source_file.content_length > world.limits.voice_bytes) {
    throw new Refusal(413, `A recording may have at most ${world.limits.voice_bytes} bytes.`);
  }
  for (const { language } of targets) targetLanguage(language, 'targets.language');
  const { source_language } = parameters;
  const source =
    source_language === undefined
      ? undefined
      : sourceLanguage(source_language, 'parameters.source_language');
  return { source_file, parameters, source, targets };
}

function readField<T>(schema: z.ZodType<T>, fields: Fields, name: string): T {
  const parsed = schema.safeParse(fields.raw(name));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = [name, ...(issue?.path ?? [])].join('.');
  throw badParameter(path, `is not as it must be: ${issue?.message ?? 'invalid'}`);
}
