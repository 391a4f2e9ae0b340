/** Edits that insert entries into a TOML text, on lines or between commas, and remove them. */
import { JobFailure } from '../../failure.ts';
import type { Edit } from '../../format.ts';
import { joinKey, type KeyPath } from '../text/key-path.ts';
import { blankStart } from '../text/position.ts';
import { newString } from './toml-strings.ts';
import type { InlineTable, TomlFile, TomlLeaf, TomlTable } from './toml-tree.ts';

/** A new value, already encoded. */
export interface TomlAddition {
  readonly path: KeyPath;
  readonly after: TomlLeaf | undefined;
  readonly written: string;
}

interface TomlTarget extends TomlFile {
  readonly text: string;
  readonly file: string;
}

/** Throws JobFailure `unsupported` for an entry of a list that the file does not have. */
export function insertionEdits(target: TomlTarget, additions: readonly TomlAddition[]): Edit[] {
  const into: InsertionTarget = {
    ...target,
    lineEnd: /\r?\n/.exec(target.text)?.[0] ?? '\n',
    starts: tableStarts(target),
    firsts: firstChildren(target.leaves),
    made: new Map(),
  };
  const filled = new Set<string>();
  const edits = additions.flatMap((addition) => {
    const parent = joinKey(addition.path.slice(0, -1));
    const { after } = addition;
    const isSibling = after !== undefined && joinKey(after.path.slice(0, -1)) === parent;
    if (isSibling) return behind(into, addition, after);
    const first = into.firsts.get(parent);
    if (first !== undefined && first.inside !== 'line') return ahead(addition, first);
    const gap = target.gaps.get(parent);
    if (gap !== undefined) {
      const entry = between(addition.path, 'table', addition.written);
      const text = filled.has(parent) ? `, ${entry}` : entry;
      filled.add(parent);
      return { start: gap, end: gap, text };
    }
    if (typeof addition.path.at(-1) === 'number') throw misfit(target.file, addition.path);
    return inTable(into, addition, parent);
  });
  // New tables go behind the new entries of the last table: if they came first, these entries would belong to them.
  const tables = [...into.made.values()].join('');
  return tables === '' ? edits : [...edits, line(target.text, target.text.length, tables)];
}

interface InsertionTarget extends TomlTarget {
  readonly lineEnd: string;
  /** Offset of each table's first entry, by the table's id. */
  readonly starts: ReadonlyMap<string, number>;
  /** The first entry of each group, by the id of the group. */
  readonly firsts: ReadonlyMap<string, TomlLeaf>;
  /** The text of each new table, by its id. */
  readonly made: Map<string, string>;
}

function firstChildren(leaves: readonly TomlLeaf[]): ReadonlyMap<string, TomlLeaf> {
  const firsts = new Map<string, TomlLeaf>();
  for (const leaf of leaves) {
    const parent = joinKey(leaf.path.slice(0, -1));
    if (!firsts.has(parent)) firsts.set(parent, leaf);
  }
  return firsts;
}

function behind(
  { text, lineEnd }: InsertionTarget,
  { path, written }: TomlAddition,
  after: TomlLeaf,
): Edit {
  const { owner, inside } = after;
  if (inside === 'line') {
    const entry = `${indentOf(text, after)}${ownKey(text, after, path)} = ${written}${lineEnd}`;
    return line(text, owner.end, entry);
  }
  return { start: owner.end, end: owner.end, text: `, ${between(path, inside, written)}` };
}

function ahead({ path, written }: TomlAddition, { owner, inside }: TomlLeaf): Edit {
  return { start: owner.start, end: owner.start, text: `${between(path, inside, written)}, ` };
}

function between(path: KeyPath, inside: TomlLeaf['inside'], written: string): string {
  return inside === 'table' ? `${keyText(path)} = ${written}` : written;
}

function inTable(into: InsertionTarget, { path, written }: TomlAddition, parent: string): Edit[] {
  const { text, lineEnd } = into;
  const entry = `${keyText(path)} = ${written}${lineEnd}`;
  const at = into.starts.get(parent);
  if (at !== undefined) return [line(text, at, entry)];
  const keys = path.slice(0, -1).map(bare).join('.');
  const made = into.made.get(parent) ?? `${lineEnd}[${keys}]${lineEnd}`;
  into.made.set(parent, made + entry);
  return [];
}

// `a.b = "x"` under a header keeps its dotted key.
function ownKey(text: string, { owner, path: siblingPath }: TomlLeaf, path: KeyPath): string {
  const raw = text.slice(owner.start, text.indexOf('=', owner.start)).trimEnd();
  const last = bare(siblingPath.at(-1) ?? '');
  return raw.endsWith(last)
    ? raw.slice(0, raw.length - last.length) + keyText(path)
    : keyText(path);
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

function line(text: string, after: number, entry: string): Edit {
  if (after === 0) return { start: 0, end: 0, text: entry };
  const lineEnd = text.indexOf('\n', after);
  const at = lineEnd < 0 ? text.length : lineEnd + 1;
  const lead = lineEnd < 0 && text !== '' && !text.endsWith('\n') ? '\n' : '';
  return { start: at, end: at, text: lead + entry };
}

function keyText(path: KeyPath): string {
  return bare(path.at(-1) ?? '');
}

function bare(step: string | number): string {
  return /^[A-Za-z0-9_-]+$/.test(String(step)) ? String(step) : newString(String(step));
}

function misfit(file: string, path: KeyPath): JobFailure {
  return new JobFailure({
    kind: 'unsupported',
    what: `${file}: "${joinKey(path)}" has no list to go to`,
    advice: 'Copy the list from the source, then its texts are translated.',
  });
}

/** Removes lines with the comments above them, entries of inline tables and lists with their comma, and tables with their last entry. */
export function removalEdits(
  text: string,
  { leaves, tables }: Pick<TomlFile, 'leaves' | 'tables'>,
  removed: ReadonlySet<TomlLeaf>,
): Edit[] {
  const headers = emptiedTables({ leaves, tables }, removed).map(({ start, head }) => {
    const span = lines(text, { start, end: head });
    const blank = /(?:^|\n)((?:[ \t]*\r?\n)+)$/.exec(text.slice(0, span.start))?.[1] ?? '';
    return { ...span, start: span.start - blank.length, text: '' };
  });
  return [...entryEdits(text, leaves, removed), ...headers];
}

/** An element of a list of tables stays: its removal would rename the elements behind it. */
function emptiedTables(
  { leaves, tables }: Pick<TomlFile, 'leaves' | 'tables'>,
  removed: ReadonlySet<TomlLeaf>,
): TomlTable[] {
  const around = (path: KeyPath) => path.map((_, depth) => joinKey(path.slice(0, depth + 1)));
  const left = new Set<string>();
  const emptied = new Set<string>();
  for (const leaf of leaves) {
    for (const id of around(leaf.path)) (removed.has(leaf) ? emptied : left).add(id);
  }
  const isEmptied = ({ path }: TomlTable) =>
    emptied.has(joinKey(path)) &&
    !left.has(joinKey(path)) &&
    !path.some((step) => typeof step === 'number');
  for (const table of tables) {
    if (!isEmptied(table)) for (const id of around(table.path)) left.add(id);
  }
  return tables.filter(isEmptied);
}

function entryEdits(
  text: string,
  leaves: readonly TomlLeaf[],
  removed: ReadonlySet<TomlLeaf>,
): Edit[] {
  const current = new Set(
    leaves.filter((leaf) => !removed.has(leaf)).flatMap((leaf) => [...tablesAround(leaf)]),
  );
  const going = [...removed].map((leaf) => {
    const emptied = [...tablesAround(leaf)].filter((table) => !current.has(table));
    // A list element stays even if it is empty: its removal would rename the elements behind it.
    return emptied.findLast(({ inside }) => inside !== 'list') ?? leaf;
  });
  return [...new Set(going)].map(({ owner, inside }) => {
    if (inside === 'line') return { ...lines(text, owner), text: '' };
    const before = blankStart(text, owner.start) - 1;
    if (text.charAt(before) === ',') return { start: before, end: owner.end, text: '' };
    const behind = /^\s*,\s*/.exec(text.slice(owner.end))?.[0].length ?? 0;
    return { start: owner.start, end: owner.end + behind, text: '' };
  });
}

/** From the innermost outwards. */
function* tablesAround({ table }: InlineTable): Generator<InlineTable> {
  if (table === undefined) return;
  yield table;
  yield* tablesAround(table);
}

/** @param keys the new key by the id of the path that ends with the old one */
export function renameEdits(file: TomlFile, keys: ReadonlyMap<string, string>): Edit[] {
  return file.keys.flatMap(({ path, start, end }) => {
    const key = keys.get(joinKey(path));
    return key === undefined ? [] : [{ start, end, text: bare(key) }];
  });
}

function lines(text: string, { start, end }: { readonly start: number; readonly end: number }) {
  const own = text.lastIndexOf('\n', start - 1) + 1;
  let from = own;
  while (from > 0) {
    const above = text.lastIndexOf('\n', from - 2) + 1;
    if (!/^[ \t]*#/.test(text.slice(above, from))) break;
    from = above;
  }
  const lineEnd = text.indexOf('\n', end);
  // A comment at the start of the file may be its license and stays.
  return { start: from === 0 ? own : from, end: lineEnd < 0 ? text.length : lineEnd + 1 };
}
