/** Scans an INI text: values with their spans, the comments above them, and the starts of sections. */
import { joinKey } from '../text/key-path.ts';
import { uniqueIds } from '../text/segment.ts';

/** A `key = value` line; the span excludes quotes and outer blanks. */
export interface IniEntry {
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

export interface IniSection {
  readonly name: string;
  readonly key: { readonly start: number; readonly end: number };
  /** From the comment lines above its header to the end of the header's line. */
  readonly block: { readonly start: number; readonly end: number };
}

export interface IniFile {
  readonly text: string;
  readonly entries: readonly IniEntry[];
  readonly sections: readonly IniSection[];
  /** 1-based lines without a key or header. */
  readonly others: readonly number[];
}

export function openIni(text: string): IniFile {
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
    const header = /^(\s*\[)([^\]]*)\]/.exec(line);
    const value = header === null ? readIniValue(line, index) : undefined;
    if (header !== null) {
      section = header[2] ?? '';
      const at = index + (header[1]?.length ?? 0);
      const key = { start: at, end: at + section.length };
      sections.push({ name: section, key, block });
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
/** The name and the value may end with blanks: an expression without them would try each blank of a long row as their end. */
const ENTRY = /^(\s*([^=;#[\s][^=]*)=[ \t]*)(.*)$/s;
/** A quoted value; a comment may follow it. */
const QUOTED_VALUE = /^"((?:[^"\\]|\\.)*)"(?=[ \t]*(?:[;#]|$))/s;

export function readIniValue(line: string, at: number) {
  const entry = ENTRY.exec(line);
  if (entry === null) return undefined;
  const [, head = '', written = '', rest = ''] = entry;
  const [name, raw] = [written.trimEnd(), withoutOuterBlanks(rest)];
  const quoted = QUOTED_VALUE.exec(raw)?.[1] ?? /^"(.*)"$/s.exec(raw)?.[1];
  const start = at + head.length + (quoted === undefined ? 0 : 1);
  const { length } = quoted ?? raw;
  const keyStart = at + head.length - head.trimStart().length;
  const key = { start: keyStart, end: keyStart + name.length };
  return { name, key, head, start, end: start + length, isQuoted: quoted !== undefined };
}

/** Without blanks and tabs at both ends. */
export function withoutOuterBlanks(text: string): string {
  const isBlank = (at: number) => text[at] === ' ' || text[at] === '\t';
  let [start, end] = [0, text.length];
  while (start < end && isBlank(start)) start += 1;
  while (end > start && isBlank(end - 1)) end -= 1;
  return text.slice(start, end);
}
