/**
 * The form of a line in a journal: `<crc> <durable> <length> <json>\n`.
 * `durable` is how many bytes of the file were flushed when the line was written. When a good line has a number that is greater than
 * the offset of a bad line, the bad line had been flushed. So it was damaged later, and is not the rest of an interrupted write.
 */
import { crc32 } from 'node:zlib';
import type { StepwiseWork } from '../clock.ts';

export type Parsed =
  | {
      readonly kind: 'line';
      readonly json: string;
      readonly durable: number;
      /** Length of the whole line. */
      readonly bytes: number;
    }
  /** The buffer ends before the line does. */
  | { readonly kind: 'incomplete' }
  /** No valid line; the next line may begin after so many bytes. */
  | { readonly kind: 'bad'; readonly bytes: number };

const HEADER = /^([0-9a-f]{8}) (\d{1,15}) (\d{1,9}) /;
const LONGEST_HEADER = 8 + 1 + 15 + 1 + 9 + 1;
const LONGEST_LINE = 512 * 1024 * 1024;
const NEWLINE = 10;
/** Characters of the checksum with the blank behind it. */
const CHECKSUM = 9;

/** A line with its newline. @param durable flushed bytes of the file */
export function journalLine(json: string, durable: number): string {
  const body = `${durable} ${Buffer.byteLength(json)} ${json}`;
  return `${hex(crc32(body))} ${body}\n`;
}

/** Like `journalLine` with `durable` 0, for JSON in encoded pieces. A step for each piece. */
export function* lineOfPieces(json: readonly Buffer[]): StepwiseWork<Buffer> {
  const size = json.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const head = Buffer.from(`0 ${size} `);
  const line = Buffer.alloc(CHECKSUM + head.byteLength + size + 1);
  let crc = 0;
  let end = CHECKSUM;
  for (const piece of [head, ...json]) {
    crc = crc32(piece, crc);
    line.set(piece, end);
    end += piece.byteLength;
    yield;
  }
  line.write(`${hex(crc)} `);
  line[end] = NEWLINE;
  return line;
}

/** A checksum as eight digits. */
export function hex(crc: number): string {
  return crc.toString(16).padStart(8, '0');
}

/** The offsets of the JSON in the first line of the buffer; undefined when there is no complete line. */
export function lineSpan(
  buffer: Buffer,
): { readonly start: number; readonly end: number } | undefined {
  const span = spanAt(buffer, 0);
  return 'start' in span ? span : undefined;
}

/** Reads the line at the offset `at`. */
export function parseLine(buffer: Buffer, at: number): Parsed {
  const span = spanAt(buffer, at);
  if (!('start' in span)) return span;
  // The newline itself is not checked: the checksum proves the line.
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

/** The bytes to skip for an incomplete line at the end of the file. */
export function bad(buffer: Buffer, at: number): Extract<Parsed, { kind: 'bad' }> {
  const newline = buffer.indexOf(NEWLINE, at);
  return { kind: 'bad', bytes: (newline < 0 ? buffer.length : newline + 1) - at };
}
