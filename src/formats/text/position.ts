/** Offsets as people read them: 1-based lines and columns, and the failure with them. */
import { JobFailure } from '../../failure.ts';

export interface Position {
  readonly line: number;
  /** UTF-16 units, as editors count. */
  readonly column: number;
}

/** Finds positions in one text by binary search; lines end with LF, CRLF or CR. */
export function positionsOf(text: string): (offset: number) => Position {
  const starts = lineStarts(text);
  return (offset) => {
    const line = lastNotAfter(starts, offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const ending of text.matchAll(/\r\n|\n|\r/g)) starts.push(ending.index + ending[0].length);
  return starts;
}

function lastNotAfter(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A `malformed` failure at an offset of the decoded text. */
export function malformed(
  file: string,
  at: { readonly text: string; readonly offset: number },
  message: string,
): JobFailure {
  const { line, column } = positionsOf(at.text)(at.offset);
  return new JobFailure({ kind: 'malformed', where: { file, line, column }, message });
}

/** The unexpected character or word that a parser found, in words for people. */
export function unexpectedAt({ text, offset }: { text: string; offset: number }): string {
  const [word] = /^(?:[\p{L}\p{N}_$]{1,40}|\S)/u.exec(text.slice(offset, offset + 80)) ?? [];
  const rest = text.slice(offset + (word?.length ?? 0)).trim();
  if (word !== undefined && /^[[{(,:]$/.test(word) && rest === '') return 'the file ends too early';
  if (word !== undefined) return `${word === '"' ? "'\"'" : `"${word}"`} is not expected here`;
  return text.slice(offset).trim() === ''
    ? 'the file ends too early'
    : 'a line break or blank is not expected here';
}

/** Lines end with LF, CRLF or CR. */
export function lineStart(text: string, offset: number): number {
  if (offset === 0) return 0;
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  // An offset between CR and LF is in the line that they end.
  const end = text.startsWith('\r\n', offset - 1) ? offset - 1 : offset;
  return start + text.slice(start, end).lastIndexOf('\r') + 1;
}

/** The start of the blanks before an offset. */
export function blankStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && /\s/.test(text.charAt(start - 1))) start -= 1;
  return start;
}
