/** Scans Java properties (java.util.Properties.load): comments and logical lines with the places of their keys and values. */

import { uniqueIds } from '../text/segment.ts';
import { type Entry, flatId } from './flat-entries.ts';

export interface PropertyLine extends Entry {
  readonly id: string;
  /** Raw, with its escapes. */
  readonly key: string;
  readonly keyEnd: number;
  readonly valueStart: number;
  /** The comment lines directly above, without their signs; undefined when there are none. */
  readonly comment: string | undefined;
}

/** All entries by id, in file order. */
export function scanProperties(
  text: string,
  readKey: (raw: string) => string,
): Map<string, PropertyLine> {
  const found = new Map<string, PropertyLine>();
  const ids = uniqueIds();
  const above = new Above();
  for (let position = 0; position < text.length; ) {
    const start = skipBlanks(text, position);
    const lineEnd = endOfLine(text, start);
    const sign = text.charAt(start);
    if (start === lineEnd) above.blank();
    else if (sign === '#' || sign === '!') {
      above.comment(position, lineEnd, text.slice(start, lineEnd));
    } else {
      const end = logicalEnd(text, start);
      const place = above.take(position, end);
      const line = scanLine(text, start, end);
      const id = ids(flatId(readKey(line.key)));
      found.set(id, { ...line, ...place, id });
      position = afterLineEnd(text, end);
      continue;
    }
    position = afterLineEnd(text, lineEnd);
  }
  return found;
}

/** What stands above the next entry: its comments are attached unless a blank line is between. */
class Above {
  #end: number | undefined;
  #comments: { readonly start: number; readonly end: number; readonly text: string }[] = [];

  blank(): void {
    this.#end = this.#comments.at(-1)?.end ?? this.#end;
    this.#comments = [];
  }

  comment(start: number, end: number, text: string): void {
    this.#comments.push({ start, end, text });
  }

  take(lineStart: number, end: number): Entry & Pick<PropertyLine, 'comment'> {
    const start = this.#comments[0]?.start ?? lineStart;
    const gap = this.#end ?? start;
    const words = this.#comments.map(({ text }) => text.replace(/^[#!]+/, '').trim());
    this.#end = end;
    this.#comments = [];
    const comment = words.filter((word) => word !== '').join(' ');
    return { gap, start, end, own: lineStart, comment: comment === '' ? undefined : comment };
  }
}

function scanLine(text: string, start: number, end: number) {
  let keyEnd = start;
  while (keyEnd < end && !/[=: \t\f]/.test(text.charAt(keyEnd))) {
    keyEnd += text.charAt(keyEnd) === '\\' ? 2 : 1;
  }
  keyEnd = Math.min(keyEnd, end);
  let valueStart = skipFolded(text, keyEnd);
  const sign = text.charAt(valueStart);
  if (valueStart < end && (sign === '=' || sign === ':')) {
    valueStart = skipFolded(text, valueStart + 1);
  }
  return { key: text.slice(start, keyEnd), keyEnd, valueStart: Math.min(valueStart, end) };
}

function skipBlanks(text: string, from: number): number {
  return matchEnd(/[ \t\f]*/y, text, from);
}

function skipFolded(text: string, from: number): number {
  return matchEnd(/(?:[ \t\f]|\\(?:\r\n|\r|\n)[ \t\f]*)*/y, text, from);
}

function endOfLine(text: string, from: number): number {
  return matchEnd(/[^\r\n]*/y, text, from);
}

function afterLineEnd(text: string, from: number): number {
  return matchEnd(/\r\n|\r|\n|$/y, text, from);
}

function matchEnd(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

/** A line whose last backslash is not itself escaped goes on in the next one. */
function logicalEnd(text: string, from: number): number {
  let end = endOfLine(text, from);
  while (end < text.length && isContinued(text, from, end)) {
    end = endOfLine(text, afterLineEnd(text, end));
  }
  return end;
}

function isContinued(text: string, from: number, end: number): boolean {
  let backslashes = 0;
  while (end - 1 - backslashes >= from && text.charAt(end - 1 - backslashes) === '\\') {
    backslashes += 1;
  }
  return backslashes % 2 === 1;
}
