/** INI string files, for routes that say `lane: text`: values of `key = value` lines, quoted or not. */
import type { Doc, Edit, Format, Insertion, Part, Segment } from '../format.ts';
import { partsText } from '../format.ts';
import { type IniEntry, type IniFile, openIni } from './grammar/ini-entries.ts';
import { renamedKeys } from './grammar/renamed-keys.ts';
import {
  EscapeMemory,
  habitsOf,
  type Notation,
  readEscaped,
  writeEscaped,
} from './text/escapes.ts';
import { splitKey } from './text/key-path.ts';
import { positionsOf } from './text/position.ts';
import { makeSegment, markDuplicates } from './text/segment.ts';

export const ini: Format = {
  name: 'ini',
  shape: 'keyed',
  foldsWhitespace: true,
  fallbackEncoding: 'latin1',
  parse,
};

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
  const file = openIni(text);
  const memory = new EscapeMemory();
  const positionAt = positionsOf(text);
  const segments = file.entries.map((entry) =>
    makeSegment(text, segmentOf(text, entry, { line: positionAt(entry.start).line, memory })),
  );
  return {
    segments: markDuplicates(segments),
    warnings: file.others.map((offset) => ({
      line: positionAt(offset).line,
      message: 'a line without a key stays as it is; a text goes over one line',
    })),
    insert: (insertions) => insertionEdits(file, insertions),
    remove: (ids) =>
      file.entries.filter(({ id }) => ids.has(id)).map((entry) => removalEdit(text, entry)),
    rename: (renames) => renameEdits(file, renames),
  };
}

function segmentOf(
  text: string,
  { id, start, end, isQuoted, comment }: IniEntry,
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

// A comment that the file begins with may be its license.
function removalEdit(text: string, { block, key }: IniEntry): Edit {
  const own = Math.max(text.lastIndexOf('\n', key.start), text.lastIndexOf('\r', key.start)) + 1;
  return { start: block.start === 0 ? own : block.start, end: block.end, text: '' };
}

// A section has a name of its own in every file: only keys are written anew.
function renameEdits({ entries }: IniFile, renames: ReadonlyMap<string, string>): Edit[] {
  const ids = entries.map(({ id }) => id);
  const keys = renamedKeys(ids, renames);
  return entries.flatMap(({ id, key }) => {
    const text = keys.get(id);
    return text === undefined ? [] : [{ ...key, text }];
  });
}

function insertionEdits(file: IniFile, insertions: readonly Insertion[]): Edit[] {
  const { text, entries } = file;
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const lineEnd = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  const newSections = new Set<string>();
  return insertions.map(({ segment, after, parts }) => {
    const [section, key] = sectionAndKey(segment.id);
    const sibling = after === null ? undefined : byId.get(after);
    const before = sibling?.section === section ? sibling : undefined;
    const first = entries.find((one) => one.section === section);
    const line = `${headFor(key, before ?? first ?? entries[0])}${bareText(parts)}`;
    const at = before?.block.end ?? first?.block.start ?? sectionStart(file, section);
    if (at !== undefined) return lineAfter(text, at, { line, lineEnd });
    const header = newSections.has(section) ? '' : `[${section}]${lineEnd}`;
    newSections.add(section);
    return lineAfter(text, text.length, { line: header + line, lineEnd });
  });
}

/** Undefined: there is no such section. */
function sectionStart({ text, sections }: IniFile, section: string): number | undefined {
  if (section === '') return sections[0]?.block.start ?? text.length;
  return sections.find(({ name }) => name === section)?.block.end;
}

function sectionAndKey(id: string): readonly [string, string] {
  const path = splitKey(id);
  return [path.length > 1 ? String(path[0]) : '', String(path.at(-1))];
}

function headFor(key: string, model: IniEntry | undefined): string {
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
