/** A translation request: its fields, its JSON body, and the bytes that it takes of the limit. */

/** How a deployment writes what the document leaves open (docs/design/api.md, "Where the two differ"). */
export type Dialect = 'document' | 'deployed';

export type Formality = 'default' | 'more' | 'less' | 'prefer_more' | 'prefer_less';
export type ModelType = 'latency_optimized' | 'quality_optimized' | 'prefer_quality_optimized';

/** One request: at most 50 texts and 128 KiB as `encodedSize` counts. Each text is translated for itself. */
export interface TranslateRequest {
  readonly text: readonly string[];
  readonly target_lang: string;
  /** Absent: detected for each text, always by next-gen models (rule 1), and no glossary is possible (rule 7). */
  readonly source_lang?: string;
  /** Influences every text, is not translated and not billed; in the source language. */
  readonly context?: string;
  readonly model_type?: ModelType;
  /** `0` none, `1` punctuation and newlines, `nonewlines` punctuation; next-gen models decide by themselves (rule 2). */
  readonly split_sentences?: '0' | '1' | 'nonewlines';
  /** Without `prefer_`, a target language that has no formality is refused (rule 5). */
  readonly formality?: Formality;
  readonly glossary_id?: string;
  readonly style_id?: string;
  /** At most 10, each at most 300 characters (docs/design/api.md). */
  readonly custom_instructions?: readonly string[];
  readonly translation_memory_id?: string;
  /** Percent, 0 to 100; the service takes 75 when it is absent. */
  readonly translation_memory_threshold?: number;
  readonly tag_handling?: 'xml' | 'html';
  /** `v2` implies quality_optimized (rule 3). */
  readonly tag_handling_version?: 'v1' | 'v2';
  readonly outline_detection?: boolean;
  readonly preserve_formatting?: boolean;
  /** Tag names; written as the dialect wants them, comma-separated or as an array. */
  readonly splitting_tags?: readonly string[];
  readonly non_splitting_tags?: readonly string[];
  readonly ignore_tags?: readonly string[];
}

/**
 * Bytes of a request's JSON body, against the limit of 128 KiB (131072).
 * One more text costs `encodedTextSize(text)`, so batches can be filled without encoding them again and again.
 */
export function encodedSize(request: TranslateRequest, dialect: Dialect): number {
  return Buffer.byteLength(JSON.stringify(translateBody(request, dialect)));
}

/** Bytes that one more text adds: its JSON string and a comma. */
export function encodedTextSize(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) + 1;
}

/** The JSON body: always with `show_billed_characters`, since the answer carries no bill otherwise. */
export function translateBody(
  request: TranslateRequest,
  dialect: Dialect,
): Record<string, unknown> {
  const { splitting_tags, non_splitting_tags, ignore_tags, ...rest } = request;
  const tags = { splitting_tags, non_splitting_tags, ignore_tags };
  const written = Object.entries(tags).map(([name, list]) => [
    name,
    dialect === 'document' ? list?.join(',') : list,
  ]);
  return { ...rest, ...Object.fromEntries(written), show_billed_characters: true };
}
