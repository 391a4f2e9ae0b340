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
  type SourceOfText,
  type Span,
} from '../format.ts';
import {
  type IniEntry,
  type IniFile,
  openIni,
  readIniValue,
  withoutOuterBlanks,
} from './grammar/ini-lines.ts';
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
import { encodeParts, makeSegment } from './text/segment.ts';

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
  return character === '\\' && /^(?:["\\n\n]|$)/.test(text.slice(index + 1, index + 2))
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
    rename: (renames, along) => renameEdits(file, renames, along),
  };
  return withoutShadowed(doc, { counting, file: options.file });
}

function iniSegment(
  text: string,
  { id, start, end, isQuoted, comment, block }: IniEntry,
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
    encode: (parts, of) => {
      const inSource = quotedIn(of);
      const tail = text.slice(end + 1, block.end).trimEnd();
      if (isQuoted) return quotedText(parts, { raw: [raw, inSource ?? ''], memory, tail });
      return needsQuotes(parts, inSource) ? inQuotes(parts, memory, inSource) : bareText(parts);
    },
  };
}

/** A bare `\n` is a raw part, since some programs read it as a line break, and the service could change it in a text. */
function bareParts(raw: string): readonly Part[] {
  if (!raw.includes('\\n')) return [raw];
  return normalizeParts(raw.split(/(\\n)/).map((part) => (part === '\\n' ? { raw: part } : part)));
}

interface QuotedPlace {
  /** The replaced text and that of the source, as they are spelled: their plain quotes stay plain (`"_QQ_"` of Joomla). */
  readonly raw: readonly string[];
  readonly memory: EscapeMemory;
  /** What is behind the closing quote. */
  readonly tail?: string;
}

function quotedText(parts: readonly Part[], { raw, memory, tail = '' }: QuotedPlace): string {
  const [replaced = ''] = raw;
  const habits = habitsOf(replaced, NOTATION, memory);
  const write = (required: Required) =>
    encodeParts(normalizeParts(parts.map(readablePart)), (text) =>
      writeEscaped(text.replace(/\r\n?/g, '\n'), required, habits),
    );
  if (raw.some((each) => /(?<!\\)"/.test(each))) {
    const plain = write((...place) => (place[0] === '"' ? undefined : neededInQuotes(...place)));
    if (isReadWhole(`"${plain}"${tail}`, { start: 1, end: 1 + plain.length })) return plain;
  }
  return write(neededInQuotes);
}

/** In quotes a raw `\n` is written as the line break that it is. */
function readablePart(part: Part): Part {
  return typeof part === 'string' || part.raw === '\\n' ? part : part.raw;
}

// An unquoted value is one line. A text that would be read as another one gets quotes.
function bareText(parts: readonly Part[]): string {
  const text = withoutOuterBlanks(partsText(parts));
  const isBare = !/[\r\n]/.test(text) && isReadWhole(text, { start: 0, end: text.length });
  return isBare ? text : inQuotes(parts, new EscapeMemory());
}

/** Whether this value of a line is read as the text in this span. */
function isReadWhole(value: string, { start, end }: Span): boolean {
  const read = readIniValue(`k=${value}`, 0);
  return read?.start === start + 2 && read.end === end + 2;
}

function inQuotes(parts: readonly Part[], memory: EscapeMemory, inSource = ''): string {
  return `"${quotedText(parts, { raw: [inSource], memory })}"`;
}

// A comment at the start of the file may be its license and stays.
function removalEdit(text: string, { block, key }: IniEntry): Edit {
  const own = Math.max(text.lastIndexOf('\n', key.start), text.lastIndexOf('\r', key.start)) + 1;
  return { start: block.start === 0 ? own : block.start, end: block.end, text: '' };
}

function renameEdits({ entries, sections }: IniFile, ...renames: Renames): Edit[] {
  const ids = entries.map(({ id }) => id);
  const keys = renamedKeys(ids, ...renames);
  const headers = sections.map(({ name, key }) => ({ id: joinKey([name]), key }));
  return [...entries, ...headers].flatMap(({ id, key }) => {
    const text = keys.get(id);
    return text === undefined ? [] : [{ ...key, text }];
  });
}

type Renames = Parameters<NonNullable<Doc['rename']>>;

function insertionEdits(
  file: IniFile,
  insertions: readonly Insertion[],
  memory: EscapeMemory,
): Edit[] {
  const { text, entries } = file;
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const lineEnd = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  const newSections = new Set<string>();
  return insertions.map((insertion) => {
    const { segment, after, parts } = insertion;
    const [section, key] = sectionAndKey(segment.id);
    const sibling = after === null ? undefined : byId.get(after);
    const before = sibling?.section === section ? sibling : undefined;
    const own = entries.filter((one) => one.section === section);
    const model = [before, ...own, ...entries].find((one) => one && isText(file, one));
    const inSource = quotedIn(insertion);
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
function quotedIn(of: SourceOfText | undefined): string | undefined {
  if (of === undefined) return undefined;
  const { start, end } = of.segment;
  return of.sourceText.charAt(start - 1) === '"' ? of.sourceText.slice(start, end) : undefined;
}

/**
 * Whether a text has to have quotes or must have none; undefined: neither. Where the source has quotes, a text without them may be read
 * differently. A sign in it may begin a remark or an escape, or be an operator of PHP. A `\n` without quotes stays without.
 */
function needsQuotes(parts: readonly Part[], inSource: string | undefined): boolean | undefined {
  if (inSource === undefined) {
    return parts.some((part) => typeof part !== 'string' && part.raw === '\\n') ? false : undefined;
  }
  return /[\r\n;#"\\=?{}|&~!()^$]|^\s|\s$/.test(partsText(parts)) ? true : undefined;
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
