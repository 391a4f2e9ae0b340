/** Reads SRT and WebVTT as strangers write them: cues with the places of their texts; everything else is template. Pure. */
import { JobFailure } from '../failure.ts';
import { type DecodedSubtitles, decodeSubtitles } from './decode.ts';
import { isBlank, type Line, linesOf } from './lines.ts';
import { confirmStrictly } from './strict.ts';
import {
  asciiDigits,
  looksLikeTiming,
  readTiming,
  type SubtitleFormat,
  type Timing,
} from './timing.ts';

/** One subtitle. Spans are UTF-16 offsets into the file's text. */
export interface Cue extends Timing {
  /** Number or name above the timing line; empty when there is none. */
  readonly id: string;
  /** 1-based, of the timing line. */
  readonly line: number;
  /** Where it begins: with its id, or its timing line when it has none. */
  readonly begins: number;
  /** Of the timing line's content. */
  readonly timing: Line;
  /** Of the text, without the line end behind it; empty for an empty cue. */
  readonly span: Line;
  /** Lines joined by LF, whatever ends them in the file. */
  readonly text: string;
}

export interface SubtitleFile extends DecodedSubtitles {
  /** What the content is, whatever the file's name says. */
  readonly format: SubtitleFormat;
  readonly cues: readonly Cue[];
  /** As the first line of the file ends. */
  readonly lineEnd: string;
}

export interface ReadOptions {
  /** For messages. */
  readonly file: string;
  /** WHATWG label of the encoding of files that are not Unicode. */
  readonly fallback: string;
}

/** @throws JobFailure `malformed` with the line when a cue could be lost or shown wrongly */
export function readSubtitles(bytes: Uint8Array, options: ReadOptions): SubtitleFile {
  return parseSubtitles(decodeSubtitles(bytes, options), options.file);
}

/** @throws JobFailure `malformed` with the line */
export function parseSubtitles(decoded: DecodedSubtitles, file: string): SubtitleFile {
  const { text } = decoded;
  const format = /^\ufeff*WEBVTT(?:[\s]|$)/.test(text) ? 'vtt' : 'srt';
  const lines = linesOf(text);
  const page: Page = { text, lines, format };
  const timings = timingsOf(page);
  if (timings.length === 0 && format === 'srt') refuseShapeless(page, file);
  const numbered = timings[0] !== undefined && isNumber(lineAt(page, timings[0].at - 1));
  const cues = timings.map((timing, nth) =>
    cueAt({ ...page, numbered }, { timing, next: timings[nth + 1] }),
  );
  refuseBrokenTiming(page, { file, timings });
  confirmStrictly(cues, file);
  const lineEnd = /\r{0,2}\n|\r/.exec(text)?.[0] ?? '\n';
  return { ...decoded, format, cues, lineEnd };
}

interface Page {
  readonly text: string;
  readonly lines: readonly Line[];
  readonly format: SubtitleFormat;
}

interface TimingAt extends Timing {
  /** Index of its line. */
  readonly at: number;
}

function timingsOf(page: Page): TimingAt[] {
  return page.lines.flatMap((_, at) => {
    const timing = readTiming(lineAt(page, at));
    return timing === undefined ? [] : [{ ...timing, at }];
  });
}

function lineAt({ text, lines }: Page, at: number): string {
  const line = lines[at];
  return line === undefined ? '' : text.slice(line.start, line.end);
}

/** `1`, `1.`, `1a`, `#1`, `0012:` and the same in other digits. */
function isNumber(line: string): boolean {
  return /^[\s\u200b-\u200f\u202a-\u202e\ufeff]*#?\d+\s*[.,:;)]?\s*[a-z]?\s*\u202c?\s*$/i.test(
    asciiDigits(line),
  );
}

interface NumberedPage extends Page {
  /** Whether the first cue has a number: then a number right above a timing line is one, else it may be text. */
  readonly numbered: boolean;
}

function cueAt(
  page: NumberedPage,
  { timing, next }: { timing: TimingAt; next: TimingAt | undefined },
): Cue {
  const { at, ...times } = timing;
  let from = at + 1;
  let to = next?.at ?? page.lines.length;
  if (next !== undefined && hasId(page, next.at)) to -= 1;
  if (page.format === 'vtt') to = firstEmpty(page, from, to);
  while (to > from && isBlank(lineAt(page, to - 1))) to -= 1;
  while (from < to && isBlank(lineAt(page, from))) from += 1;
  const line = page.lines[at] ?? { start: 0, end: 0 };
  const start = page.lines[from]?.start ?? line.end;
  const owned = hasId(page, at);
  const content = Array.from({ length: to - from }, (_, nth) => lineAt(page, from + nth));
  return {
    ...times,
    id: owned ? lineAt(page, at - 1).trim() : '',
    line: at + 1,
    begins: (owned ? page.lines[at - 1] : line)?.start ?? line.start,
    timing: line,
    span: { start, end: page.lines[to - 1]?.end ?? start },
    text: content.join('\n'),
    ...(from < to ? {} : { span: { start: line.end, end: line.end } }),
  };
}

/** Whether the line above a timing line is its number or name, and not text. */
function hasId(page: NumberedPage, timing: number): boolean {
  const line = lineAt(page, timing - 1);
  if (timing === 0 || isBlank(line) || readTiming(line) !== undefined) return false;
  const above = lineAt(page, timing - 2);
  const isFirst = timing === 1 || isBlank(above);
  // WebVTT, "cue block": a name stands above the timing line, after a blank line; `WEBVTT` itself is none.
  if (page.format === 'vtt') return timing > 1 && isFirst;
  return isNumber(line) && (page.numbered || isFirst);
}

/** WebVTT ends a cue at the first empty line (one of blanks is text); NOTE, STYLE and REGION blocks follow there. */
function firstEmpty(page: Page, from: number, to: number): number {
  for (let at = from; at < to; at++) if (lineAt(page, at) === '') return at;
  return to;
}

function refuseShapeless(page: Page, file: string): void {
  const at = page.lines.findIndex((_, index) => !isBlank(lineAt(page, index)));
  if (at < 0) return;
  const message = 'no line says when a subtitle is shown (00:00:01,000 --> 00:00:02,000)';
  throw new JobFailure({ kind: 'malformed', where: { file, line: at + 1 }, message });
}

interface Timings {
  readonly file: string;
  readonly timings: readonly TimingAt[];
}

/** Anywhere, not only in texts: before the first cue, and behind an empty line of WebVTT, a cue would get lost unseen. */
function refuseBrokenTiming(page: Page, { file, timings }: Timings): void {
  const read = new Set(timings.map(({ at }) => at));
  let isComment = false;
  for (const at of page.lines.keys()) {
    const line = lineAt(page, at);
    if (page.format === 'vtt' && lineAt(page, at - 1) === '') isComment = COMMENT.test(line);
    if (read.has(at) || !looksLikeTiming(line) || (isComment && !line.includes('-->'))) continue;
    const message = `this looks like a timing line that is broken: "${line.trim().slice(0, 60)}"; mend it, or its cue would be shown as text or get lost`;
    throw new JobFailure({ kind: 'malformed', where: { file, line: at + 1 }, message });
  }
}

/** What begins a block of WebVTT that is no cue; none of them may hold an arrow (WebVTT, "comment block"). */
const COMMENT = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;
