/** Finds the subtitles in SRT and WebVTT files, however irregular, each with its offsets in the file. Everything else is frame. Pure. */
import { JobFailure } from '../../failure.ts';
import { excerptOf } from '../../format.ts';
import { inEnglish } from '../../language.ts';
import { type Block, buildCues, type Cue } from './cues.ts';
import { type DecodedSubtitles, decodeSubtitles } from './decode.ts';
import { lineAt, lineSpans, showsNothing, type TextLines } from './lines.ts';
import {
  asciiDigits,
  type CueTiming,
  looksLikeTiming,
  readTiming,
  type SubtitleFormat,
} from './timing.ts';

export interface SubtitleFile extends DecodedSubtitles {
  /** The format of the content, which may differ from the file's extension. */
  readonly format: SubtitleFormat;
  readonly cues: readonly Cue[];
  /** The line end of the file's first line. */
  readonly lineEnd: string;
}

export interface ReadOptions {
  /** For messages. */
  readonly file: string;
  /** WHATWG label of the encoding for bytes that are not Unicode. */
  readonly fallback: string;
}

/** @throws JobFailure `malformed` with the line when a cue could be lost or shown wrongly */
export function readSubtitles(bytes: Uint8Array, options: ReadOptions): SubtitleFile {
  return parseSubtitles(decodeSubtitles(bytes, options), options.file);
}

/** @throws JobFailure `malformed` with the line */
export function parseSubtitles(decoded: DecodedSubtitles, file: string): SubtitleFile {
  const { text } = decoded;
  const format = /^[\ufeff\s]*WEBVTT(?:\s|$)/.test(text) ? 'vtt' : 'srt';
  const page: FormattedPage = { text, lines: lineSpans(text), format };
  const timings = timingsOf(page);
  if (timings.length === 0 && format === 'srt') refuseShapeless(page, file);
  const blocks = timings.map((timing, nth) => blockAt(page, { timing, next: timings[nth + 1] }));
  refuseBrokenTiming(page, { file, timings });
  refuseLostCues(page, { file, blocks });
  refuseLongCues({ file, blocks });
  const cues = buildCues(blocks, file);
  const lineEnd = /\r{0,2}\n|\r/.exec(text)?.[0] ?? '\n';
  return { ...decoded, format, cues, lineEnd };
}

interface TimingAt extends CueTiming {
  /** Index of its line. */
  readonly at: number;
  /** Index of the line with its number or name. */
  readonly idAt: number | undefined;
}

function timingsOf(page: FormattedPage): TimingAt[] {
  const timings = page.lines.flatMap((_, at) => {
    const timing = readTiming(lineAt(page, at));
    return timing === undefined ? [] : [{ ...timing, at }];
  });
  const ids = idLinesOf(
    page,
    timings.map(({ at }) => at),
  );
  return timings.map((timing, nth) => ({ ...timing, idAt: ids[nth] }));
}

function blockAt(
  page: FormattedPage,
  { timing, next }: { timing: TimingAt; next: TimingAt | undefined },
): Block {
  const { at, idAt, ...times } = timing;
  let from = at + 1;
  let to = next?.idAt ?? next?.at ?? page.lines.length;
  if (page.format === 'vtt') to = firstEmpty(page, from, to);
  while (to > from && showsNothing(lineAt(page, to - 1))) to -= 1;
  while (from < to && showsNothing(lineAt(page, from))) from += 1;
  const line = page.lines[at] ?? { start: 0, end: 0 };
  const start = from < to ? (page.lines[from]?.start ?? line.end) : line.end;
  return {
    ...times,
    id: idAt === undefined ? '' : lineAt(page, idAt).trim(),
    line: at + 1,
    begins: page.lines[idAt ?? at]?.start ?? line.start,
    timing: line,
    span: { start, end: from < to ? (page.lines[to - 1]?.end ?? start) : start },
    lines: Array.from({ length: to - from }, (_, nth) => lineAt(page, from + nth)),
  };
}

/** WebVTT ends a cue at the first empty line (a line of blanks is text); NOTE, STYLE and REGION blocks may follow. */
function firstEmpty(page: FormattedPage, from: number, to: number): number {
  for (let at = from; at < to; at++) if (lineAt(page, at) === '') return at;
  return to;
}

function refuseShapeless(page: FormattedPage, file: string): void {
  const at = page.lines.findIndex((_, index) => !showsNothing(lineAt(page, index)));
  if (at < 0) return;
  const message = 'no line says when a subtitle is shown (00:00:01,000 --> 00:00:02,000)';
  throw new JobFailure({ kind: 'malformed', where: { file, line: at + 1 }, message });
}

interface Timings {
  readonly file: string;
  readonly timings: readonly TimingAt[];
}

/**
 * The whole file is checked, not only its texts. Before the first cue, or behind an empty line of WebVTT, a cue would be lost without a
 * message.
 */
function refuseBrokenTiming(page: FormattedPage, { file, timings }: Timings): void {
  const read = new Set(timings.map(({ at }) => at));
  let isComment = false;
  for (const at of page.lines.keys()) {
    const line = lineAt(page, at);
    if (page.format === 'vtt' && lineAt(page, at - 1) === '') isComment = COMMENT.test(line);
    if (read.has(at) || !looksLikeTiming(line) || (isComment && !line.includes('-->'))) continue;
    const message = `this looks like a timing line, but it is broken: "${excerptOf(line, 60)}"; correct it, or its cue is shown as text or lost`;
    throw new JobFailure({ kind: 'malformed', where: { file, line: at + 1 }, message });
  }
}

interface Blocks {
  readonly file: string;
  readonly blocks: readonly Block[];
}

function refuseLostCues(page: FormattedPage, { file, blocks }: Blocks): void {
  const line = lineWithoutTiming(page, blocks);
  if (line !== undefined) {
    const number = lineAt(page, line - 1).trim();
    const message = `no timing line follows the number ${number}; correct it, or its cue is shown as text or lost`;
    throw new JobFailure({ kind: 'malformed', where: { file, line }, message });
  }
  const block = blocks.find((each) => page.format === 'srt' && isBehindTimes(each));
  if (block === undefined) return;
  const message = `"${excerptOf(block.settings, 60)}" is on the line of the times; put it on a line of its own, or it is not shown`;
  throw new JobFailure({ kind: 'malformed', where: { file, line: block.line }, message });
}

/**
 * UTF-16 units of one cue, where several blanks count as one. Work on a cue is not divided, so a longer one would block the event loop.
 * Nobody can read so much at once.
 */
const LONGEST_CUE = 3000;

function refuseLongCues({ file, blocks }: Blocks): void {
  for (const { line, lines } of blocks) {
    const length = lines.join('\n').replace(/\s+/g, ' ').length;
    if (length <= LONGEST_CUE) continue;
    const [found, most] = [length, LONGEST_CUE].map((each) => inEnglish(each));
    const message = `this subtitle has ${found} characters, more than the limit of ${most}; divide it into several`;
    throw new JobFailure({ kind: 'malformed', where: { file, line }, message });
  }
}

/** Whether text is where coordinates or settings belong: it is neither, and no line follows. */
function isBehindTimes({ lines, settings }: Block): boolean {
  return lines.length === 0 && settings.split(/\s+/).some((word) => /^\p{L}[^:=]*$/u.test(word));
}

/** The beginning of a WebVTT block that is not a cue. Such a block must not contain an arrow (WebVTT, "comment block"). */
const COMMENT = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;

/** The lines of a file, and its format. */
interface FormattedPage extends TextLines {
  readonly format: SubtitleFormat;
}

/**
 * Finds the lines with the numbers and names of cues.
 * @param timings indices of the timing lines
 * @returns for each timing line, the index of the line with its number or name. Undefined when there is no such line, or when it may be
 * text
 */
function idLinesOf(
  page: FormattedPage,
  timings: readonly number[],
): readonly (number | undefined)[] {
  // WebVTT, "cue block": the name is above the timing line, behind a blank line; `WEBVTT` itself is not a name.
  if (page.format === 'vtt') {
    return timings.map((at) => (at > 1 && isName(page, at - 1) ? at - 1 : undefined));
  }
  const first = numberAbove(page, timings[0] ?? 0);
  const isSpaced = first !== undefined && first < (timings[0] ?? 0) - 1;
  let before: number | undefined;
  return timings.map((at) => {
    const above = numberAbove(page, at);
    if (above === undefined) return undefined;
    const number = numberOf(lineAt(page, above));
    const isOne =
      above === at - 1
        ? first !== undefined || startsBlock(page, above)
        : first !== undefined && (isSpaced || (before !== undefined && number === before + 1));
    if (!isOne) return undefined;
    before = number;
    return above;
  });
}

/** The facts of a cue that show whether another cue is missing behind it. */
interface NumberedCue {
  readonly id: string;
  /** 1-based, of its timing line. */
  readonly line: number;
}

/**
 * Finds a number without timing line: the next number in order, while the next timing line has the number after it, or none. The text below
 * it would be shown in the cue before, or not at all.
 * @returns the 1-based line of the first such number
 */
function lineWithoutTiming(page: TextLines, cues: readonly NumberedCue[]): number | undefined {
  for (let nth = -1; nth < cues.length; nth++) {
    const [own, next] = [numberOf(cues[nth]?.id ?? ''), numberOf(cues[nth + 1]?.id ?? '')];
    const due = nth < 0 ? next && next - 1 : own && own + 1;
    if (due === undefined || due === next) continue;
    const to = (cues[nth + 1]?.line ?? page.lines.length + 1) - 1;
    for (let at = cues[nth]?.line ?? 0; at < to; at++) {
      if (numberOf(lineAt(page, at)) !== due) continue;
      // A number at the end of a sentence may be on a line of its own.
      const hasText = at + 2 < to && !showsNothing(lineAt(page, at + 1));
      if (showsNothing(lineAt(page, at - 1)) || (due + 1 === next && hasText)) return at + 1;
    }
  }
  return undefined;
}

/** `1`, `1.`, `1a`, `#1`, `0012:` and the same with other digits. */
const NUMBER_LINE =
  /^[\s\u200b-\u200f\u202a-\u202e\ufeff]*#?(\d+)\s*[.,:;)]?\s*[a-z]?\s*\u202c?\s*$/i;

function numberOf(line: string): number | undefined {
  if (line.length > LONGEST_NUMBER_LINE) return undefined;
  const digits = NUMBER_LINE.exec(asciiDigits(line))?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Characters; a longer line is not a number. */
const LONGEST_NUMBER_LINE = 40;

/** The number above a timing line, with or without blank lines between them. */
function numberAbove(page: TextLines, timing: number): number | undefined {
  let at = timing - 1;
  while (at >= 0 && showsNothing(lineAt(page, at))) at -= 1;
  if (at < 0 || numberOf(lineAt(page, at)) === undefined) return undefined;
  return at === timing - 1 || startsBlock(page, at) ? at : undefined;
}

function isName(page: TextLines, at: number): boolean {
  const line = lineAt(page, at);
  return !showsNothing(line) && readTiming(line) === undefined && startsBlock(page, at);
}

function startsBlock(page: TextLines, at: number): boolean {
  return at === 0 || showsNothing(lineAt(page, at - 1));
}
