/** Entries of flat files: each with the comments attached to it, taken out and put in so that both undo each other. */
import { type Edit, type Insertion, keyName } from '../../format.ts';

/** What goes and comes as one. UTF-16 offsets. */
export interface FlatEntry {
  /** Where the blanks before it begin: the end of what stands above; `start` for what nothing stands above. */
  readonly gap: number;
  /** Of its attached comments, or itself. */
  readonly start: number;
  readonly end: number;
  /** Where it begins without its comments, in formats where a file can begin with some. */
  readonly own?: number;
}

/** A comment that a file begins with may be its license: it neither goes with the first entry nor gets behind one. */
function afterHead({ start, own = start }: FlatEntry): number {
  return start === 0 ? own : start;
}

export interface EntryFile {
  readonly text: string;
  /** By id, in file order. */
  readonly entries: ReadonlyMap<string, FlatEntry>;
  /** Where the first entry of a file without entries goes, and what is to stand around it: an insertion, but for `<resources/>`. */
  readonly home: Home;
}

interface Home {
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

export interface NewEntry {
  /** Id of the entry that it stands behind; null: first. */
  readonly after: string | null;
  readonly text: string;
  /** The blanks before it where it comes from; undefined: it was first there. */
  readonly gap: string | undefined;
  /** The blanks before it on its line there, where its lines may get the indentation of another file; absent: they stay. */
  readonly indent?: string;
}

/** The id of a key of a flat file: `#` numbers duplicates, so a `#` of the key itself is escaped. */
export function flatId(key: string): string {
  return key.replace(/[\\#]/g, '\\$&');
}

/** The key of such an id; undefined for a duplicate. */
export function flatKey(id: string): string | undefined {
  const key = keyName(id);
  return flatId(key) === id ? key : undefined;
}

/** @param edit writes another key into an entry; undefined where it cannot */
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

/** What stands between two entries that go, and is none of theirs, stays. */
export function removeEntries({ text, entries }: EntryFile, ids: ReadonlySet<string>): Edit[] {
  const all = [...entries];
  const firstKept = all.findIndex(([id]) => !ids.has(id));
  const leading = firstKept < 0 ? 0 : firstKept;
  return all.flatMap(([id, entry], index) => {
    if (!ids.has(id)) return [];
    const { gap, end } = entry;
    if (index >= leading) return [{ start: gap, end, text: '' }];
    // The first one takes along the blanks behind it: what was second is first now. The last of all takes those before it.
    const behind = text.slice(end, all[index + 1]?.[1].start);
    const blanks = behind.length - behind.trimStart().length;
    return [{ start: afterHead(entry), end: end + blanks, text: '' }];
  });
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
  return leading.length === 0 ? edits : [lead(file, leading), ...edits];
}

function lead(file: EntryFile, additions: readonly NewEntry[]): Edit {
  const [first] = file.entries.values();
  const place = first && afterHead(first);
  const { start, end, before, after } = file.home;
  // A file without entries takes over how its source is indented.
  const own = place === undefined ? additions[0]?.indent : undefined;
  const lineEnd = lineEndOf(file.text);
  const usual = own === undefined ? usualGap(file) : lineEnd + own;
  const text = additions
    .map((addition) => indented(addition, own ?? indentIn(usual)))
    .map((addition, index) => (index === 0 ? '' : (addition.gap ?? usual)) + addition.text)
    .join('');
  if (place !== undefined) return { start: place, end: place, text: text + usual };
  const opening = own === undefined ? before : before.replace(/[ \t]*$/, own);
  return { start, end, text: opening + text + after };
}

/** The indentation that a gap ends with; undefined where no entry begins a line. */
function indentIn(gap: string): string | undefined {
  return /[\r\n]([ \t]*)$/.exec(gap)?.[1];
}

/** Its lines with another indentation, which those of its own that stand further in keep their distance to. */
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

/** The blanks between the first two entries, where nothing but blanks is between them. */
export function usualGap({ text, entries }: EntryFile): string {
  const [first, ...others] = [...entries.values()].slice(0, 20);
  const gaps = others.map(({ gap, start }) => text.slice(gap, start));
  const own = first === undefined ? '' : text.slice(first.gap, first.start);
  const usual = gaps.find((gap) => gap.trim() === '');
  return usual ?? (own.trim() === '' && own !== '' ? own : lineEndOf(text));
}

/** The entries of the source that insertions come from, read once for all of them. */
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

/** The blanks before a source's entry, in the line ends of another file; undefined for a first entry. */
export function gapOf(
  { text, entries }: EntryFile,
  entry: FlatEntry,
  lineEnd: string,
): string | undefined {
  const [first] = entries.values();
  const blanks = text.slice(entry.gap, entry.start);
  return entry === first || blanks.trim() !== '' ? undefined : withLineEnds(blanks, lineEnd);
}

/** Where an entry of a source stood. What has texts of several lines keeps its indentation, which may be part of them. */
export function placeOf(
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

/** Where entries go in a text format without entries: at its end. */
export function endOf(text: string): EntryFile['home'] {
  const lineEnd = lineEndOf(text);
  return {
    start: text.length,
    end: text.length,
    before: text === '' || /[\r\n]$/.test(text) ? '' : lineEnd,
    after: lineEnd,
  };
}
