/** Entries of flat files: each with the comments attached to it, taken out and put in so that both undo each other. */
import { type Edit, type Insertion, keyName } from '../../format.ts';

/** What goes and comes as one. UTF-16 offsets. */
export interface Entry {
  /** Where the blanks before it begin: the end of what stands above; `start` for what nothing stands above. */
  readonly gap: number;
  /** Of its attached comments, or itself. */
  readonly start: number;
  readonly end: number;
  /** Where it begins without its comments, in formats where a file can begin with some. */
  readonly own?: number;
}

/** A comment that a file begins with may be its license: it neither goes with the first entry nor gets behind one. */
function afterHead({ start, own = start }: Entry): number {
  return start === 0 ? own : start;
}

export interface EntryFile {
  readonly text: string;
  /** By id, in file order. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** Where the first entry of a file without entries goes, and what is to stand around it. */
  readonly home: { readonly at: number; readonly before: string; readonly after: string };
}

export interface NewEntry {
  /** Id of the entry that it stands behind; null: first. */
  readonly after: string | null;
  readonly text: string;
  /** The blanks before it where it comes from; undefined: it was first there. */
  readonly gap: string | undefined;
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
export function renameEntries<E extends Entry>(
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
  const edits = inner.map(({ after, gap, text }) => {
    const at = file.entries.get(after ?? '')?.end ?? file.home.at;
    return { start: at, end: at, text: (gap ?? usual) + text };
  });
  return leading.length === 0 ? edits : [lead(file, leading), ...edits];
}

function lead(file: EntryFile, additions: readonly NewEntry[]): Edit {
  const usual = usualGap(file);
  const text = additions
    .map((addition, index) => (index === 0 ? '' : (addition.gap ?? usual)) + addition.text)
    .join('');
  const [first] = file.entries.values();
  const place = first && afterHead(first);
  if (place !== undefined) return { start: place, end: place, text: text + usual };
  const { at, before, after } = file.home;
  return { start: at, end: at, text: before + text + after };
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
export function sourceEntries<F extends { readonly entries: ReadonlyMap<string, Entry> }>(
  insertions: readonly Insertion[],
  open: (text: string) => F,
): (insertion: Insertion) => { readonly file: F; readonly entry: Entry | undefined } {
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
  entry: Entry,
  lineEnd: string,
): string | undefined {
  const [first] = entries.values();
  const blanks = text.slice(entry.gap, entry.start);
  return entry === first || blanks.trim() !== '' ? undefined : withLineEnds(blanks, lineEnd);
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
    at: text.length,
    before: text === '' || /[\r\n]$/.test(text) ? '' : lineEnd,
    after: lineEnd,
  };
}
