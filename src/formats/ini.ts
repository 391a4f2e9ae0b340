/** INI string files, for routes that say `lane: text`: values of `key = value` lines, quoted or not. */
import type { Doc, Edit, Format, Insertion, Part, Segment } from '../format.ts';
import { partsText } from '../format.ts';
import {
  EscapeMemory,
  habitsOf,
  type Notation,
  readEscaped,
  writeEscaped,
} from '../text/escapes.ts';
import { joinKey, splitKey } from '../text/key-path.ts';
import { positionsOf } from '../text/position.ts';
import { makeSegment, markDuplicates, uniqueIds } from '../text/segment.ts';

export const ini: Format = {
  name: 'ini',
  shape: 'keyed',
  foldsWhitespace: true,
  fallbackEncoding: 'latin1',
  parse,
};

/** A `key = value` line; the span excludes quotes and blanks around the value. */
interface Entry {
  readonly id: string;
  readonly section: string;
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  /** `key =` with its blanks, as a model for new lines. */
  readonly head: string;
  readonly comment: string | undefined;
  /** From the comment lines above it to the end of its line. */
  readonly block: { readonly start: number; readonly end: number };
}

const NOTATION: Notation = {
  lead: /\\/,
  escapes: [
    { pattern: /\\n/y, read: () => '\n' },
    { pattern: /\\(["\\])/y, read: ([, character = '']) => character },
  ],
};
const QUOTED_NEEDS: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
]);

function parse(text: string): Doc {
  const memory = new EscapeMemory();
  const positionAt = positionsOf(text);
  const entries = entriesOf(text);
  const segments = entries.map((entry) =>
    makeSegment(text, segmentOf(text, entry, { line: positionAt(entry.start).line, memory })),
  );
  return {
    segments: markDuplicates(segments),
    warnings: [],
    insert: (insertions) => insertionEdits(text, entries, insertions),
    remove: (ids) =>
      entries.filter(({ id }) => ids.has(id)).map(({ block }) => ({ ...block, text: '' })),
  };
}

function entriesOf(text: string): Entry[] {
  const entries: Entry[] = [];
  const ids = uniqueIds();
  let section = '';
  let comments: { readonly start: number; readonly lines: string[] } | undefined;
  for (const { 0: whole, 1: line = '', index } of text.matchAll(/([^\r\n]*)(?:\r\n|\n|\r|$)/g)) {
    const header = /^\s*\[([^\]]*)\]/.exec(line);
    const comment = /^\s*[;#]\s?(.*)$/.exec(line);
    const value = /^(\s*([^=;#[\s][^=]*?)\s*=[ \t]*)(.*?)[ \t]*$/.exec(line);
    if (header !== null) section = header[1] ?? '';
    else if (value !== null) {
      const [, head = '', key = '', raw = ''] = value;
      const isQuoted = /^".*"$/.test(raw);
      const start = index + head.length + (isQuoted ? 1 : 0);
      entries.push({
        id: ids(joinKey(section === '' ? [key] : [section, key])),
        section,
        start,
        end: start + raw.length - (isQuoted ? 2 : 0),
        isQuoted,
        head,
        comment: comments?.lines.join('\n'),
        block: { start: comments?.start ?? index, end: index + whole.length },
      });
    }
    if (comment === null) comments = undefined;
    else
      comments = {
        start: comments?.start ?? index,
        lines: [...(comments?.lines ?? []), comment[1] ?? ''],
      };
    if (whole === '') break;
  }
  return entries;
}

function segmentOf(
  text: string,
  { id, start, end, isQuoted, comment }: Entry,
  { line, memory }: { readonly line: number; readonly memory: EscapeMemory },
): Segment {
  const raw = text.slice(start, end);
  const content = isQuoted ? readEscaped(raw, NOTATION, memory) : raw;
  return {
    id,
    start,
    end,
    line,
    parts: [content],
    syntax: 'generic',
    ...(comment === undefined ? {} : { context: comment }),
    encode: (parts) =>
      isQuoted ? quotedText(parts, habitsOf(raw, NOTATION, memory)) : bareText(parts),
  };
}

function quotedText(parts: readonly Part[], memory: EscapeMemory): string {
  return writeEscaped(folded(parts), (character) => QUOTED_NEEDS.get(character), memory);
}

// A text that is quoted as a whole would lose its quotes.
function bareText(parts: readonly Part[]): string {
  const text = folded(parts);
  return /^".*"$/.test(text) ? `"${quotedText([text], new EscapeMemory())}"` : text;
}

function folded(parts: readonly Part[]): string {
  return partsText(parts)
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .trim();
}

function insertionEdits(
  text: string,
  entries: readonly Entry[],
  insertions: readonly Insertion[],
): Edit[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const lineEnd = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  const inNewSections = new Set<string>();
  return insertions.map(({ segment, after, parts }) => {
    const [section, key] = sectionAndKey(segment.id);
    const sibling = after === null ? undefined : byId.get(after);
    const before = sibling?.section === section ? sibling : undefined;
    const first = entries.find((one) => one.section === section);
    const line = `${headFor(key, before ?? first ?? entries[0])}${bareText(parts)}`;
    if (before !== undefined) return lineAfter(text, before.block.end, { line, lineEnd });
    if (first !== undefined) return lineAfter(text, first.block.start, { line, lineEnd });
    const header = inNewSections.has(section) || section === '' ? '' : `[${section}]${lineEnd}`;
    inNewSections.add(section);
    return lineAfter(text, text.length, { line: header + line, lineEnd });
  });
}

function sectionAndKey(id: string): readonly [string, string] {
  const path = splitKey(id);
  return [path.length > 1 ? String(path[0]) : '', String(path.at(-1))];
}

function headFor(key: string, model: Entry | undefined): string {
  const around = /^(\s*).*?(\s*=[ \t]*)$/s.exec(model?.head ?? '');
  return `${around?.[1] ?? ''}${key}${around?.[2] ?? ' = '}`;
}

function lineAfter(
  text: string,
  at: number,
  { line, lineEnd }: { readonly line: string; readonly lineEnd: string },
): Edit {
  const needsBreak = at > 0 && !/[\r\n]/.test(text.charAt(at - 1));
  return { start: at, end: at, text: needsBreak ? lineEnd + line : line + lineEnd };
}
