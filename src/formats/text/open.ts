/** Opens a file of a text format: bytes -> text and segments, and back to bytes of the same encoding. */
import { JobFailure } from '../../failure.ts';
import type { Doc, Format, FormatOptions } from '../../format.ts';
import { decodeBytes } from './decode.ts';
import { refuseDeepTexts } from './nesting.ts';

export interface OpenFile {
  /** Without the byte order mark. */
  readonly text: string;
  readonly doc: Doc;
  /** WHATWG label of the encoding that was found. */
  readonly encoding: string;
  /**
   * Encodes a text, with the byte order mark that the file had. Throws JobFailure `malformed` for a character that the encoding cannot
   * hold.
   */
  encode(text: string): Uint8Array;
}

/** Throws JobFailure `malformed` with line and column when the file cannot be read, or not written back to the byte. */
export function openFile(bytes: Uint8Array, format: Format, options: FormatOptions): OpenFile {
  const { text, encoding, encode } = decodeBytes(bytes, {
    file: options.file,
    ...(options.encoding === undefined ? {} : { encoding: options.encoding }),
    ...(format.fallbackEncoding === undefined ? {} : { fallback: format.fallbackEncoding }),
  });
  return { text, doc: parsed(text, format, { ...options, encoding }), encoding, encode };
}

export interface Reader {
  readonly format: Format;
  readonly options: FormatOptions;
}

/** The same file with another text, or the same text read with other options (the source as template of a target). */
export function reread(file: OpenFile, text: string, { format, options }: Reader): OpenFile {
  const read = { ...options, encoding: file.encoding };
  return { ...file, text, doc: parsed(text, format, read, file.doc) };
}

/**
 * Parses. If the nesting is so deep that a parser runs out of stack, the failure says that, also when the parser reports another error.
 */
function parsed(text: string, format: Format, options: FormatOptions, near?: Doc): Doc {
  try {
    const doc = format.parse(text, options, near);
    refuseDeepTexts(options.file, text, doc);
    return doc;
  } catch (error) {
    const isOurs = error instanceof JobFailure && error.failure.kind === 'malformed';
    const said = isOurs ? error.failure.message : error instanceof RangeError ? error.message : '';
    if (!/call stack/.test(said)) throw error;
    const where = isOurs ? error.failure.where : { file: options.file, line: 1, column: 1 };
    throw new JobFailure(
      { kind: 'malformed', where, message: 'nested too deeply' },
      { cause: error },
    );
  }
}
