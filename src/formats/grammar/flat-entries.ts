/** Entries of flat files (a list of keys and texts), with their comments. Removing an entry and inserting it again restores the file. */
import { type Edit, type Insertion, keyName, type Span } from '../../format.ts';
import { lineStart } from '../text/position.ts';

/** An entry with the comments above it, removed and inserted as a whole. UTF-16 offsets. */
export interface FlatEntry {
  /** Start of the blanks before the entry: the end of the entry or comment above; equal to `start` for the first one. */
  readonly gap: number;
  /** Start of its attached comments; without comments, of the entry itself. */
  readonly start: number;
  readonly end: number;
  /**
   * Start of what belongs to the entry for sure; only in formats where the first comment of a file may be a license. Of several comments
   * with ends of their own, the last one belongs to the entry.
   */
  readonly own?: number;
}

/**
 * A comment at the start of the file may be its license. So it stays when the first entry is removed, new first entries go behind it, and
 * no other file gets it.
 */
export function afterHead({ start, own = start }: FlatEntry): number {
  return start === 0 ? own : start;
}

export interface EntryFile {
  readonly text: string;
  /** By id, in file order. */
  readonly entries: ReadonlyMap<string, FlatEntry>;
  /**
   * The place of the first entry in a file without entries, and the text around it. It replaces `[start, end)`, which is empty except for
   * `<resources/>`.
   */
  readonly home: Home;
}

interface Home {
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

export interface NewEntry {
  /** Id of the entry before it; null: it becomes the first entry. */
  readonly after: string | null;
  readonly text: string;
  /** The blanks before it in its file; undefined: it was the first entry there. */
  readonly gap: string | undefined;
  /** Its indentation in that file, if its lines may get the indentation of the target; absent: they stay. */
  readonly indent?: string;
}

/** The id of a key in a flat file. `#` numbers duplicates, so a `#` of the key is escaped. */
export function flatId(key: string): string {
  return key.replace(/[\\#]/g, '\\$&');
}

/** The key of such an id; undefined for a duplicate (`key#1`). */
export function flatKey(id: string): string | undefined {
  const key = keyName(id);
  return flatId(key) === id ? key : undefined;
}

/** @param edit the edit that renames the key of an entry; undefined when it cannot be renamed */
export function renameEntries<E extends FlatEntry>(
  entries: ReadonlyMap<string, E>,
  renames: ReadonlyMap<string, string>,
  edit: (entry: E, key: string) => Edit | undefined,
): Edit[] {
  return [...renames].flatMap(([from, to]) => {
    const entry = entries.get(from);
    const key = flatKey(from) === undefined ? undefined : flatKey(to);
    const found = entry === undefined || key === undefined ? undefined : edit(entry, key);
    return found ?? [];
  });
}

/** Comments between two removed entries that belong to neither stay. */
export function removeEntries({ text, entries }: EntryFile, ids: ReadonlySet<string>): Edit[] {
  const all = [...entries];
  const firstKept = all.findIndex(([id]) => !ids.has(id));
  const leading = firstKept < 0 ? 0 : firstKept;
  return all.flatMap(([id, entry], index) => {
    if (!ids.has(id)) return [];
    const { gap, end } = entry;
    if (index >= leading) return [{ start: gap, end, text: '' }];
    // When the first entries are removed, the blanks behind each go too, since the next entry becomes the first.
    const behind = text.slice(end, all[index + 1]?.[1].start);
    const blanks = behind.length - behind.trimStart().length;
    const line = linesOf(text, entry);
    if (line === undefined) return [{ start: afterHead(entry), end: end + blanks, text: '' }];
    // A comment below keeps the blank lines before it, and each entry its indentation.
    const isAboveComment = COMMENT.test(text.slice(end + blanks, end + blanks + 4));
    const next = isAboveComment ? line.end : lineStart(text, end + blanks);
    return [{ start: line.start, end: next, text: '' }];
  });
}

const COMMENT = /^(?:<!--|\/[*/]|[#!;])/;

/** The lines of an entry with its comments; undefined when it shares one of them, or is below a license. */
function linesOf(text: string, entry: FlatEntry): Span | undefined {
  let { start } = entry;
  if (start !== afterHead(entry)) return undefined;
  while (/[ \t]/.test(text.charAt(start - 1))) start -= 1;
  const lineEnd = /[ \t]*(?:\r\n|\n|\r)/y;
  lineEnd.lastIndex = entry.end;
  const isAlone = start === 0 || /[\r\n]/.test(text.charAt(start - 1));
  return isAlone && lineEnd.test(text) ? { start, end: lineEnd.lastIndex } : undefined;
}

export function insertEntries(file: EntryFile, additions: readonly NewEntry[]): Edit[] {
  const leads = ({ after }: NewEntry) => after === null || !file.entries.has(after);
  const leading = additions.filter(leads);
  const inner = additions.filter((addition) => !leads(addition));
  const usual = usualGap(file);
  const own = indentIn(usual);
  const edits = inner.map((addition) => {
    const at = file.entries.get(addition.after ?? '')?.end ?? file.home.end;
    const { gap, text } = indented(addition, own);
    return { start: at, end: at, text: (gap ?? usual) + text };
  });
  return leading.length === 0 ? edits : [insertFirst(file, leading), ...edits];
}

function insertFirst(file: EntryFile, additions: readonly NewEntry[]): Edit {
  const [first] = file.entries.values();
  const place = first && afterHead(first);
  const { start, end, before, after } = file.home;
  // A file without entries takes over the indentation of its source.
  const own = place === undefined ? additions[0]?.indent : undefined;
  const lineEnd = lineEndOf(file.text);
  const usual = own === undefined ? usualGap(file) : lineEnd + own;
  const text = additions
    .map((addition) => indented(addition, own ?? indentIn(usual)))
    .map((addition, index) => (index === 0 ? '' : (addition.gap ?? usual)) + addition.text)
    .join('');
  if (place !== undefined) return insertAbove(file.text, place, { text, usual });
  const opening = own === undefined ? before : before.replace(/(?<![ \t])[ \t]*$/, own);
  return { start, end, text: opening + text + after };
}

/** The entry below keeps its own indentation: a person may have given it another one than the others have. */
function insertAbove(
  file: string,
  place: number,
  { text, usual }: { readonly text: string; readonly usual: string },
): Edit {
  const line = lineStart(file, place);
  const indent = indentIn(usual);
  if (indent === undefined || file.slice(line, place).trim() !== '') {
    return { start: place, end: place, text: text + usual };
  }
  return {
    start: line,
    end: line,
    text: indent + text + usual.slice(0, -indent.length || undefined),
  };
}

/** The indentation at the end of a gap; undefined when the entry does not begin a line. */
function indentIn(gap: string): string | undefined {
  return /[\r\n]([ \t]*)$/.exec(gap)?.[1];
}

/** The entry with the indentation of the target. Lines that are indented further keep their relative indentation. */
function indented(entry: NewEntry, own: string | undefined): Pick<NewEntry, 'gap' | 'text'> {
  const { gap, text, indent } = entry;
  if (own === undefined || indent === undefined || indent === own) return entry;
  return {
    gap: gap?.replace(/([\r\n])[ \t]*$/, `$1${own}`),
    text: text.replace(/([\r\n])([ \t]*)(?=[^\s])/g, (line, lineEnd: string, blanks: string) =>
      blanks.startsWith(indent) ? lineEnd + own + blanks.slice(indent.length) : line,
    ),
  };
}

/** The usual blanks between two entries: the first gap without a comment in it. */
export function usualGap({ text, entries }: EntryFile): string {
  const [first, ...others] = [...entries.values()].slice(0, 20);
  const gaps = others.map(({ gap, start }) => text.slice(gap, start));
  const own = first === undefined ? '' : text.slice(first.gap, first.start);
  const usual = gaps.find((gap) => gap.trim() === '');
  return usual ?? (own.trim() === '' && own !== '' ? own : lineEndOf(text));
}

/** Finds the source's entry of an insertion; each source text is parsed once. */
export function sourceEntries<F extends { readonly entries: ReadonlyMap<string, FlatEntry> }>(
  insertions: readonly Insertion[],
  open: (text: string) => F,
): (insertion: Insertion) => { readonly file: F; readonly entry: FlatEntry | undefined } {
  const opened = new Map<string, F>();
  for (const { sourceText } of insertions) {
    if (!opened.has(sourceText)) opened.set(sourceText, open(sourceText));
  }
  return ({ sourceText, segment }) => {
    const file = opened.get(sourceText) ?? open(sourceText);
    return { file, entry: file.entries.get(segment.id) };
  };
}

/** The blanks before an entry of the source, with the line ends of the target; undefined for the first entry. */
export function gapOf(
  { text, entries }: EntryFile,
  entry: FlatEntry,
  lineEnd: string,
): string | undefined {
  const [first] = entries.values();
  const blanks = text.slice(entry.gap, entry.start);
  return entry === first || blanks.trim() !== '' ? undefined : withLineEnds(blanks, lineEnd);
}

/** Gap and indentation of a source's entry. An entry with a text of several lines keeps its indentation, which may belong to the text. */
export function entryLayout(
  file: EntryFile,
  entry: FlatEntry,
  { lineEnd, texts }: { readonly lineEnd: string; readonly texts: readonly string[] },
): Pick<NewEntry, 'gap' | 'indent'> {
  const gap = gapOf(file, entry, lineEnd);
  const indent = indentIn(file.text.slice(entry.gap, entry.start));
  const isMovable = indent !== undefined && !texts.some((text) => /[\r\n]/.test(text));
  return isMovable ? { gap, indent } : { gap };
}

export function lineEndOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

export function withLineEnds(text: string, lineEnd: string): string {
  return text.replace(/\r\n|\n|\r/g, lineEnd);
}

/** The place of the first entry in a text format without entries: the end of the file. */
export function homeAtEnd(text: string): EntryFile['home'] {
  const lineEnd = lineEndOf(text);
  return {
    start: text.length,
    end: text.length,
    before: text === '' || /[\r\n]$/.test(text) ? '' : lineEnd,
    after: lineEnd,
  };
}
