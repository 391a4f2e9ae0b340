/** Java properties: UTF-8 or Latin-1 with `\uXXXX`, continuation lines, comments as context; MessageFormat's doubled apostrophes. */
import type { Doc, Format, FormatOptions, Insertion, Segment } from '../format.ts';
import { partsText } from '../format.ts';
import {
  type EntryFile,
  endOf,
  gapOf,
  insertEntries,
  lineEndOf,
  type NewEntry,
  removeEntries,
  renameEntries,
  sourceEntries,
  withLineEnds,
} from './grammar/flat-entries.ts';
import { type PropertyLine, scanProperties } from './grammar/properties-lines.ts';
import { PropertyTexts } from './grammar/properties-text.ts';
import { COUNTING, numberedBy, withoutShadowed } from './text/duplicates.ts';
import { malformed, positionsOf } from './text/position.ts';
import { makeSegment } from './text/segment.ts';

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
  refuseBadEscapes(text, options.file);
  const file = open(text);
  const lines = [...file.entries];
  const values = lines.map(([, { valueStart, end }]) => text.slice(valueStart, end));
  const texts = new PropertyTexts(text, values, options.encoding);
  const positionAt = positionsOf(text);
  const segments = lines.map(([id, line]) =>
    segmentOf(text, { ...line, id }, { texts, line: positionAt(line.valueStart).line }),
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
  return { text, entries, home: endOf(text) };
}

// Java throws IllegalArgumentException for it (Properties.load, "Malformed \\uxxxx encoding").
function refuseBadEscapes(text: string, file: string): void {
  const found = /^(?![ \t\f]*[#!])(?:[^\\\r\n]|\\[^u])*\\u(?!u*[0-9a-fA-F]{4})/m.exec(text);
  if (found === null) return;
  const offset = found.index + found[0].length - 2;
  throw malformed(file, { text, offset }, '\\u is followed by four hexadecimal digits');
}

function segmentOf(
  text: string,
  { id, keyEnd, valueStart, end, comment }: PropertyLine,
  { texts, line }: { readonly texts: PropertyTexts; readonly line: number },
): Segment {
  const raw = text.slice(valueStart, end);
  const value = texts.read(raw);
  // A key alone has no sign that a value could follow.
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
    const start = entry?.start ?? segment.start;
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
