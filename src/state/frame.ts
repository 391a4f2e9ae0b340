/**
 * How one line of a journal looks: `<crc> <durable> <length> <json>\n`.
 * `durable` is how many bytes of the file were flushed when the line was written: a good line that claims more than the offset of
 * a bad one proves that the bad one had been flushed, so that it was damaged and not torn by a power cut.
 */
import { crc32 } from 'node:zlib';

export type Parsed =
  | {
      readonly kind: 'line';
      readonly json: string;
      readonly durable: number;
      /** Of the whole line. */
      readonly bytes: number;
    }
  /** The buffer ends before the line does. */
  | { readonly kind: 'incomplete' }
  /** Not a line; the next one may begin after so many bytes. */
  | { readonly kind: 'bad'; readonly bytes: number };

const HEADER = /^([0-9a-f]{8}) (\d{1,15}) (\d{1,9}) /;
const LONGEST_HEADER = 8 + 1 + 15 + 1 + 9 + 1;
const LONGEST_LINE = 512 * 1024 * 1024;
const NEWLINE = 10;
const NEWLINE_BYTE = Buffer.of(NEWLINE);

/** A line with its newline. */
export function frame(json: string, durable: number): string {
  const body = `${durable} ${Buffer.byteLength(json)} ${json}`;
  return `${hex(crc32(body))} ${body}\n`;
}

/** As `frame`, for JSON that is encoded already, in pieces; nothing of it is flushed. */
export function framed(json: readonly Buffer[]): Buffer {
  const size = json.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const head = Buffer.from(`0 ${size} `);
  const crc = json.reduce((sum, chunk) => crc32(chunk, sum), crc32(head));
  return Buffer.concat([Buffer.from(`${hex(crc)} `), head, ...json, NEWLINE_BYTE]);
}

/** A checksum as eight digits. */
export function hex(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}

/** Where the JSON of the line stands that begins the buffer; undefined where there is no whole line. */
export function lineSpan(
  buffer: Buffer,
): { readonly start: number; readonly end: number } | undefined {
  const span = spanAt(buffer, 0);
  return 'start' in span ? span : undefined;
}

/** Reads the line that begins at `at`. */
export function parseLine(buffer: Buffer, at: number): Parsed {
  const span = spanAt(buffer, at);
  if (!('start' in span)) return span;
  // Whatever stands in the place of the newline: the checksum has vouched for the line.
  return {
    kind: 'line',
    json: buffer.toString('utf8', span.start, span.end),
    durable: span.durable,
    bytes: span.end + 1 - at,
  };
}

interface LineSpan {
  readonly start: number;
  readonly end: number;
  readonly durable: number;
}

function spanAt(buffer: Buffer, at: number): LineSpan | Exclude<Parsed, { kind: 'line' }> {
  const header = HEADER.exec(buffer.toString('latin1', at, at + LONGEST_HEADER));
  if (!header)
    return buffer.length - at < LONGEST_HEADER ? { kind: 'incomplete' } : bad(buffer, at);
  const [{ length }, crc, durable, size] = header as unknown as [string, string, string, string];
  const end = at + length + Number(size);
  if (Number(size) > LONGEST_LINE) return bad(buffer, at);
  if (end >= buffer.length) return { kind: 'incomplete' };
  if (crc32(buffer.subarray(at + 9, end)) !== Number.parseInt(crc, 16)) return bad(buffer, at);
  return { start: at + length, end, durable: Number(durable) };
}

/** What to skip when no more bytes will come for an incomplete line. */
export function bad(buffer: Buffer, at: number): Extract<Parsed, { kind: 'bad' }> {
  const newline = buffer.indexOf(NEWLINE, at);
  return { kind: 'bad', bytes: (newline < 0 ? buffer.length : newline + 1) - at };
}
