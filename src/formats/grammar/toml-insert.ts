/** Edits that insert entries into a TOML text, on lines or between commas, and elements into its lists. */
import { JobFailure } from '../../failure.ts';
import type { Edit } from '../../format.ts';
import { joinKey, type KeyPath } from '../text/key-path.ts';
import { insertion } from '../text/splice.ts';
import { type NewGroup, newElement } from './insertions.ts';
import { appendedElements, bareKey, inlineValue, type TomlText, tableLines } from './toml-lists.ts';
import type { TomlLeaf } from './toml-tree.ts';

/** A new value, already encoded. */
export interface TomlAddition {
  readonly path: KeyPath;
  readonly after: TomlLeaf | undefined;
  readonly written: string;
}

interface TomlTarget extends TomlText {
  /** For messages. */
  readonly file: string;
}

/** Throws JobFailure `unsupported` for a list where the file has something else. */
export function insertionEdits(target: TomlTarget, additions: readonly TomlAddition[]): Edit[] {
  const into: InsertionTarget = {
    ...target,
    starts: tableStarts(target),
    firsts: firstChildren(target.leaves),
    filled: new Set(),
    made: new Map(),
  };
  const { entries, lists } = byList(target, additions);
  const edits = [
    ...entries.flatMap((entry) => entryEdits(into, entry)),
    ...lists.flatMap((list) => listEdits(into, list)),
  ];
  // New tables go behind the new entries of the last table: if they came first, these entries would belong to them.
  const tables = [...into.made.values()].join('');
  return tables === '' ? edits : [...edits, line(into, target.text.length, tables)];
}

interface InsertionTarget extends TomlTarget {
  /** Offset of each table's first entry, by the table's id. */
  readonly starts: ReadonlyMap<string, number>;
  /** The first entry of each group, by the id of the group. */
  readonly firsts: ReadonlyMap<string, TomlLeaf>;
  /** The empty inline tables that have got an entry. */
  readonly filled: Set<string>;
  /** The text of each new table, by its id. */
  readonly made: Map<string, string>;
}

/** New elements of one list, whose texts have paths that begin at the list. */
interface NewElements {
  readonly path: KeyPath;
  readonly after: TomlLeaf | undefined;
  readonly texts: { readonly path: KeyPath; readonly value: string }[];
}

/** The additions that are, or are in, an element that the file does not have are sorted by its list. */
function byList(target: TomlTarget, additions: readonly TomlAddition[]) {
  const known = knownElements(target);
  const lists = new Map<string, NewElements>();
  const entries: TomlAddition[] = [];
  for (const addition of additions) {
    const { path, after, written } = addition;
    const depth = path.findIndex(
      (step, at) => typeof step === 'number' && !known.has(joinKey(path.slice(0, at + 1))),
    );
    if (depth < 0) {
      entries.push(addition);
      continue;
    }
    const id = joinKey(path.slice(0, depth));
    const list = lists.get(id) ?? { path: path.slice(0, depth), after, texts: [] };
    list.texts.push({ path: path.slice(depth), value: written });
    lists.set(id, list);
  }
  return { entries, lists: [...lists.values()] };
}

function knownElements({ arrays, tables }: TomlTarget): ReadonlySet<string> {
  const known = new Set(tables.map(({ path }) => joinKey(path)));
  for (const [id, { elements }] of arrays) {
    for (const index of elements.keys()) known.add(`${id}[${index}]`);
  }
  return known;
}

function listEdits(into: InsertionTarget, { path, after, texts }: NewElements): readonly Edit[] {
  const list = newElement(texts);
  if (list?.kind !== 'list') return [];
  const added = list.children.map(({ value }) => value);
  const appended = appendedElements(into, path, added);
  if (appended !== undefined) return appended;
  const id = joinKey(path);
  const isApart = into.tables.some((table) => joinKey(table.path) === `${id}[0]`);
  const isElse = !isApart && into.keys.some((key) => joinKey(key.path) === id);
  if (isElse) throw misfit(into.file, path);
  const tables = added.filter((each): each is NewGroup<string> => each.kind === 'object');
  const isOnLines = path.length === 1 || into.starts.has(joinKey(path.slice(0, -1)));
  if (tables.length < added.length || !isOnLines || path.some((step) => typeof step === 'number')) {
    return entryEdits(into, { path, after, written: inlineValue(list) });
  }
  const { lineEnd } = into;
  const head = `${lineEnd}[[${path.map(bareKey).join('.')}]]${lineEnd}`;
  into.made.set(id, tables.map((table) => head + tableLines(table, lineEnd)).join(''));
  return [];
}

/** Goes into the innermost group that the file has. */
function entryEdits(into: InsertionTarget, addition: TomlAddition): Edit[] {
  const { path, after } = addition;
  if (typeof path.at(-1) === 'number') throw misfit(into.file, path.slice(0, -1));
  const parent = joinKey(path.slice(0, -1));
  if (after !== undefined && joinKey(after.path.slice(0, -1)) === parent) {
    return [behind(into, addition, after)];
  }
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const id = joinKey(path.slice(0, depth));
    const first = into.firsts.get(id);
    if (first !== undefined && first.inside !== 'line') return [ahead(addition, depth, first)];
    const gap = into.gaps.get(id);
    if (gap !== undefined) return [inGap(into, addition, { depth, gap })];
    const start = into.starts.get(id);
    const isOwn = depth === path.length - 1;
    if (start !== undefined && (isOwn || typeof path[depth - 1] === 'number')) {
      return [line(into, start, `${dotted(path, depth)} = ${addition.written}${into.lineEnd}`)];
    }
    // The group has dotted keys and no header.
    if (first !== undefined && isOwn) return [behind(into, addition, first)];
  }
  return inNewTable(into, addition, parent);
}

function firstChildren(leaves: readonly TomlLeaf[]): ReadonlyMap<string, TomlLeaf> {
  const firsts = new Map<string, TomlLeaf>();
  for (const leaf of leaves) {
    const parent = joinKey(leaf.path.slice(0, -1));
    if (!firsts.has(parent)) firsts.set(parent, leaf);
  }
  return firsts;
}

function behind(into: InsertionTarget, { path, written }: TomlAddition, after: TomlLeaf): Edit {
  const { text, lineEnd } = into;
  const { owner, inside } = after;
  if (inside === 'line') {
    const entry = `${indentOf(text, after)}${ownKey(text, after, path)} = ${written}${lineEnd}`;
    return line(into, owner.end, entry);
  }
  return insertion(owner.end, `, ${dotted(path)} = ${written}`);
}

function ahead({ path, written }: TomlAddition, depth: number, { owner }: TomlLeaf): Edit {
  return insertion(owner.start, `${dotted(path, depth)} = ${written}, `);
}

function inGap(
  { filled }: InsertionTarget,
  { path, written }: TomlAddition,
  { depth, gap }: { readonly depth: number; readonly gap: number },
): Edit {
  const id = joinKey(path.slice(0, depth));
  const entry = `${dotted(path, depth)} = ${written}`;
  const text = filled.has(id) ? `, ${entry}` : entry;
  filled.add(id);
  return insertion(gap, text);
}

function inNewTable(into: InsertionTarget, { path, written }: TomlAddition, parent: string): [] {
  const { lineEnd } = into;
  const keys = dotted(path.slice(0, -1), 0);
  const made = into.made.get(parent) ?? `${lineEnd}[${keys}]${lineEnd}`;
  into.made.set(parent, `${made}${dotted(path)} = ${written}${lineEnd}`);
  return [];
}

// `a.b = "x"` under a header keeps its dotted key.
function ownKey(text: string, { owner, path: siblingPath }: TomlLeaf, path: KeyPath): string {
  const raw = text.slice(owner.start, text.indexOf('=', owner.start)).trimEnd();
  const last = bareKey(siblingPath.at(-1) ?? '');
  return raw.endsWith(last) ? raw.slice(0, raw.length - last.length) + dotted(path) : dotted(path);
}

function indentOf(text: string, { owner }: TomlLeaf): string {
  const start = text.lastIndexOf('\n', owner.start - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, owner.start))?.[0] ?? '';
}

/** Offset of each table's first entry, by the table's id; the empty id is the part before the first header. */
function tableStarts({ text, tables, leaves }: TomlTarget): ReadonlyMap<string, number> {
  const starts = new Map(tables.map(({ path, head }) => [joinKey(path), head]));
  // A file without such entries may begin with its license.
  const head = /^(?:[ \t]*#[^\n]*\n)*/.exec(text)?.[0].length ?? 0;
  const first = leaves[0]?.path.length === 1 ? leaves[0].owner.start : head;
  return starts.set('', Math.max(0, text.lastIndexOf('\n', first - 1)));
}

function line({ text, lineEnd }: TomlText, after: number, entry: string): Edit {
  if (after === 0) return insertion(0, entry);
  const end = text.indexOf('\n', after);
  if (end >= 0) return insertion(end + 1, entry);
  const isWhole = text === '' || text.endsWith('\n');
  // A file without a final line break stays so.
  const added = isWhole ? entry : lineEnd + entry.slice(0, entry.length - lineEnd.length);
  return insertion(text.length, added);
}

/** The keys of a path from a depth on; absent: the last one. */
function dotted(path: KeyPath, depth = path.length - 1): string {
  return path.slice(depth).map(bareKey).join('.');
}

function misfit(file: string, path: KeyPath): JobFailure {
  return new JobFailure({
    kind: 'unsupported',
    what: `${file}: "${joinKey(path)}" is no list there, and a list in the source`,
    advice: 'Remove the entry from the target; then it is written again.',
  });
}
