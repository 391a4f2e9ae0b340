/** Bytes of a subtitle file -> text: byte order marks, UTF-16 without one, UTF-8, then the route's fallback encoding. Pure. */
import { JobFailure } from '../failure.ts';

export interface DecodedSubtitles {
  /** Without the byte order mark. */
  readonly text: string;
  /** Whether the file had a mark; one is written back as UTF-8 then. */
  readonly mark: boolean;
}

/**
 * @param options `fallback` is a WHATWG label: how bytes that are no Unicode are read
 * @throws JobFailure `malformed` with the line of the first byte that is neither UTF-8 nor in the fallback encoding
 */
export function decodeSubtitles(
  bytes: Uint8Array,
  options: { readonly file: string; readonly fallback: string },
): DecodedSubtitles {
  for (const { mark, decode } of MARKS) {
    if (mark.every((byte, at) => bytes[at] === byte)) {
      return { text: decode(bytes.subarray(mark.length)), mark: true };
    }
  }
  const wide = wideWithoutMark(bytes);
  const text = wide ?? strict(bytes, 'utf-8') ?? strict(bytes, options.fallback);
  if (text !== undefined) return { text, mark: false };
  const readable = new TextDecoder(options.fallback).decode(bytes);
  const line = readable.slice(0, readable.indexOf('\uFFFD')).split(/\r\n|\n|\r/).length;
  const message = `neither UTF-8 nor ${options.fallback}; set subtitles.fallback_encoding on the route`;
  throw new JobFailure({ kind: 'malformed', where: { file: options.file, line }, message });
}

/** Subtitles are written as UTF-8, whatever they were read as (media.md). */
export function encodeSubtitles({ text, mark }: DecodedSubtitles): Uint8Array {
  return Buffer.from(mark ? `\uFEFF${text}` : text, 'utf8');
}

/** The longer marks first: UTF-32LE begins as UTF-16LE does. */
const MARKS: readonly {
  readonly mark: readonly number[];
  readonly decode: (bytes: Uint8Array) => string;
}[] = [
  { mark: [0x00, 0x00, 0xfe, 0xff], decode: (bytes) => utf32(bytes, 'big') },
  { mark: [0xff, 0xfe, 0x00, 0x00], decode: (bytes) => utf32(bytes, 'little') },
  { mark: [0xef, 0xbb, 0xbf], decode: (bytes) => lenient(bytes, 'utf-8') },
  { mark: [0xff, 0xfe], decode: (bytes) => lenient(bytes, 'utf-16le') },
  { mark: [0xfe, 0xff], decode: (bytes) => lenient(bytes, 'utf-16be') },
];

function lenient(bytes: Uint8Array, label: string): string {
  return new TextDecoder(label, { ignoreBOM: true }).decode(bytes);
}

function strict(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function utf32(bytes: Uint8Array, order: 'big' | 'little'): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  for (let at = 0; at + 4 <= bytes.byteLength; at += 4) {
    const point = view.getUint32(at, order === 'little');
    text += point <= 0x10ffff ? String.fromCodePoint(point) : '\uFFFD';
  }
  return text;
}

/** Bytes that tell UTF-16 without a mark: digits, colons and line ends have a zero byte on one side, always the same. */
const SAMPLE = 4096;

function wideWithoutMark(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, SAMPLE);
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries())
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = sample.length / 8;
  if (odd > most && even === 0) return lenient(bytes, 'utf-16le');
  if (even > most && odd === 0) return lenient(bytes, 'utf-16be');
  return undefined;
}
