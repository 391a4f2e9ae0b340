/** Bytes of a subtitle file -> text: byte order marks, UTF-16 without one, UTF-8, then the route's fallback encoding. Pure. */
import type { StepwiseWork } from '../../clock.ts';
import { JobFailure } from '../../failure.ts';
import { encodeAs } from '../text/decode.ts';

export interface DecodedSubtitles {
  /** Without the byte order mark. */
  readonly text: string;
  /** Whether the file had a byte order mark; a target is then written with one. */
  readonly mark: boolean;
  /** WHATWG label, or `utf-32le` or `utf-32be`. */
  readonly encoding: string;
}

/**
 * @param options `fallback` is the WHATWG label of the encoding for bytes that are not Unicode
 * @throws JobFailure `malformed` with the line of the first byte that is not in the encoding: an unreadable character is never billed and
 * never written
 */
export function decodeSubtitles(
  bytes: Uint8Array,
  options: { readonly file: string; readonly fallback: string },
): DecodedSubtitles {
  const marked = BYTE_ORDER_MARKS.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte));
  const content = bytes.subarray(marked?.mark.length ?? 0);
  const declared = marked?.encoding ?? wideWithoutMark(content);
  for (const encoding of declared === undefined ? ['utf-8', options.fallback] : [declared]) {
    const text = decode(content, encoding, 'fatal');
    if (text === undefined) continue;
    refuseBinary(text, options.file);
    return { text, mark: marked !== undefined, encoding };
  }
  throw unreadable(content, declared, options);
}

/**
 * Refuses a block of zeros, as a full disk, a power cut or an unfinished download leaves it. One NUL at the end is accepted: editors of DOS
 * wrote it.
 */
function refuseBinary(text: string, file: string): void {
  const at = text.indexOf('\0');
  if (at < 0 || at === text.length - 1) return;
  const line = text.slice(0, at).split(/\r\n|\n|\r/).length;
  const message = 'a NUL character: the file is damaged, or no subtitles';
  throw new JobFailure({ kind: 'malformed', where: { file, line }, message });
}

/**
 * The bytes of a target. It is UTF-8, unless a person's target has another encoding, which holds every character of the new text. A step for
 * each piece.
 * @param text in pieces; no piece ends inside a character
 */
export function* encodeSubtitles(
  text: readonly string[],
  { mark, encoding }: Pick<DecodedSubtitles, 'mark' | 'encoding'>,
): StepwiseWork<Uint8Array> {
  const encoded: Uint8Array[] = [];
  for (const piece of mark ? ['\uFEFF', ...text] : text) {
    const bytes = encodeAs(encoding, piece);
    if (bytes === undefined) return yield* encodeSubtitles(text, { mark, encoding: 'utf-8' });
    encoded.push(bytes);
    yield;
  }
  return Buffer.concat(encoded);
}

/** Longer marks come first: UTF-32LE begins like UTF-16LE. */
const BYTE_ORDER_MARKS: readonly { readonly mark: readonly number[]; readonly encoding: string }[] =
  [
    { mark: [0x00, 0x00, 0xfe, 0xff], encoding: 'utf-32be' },
    { mark: [0xff, 0xfe, 0x00, 0x00], encoding: 'utf-32le' },
    { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
    { mark: [0xff, 0xfe], encoding: 'utf-16le' },
    { mark: [0xfe, 0xff], encoding: 'utf-16be' },
  ];

function unreadable(
  content: Uint8Array,
  declared: string | undefined,
  { file, fallback }: { readonly file: string; readonly fallback: string },
): JobFailure {
  const readable = decode(content, declared ?? fallback, 'replace') ?? '';
  const line = readable.slice(0, readable.indexOf('\uFFFD')).split(/\r\n|\n|\r/).length;
  const message =
    declared === undefined
      ? `neither UTF-8 nor ${fallback}; set subtitles.fallback_encoding on the route`
      : `the file begins as ${declared.toUpperCase()}, but these bytes are not in that encoding; save it again`;
  return new JobFailure({ kind: 'malformed', where: { file, line }, message });
}

/** @returns undefined when a byte is not in the encoding and `faults` are fatal */
function decode(
  bytes: Uint8Array,
  encoding: string,
  faults: 'fatal' | 'replace',
): string | undefined {
  if (encoding.startsWith('utf-32')) return utf32(bytes, { encoding, faults });
  try {
    return new TextDecoder(encoding, { fatal: faults === 'fatal', ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** TextDecoder does not support UTF-32. */
function utf32(
  bytes: Uint8Array,
  { encoding, faults }: { readonly encoding: string; readonly faults: 'fatal' | 'replace' },
): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  for (let at = 0; at < bytes.byteLength; at += 4) {
    const point =
      at + 4 <= bytes.byteLength ? view.getUint32(at, encoding === 'utf-32le') : NO_CODE_POINT;
    const isSign = point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    if (!isSign && faults === 'fatal') return undefined;
    text += isSign ? String.fromCodePoint(point) : '\uFFFD';
  }
  return text;
}

/** No Unicode code point. */
const NO_CODE_POINT = 0xffffffff;

/** Bytes to look at for UTF-16 without a mark: digits, colons and line ends have a zero byte on one side. */
const SAMPLE_BYTES = 4096;
/** Some ideographs have a zero byte on the other side (一 is U+4E00), but they are few beside the digits of the times. */
const RARE = 1 / 4;

function wideWithoutMark(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries())
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = sample.length / 8;
  if (odd > most && even < odd * RARE) return 'utf-16le';
  if (even > most && odd < even * RARE) return 'utf-16be';
  return undefined;
}
