/** Finds the subtitles in SRT and WebVTT as strangers write them, each with its places in the file; everything else is template. Pure. */
import { JobFailure } from '../../failure.ts';
import { type Block, buildCues, type Cue } from './cues.ts';
import { type DecodedSubtitles, decodeSubtitles } from './decode.ts';
import { isBlank, lineAt, linesOf } from './lines.ts';
import { type FormattedPage, idLinesOf, lineWithoutTiming } from './numbering.ts';
import { looksLikeTiming, readTiming, type SubtitleFormat, type Timing } from './timing.ts';

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
  const format = /^[\ufeff\s]*WEBVTT(?:\s|$)/.test(text) ? 'vtt' : 'srt';
  const page: FormattedPage = { text, lines: linesOf(text), format };
  const timings = timingsOf(page);
  if (timings.length === 0 && format === 'srt') refuseShapeless(page, file);
  const blocks = timings.map((timing, nth) => blockAt(page, { timing, next: timings[nth + 1] }));
  refuseBrokenTiming(page, { file, timings });
  refuseLostCues(page, { file, blocks });
  const cues = buildCues(blocks, file);
  const lineEnd = /\r{0,2}\n|\r/.exec(text)?.[0] ?? '\n';
  return { ...decoded, format, cues, lineEnd };
}

interface TimingAt extends Timing {
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
  while (to > from && isBlank(lineAt(page, to - 1))) to -= 1;
  while (from < to && isBlank(lineAt(page, from))) from += 1;
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

/** WebVTT ends a cue at the first empty line (one of blanks is text); NOTE, STYLE and REGION blocks follow there. */
function firstEmpty(page: FormattedPage, from: number, to: number): number {
  for (let at = from; at < to; at++) if (lineAt(page, at) === '') return at;
  return to;
}

function refuseShapeless(page: FormattedPage, file: string): void {
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
function refuseBrokenTiming(page: FormattedPage, { file, timings }: Timings): void {
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

interface Blocks {
  readonly file: string;
  readonly blocks: readonly Block[];
}

function refuseLostCues(page: FormattedPage, { file, blocks }: Blocks): void {
  const line = lineWithoutTiming(page, blocks);
  if (line !== undefined) {
    const number = lineAt(page, line - 1).trim();
    const message = `no timing line follows the number ${number}; mend it, or its cue would be shown as text or get lost`;
    throw new JobFailure({ kind: 'malformed', where: { file, line }, message });
  }
  const block = blocks.find((each) => page.format === 'srt' && isBehindTimes(each));
  if (block === undefined) return;
  const message = `"${block.settings.slice(0, 60)}" stands behind the times; it has to stand on a line of its own, or it would not be shown`;
  throw new JobFailure({ kind: 'malformed', where: { file, line: block.line }, message });
}

/** Text where coordinates and settings may stand: words that are none, and nothing below. */
function isBehindTimes({ lines, settings }: Block): boolean {
  return lines.length === 0 && settings.split(/\s+/).some((word) => /^\p{L}[^:=]*$/u.test(word));
}

/** What begins a block of WebVTT that is no cue; none of them may hold an arrow (WebVTT, "comment block"). */
const COMMENT = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;
