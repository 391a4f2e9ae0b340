/** A translation request: its fields, its JSON body, and the size of that body. */

import * as z from 'zod';
import { Texts } from './shape.ts';

/** How the service writes what deployments write differently (docs/design/api.md, "Where deployments differ"). */
export type Dialect = 'document' | 'deployed';

export const FORMALITIES = ['default', 'more', 'less', 'prefer_more', 'prefer_less'] as const;
export type Formality = (typeof FORMALITIES)[number];
export const MODEL_TYPES = [
  'latency_optimized',
  'quality_optimized',
  'prefer_quality_optimized',
] as const;
export type ModelType = (typeof MODEL_TYPES)[number];

/** Each text is translated by itself. More than 50 texts or 128 KiB are sent in several requests. */
export interface TranslateRequest {
  /** A single text counts as a list of one. */
  readonly text: string | readonly string[];
  readonly target_lang: string;
  /** Absent: detected for each text, always by next-gen models (rule 1); a glossary is then not possible (rule 7). */
  readonly source_lang?: string | undefined;
  /** Influences every text; it is not translated and not billed. In the source language. */
  readonly context?: string | undefined;
  readonly model_type?: ModelType | undefined;
  /** `0` none, `1` punctuation and newlines, `nonewlines` punctuation; next-gen models decide by themselves (rule 2). */
  readonly split_sentences?: '0' | '1' | 'nonewlines' | undefined;
  /** Without `prefer_`, a target language without formality is refused (rule 5). */
  readonly formality?: Formality | undefined;
  readonly glossary_id?: string | undefined;
  readonly style_id?: string | undefined;
  /** At most 10, each at most 300 characters (docs/design/api.md, "What is not documented"). */
  readonly custom_instructions?: readonly string[] | undefined;
  readonly translation_memory_id?: string | undefined;
  /** Percent, 0 to 100; absent: the service uses 75. */
  readonly translation_memory_threshold?: number | undefined;
  readonly tag_handling?: 'xml' | 'html' | undefined;
  /** `v2` implies quality_optimized (rule 3). */
  readonly tag_handling_version?: 'v1' | 'v2' | undefined;
  readonly outline_detection?: boolean | undefined;
  readonly preserve_formatting?: boolean | undefined;
  /** Tag names; written as the dialect requires, comma-separated or as an array. */
  readonly splitting_tags?: readonly string[] | undefined;
  readonly non_splitting_tags?: readonly string[] | undefined;
  readonly ignore_tags?: readonly string[] | undefined;
}

/** One request: at most 50 texts and 128 KiB as `encodedSize` counts. */
export interface TranslateBatch extends TranslateRequest {
  readonly text: readonly string[];
}

const Tags = z.array(z.string()).optional();

export const TRANSLATE_SHAPE = z.looseObject({
  text: Texts,
  target_lang: z.string(),
  source_lang: z.string().optional(),
  context: z.string().optional(),
  model_type: z.enum(MODEL_TYPES).optional(),
  split_sentences: z.enum(['0', '1', 'nonewlines']).optional(),
  formality: z.enum(FORMALITIES).optional(),
  glossary_id: z.string().optional(),
  style_id: z.string().optional(),
  custom_instructions: z.array(z.string()).optional(),
  translation_memory_id: z.string().optional(),
  translation_memory_threshold: z.number().optional(),
  tag_handling: z.enum(['xml', 'html']).optional(),
  tag_handling_version: z.enum(['v1', 'v2']).optional(),
  outline_detection: z.boolean().optional(),
  preserve_formatting: z.boolean().optional(),
  splitting_tags: Tags,
  non_splitting_tags: Tags,
  ignore_tags: Tags,
});

/**
 * Bytes of a request's JSON body, for the limit of 128 KiB (131072). One more text adds `encodedTextSize(text)`, so a batch can be filled
 * without encoding it again for each text.
 */
export function encodedSize(request: TranslateBatch, dialect: Dialect): number {
  return Buffer.byteLength(JSON.stringify(translateBody(request, dialect)));
}

/** Bytes that one more text adds: its JSON string and a comma. */
export function encodedTextSize(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) + 1;
}

/** The JSON body, always with `show_billed_characters`, since otherwise the answer has no bill. */
export function translateBody(request: TranslateBatch, dialect: Dialect): Record<string, unknown> {
  const { splitting_tags, non_splitting_tags, ignore_tags, ...rest } = request;
  const tags = { splitting_tags, non_splitting_tags, ignore_tags };
  const written = Object.entries(tags).map(([name, list]) => [
    name,
    dialect === 'document' ? list?.join(',') : list,
  ]);
  return { ...rest, ...Object.fromEntries(written), show_billed_characters: true };
}
