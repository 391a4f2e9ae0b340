/** The text of a glossary file in any Unicode encoding. Pure. */
import { type Decoded, decodeBytes } from '../formats/text/decode.ts';

/** @throws JobFailure `malformed` */
export function decodeGlossary(file: string, bytes: Uint8Array): Decoded {
  return decodeBytes(bytes, { file, ...unmarked(bytes) });
}

/** Detects UTF-16 without a byte order mark: the first character is below U+0100, so one of its bytes is zero. */
function unmarked([first, second]: Uint8Array): { encoding?: string } {
  if (first === 0 && second !== 0) return { encoding: 'utf-16be' };
  return second === 0 && first !== 0 ? { encoding: 'utf-16le' } : {};
}
