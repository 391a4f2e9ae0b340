/** The numbers and names of cues: which lines are some, and which number has lost its timing line. Pure. */
import { isBlank, lineAt, type Page } from './lines.ts';
import { asciiDigits, readTiming, type SubtitleFormat } from './timing.ts';

export interface FormattedPage extends Page {
  readonly format: SubtitleFormat;
}

/**
 * @param timings indexes of the timing lines
 * @returns for each of them the index of the line with its number or name; undefined where there is none, or it may be text
 */
export function idLinesOf(
  page: FormattedPage,
  timings: readonly number[],
): readonly (number | undefined)[] {
  // WebVTT, "cue block": a name stands above the timing line, after a blank line; `WEBVTT` itself is none.
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

/** A cue, as far as it tells whether another one is missing behind it. */
interface NumberedCue {
  readonly id: string;
  /** 1-based, of its timing line. */
  readonly line: number;
}

/**
 * The number that is due stands there, and the one after it, or none, above the next timing line: what follows it would be
 * shown as text of the cue before, or not at all.
 * @returns the 1-based line of the first such number
 */
export function lineWithoutTiming(page: Page, cues: readonly NumberedCue[]): number | undefined {
  for (let nth = -1; nth < cues.length; nth++) {
    const [own, next] = [numberOf(cues[nth]?.id ?? ''), numberOf(cues[nth + 1]?.id ?? '')];
    const due = nth < 0 ? next && next - 1 : own && own + 1;
    if (due === undefined || due === next) continue;
    const to = (cues[nth + 1]?.line ?? page.lines.length + 1) - 1;
    for (let at = cues[nth]?.line ?? 0; at < to; at++) {
      if (numberOf(lineAt(page, at)) !== due) continue;
      // A number that a sentence ends with may be broken onto a line of its own.
      const hasText = at + 2 < to && !isBlank(lineAt(page, at + 1));
      if (isBlank(lineAt(page, at - 1)) || (due + 1 === next && hasText)) return at + 1;
    }
  }
  return undefined;
}

/** `1`, `1.`, `1a`, `#1`, `0012:` and the same in other digits. */
const NUMBER = /^[\s\u200b-\u200f\u202a-\u202e\ufeff]*#?(\d+)\s*[.,:;)]?\s*[a-z]?\s*\u202c?\s*$/i;

function numberOf(line: string): number | undefined {
  if (line.length > LONGEST) return undefined;
  const digits = NUMBER.exec(asciiDigits(line))?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Characters; no line that is longer is a number. */
const LONGEST = 40;

/** The number above a timing line, blank lines between them or none. */
function numberAbove(page: Page, timing: number): number | undefined {
  let at = timing - 1;
  while (at >= 0 && isBlank(lineAt(page, at))) at -= 1;
  if (at < 0 || numberOf(lineAt(page, at)) === undefined) return undefined;
  return at === timing - 1 || startsBlock(page, at) ? at : undefined;
}

function isName(page: Page, at: number): boolean {
  const line = lineAt(page, at);
  return !isBlank(line) && readTiming(line) === undefined && startsBlock(page, at);
}

function startsBlock(page: Page, at: number): boolean {
  return at === 0 || isBlank(lineAt(page, at - 1));
}
