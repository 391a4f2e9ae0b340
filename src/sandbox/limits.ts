/** Every limit of the service in one place. All can be changed at start, so that tests reach them quickly. */
export interface Limits {
  /** Bytes of POST /v2/translate. */
  readonly translate_body: number;
  /** Bytes of POST /v2/write/rephrase. */
  readonly rephrase_body: number;
  /** Texts per request, for translation, detection and rephrase. */
  readonly texts: number;
  /** Bytes of all entries of one glossary. */
  readonly glossary_bytes: number;
  /** UTF-8 bytes of a phrase or a glossary's name. */
  readonly phrase_bytes: number;
  readonly glossaries: number;
  /** Characters. */
  readonly style_name: number;
  readonly style_instructions: number;
  readonly instruction_label: number;
  readonly instruction_prompt: number;
  /** Custom instructions on one translation request, and characters of each. */
  readonly request_instructions: number;
  readonly request_instruction_prompt: number;
  readonly developer_keys: number;
  /** Days of one analytics report. */
  readonly analytics_days: number;
  /** Characters of the `limited` account's key. */
  readonly limited_key: number;
  /** Upload bytes by extension. */
  readonly upload: Readonly<Record<string, number>>;
  /** Characters of one document. */
  readonly document_characters: number;
  /** Characters billed at least for pptx, docx, doc, xlsx and pdf. */
  readonly document_minimum: number;
  /** Documents that may be in work at once, and finished documents that were not fetched; more are refused with 429. */
  readonly documents_in_work: number;
  readonly documents_unfetched: number;
  readonly voice_bytes: number;
  readonly voice_seconds: number;
  readonly voice_jobs: number;
  /** Milliseconds of the voice windows. */
  readonly voice_upload_window: number;
  readonly voice_download_window: number;
}

const MB = 1_000_000;

/** docs/design/api.md, "Limits" and "What is not documented". */
export const serviceLimits: Limits = {
  translate_body: 131_072,
  rephrase_body: 10_240,
  texts: 50,
  glossary_bytes: 10_485_760,
  phrase_bytes: 1024,
  glossaries: 1000,
  style_name: 1024,
  style_instructions: 200,
  instruction_label: 100,
  instruction_prompt: 300,
  request_instructions: 10,
  request_instruction_prompt: 300,
  developer_keys: 25,
  analytics_days: 366,
  limited_key: 1000,
  upload: {
    docx: 30 * MB,
    doc: 30 * MB,
    pptx: 30 * MB,
    xlsx: 30 * MB,
    pdf: 30 * MB,
    txt: MB,
    htm: 5 * MB,
    html: 5 * MB,
    xlf: 10 * MB,
    xliff: 10 * MB,
    srt: 150_000,
    jpeg: 3 * MB,
    jpg: 3 * MB,
    png: 3 * MB,
  },
  document_characters: MB,
  document_minimum: 50_000,
  documents_in_work: 10_000,
  documents_unfetched: 10_000,
  voice_bytes: 1_073_741_824,
  voice_seconds: 3 * 60 * 60,
  voice_jobs: 10,
  voice_upload_window: 5 * 60_000,
  voice_download_window: 60 * 60_000,
};

/** The limits of the service, with the caller's changes. */
export function withLimits(changes: Partial<Limits> = {}): Limits {
  return { ...serviceLimits, ...changes, upload: { ...serviceLimits.upload, ...changes.upload } };
}
