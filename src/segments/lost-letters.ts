/**
 * Finds letters that a file lost on its way. A program saved it in an encoding without these letters (Excel's "CSV" has no Japanese), or
 * read it in a wrong encoding. Pure.
 */

/** Whether `returned` is `known` with other signs for its letters, as no person writes them. */
export function isGarbled(known: string, returned: string): boolean {
  const [was, now] = [known.normalize('NFC'), returned.normalize('NFC')];
  if (was === now || !NOT_ASCII.test(was)) return false;
  // ISO 8859-1, which has a character for each byte: in the WHATWG standard, its name means windows-1252.
  const bytes = new TextEncoder().encode(was);
  if (Array.from(bytes, (byte) => String.fromCharCode(byte)).join('') === now) return true;
  return isMasked(was, now) || ENCODINGS.some((encoding) => isMisread(was, now, encoding));
}

/**
 * Whether a text that nobody knows yet has question marks in place of letters: inside a word, before its first letters, or alone.
 * @param known its source and the present text: question marks that are in one of them are meant
 */
export function hasHoles(known: string, returned: string): boolean {
  if (HOLE.test(known) || !LETTER.test(known)) return false;
  return HOLE.test(returned) || (returned.includes('??') && !LETTER.test(returned));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them
const NOT_ASCII = /[^\u0000-\u007f]/;
const LETTER = /\p{L}/u;
/** `page?id=1` and `{?x}` are not words. */
const HOLE = /(?:(?:^|\s)\?+\p{Ll}|\p{L}\?+)\p{Ll}(?![\p{L}\d_-]*=)/u;

/** Each character is the same, or a question mark in place of one that is not ASCII; one letter or more is lost. */
function isMasked(was: string, now: string): boolean {
  // Some programs write one mark for a character beyond U+FFFF, and some two.
  const isSame = [Array.from<string>, (text: string) => text.split('')].some((cut) => {
    const [before, after] = [cut(was), cut(now)];
    return (
      before.length === after.length &&
      before.every((sign, index) => {
        const other = after[index];
        return other === sign || (NOT_ASCII.test(sign) && (other === '?' || other === '\uFFFD'));
      })
    );
  });
  return isSame && lettersIn(now) < lettersIn(was);
}

function lettersIn(text: string): number {
  return text.match(/\p{L}/gu)?.length ?? 0;
}

/** WHATWG labels of the encodings that programs for spreadsheets write when nobody chooses UTF-8. */
const ENCODINGS = [
  ...['windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254'],
  ...['macintosh', 'ibm866', 'shift_jis', 'gbk', 'big5', 'euc-kr'],
] as const;

const decoders = new Map<string, InstanceType<typeof TextDecoder>>();

/** Made at its first use: decoders take 2 ms to make, and most commands need none. */
function decoderOf(encoding: (typeof ENCODINGS)[number]): InstanceType<typeof TextDecoder> {
  const known = decoders.get(encoding) ?? new TextDecoder(encoding);
  decoders.set(encoding, known);
  return known;
}

let bytesOfWindows: ReadonlyMap<string, number> | undefined;

function byteOfWindows(sign: string): number {
  bytesOfWindows ??= new Map(
    Array.from({ length: 256 }, (_, byte) => [
      decoderOf('windows-1252').decode(Uint8Array.of(byte)),
      byte,
    ]),
  );
  return bytesOfWindows.get(sign) ?? -1;
}

/** Whether UTF-8 was read as this encoding, or this encoding as windows-1252, as programs read files that are not UTF-8. */
function isMisread(was: string, now: string, encoding: (typeof ENCODINGS)[number]): boolean {
  const decoder = decoderOf(encoding);
  if (decoder.decode(new TextEncoder().encode(was)) === now) return true;
  const bytes = Array.from(now, byteOfWindows);
  return !bytes.includes(-1) && decoder.decode(Uint8Array.from(bytes)) === was;
}
