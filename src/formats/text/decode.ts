/** Bytes -> text -> the same bytes: a file is read losslessly or refused. */

import { JobFailure } from '../../failure.ts';
import { append } from '../../parsing/append.ts';
import { malformed } from './position.ts';

export interface Decoded {
  /** Without the byte order mark. */
  readonly text: string;
  /** WHATWG label of the encoding that was found. */
  readonly encoding: string;
  readonly bom: boolean;
  /** Throws JobFailure `malformed` for a character that the encoding cannot hold. */
  encode(text: string): Uint8Array;
}

export interface DecodeOptions {
  /** For messages. */
  readonly file: string;
  /** From the config: used unless a byte order mark says otherwise. */
  readonly encoding?: string;
  /** Used when the bytes are not UTF-8; absent: such bytes are refused. */
  readonly fallback?: string;
}

/** Throws JobFailure `malformed` for binary data, for undecodable bytes, and for a file that would not be written back byte for byte. */
export function decodeBytes(bytes: Uint8Array, options: DecodeOptions): Decoded {
  const found = detect(bytes, options);
  const text = found.read();
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const decoded: Decoded = {
    text: text.slice(mark.length),
    encoding: found.encoding,
    bom: mark !== '',
    encode: (content) => found.write(mark + content),
  };
  refuseBinary(decoded.text, options.file);
  if (Buffer.compare(decoded.encode(decoded.text), bytes) !== 0) {
    throw unreadable(options.file, `the bytes are no clean ${found.encoding}`);
  }
  return decoded;
}

/** The bytes of `text` without a byte order mark; undefined when the encoding lacks one of its characters, or is not known. */
export function encodeAs(encoding: string, text: string): Uint8Array | undefined {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return encodeUtf16(encoding, text);
  const encoded = legacyEncoder(encoding)?.encode(text);
  return typeof encoded === 'number' ? undefined : encoded;
}

interface Coding {
  readonly encoding: string;
  read(): string;
  write(text: string): Uint8Array;
}

function detect(bytes: Uint8Array, options: DecodeOptions): Coding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return utf16(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return utf16(bytes, 'utf-16be');
  const label = options.encoding?.toLowerCase();
  if (label === undefined && GB18030_MARK.every((byte, at) => bytes[at] === byte)) {
    return legacy(bytes, 'gb18030', options.file);
  }
  if (label === 'utf-16le' || label === 'utf-16be') return utf16(bytes, label);
  if (label !== undefined && label !== 'utf-8' && label !== 'utf8') {
    return legacy(bytes, label, options.file);
  }
  const text = readUtf8(bytes);
  if (text !== undefined) {
    return {
      encoding: 'utf-8',
      read: () => text,
      write: (content) => Buffer.from(content, 'utf8'),
    };
  }
  refuseCut(bytes, options.file);
  if (options.fallback !== undefined) return legacy(bytes, options.fallback, options.file);
  throw invalidUtf8(bytes, options.file);
}

/** U+FEFF in GB 18030. */
const GB18030_MARK = [0x84, 0x31, 0x95, 0x33] as const;

type Utf16 = 'utf-16le' | 'utf-16be';

function utf16(bytes: Uint8Array, encoding: Utf16): Coding {
  return {
    encoding,
    // An odd last byte would be dropped; then the round trip differs, and the file is refused.
    read: () =>
      swap(Buffer.from(bytes.subarray(0, bytes.length & ~1)), encoding).toString('utf16le'),
    write: (text) => encodeUtf16(encoding, text),
  };
}

function encodeUtf16(encoding: Utf16, text: string): Uint8Array {
  return swap(Buffer.from(text, 'utf16le'), encoding);
}

function swap(buffer: Buffer, encoding: Utf16): Buffer {
  return encoding === 'utf-16be' ? buffer.swap16() : buffer;
}

function legacy(bytes: Uint8Array, label: string, file: string): Coding {
  if (label === 'latin1' || label === 'iso-8859-1') {
    return {
      encoding: 'latin1',
      read: () => Buffer.from(bytes).toString('latin1'),
      write: (text) => encodeLatin1(text, file),
    };
  }
  const coding = legacyEncoder(label);
  if (coding === undefined) throw unreadable(file, `the encoding "${label}" is not known`);
  return {
    encoding: label,
    read: () => coding.decode(bytes),
    write: (text) => encodeLegacy(text, coding.encode(text), { label, file }),
  };
}

function encodeLatin1(text: string, file: string): Uint8Array {
  const outside = text.search(/[^\0-\xff]/);
  if (outside >= 0) throw unencodable(text, outside, { label: 'latin1', file });
  return Buffer.from(text, 'latin1');
}

function encodeLegacy(
  text: string,
  encoded: Uint8Array | number,
  where: { label: string; file: string },
): Uint8Array {
  if (typeof encoded === 'number') throw unencodable(text, encoded, where);
  return encoded;
}

function unencodable(
  text: string,
  offset: number,
  where: { readonly label: string; readonly file: string },
): JobFailure {
  const point = text.codePointAt(offset) ?? 0;
  const character = String.fromCodePoint(point);
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  const message = `${where.label} has no "${character}" (${code})`;
  return malformed(where.file, { text, offset }, message);
}

function readUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** In another encoding, all letters of a file that was cut within a character would be wrong. */
function refuseCut(bytes: Uint8Array, file: string): void {
  if (!decodesAsPrefix(bytes)) return;
  const text = new TextDecoder('utf-8').decode(bytes, { stream: true });
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  if (!isMarked && text.length === Buffer.byteLength(text)) return;
  const message = 'it ends within a character, so that it was cut: get the file again';
  throw malformed(file, { text, offset: text.length }, message);
}

function invalidUtf8(bytes: Uint8Array, file: string): JobFailure {
  const valid = readUtf8(bytes.subarray(0, validLength(bytes))) ?? '';
  return malformed(
    file,
    { text: valid, offset: valid.length },
    'not UTF-8 from here on; set "encoding" on the route if the file has another',
  );
}

// The longest prefix that decodes, by binary search; `stream` accepts a character that is cut off.
function validLength(bytes: Uint8Array): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (decodesAsPrefix(bytes.subarray(0, middle))) low = middle;
    else high = middle - 1;
  }
  while (low > 0 && readUtf8(bytes.subarray(0, low)) === undefined) low -= 1;
  return low;
}

function decodesAsPrefix(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function refuseBinary(text: string, file: string): void {
  const nul = text.indexOf('\0');
  if (nul < 0) return;
  throw malformed(
    file,
    { text, offset: nul },
    'a NUL character: binary data, or UTF-16 without a byte order mark (set "encoding" on the route)',
  );
}

function unreadable(file: string, message: string): JobFailure {
  return new JobFailure({ kind: 'malformed', where: { file }, message });
}

/** Encoders for the legacy encodings that Node can only decode: the table is made by decoding all bytes and byte pairs. */
type Decoder = InstanceType<typeof TextDecoder>;

interface LegacyCoding {
  decode(bytes: Uint8Array): string;
  /** The bytes, or the offset of the first character that the encoding cannot hold. */
  encode(text: string): Uint8Array | number;
}

/** Handles GB 18030 and every stateless WHATWG encoding with one or two bytes per character; undefined for other labels. */
function legacyEncoder(label: string): LegacyCoding | undefined {
  const decoder = lossyDecoder(label);
  if (decoder === undefined) return undefined;
  let table: ReadonlyMap<string, readonly number[]> | undefined;
  return {
    decode: (bytes) => decoder.decode(bytes),
    encode: (text) => {
      table ??= encodingTable(decoder);
      return encodeWith(table, text, decoder.encoding === 'gb18030' ? ofGb18030 : undefined);
    },
  };
}

function lossyDecoder(label: string): Decoder | undefined {
  try {
    return new TextDecoder(label, { ignoreBOM: true });
  } catch {
    return undefined;
  }
}

function encodingTable(decoder: Decoder): Map<string, readonly number[]> {
  const table = new Map<string, readonly number[]>();
  for (let lead = 0; lead < 256; lead += 1) {
    const single = decoder.decode(Uint8Array.of(lead));
    if (single !== '\uFFFD') {
      if (single !== '' && !table.has(single)) table.set(single, [lead]);
    } else {
      addPairs(table, decoder, lead);
    }
  }
  if (decoder.encoding === 'gb18030') addFours(table, decoder);
  return table;
}

/** GB 18030 has every character of Unicode: those beside its pairs as four bytes. This adds them up to U+FFFF. */
function addFours(table: Map<string, readonly number[]>, decoder: Decoder): void {
  for (let pointer = 0; pointer < 4 * FOURS_OF_LEAD; pointer += 1) {
    const bytes = fourBytes(pointer);
    const character = decoder.decode(Uint8Array.from(bytes));
    if (character.length === 1 && character !== '\uFFFD' && !table.has(character))
      table.set(character, bytes);
  }
}

/** The characters beyond U+FFFF follow each other (WHATWG, "gb18030", ranges). */
function ofGb18030(character: string): readonly number[] | undefined {
  const point = character.codePointAt(0) ?? 0;
  return point > 0xffff ? fourBytes(point - 0x10000 + 189_000) : undefined;
}

/** Sequences of four bytes that begin with the same byte. */
const FOURS_OF_LEAD = 10 * 126 * 10;

function fourBytes(pointer: number): readonly number[] {
  return [
    0x81 + Math.floor(pointer / FOURS_OF_LEAD),
    0x30 + (Math.floor(pointer / 1260) % 10),
    0x81 + (Math.floor(pointer / 10) % 126),
    0x30 + (pointer % 10),
  ];
}

function addPairs(table: Map<string, readonly number[]>, decoder: Decoder, lead: number): void {
  for (let trail = 0x30; trail < 256; trail += 1) {
    const pair = decoder.decode(Uint8Array.of(lead, trail));
    const isOneCharacter =
      pair.length === 1 || (pair.length === 2 && pair.codePointAt(0) !== pair.charCodeAt(0));
    if (isOneCharacter && pair !== '\uFFFD' && !table.has(pair)) table.set(pair, [lead, trail]);
  }
}

function encodeWith(
  table: ReadonlyMap<string, readonly number[]>,
  text: string,
  more: ((character: string) => readonly number[] | undefined) | undefined,
): Uint8Array | number {
  const bytes: number[] = [];
  let offset = 0;
  for (const character of text) {
    const code = table.get(character) ?? more?.(character);
    if (code === undefined) return offset;
    append(bytes, code);
    offset += character.length;
  }
  return Uint8Array.from(bytes);
}
