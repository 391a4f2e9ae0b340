/** The edits that add entries to a TOML text, line by line or between commas, and take them out. */
import { JobFailure } from '../failure.ts';
import type { Edit } from '../format.ts';
import { joinKey, type KeyPath } from '../text/key-path.ts';
import { newString } from './toml-strings.ts';
import type { TomlFile, TomlLeaf } from './toml-tree.ts';

/** A new value, already written. */
export interface TomlAddition {
  readonly path: KeyPath;
  readonly after: TomlLeaf | undefined;
  readonly written: string;
}

interface Target extends TomlFile {
  readonly text: string;
  readonly file: string;
}

/** Throws JobFailure `unsupported` for an entry inside a list or braces that the file does not have. */
export function insertionEdits(target: Target, additions: readonly TomlAddition[]): Edit[] {
  const lineEnd = /\r?\n/.exec(target.text)?.[0] ?? '\n';
  const starts = tableStarts(target);
  const made = new Set<string>();
  return additions.map(({ path, after, written }) => {
    const parent = path.slice(0, -1);
    const isSibling = after !== undefined && joinKey(after.path.slice(0, -1)) === joinKey(parent);
    if (isSibling && after.inside !== 'line') return between(path, after, written);
    if (typeof path.at(-1) === 'number') throw misfit(target.file, path);
    if (isSibling) {
      const key = ownKey(target.text, after, path);
      return line(
        target.text,
        after.owner.end,
        `${indentOf(target.text, after)}${key} = ${written}${lineEnd}`,
      );
    }
    const at = starts.get(joinKey(parent));
    if (at !== undefined) return line(target.text, at, `${keyText(path)} = ${written}${lineEnd}`);
    const header = made.has(joinKey(parent))
      ? ''
      : `${lineEnd}[${parent.map(bare).join('.')}]${lineEnd}`;
    made.add(joinKey(parent));
    return line(
      target.text,
      target.text.length,
      `${header}${keyText(path)} = ${written}${lineEnd}`,
    );
  });
}

function between(path: KeyPath, { owner, inside }: TomlLeaf, written: string): Edit {
  const entry = inside === 'table' ? `${keyText(path)} = ${written}` : written;
  return { start: owner.end, end: owner.end, text: `, ${entry}` };
}

// `a.b = "x"` under one header keeps its dotted way of writing.
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

/** Where the entries of a table begin, by its id; the empty id is what stands before the first header. */
function tableStarts({ text, tables, leaves }: Target): ReadonlyMap<string, number> {
  const starts = new Map(tables.map(({ path, head }) => [joinKey(path), head]));
  const first = leaves[0]?.path.length === 1 ? leaves[0].owner.start : 0;
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

/** Lines go with the comments above them, entries of braces and lists with their comma. */
export function removalEdits(text: string, leaves: readonly TomlLeaf[]): Edit[] {
  return leaves.map(({ owner, inside }) => {
    if (inside === 'line') return { ...lines(text, owner), text: '' };
    const before = /,\s*$/.exec(text.slice(0, owner.start));
    if (before !== null) return { start: before.index, end: owner.end, text: '' };
    const behind = /^\s*,\s*/.exec(text.slice(owner.end))?.[0].length ?? 0;
    return { start: owner.start, end: owner.end + behind, text: '' };
  });
}

function lines(text: string, { start, end }: { readonly start: number; readonly end: number }) {
  let from = text.lastIndexOf('\n', start - 1) + 1;
  while (from > 0) {
    const above = text.lastIndexOf('\n', from - 2) + 1;
    if (!/^[ \t]*#/.test(text.slice(above, from))) break;
    from = above;
  }
  const lineEnd = text.indexOf('\n', end);
  return { start: from, end: lineEnd < 0 ? text.length : lineEnd + 1 };
}
