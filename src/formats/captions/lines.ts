/** Splits a text into lines with their offsets: LF, CRLF, CR and CR CR LF each end one line. Pure. */
import type { Span } from '../../format.ts';

/** Spans of the lines, without their ends. The last line has no line end. A text that ends with a line end has an empty last line. */
export function lineSpans(text: string): Span[] {
  const lines: Span[] = [];
  let start = 0;
  // CR CR LF comes from a second conversion to CRLF: it is one line end, not a blank line.
  for (const ending of text.matchAll(/\r{0,2}\n|\r/g)) {
    lines.push({ start, end: ending.index });
    start = ending.index + ending[0].length;
  }
  lines.push({ start, end: text.length });
  return lines;
}

/** A text and its lines. */
export interface TextLines {
  readonly text: string;
  readonly lines: readonly Span[];
}

/** The content of a line; empty before the first and behind the last. */
export function lineAt({ text, lines }: TextLines, at: number): string {
  const line = lines[at];
  return line === undefined ? '' : text.slice(line.start, line.end);
}

/** Whether a line shows nothing: blanks, direction marks, NUL, or the Ctrl-Z at the end of DOS files. */
export function showsNothing(line: string): boolean {
  for (const character of line) if (!/\s/.test(character) && !UNSEEN.has(character)) return false;
  return true;
}

const UNSEEN = new Set(['\0', '\u001a', '\u200e', '\u200f', '\ufeff']);
