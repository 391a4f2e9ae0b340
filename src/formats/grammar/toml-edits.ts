/** Edits that remove entries from a TOML text, on lines or between commas, and rename them. */
import type { Edit } from '../../format.ts';
import { joinKey, type KeyPath } from '../text/key-path.ts';
import { blankStart } from '../text/position.ts';
import { bareKey } from './toml-lists.ts';
import type { InlineTable, TomlFile, TomlLeaf, TomlTable } from './toml-tree.ts';

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
    return key === undefined ? [] : [{ start, end, text: bareKey(key) }];
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
