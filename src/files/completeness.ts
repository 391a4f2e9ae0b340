/** Whether a file looks complete: a file of a format with a known end is not sent before its end is there. Pure. */

/** The parts of a file that are read for this. */
export interface FileEnds {
  /** The first bytes, at least `HEAD_BYTES` of them unless the file is shorter. */
  readonly head: Uint8Array;
  /** The last bytes, at least `TAIL_BYTES` of them unless the file is shorter. */
  readonly tail: Uint8Array;
  /** Bytes. */
  readonly size: number;
}

export const HEAD_BYTES = 4096;
/** The end record of a zip has 22 bytes and a comment of at most 65 535 (APPNOTE 4.3.16). */
export const TAIL_BYTES = 22 + 65_535;

/**
 * The missing part of a file, in words for people; undefined when the file is complete, or when its format has no known end.
 * JSON, YAML and similar formats are left to their parsers.
 * @param extension lower-case, without the dot
 */
export function missingPart(extension: string, ends: FileEnds): string | undefined {
  const check = CHECKS.get(extension);
  if (check === undefined) return undefined;
  // A download program may first reserve the whole length and fill it later.
  if (ends.head.subarray(0, 16).every((byte) => byte === 0)) return 'it begins with zeros';
  return check(ends);
}

/** Whether `missingPart` checks files with this extension. */
export function hasEndMark(extension: string): boolean {
  return CHECKS.has(extension);
}

/** Milliseconds after which an unchanged file is translated without its end, where `mayLackItsEnd` allows that. */
export const END_PATIENCE_MS = 60_000;

/**
 * Whether a file with this extension may have no end. HTML may leave out `</html>` (HTML Standard, "Optional tags"). For XML, the parser
 * reports a missing end, with line and column.
 */
export function mayLackItsEnd(extension: string): boolean {
  const check = CHECKS.get(extension);
  return check === html || check === xml;
}

type EndCheck = (ends: FileEnds) => string | undefined;

// A file with another beginning has another format than its name says. Its lane reports that; it does not help to wait.
const CHECKS: ReadonlyMap<string, EndCheck> = new Map<string, EndCheck>([
  ['docx', zip],
  ['pptx', zip],
  ['xlsx', zip],
  ['pdf', pdf],
  ['png', png],
  ['jpg', jpeg],
  ['jpeg', jpeg],
  ['wav', riff],
  ['html', html],
  ['htm', html],
  ['xml', xml],
  ['xlf', xml],
  ['xliff', xml],
]);

function zip({ head, tail, size }: FileEnds): string | undefined {
  if (latin1(head.subarray(0, 2)) !== 'PK') return undefined;
  const text = latin1(tail);
  const at = text.lastIndexOf('PK\x05\x06');
  if (at < 0 || tail.length - at < 22) return 'the end record of the archive is missing';
  const record = new DataView(tail.buffer, tail.byteOffset + at, 22);
  const directory = { size: record.getUint32(12, true), start: record.getUint32(16, true) };
  // In zip64 the numbers are in another record; Office does not write it below 4 GB.
  if (directory.start === 0xffff_ffff) return undefined;
  const recordStart = size - tail.length + at;
  return directory.start + directory.size <= recordStart
    ? undefined
    : 'the archive ends before its directory does';
}

function pdf({ head, tail }: FileEnds): string | undefined {
  // ISO 32000-1, Annex H (implementation notes 13 and 18): readers look in the first and last 1024 bytes.
  if (!latin1(head.subarray(0, 1024)).includes('%PDF-')) return undefined;
  return latin1(tail.subarray(-1024)).includes('%%EOF') ? undefined : 'its %%EOF is missing';
}

function png({ head, tail }: FileEnds): string | undefined {
  if (!latin1(head).startsWith('\x89PNG')) return undefined;
  return latin1(tail).includes('IEND\xae\x42\x60\x82')
    ? undefined
    : 'the last part of the image (IEND) is missing';
}

function jpeg({ head, tail }: FileEnds): string | undefined {
  if (!latin1(head).startsWith('\xff\xd8')) return undefined;
  // Phones append data of their own after the end mark.
  return latin1(tail).includes('\xff\xd9') ? undefined : 'the end mark of the image is missing';
}

function riff({ head, size }: FileEnds): string | undefined {
  if (!latin1(head).startsWith('RIFF')) return undefined;
  if (head.length < 8) return 'its header is cut off';
  const length = new DataView(head.buffer, head.byteOffset, 8).getUint32(4, true);
  // A program that wrote into a pipe could not fill in the length.
  if (length === 0xffff_ffff) return undefined;
  if (length === 0) return 'its length is not filled in yet';
  return length + 8 <= size ? undefined : `${length + 8 - size} bytes are missing`;
}

function html({ head, tail }: FileEnds): string | undefined {
  if (!/<html[\s>]/iv.test(latin1(head))) return undefined;
  return /<\/html\s*>/iv.test(latin1(tail)) ? undefined : 'its </html> is missing';
}

const PROLOG =
  /^(?:\xef\xbb\xbf)?(?:\s|<\?.*?\?>|<!--.*?-->|<!(?:"[^"]*"|'[^']*'|[^"'>])*>)*<(?<root>[^\s\/>!?]+)/sv;

function xml({ head, tail }: FileEnds): string | undefined {
  const root = PROLOG.exec(latin1(head))?.groups?.['root'];
  if (root === undefined) return undefined;
  const end = latin1(tail);
  const isClosed = end.includes(`</${root}`) || /\/>(?:\s|<!--.*?-->)*$/sv.test(end);
  return isClosed ? undefined : `its </${root}> is missing`;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
