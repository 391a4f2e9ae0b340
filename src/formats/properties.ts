/** Java properties: UTF-8, or Latin-1 with `\uXXXX`; continuation lines; comments as context; MessageFormat's doubled apostrophes. */
import {
  type Doc,
  type Format,
  type FormatOptions,
  type Insertion,
  partsText,
  type Segment,
} from '../format.ts';
import {
  afterHead,
  type EntryFile,
  type FlatEntry,
  flatId,
  gapOf,
  homeAtEnd,
  insertEntries,
  lineEndOf,
  type NewEntry,
  removeEntries,
  renameEntries,
  sourceEntries,
  withLineEnds,
} from './grammar/flat-entries.ts';
import { PropertyTexts } from './grammar/properties-text.ts';
import { COUNTING, numberedBy, withoutShadowed } from './text/duplicates.ts';
import { malformed, positionsOf } from './text/position.ts';
import { makeSegment, uniqueIds } from './text/segment.ts';

export const properties: Format = {
  name: 'properties',
  shape: 'keyed',
  fallbackEncoding: 'latin1',
  parse,
};

interface PropertyFile extends EntryFile {
  readonly entries: ReadonlyMap<string, PropertyLine>;
}

function parse(text: string, options: FormatOptions): Doc {
  const file = open(text);
  const lines = [...file.entries];
  for (const [, line] of lines) refuseBadEscapes(text, line, options.file);
  const values = lines.map(([, { valueStart, end }]) => text.slice(valueStart, end));
  const texts = new PropertyTexts(text, values, options.encoding);
  const positionAt = positionsOf(text);
  const segments = lines.map(([id, line]) =>
    propertySegment(text, { ...line, id }, { texts, line: positionAt(line.valueStart).line }),
  );
  const doc: Doc = {
    segments,
    warnings: [],
    insert: (insertions) => insertEntries(file, newEntries(file, insertions, texts)),
    remove: (ids) => removeEntries(file, ids),
    rename: (renames) =>
      renameEntries(file.entries, renames, ({ key, keyEnd }, to) => ({
        start: keyEnd - key.length,
        end: keyEnd,
        text: texts.writeKey(to),
      })),
  };
  return withoutShadowed(doc, { counting: COUNTING.properties, file: options.file });
}

function open(text: string): PropertyFile {
  const entries = numberedBy(scanProperties(text, PropertyTexts.key), COUNTING.properties);
  return { text, entries, home: homeAtEnd(text) };
}

// Java throws IllegalArgumentException for it (Properties.load, "Malformed \\uxxxx encoding").
function refuseBadEscapes(text: string, { keyEnd, key, end }: PropertyLine, file: string): void {
  const start = keyEnd - key.length;
  for (const { 0: found, index } of text.slice(start, end).matchAll(ESCAPES)) {
    if (found !== '\\u') continue;
    const offset = start + index;
    throw malformed(file, { text, offset }, '\\u is followed by four hexadecimal digits');
  }
}

/** `\u` alone is one without its digits. */
const ESCAPES = /\\(?:u+[0-9a-fA-F]{4}|[\s\S])/g;

function propertySegment(
  text: string,
  { id, keyEnd, valueStart, end, comment }: PropertyLine,
  { texts, line }: { readonly texts: PropertyTexts; readonly line: number },
): Segment {
  const raw = text.slice(valueStart, end);
  const value = texts.read(raw);
  // A key alone has no sign, so `=` must precede a new value.
  const sign = valueStart === keyEnd ? '=' : '';
  return makeSegment(text, {
    id,
    start: valueStart,
    end,
    line,
    parts: value === '' ? [] : [value],
    ...(comment === undefined ? {} : { context: comment }),
    syntax: /\{\s*\w+\s*,\s*(?:plural|select)/.test(raw) ? 'icu' : 'generic',
    encode: (parts) => sign + texts.write(partsText(parts), raw),
  });
}

function newEntries(
  { text }: EntryFile,
  insertions: readonly Insertion[],
  texts: PropertyTexts,
): NewEntry[] {
  const lineEnd = lineEndOf(text);
  const sourceOf = sourceEntries(insertions, open);
  return insertions.map((insertion) => {
    const { after, parts, segment, sourceText } = insertion;
    const { file, entry } = sourceOf(insertion);
    const start = entry === undefined ? segment.start : afterHead(entry);
    const head = withLineEnds(sourceText.slice(start, segment.start), lineEnd);
    const sign = /[=: \t\f]$/.test(head) ? '' : '=';
    const value = texts.write(partsText(parts), sourceText.slice(segment.start, segment.end));
    return {
      after,
      text: head + (value === '' ? '' : sign) + value,
      gap: entry && gapOf(file, entry, lineEnd),
    };
  });
}

/** Scans Java properties (java.util.Properties.load): logical lines with the positions of their keys and values, and comments. */
interface PropertyLine extends FlatEntry {
  readonly id: string;
  /** Raw, with its escapes. */
  readonly key: string;
  readonly keyEnd: number;
  readonly valueStart: number;
  /** The comment lines directly above, without their signs; undefined when there are none. */
  readonly comment: string | undefined;
}

/** All entries by id, in file order. */
function scanProperties(text: string, readKey: (raw: string) => string): Map<string, PropertyLine> {
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

/** Collects what precedes the next entry. A blank line detaches the comments above it from the entry. */
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

  take(lineStart: number, end: number): FlatEntry & Pick<PropertyLine, 'comment'> {
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

/** A line continues in the next one when its last backslash is not itself escaped. */
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
