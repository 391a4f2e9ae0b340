/**
 * Decodes text files: by their byte order mark, else as UTF-8, else as windows-1252, which accepts any bytes. They are written as UTF-8.
 */

export interface DecodedText {
  /** Without the byte order mark. */
  readonly text: string;
  encode(text: string): Uint8Array;
}

const BYTE_ORDER_MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

export function decodeText(bytes: Uint8Array): DecodedText {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) =>
    mark.every((byte, index) => bytes[index] === byte),
  );
  if (marked) return { text: new TextDecoder(marked[0]).decode(bytes), encode: withMark };
  return { text: decodeUnmarked(bytes), encode: (text) => Buffer.from(text) };
}

function withMark(text: string): Uint8Array {
  return Buffer.from(`\uFEFF${text}`);
}

function decodeUnmarked(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
