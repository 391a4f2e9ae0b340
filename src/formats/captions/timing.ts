/** Reads timing lines in irregular forms, and writes them in the form of each format. Pure. */

export type SubtitleFormat = 'srt' | 'vtt';

/** Milliseconds; negative when the file has a negative time. */
export interface CueTiming {
  readonly start: number;
  readonly end: number;
  /** The rest of the line: VTT settings, SRT coordinates. */
  readonly settings: string;
}

/** Blanks and invisible marks: editors for Arabic and Hebrew add them around lines. */
const BLANK = String.raw`[\s\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]*`;
const TIMESTAMP = String.raw`(-?)\s*(?:(\d{1,3})\s*[:.]\s*)?(\d{1,2})\s*:\s*(\d{1,2})(?:\s*[,.:;]\s*(\d{1,9})(?:\.\d+)?)?`;
const TIMING = new RegExp(
  String.raw`^${BLANK}${TIMESTAMP}${BLANK}[-\u2013\u2014]{1,3}>${BLANK}${TIMESTAMP}(?:\s+(\S.*?))?${BLANK}$`,
  's',
);

/** Reads a timing line; undefined for any other line. */
export function readTiming(line: string): CueTiming | undefined {
  if (!line.includes('>') || line.length > LONGEST_LINE) return undefined;
  const match = TIMING.exec(asciiDigits(line));
  if (match === null) return undefined;
  const [start, end] = [match.slice(1, 6), match.slice(6, 11)];
  if (!line.includes('-->') && isClock(start) && isClock(end)) return undefined;
  return { start: milliseconds(start), end: milliseconds(end), settings: match[11] ?? '' };
}

/** Characters; on a line of a megabyte of blanks the pattern would run for hours. */
const LONGEST_LINE = 1000;

/** Neither hours nor a fraction: "12:30 -> 13:45" may be opening hours in a dialogue. */
function isClock([, hours, , , fraction]: readonly (string | undefined)[]): boolean {
  return hours === undefined && fraction === undefined;
}

/** A clock in a dialogue ("12:30") is not a timestamp. A timestamp has hours and a fraction, or three digits of a fraction. */
const STAMP =
  /(?<![\d:])(?:\d{1,3}\s*:\s*\d{1,2}\s*:\s*\d{1,2}\s*[,.]\s*\d{1,4}|\d{1,2}:\d{2}[,.]\d{3})(?![\d:])/g;

/** Whether a line looks like a broken timing line. Its cue would be shown as text, or be lost. */
export function looksLikeTiming(line: string): boolean {
  if (line.includes('-->')) return true;
  if (!line.includes(':')) return false;
  // Karaoke times are in tags; `--&gt;` is an arrow that was escaped for HTML.
  const plain = asciiDigits(line.replace(/<[^<>]*>|&gt;/g, ''));
  const stamps = [...plain.matchAll(STAMP)];
  if (stamps.length === 0) return false;
  const begins = new RegExp(`^${BLANK}$`).test(plain.slice(0, stamps[0]?.index));
  return (begins && stamps.length > 1) || !/\p{L}{2}/u.test(plain.replace(STAMP, ' '));
}

/** A timing line in the form of the format; times before zero become zero. */
export function timingLine({ start, end, settings }: CueTiming, format: SubtitleFormat): string {
  const line = `${timestamp(start, format)} --> ${timestamp(end, format)}`;
  return settings === '' ? line : `${line} ${settings}`;
}

/** Arabic-Indic, extended Arabic-Indic and full-width digits become ASCII digits. */
export function asciiDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => {
    const code = digit.charCodeAt(0);
    const zero = code >= 0xff10 ? 0xff10 : code >= 0x06f0 ? 0x06f0 : 0x0660;
    return String(code - zero);
  });
}

/** The fraction is decimal, however many digits it has: `,5` is 500 ms, and so is `,5000`. */
function milliseconds([sign, hours, minutes, seconds, fraction]: readonly (
  | string
  | undefined
)[]): number {
  const whole =
    Number(hours ?? 0) * 3_600_000 + Number(minutes ?? 0) * 60_000 + Number(seconds ?? 0) * 1000;
  const part = fraction === undefined ? 0 : Math.round(Number(`0.${fraction}`) * 1000);
  const time = whole + part;
  return sign === '-' && time > 0 ? -time : time;
}

function timestamp(time: number, format: SubtitleFormat): string {
  const ms = Math.max(0, time);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const clock = `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}`;
  return `${clock}${format === 'srt' ? ',' : '.'}${String(ms % 1000).padStart(3, '0')}`;
}
