/** The lines of one entry in a file whose entries are on lines of their own, with the comments above and behind it. Pure. */
import type { Segment } from '../../format.ts';
import { lineStart } from './position.ts';

/** UTF-16 offsets. */
export interface EntryLines {
  /** Start of its first line, below its comments. */
  readonly start: number;
  /** End of its value with its quote. */
  readonly valueEnd: number;
  /** End of its last line, without the line end. */
  readonly end: number;
  readonly indent: string;
  /** The comment lines directly above, with their line ends. */
  readonly comments: readonly string[];
  /** The comma behind the value. */
  readonly sign: string;
  /** The comment behind it, with the blanks before it. */
  readonly trailing: string;
}

/** @returns undefined when it shares a line with something else */
export function entryLines(text: string, segment: Segment): EntryLines | undefined {
  const start = keyLine(text, segment.start);
  const [opening = ''] = /^[ \t]*[^\r\n]*/.exec(text.slice(start, segment.start)) ?? [];
  // Another value before it, or the group around it.
  if (/[{[,]/.test(opening.replace(/^\s*(["']).*?\1/, ''))) return undefined;
  const last = segment.end - (/[\r\n]$/.test(text.slice(segment.start, segment.end)) ? 1 : 0);
  const [tail = '', quote = '', sign = '', trailing = ''] =
    /^(["'`]?)((?:[ \t]*,)?)([ \t]*(?:(?:#|;|\/\/).*|\/\*[^\r\n]*?\*\/|<!--[^\r\n]*?-->)?)[ \t]*(?=[\r\n]|$)/.exec(
      text.slice(last),
    ) ?? [];
  if (tail === '' && /^[^\r\n]/.test(text.slice(last))) return undefined;
  const valueEnd = last + quote.length;
  const [indent = ''] = /^[ \t]*/.exec(text.slice(start)) ?? [];
  const end = valueEnd + sign.length + trailing.length;
  return { start, valueEnd, end, indent, comments: commentsAbove(text, start), sign, trailing };
}

/** A value may begin on the line below its key, behind its sign (`=>` of PHP, `:` of YAML). */
function keyLine(text: string, value: number): number {
  const start = lineStart(text, value);
  const isBelow = start > 1 && /^\s*(?:=>|[:=])?\s*["'`]?$/.test(text.slice(start, value));
  return isBelow ? lineStart(text, start - 1) : start;
}

/** The comment lines directly above a line, with their line ends. */
export function commentsAbove(text: string, below: number): string[] {
  const found: string[] = [];
  let isInBlock = false;
  for (let end = below; end > 0; ) {
    const start = lineStart(text, end - 1);
    const line = text.slice(start, end);
    isInBlock ||= /\*\/\s*$/.test(line) && !/^\s*\S.*\/\*/.test(line.replace(/^\s*\/\*/, ''));
    if (!isInBlock && !/^\s*(?:#|;|!|\/\/|\/\*|<!--)/.test(line)) break;
    if (isInBlock && /^\s*\/\*/.test(line)) isInBlock = false;
    found.unshift(line);
    end = start;
  }
  return found;
}
