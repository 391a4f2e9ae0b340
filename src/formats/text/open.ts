/** Opens a file of a text format: bytes -> text and segments, and back to bytes of the same encoding. */
import type { Doc, Format, FormatOptions } from '../../format.ts';
import { decode } from './decode.ts';

export interface OpenFile {
  /** Without the byte order mark. */
  readonly text: string;
  readonly doc: Doc;
  /** WHATWG label of what was found. */
  readonly encoding: string;
  /** Text -> bytes, with the byte order mark that the file had. Throws JobFailure `malformed` for what the encoding cannot hold. */
  encode(text: string): Uint8Array;
}

/** Throws JobFailure `malformed` with line and column when the file cannot be read, or not written back to the byte. */
export function openFile(bytes: Uint8Array, format: Format, options: FormatOptions): OpenFile {
  const { text, encoding, encode } = decode(bytes, {
    file: options.file,
    ...(options.encoding === undefined ? {} : { encoding: options.encoding }),
    ...(format.fallbackEncoding === undefined ? {} : { fallback: format.fallbackEncoding }),
  });
  return { text, doc: format.parse(text, { ...options, encoding }), encoding, encode };
}

export interface Reader {
  readonly format: Format;
  readonly options: FormatOptions;
}

/** Another text for the same file, or the same text read for another purpose (the source as template of a target). */
export function reread(file: OpenFile, text: string, { format, options }: Reader): OpenFile {
  return { ...file, text, doc: format.parse(text, { ...options, encoding: file.encoding }) };
}
