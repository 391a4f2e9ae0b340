/** Timing lines as strangers write them, and as the two formats want them. Pure. */

export type SubtitleFormat = 'srt' | 'vtt';

/** Milliseconds; negative where the file says so. */
export interface Timing {
  readonly start: number;
  readonly end: number;
  /** What follows on the line: VTT settings, SRT coordinates. */
  readonly settings: string;
}

const TIMESTAMP = String.raw`(-?)\s*(?:(\d{1,3})\s*[:.]\s*)?(\d{1,2})\s*:\s*(\d{1,2})(?:\s*[,.:;]\s*(\d{1,9})(?:\.\d+)?)?`;
const LEAD = String.raw`[\s\u200e\u200f\ufeff]*`;
const TIMING = new RegExp(
  String.raw`^${LEAD}${TIMESTAMP}\s*[-\u2013\u2014]{1,3}>\s*${TIMESTAMP}(?:\s+(\S.*?))?\s*$`,
  's',
);
/** A clock in a dialogue ("12:30") is no timestamp: hours and a fraction make one. */
const BARE = new RegExp(
  String.raw`^${LEAD}\d{1,3}\s*:\s*\d{1,2}\s*:\s*\d{1,2}\s*[,.]\s*\d{1,4}\s*$`,
);

/** Reads a line that says when a cue is shown; undefined for any other line. */
export function readTiming(line: string): Timing | undefined {
  if (!line.includes('>')) return undefined;
  const match = TIMING.exec(asciiDigits(line));
  if (match === null) return undefined;
  return {
    start: milliseconds(match.slice(1, 6)),
    end: milliseconds(match.slice(6, 11)),
    settings: match[11] ?? '',
  };
}

/** Whether a line looks like the remains of a timing line: its cue would be shown as text. */
export function isBareTimestamp(line: string): boolean {
  return line.includes(':') && BARE.test(asciiDigits(line));
}

/** A timing line as the format wants it; times before zero become zero. */
export function timingLine({ start, end, settings }: Timing, format: SubtitleFormat): string {
  const line = `${timestamp(start, format)} --> ${timestamp(end, format)}`;
  return settings === '' ? line : `${line} ${settings}`;
}

/** Arabic-Indic, extended Arabic-Indic and full-width digits as ASCII ones. */
export function asciiDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => {
    const code = digit.charCodeAt(0);
    const zero = code >= 0xff10 ? 0xff10 : code >= 0x06f0 ? 0x06f0 : 0x0660;
    return String(code - zero);
  });
}

/** A short fraction is one: `,5` is 500 ms, and so is `,5000` (media.md). */
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
