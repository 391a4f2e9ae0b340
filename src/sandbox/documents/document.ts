/** The converter contract: bytes of a document in, texts to translate out, and the translated document from their answers. Pure. */
import { JobFailure } from '../../failure.ts';
import type { LanguageTag } from '../../language.ts';

/** Reads one kind of document. @throws JobFailure `malformed` or `unsupported`: the document's status becomes `error` with that message */
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
  /** Every XLIFF version is taken when deployed, 2.1 alone by the document. */
  readonly dialect: 'document' | 'deployed';
}

export interface ReadDocument {
  /** In reading order; each goes to the engine as it is. */
  readonly texts: readonly string[];
  /** Unicode code points of the source text, markup left out. */
  readonly characters: number;
  /** The translated document. @param answers one for each text, in their order */
  write(answers: readonly string[]): Uint8Array;
}

export function malformed(file: string, message: string): JobFailure {
  return new JobFailure({ kind: 'malformed', where: { file }, message });
}

/** What the sandbox honestly cannot do. @param advice what a person can do instead */
export function cannot(what: string, advice: string): JobFailure {
  return new JobFailure({ kind: 'unsupported', what, advice });
}
