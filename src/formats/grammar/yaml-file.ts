/** A YAML text, opened for reading and editing: its leaves with paths, and the edits that insert and remove entries. */

import type { Edit, Span } from '../../format.ts';
import { append } from '../../parsing/append.ts';
import type { KeyPath } from '../text/key-path.ts';
import { lineStart, malformed } from '../text/position.ts';
import type { Addition } from './insertions.ts';
import { removalTail } from './removal-tail.ts';
import { type Repeated, repeatedKeys, shadowedBy, withShadowed } from './shadowed.ts';
import { arrangedList, type YamlElement } from './yaml-arrange.ts';
import { insertionEdits, keyText, type YamlTarget, type YamlValue } from './yaml-insert.ts';
import { afterLine, commentStart, entryStart, indentTo, startsLine } from './yaml-layout.ts';
import { newScalar } from './yaml-scalar.ts';
import {
  parseYamlTrees,
  type YamlChild,
  type YamlGroup,
  type YamlLiteral,
  type YamlNode,
  type YamlString,
} from './yaml-tree.ts';

/** A string or literal with its path, or a key without a value. `owner` is its entry; absent for a text that is the whole document. */
export interface YamlLeaf {
  readonly path: KeyPath;
  readonly node: YamlString | YamlLiteral | YamlGroup;
  readonly owner?: YamlChild;
  readonly isElement: boolean;
}

export interface YamlFile {
  readonly text: string;
  /** The first document; undefined when there is none. */
  readonly root: YamlNode | undefined;
  /** Throws JobFailure `malformed` with the line of the second document. @param why the file may have only one */
  requireOneDocument(why: string): void;
  /** Without leaves that are never read. */
  leaves(): readonly YamlLeaf[];
  readonly repeated: readonly Repeated<YamlChild>[];
  /** Both are only for files with one document. */
  insert(additions: readonly Addition<YamlValue>[]): readonly Edit[];
  /** Adds texts to maps that have them from another map. `d: *base` becomes `d: { <<: *base, a: text }`. */
  override(texts: readonly { readonly path: KeyPath; readonly text: string }[]): readonly Edit[];
  remove(removed: ReadonlySet<YamlChild>, kept: YamlNode): readonly Edit[];
  /** Undefined: there is no such list of that length, or it cannot be written in that order. */
  arrange(list: KeyPath, length: number, elements: readonly YamlElement[]): Edit | undefined;
}

/** Throws JobFailure `malformed` with line and column. In a file of several documents, paths begin with the index of the document. */
export function openYaml(text: string, file: string): YamlFile {
  const trees = parseYamlTrees(text, file);
  const [root] = trees;
  const repeated = trees.flatMap((tree) => repeatedKeys<YamlChild>(tree));
  const shadowed = shadowedBy(repeated);
  const requireOneDocument = (why: string) => {
    if (trees.length < 2) return;
    const offset = trees[1]?.start ?? text.length;
    throw malformed(file, { text, offset }, `a second YAML document begins here: ${why}`);
  };
  return {
    text,
    root,
    repeated,
    leaves: () =>
      trees.flatMap((tree, index) => {
        const base = trees.length > 1 ? [index] : [];
        return tree === undefined ? [] : leavesOf(tree, base, shadowed);
      }),
    insert: (additions) => {
      if (additions.length > 0) requireOneDocument('a new text cannot be written there');
      return insertionEdits({ text, root: root ?? emptyRoot(text), file }, additions);
    },
    override: (texts) => overridden({ text, root: root ?? emptyRoot(text), file }, texts),
    requireOneDocument,
    remove: (removed, kept) =>
      root === undefined ? [] : removalEdits(text, root, { removed, kept, shadowed }),
    arrange: (path, length, elements) => {
      const list = groupAt(root, path);
      if (root === undefined || list?.kind !== 'list' || list.children.length !== length) return;
      return arrangedList({ text, root, file }, list, elements);
    },
  };
}

function groupAt(root: YamlNode | undefined, path: KeyPath): YamlGroup | undefined {
  const node = nodeAt(root, path);
  return node?.kind === 'object' || node?.kind === 'list' ? node : undefined;
}

function nodeAt(root: YamlNode | undefined, path: KeyPath): YamlNode | undefined {
  let node = root;
  for (const step of path) {
    if (node?.kind !== 'object' && node?.kind !== 'list') return undefined;
    node = node.children.findLast((child) => child.step === step)?.value;
  }
  return node;
}

function overridden(
  target: YamlTarget,
  texts: readonly { readonly path: KeyPath; readonly text: string }[],
): Edit[] {
  const maps = Map.groupBy(texts, ({ path }) => nodeAt(target.root, path.slice(0, -1)));
  return [...maps].flatMap(([node, own]): Edit[] => {
    if (node?.kind === 'object') {
      const value = (text: string) => ({ text, style: 'plain' }) as const;
      const additions = own.map(({ path, text }) => ({ path, after: null, value: value(text) }));
      return insertionEdits(target, additions);
    }
    if (node?.kind !== 'literal' || target.text.charAt(node.start) !== '*') return [];
    const alias = target.text.slice(node.start, node.end);
    const entries = own.map(({ path, text }) => {
      const key = keyText(target.text, String(path.at(-1)), undefined);
      return `, ${key}: ${newScalar(text, { style: 'plain', inFlow: true })}`;
    });
    return [{ start: node.start, end: node.end, text: `{ <<: ${alias}${entries.join('')} }` }];
  });
}

/** For a file with comments only, or without content. */
function emptyRoot({ length }: string): YamlNode {
  return { kind: 'object', start: length, end: length, isFlow: false, children: [] };
}

function leavesOf(
  tree: YamlNode,
  base: KeyPath,
  shadowed: ReadonlyMap<YamlChild, YamlChild>,
): YamlLeaf[] {
  const leaves: YamlLeaf[] = [];
  const visit = (node: YamlNode, path: KeyPath, owner?: YamlChild): void => {
    const isVacant = owner !== undefined && 'lead' in node;
    if (node.kind === 'string' || node.kind === 'literal' || isVacant) {
      // In a file of several documents, the index of the document is also part of the path.
      const isElement = typeof owner?.step === 'number' || base.length > 0;
      leaves.push({ path, node, isElement, ...(owner === undefined ? {} : { owner }) });
      return;
    }
    for (const child of node.children) {
      if (!shadowed.has(child)) visit(child.value, [...path, child.step], child);
    }
  };
  visit(tree, base);
  return leaves;
}

// Edits that remove entries from a YAML text: their lines with the comments above, or their range between commas.

/** List elements are removed only from the end. `kept` groups (the Rails root) stay even when they lose their last entry. */
function removalEdits(
  text: string,
  root: YamlNode,
  {
    removed,
    kept,
    shadowed = new Map(),
  }: {
    readonly removed: ReadonlySet<YamlChild>;
    readonly kept: YamlNode;
    /** Entries that are never read are removed with the entry that is. */
    readonly shadowed?: ReadonlyMap<YamlChild, YamlChild>;
  },
): Edit[] {
  const edits: Edit[] = [];
  const clear = (node: YamlNode, mayGo: boolean): boolean => {
    if (node.kind !== 'object' && node.kind !== 'list') return false;
    const before = edits.length;
    const leaves = (child: YamlChild, childMayGo: boolean) =>
      removed.has(child) || clear(child.value, childMayGo);
    const leaving =
      node.kind === 'list'
        ? removalTail(node.children, leaves)
        : withShadowed(node.children, shadowed, (child) => leaves(child, true));
    if (node === root || node === kept || leaving.length === 0 || leaving.includes(false)) {
      append(edits, groupEdits(text, node, leaving));
      return false;
    }
    edits.length = before;
    if (!mayGo) edits.push(emptied(text, node));
    return mayGo;
  };
  clear(root, false);
  return edits;
}

// A list element stays, because its removal would rename the elements behind it. Without any content it would be null.
function emptied(text: string, { kind, children }: YamlGroup): Edit {
  const start = children[0]?.start ?? 0;
  const end = start + text.slice(start, children.at(-1)?.end).trimEnd().length;
  return { start, end, text: kind === 'object' ? '{}' : '[]' };
}

function groupEdits(text: string, group: YamlGroup, gone: readonly boolean[]): Edit[] {
  return group.children.flatMap((_, index) => {
    if (!gone[index]) return [];
    const span = group.isFlow ? flowSpan(group, index) : blockSpan(text, group, index);
    return [{ ...span, text: '' }];
  });
}

function blockSpan(text: string, { children }: YamlGroup, index: number): Span {
  const child = children[index];
  const previous = children[index - 1];
  const next = children[index + 1];
  if (child === undefined) throw new RangeError('no such entry');
  if (previous !== undefined) {
    const end = removedEnd(text, child);
    return withoutFinalBreak(text, { start: leadStart(text, { previous, child, end }), end });
  }
  // Behind a dash, the next key takes the place of the removed one.
  if (!startsLine(text, child.start) && next !== undefined) {
    return { start: child.start, end: next.start };
  }
  return { start: entryStart(text, child.start), end: removedEnd(text, child) };
}

/** Comments below an entry that are indented further than its key end this entry, and go with it. */
function removedEnd(text: string, child: YamlChild): number {
  const end = afterLine(text, child);
  if (!startsLine(text, child.start)) return end;
  const inner = `[ ]{${indentTo(text, child.start).length + 1},}`;
  const comments = new RegExp(`^(?:(?:[ \\t]*\\r?\\n)*${inner}#[^\\n]*(?:\\n|$))+`);
  return end + (comments.exec(text.slice(end))?.[0].length ?? 0);
}

/** Where the blank lines and comments of an entry begin. A comment with a blank line below it is about more than this entry, so it stays. */
function leadStart(
  text: string,
  { previous, child, end }: Record<'previous' | 'child', YamlChild> & { readonly end: number },
): number {
  const from = afterLine(text, previous);
  if (!startsLine(text, child.start)) return from;
  const own = Math.max(from, commentStart(text, lineStart(text, child.start)));
  const above = text.slice(from, own);
  const kept = /^[\s\S]*\S[^\n]*\n/.exec(above)?.[0].length;
  if (kept === undefined) return from;
  // At the end of the file no blank line is left.
  return text.slice(end).trim() === '' ? from + kept : own;
}

// A file without a final line end keeps it so: the last entry is removed with the line break before it.
function withoutFinalBreak(text: string, { start, end }: Span): Span {
  if (end < text.length || text.endsWith('\n')) return { start, end };
  return { start: start - (text.charAt(start - 2) === '\r' ? 2 : 1), end };
}

function flowSpan({ children }: YamlGroup, index: number): Span {
  const child = children[index];
  const previous = children[index - 1];
  if (child === undefined) throw new RangeError('no such entry');
  if (previous !== undefined) return { start: previous.end, end: child.end };
  return { start: child.start, end: children[1]?.start ?? child.end };
}
