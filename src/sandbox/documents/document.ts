/** The converter contract: bytes of a document in, texts to translate out, then their answers in and the translated document out. Pure. */
import { JobFailure } from '../../failure.ts';
import type { LanguageTag } from '../../language.ts';

/**
 * Reads one format of documents. @throws JobFailure `malformedDocument` or `unsupported`: the document's status becomes `error` with that message
 */
export type Converter = (document: SourceDocument) => ReadDocument;

export interface SourceDocument {
  readonly bytes: Uint8Array;
  /** The uploaded file name, for messages. */
  readonly name: string;
  /** Lower case, without the dot. */
  readonly extension: string;
  /** Extension of the wanted result. */
  readonly output: string;
  readonly target: LanguageTag;
  /** Deployments accept every XLIFF version; only 2.1 is documented (docs/design/api.md, "Where deployments differ"). */
  readonly dialect: 'document' | 'deployed';
}

export interface ReadDocument {
  /** In reading order; each is sent to the engine unchanged. */
  readonly texts: readonly string[];
  /** Unicode code points of the source text, without markup. */
  readonly characters: number;
  /** The translated document. @param answers one for each text, in their order */
  write(answers: readonly string[]): Uint8Array;
}

export function malformedDocument(file: string, message: string): JobFailure {
  return new JobFailure({ kind: 'malformed', where: { file }, message });
}

/** The failure for something that the sandbox cannot do. @param advice what a person can do instead */
export function cannot(what: string, advice: string): JobFailure {
  return new JobFailure({ kind: 'unsupported', what, advice });
}
