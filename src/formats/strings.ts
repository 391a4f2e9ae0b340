/** Apple .strings, UTF-8 or UTF-16: quoted pairs, comments as context. */
import type { Doc, Format, FormatOptions, Insertion, Segment } from '../format.ts';
import { partsText } from '../format.ts';
import {
  afterHead,
  type EntryFile,
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
import { type StringsEntry, scanStrings } from './grammar/strings-scan.ts';
import { COUNTING, numberedBy, withoutShadowed } from './text/duplicates.ts';
import {
  decodeEscaped,
  EscapeMemory,
  habitsOf,
  type Notation,
  type Required,
  readEscaped,
  writeEscaped,
} from './text/escapes.ts';
import { positionsOf } from './text/position.ts';
import { makeSegment, uniqueIds } from './text/segment.ts';

export const strings: Format = { name: 'strings', shape: 'keyed', readsLineEnds: true, parse };

const SHORT: ReadonlyMap<string, string> = new Map(
  Object.entries({ n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b', f: '\f', v: '\v' }),
);

/**
 * Old-style property lists ("Property List Programming Guide"). Octal escapes beyond ASCII use NextStep's encoding and stay as they are.
 */
const NOTATION: Notation = {
  lead: /\\/,
  escapes: [
    {
      pattern: /\\[Uu]([0-9a-fA-F]{4})/y,
      read: ([, hex = '']) => String.fromCharCode(Number.parseInt(hex, 16)),
    },
    {
      pattern: /\\([01][0-7]{2})/y,
      read: ([, octal = '']) => String.fromCharCode(Number.parseInt(octal, 8)),
    },
    { pattern: /\\([^0-9])/y, read: ([, letter = '']) => SHORT.get(letter) ?? letter },
  ],
};

interface StringsFile extends EntryFile {
  readonly entries: ReadonlyMap<string, StringsEntry>;
}

function open(text: string, file = ''): StringsFile {
  const context = {
    file,
    ids: uniqueIds(),
    readKey: (raw: string) => decodeEscaped(raw, NOTATION),
  };
  const entries = numberedBy(scanStrings(text, context), COUNTING.strings);
  return { text, entries, home: homeAtEnd(text) };
}

function parse(text: string, { file }: FormatOptions): Doc {
  const opened = open(text, file);
  const memory = new EscapeMemory();
  const positionAt = positionsOf(text);
  const segments = [...opened.entries].map(([id, entry]) =>
    stringsSegment(text, { ...entry, id }, { memory, line: positionAt(entry.value.start).line }),
  );
  const doc: Doc = {
    segments,
    warnings: [],
    insert: (insertions) => insertEntries(opened, newEntries(text, insertions, memory)),
    remove: (ids) => removeEntries(opened, ids),
    rename: (renames) =>
      renameEntries(opened.entries, renames, ({ key }, to) => {
        const { start, end, isQuoted } = key;
        const quote = isQuoted ? text.charAt(start - 1) : '"';
        const written = writeString(to, { raw: text.slice(start, end), quote, memory });
        const isBare = !isQuoted && /^[A-Za-z_][\w.]*$/.test(to);
        return { start, end, text: isQuoted ? written : isBare ? to : `"${written}"` };
      }),
  };
  return withoutShadowed(doc, { counting: COUNTING.strings, file });
}

function stringsSegment(
  text: string,
  { id, value, comment }: StringsEntry,
  { memory, line }: { readonly memory: EscapeMemory; readonly line: number },
): Segment {
  const { start, end, isQuoted, isAbsent } = value;
  const sign = isAbsent ? ' = ' : '';
  const raw = text.slice(start, end);
  const content = isQuoted ? readEscaped(raw, NOTATION, memory) : raw;
  const quote = isQuoted ? text.charAt(start - 1) : '"';
  return makeSegment(text, {
    id,
    start,
    end,
    line,
    parts: content === '' ? [] : [content],
    ...(comment === undefined ? {} : { context: comment }),
    ...(isAbsent ? { gap: 'value' } : {}),
    syntax: 'apple',
    encode(parts) {
      const written = writeString(partsText(parts), { raw, quote, memory });
      return isQuoted ? written : `${sign}"${written}"`;
    },
  });
}

interface QuoteStyle {
  /** The raw value whose habits are followed. */
  readonly raw: string;
  readonly quote: string;
  readonly memory: EscapeMemory;
}

function writeString(text: string, { raw, quote, memory }: QuoteStyle): string {
  const habits = habitsOf(raw, NOTATION, memory);
  // A value that already spans several lines gets real line breaks.
  const breaksLines = /[\r\n]/.test(raw) && !/\\n/.test(raw);
  return writeEscaped(text, (...place) => required(place, { quote, breaksLines }), habits);
}

function required(
  [character, index, text]: Parameters<Required>,
  { quote, breaksLines }: { readonly quote: string; readonly breaksLines: boolean },
): string | undefined {
  if (character === quote || character === '\\') return `\\${character}`;
  if (character === '\n') return breaksLines ? undefined : '\\n';
  if (character === '\r') return breaksLines && text.charAt(index + 1) === '\n' ? undefined : '\\r';
  const code = character.charCodeAt(0);
  const isControl = code < 0x20 && character !== '\t';
  return isControl ? `\\U${code.toString(16).padStart(4, '0')}` : undefined;
}

function newEntries(
  text: string,
  insertions: readonly Insertion[],
  memory: EscapeMemory,
): NewEntry[] {
  const lineEnd = lineEndOf(text);
  const sourceOf = sourceEntries(insertions, open);
  return insertions.flatMap((insertion) => {
    const { after, parts, sourceText } = insertion;
    const { file } = sourceOf(insertion);
    const entry = file.entries.get(insertion.segment.id);
    if (entry === undefined) return [];
    const { start, end, isQuoted } = entry.value;
    const raw = sourceText.slice(start, end);
    const quote = isQuoted ? sourceText.charAt(start - 1) : '"';
    const value = writeString(partsText(parts), { raw, quote, memory });
    const written =
      withLineEnds(sourceText.slice(afterHead(entry), start), lineEnd) +
      (isQuoted ? value : `"${value}"`) +
      withLineEnds(sourceText.slice(end, entry.end), lineEnd);
    return [{ after, text: written, gap: gapOf(file, entry, lineEnd) }];
  });
}
