/** INI string files, for routes that say `lane: text`: values of `key = value` lines, quoted or not. */
import {
  type Doc,
  type Edit,
  type Format,
  type FormatOptions,
  type Insertion,
  type Part,
  partsText,
  type Segment,
} from '../format.ts';
import { renamedKeys } from './grammar/renamed-keys.ts';
import { countingOf, numberedBy, withoutShadowed } from './text/duplicates.ts';
import {
  EscapeMemory,
  habitsOf,
  type Notation,
  type Required,
  readEscaped,
  writeEscaped,
} from './text/escapes.ts';
import { joinKey, splitKey } from './text/key-path.ts';
import { normalizeParts } from './text/parts.ts';
import { positionsOf } from './text/position.ts';
import { makeSegment, uniqueIds } from './text/segment.ts';

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

// A backslash is an ordinary character unless it escapes the next one: `C:\temp` is a path, `\n` a line break.
const neededInQuotes: Required = (character, index, text) => {
  if (character === '"') return '\\"';
  if (character === '\n') return '\\n';
  return character === '\\' && /^(?:["\\n]|$)/.test(text.slice(index + 1, index + 2))
    ? '\\\\'
    : undefined;
};

function parse(text: string, options: FormatOptions): Doc {
  const counting = countingOf('ini', options);
  const opened = openIni(text);
  const numbered = numberedBy(new Map(opened.entries.map((entry) => [entry.id, entry])), counting);
  const file = { ...opened, entries: [...numbered].map(([id, entry]) => ({ ...entry, id })) };
  const memory = new EscapeMemory();
  const positionAt = positionsOf(text);
  const segments = file.entries.map((entry) =>
    makeSegment(text, iniSegment(text, entry, { line: positionAt(entry.start).line, memory })),
  );
  const doc: Doc = {
    segments,
    warnings: file.others.map((offset) => ({
      line: positionAt(offset).line,
      ...(/^[ \t]*\[/.test(text.slice(offset))
        ? { message: 'a section whose name has no end; left as it is', isDamage: true as const }
        : { message: 'a line without a key stays as it is; a text has only one line' }),
    })),
    insert: (insertions) => insertionEdits(file, insertions, memory),
    remove: (ids) =>
      file.entries.filter(({ id }) => ids.has(id)).map((entry) => removalEdit(text, entry)),
    rename: (renames) => renameEdits(file, renames),
  };
  return withoutShadowed(doc, { counting, file: options.file });
}

function iniSegment(
  text: string,
  { id, start, end, isQuoted, comment }: IniEntry,
  { line, memory }: { readonly line: number; readonly memory: EscapeMemory },
): Segment {
  const raw = text.slice(start, end);
  return {
    id,
    start,
    end,
    line,
    parts: isQuoted ? [readEscaped(raw, NOTATION, memory)] : bareParts(raw),
    syntax: 'generic',
    ...(comment === undefined ? {} : { context: comment }),
    encode: (parts) => (isQuoted ? quotedText(parts, { raw, memory }) : bareText(parts)),
  };
}

/** A bare `\n` is a raw part, since some programs read it as a line break, and the service could change it in a text. */
function bareParts(raw: string): readonly Part[] {
  if (!raw.includes('\\n')) return [raw];
  return normalizeParts(raw.split(/(\\n)/).map((part) => (part === '\\n' ? { raw: part } : part)));
}

/** @param raw the replaced text; its plain quotes stay plain (`"_QQ_"` of Joomla) */
function quotedText(
  parts: readonly Part[],
  { raw, memory }: { readonly raw: string; readonly memory: EscapeMemory },
): string {
  const hasPlainQuotes = /(?<!\\)"/.test(raw);
  return writeEscaped(
    partsText(parts).replace(/\r\n?/g, '\n'),
    (...place) => (hasPlainQuotes && place[0] === '"' ? undefined : neededInQuotes(...place)),
    habitsOf(raw, NOTATION, memory),
  );
}

// An unquoted value is one line. A text that is quoted as a whole would lose its quotes.
function bareText(parts: readonly Part[]): string {
  const text = partsText(parts).trim();
  return /^".*"$|[\r\n]/.test(text) ? inQuotes([text], new EscapeMemory()) : text;
}

function inQuotes(parts: readonly Part[], memory: EscapeMemory, raw = ''): string {
  return `"${quotedText(parts, { raw, memory })}"`;
}

// A comment at the start of the file may be its license and stays.
function removalEdit(text: string, { block, key }: IniEntry): Edit {
  const own = Math.max(text.lastIndexOf('\n', key.start), text.lastIndexOf('\r', key.start)) + 1;
  return { start: block.start === 0 ? own : block.start, end: block.end, text: '' };
}

// Only keys are renamed: a section has its own name in every file.
function renameEdits({ entries }: IniFile, renames: ReadonlyMap<string, string>): Edit[] {
  const ids = entries.map(({ id }) => id);
  const keys = renamedKeys(ids, renames);
  return entries.flatMap(({ id, key }) => {
    const text = keys.get(id);
    return text === undefined ? [] : [{ ...key, text }];
  });
}

function insertionEdits(
  file: IniFile,
  insertions: readonly Insertion[],
  memory: EscapeMemory,
): Edit[] {
  const { text, entries } = file;
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const lineEnd = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  const newSections = new Set<string>();
  return insertions.map(({ segment, after, parts, sourceText }) => {
    const [section, key] = sectionAndKey(segment.id);
    const sibling = after === null ? undefined : byId.get(after);
    const before = sibling?.section === section ? sibling : undefined;
    const own = entries.filter((one) => one.section === section);
    const model = [before, ...own, ...entries].find((one) => one && isText(file, one));
    const inSource = quotedIn(sourceText, segment);
    const isQuoted = needsQuotes(parts, inSource) ?? model?.isQuoted ?? inSource !== undefined;
    const value = isQuoted ? inQuotes(parts, memory, inSource) : bareText(parts);
    const line = `${headFor(key, before ?? own[0] ?? entries[0])}${value}`;
    const at = before?.block.end ?? own[0]?.block.start ?? sectionStart(file, section);
    if (at !== undefined) return lineAfter(text, at, { line, lineEnd });
    const header = newSections.has(section) ? '' : `[${section}]${lineEnd}`;
    newSections.add(section);
    return lineAfter(text, text.length, { line: header + line, lineEnd });
  });
}

/** The text as the source has it between its quotes; undefined: the source has no quotes there. */
function quotedIn(text: string, { start, end }: Segment): string | undefined {
  return text.charAt(start - 1) === '"' ? text.slice(start, end) : undefined;
}

/** Where the neighbours do not decide: a text keeps the quotes without which it would be another, and a `\n` without quotes has none. */
function needsQuotes(parts: readonly Part[], inSource: string | undefined): boolean | undefined {
  if (inSource === undefined) {
    return parts.some((part) => typeof part !== 'string' && part.raw === '\\n') ? false : undefined;
  }
  return /[\r\n;#]|""|^\s|\s$/.test(partsText(parts)) ? true : undefined;
}

// Numbers are often unquoted beside quoted texts.
function isText({ text }: IniFile, { start, end }: IniEntry): boolean {
  return /\p{L}/u.test(text.slice(start, end));
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

// Scans an INI text: values with their spans, the comments above them, and the starts of sections.

/** A `key = value` line; the span excludes quotes and outer blanks. */
interface IniEntry {
  readonly id: string;
  /** Empty for lines before the first header. */
  readonly section: string;
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  readonly key: { readonly start: number; readonly end: number };
  /** `key =` with its blanks, as a model for new lines. */
  readonly head: string;
  readonly comment: string | undefined;
  /** From the comment lines above it to the end of its line. */
  readonly block: { readonly start: number; readonly end: number };
}

interface IniSection {
  readonly name: string;
  /** From the comment lines above its header to the end of the header's line. */
  readonly block: { readonly start: number; readonly end: number };
}

interface IniFile {
  readonly text: string;
  readonly entries: readonly IniEntry[];
  readonly sections: readonly IniSection[];
  /** 1-based lines without a key or header. */
  readonly others: readonly number[];
}

function openIni(text: string): IniFile {
  const entries: IniEntry[] = [];
  const sections: IniSection[] = [];
  const others: number[] = [];
  const ids = uniqueIds();
  let section = '';
  let comments: string[] = [];
  let start = 0;
  for (const { 0: whole, 1: line = '', index } of text.matchAll(LINE)) {
    if (whole === '') break;
    const comment = /^\s*[;#]\s?(.*)$/.exec(line);
    if (comment !== null) {
      comments.push(comment[1] ?? '');
      continue;
    }
    if (comments.length === 0) start = index;
    const block = { start, end: index + whole.length };
    const header = /^\s*\[([^\]]*)\]/.exec(line);
    const value = header === null ? readValue(line, index) : undefined;
    if (header !== null) {
      section = header[1] ?? '';
      sections.push({ name: section, block });
    } else if (value !== undefined) {
      const { name, ...place } = value;
      const id = ids(joinKey(section === '' ? [name] : [section, name]));
      const comment = comments.length === 0 ? undefined : comments.join('\n');
      entries.push({ id, section, comment, block, ...place });
    } else if (/\p{L}/u.test(line)) {
      others.push(index);
    }
    comments = [];
    start = block.end;
  }
  return { text, entries, sections, others };
}

const LINE = /([^\r\n]*)(?:\r\n|\n|\r|$)/g;
const ENTRY = /^(\s*([^=;#[\s][^=]*?)\s*=[ \t]*)(.*?)[ \t]*$/;
/** A quoted value; a comment may follow it. */
const QUOTED_VALUE = /^"((?:[^"\\]|\\.)*)"(?=[ \t]*(?:[;#]|$))/;

function readValue(line: string, at: number) {
  const entry = ENTRY.exec(line);
  if (entry === null) return undefined;
  const [, head = '', name = '', raw = ''] = entry;
  const quoted = QUOTED_VALUE.exec(raw)?.[1] ?? /^"(.*)"$/.exec(raw)?.[1];
  const start = at + head.length + (quoted === undefined ? 0 : 1);
  const { length } = quoted ?? raw;
  const keyStart = at + head.length - head.trimStart().length;
  const key = { start: keyStart, end: keyStart + name.length };
  return { name, key, head, start, end: start + length, isQuoted: quoted !== undefined };
}
