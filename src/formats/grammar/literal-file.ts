/** A text of literals, opened for reading and editing: its leaves with paths, and the edits that insert and remove entries. */

import type { Edit } from '../../format.ts';
import { append } from '../../parsing/append.ts';
import { joinKey, type KeyPath } from '../text/key-path.ts';
import { arrangedList, type LiteralElement } from './literal-arrange.ts';
import {
  insertionEdits,
  keyText,
  type LiteralAddition,
  type LiteralTarget,
} from './literal-insert.ts';
import { itemEnd, lineTail, quoteAt, styleOf } from './literal-layout.ts';
import type { LiteralEntry, LiteralGroup, LiteralNode } from './literal-tree.ts';
import { removalTail } from './removal-tail.ts';
import { type Repeated, repeatedKeys, shadowedBy, withShadowed } from './shadowed.ts';

/** A string or scalar with its path. */
export interface LiteralLeaf {
  readonly path: KeyPath;
  readonly child: LiteralEntry;
  /** It is a list element without a key. */
  readonly isElement: boolean;
}

export interface LiteralFile extends LiteralTarget {
  /** Without leaves that are never read. */
  leaves(): readonly LiteralLeaf[];
  readonly repeated: readonly Repeated<LiteralEntry>[];
  /** A new string in the quotes that the file uses. */
  literal(content: string): string;
  insert(additions: readonly LiteralAddition[]): readonly Edit[];
  remove(removal: Removal): readonly Edit[];
  /** Undefined: there is no such list of that length. */
  arrange(list: KeyPath, length: number, elements: readonly LiteralElement[]): Edit | undefined;
  /** @param keys the new key by the id of the path that ends with the old one */
  rename(keys: ReadonlyMap<string, string>): readonly Edit[];
}

export function literalFile(target: LiteralTarget): LiteralFile {
  const { text, root } = target;
  const repeated = repeatedKeys<LiteralEntry>(root);
  const shadowed = shadowedBy(repeated);
  return {
    ...target,
    repeated,
    leaves: () => leavesOf(root, shadowed),
    literal: (content) =>
      target.strings.literal(content, styleOf(text, root, target.grammar).valueQuote),
    insert: (additions) => insertionEdits(target, additions),
    remove: (removal) => removalEdits(text, root, { ...removal, shadowed }),
    arrange: (path, length, elements) => {
      const list = nodeAt(root, path);
      if (list?.kind !== 'list' || list.children.length !== length) return undefined;
      return arrangedList(target, list, elements);
    },
    rename: (keys) => renameEdits(target, keys),
  };
}

function nodeAt(root: LiteralNode, path: KeyPath): LiteralNode | undefined {
  let node: LiteralNode | undefined = root;
  for (const step of path) {
    if (node?.kind !== 'object' && node?.kind !== 'list') return undefined;
    node = node.children.findLast((child) => child.step === step)?.value;
  }
  return node;
}

function leavesOf(
  root: LiteralNode,
  shadowed: ReadonlyMap<LiteralEntry, LiteralEntry>,
): LiteralLeaf[] {
  const leaves: LiteralLeaf[] = [];
  const visit = (node: LiteralNode, path: KeyPath): void => {
    if (node.kind !== 'object' && node.kind !== 'list') return;
    for (const child of node.children) {
      if (shadowed.has(child)) continue;
      const childPath = [...path, child.step];
      if (child.value.kind === 'string' || child.value.kind === 'literal') {
        // An array of PHP may have elements and keys.
        const isElement = node.kind === 'list' || child.keyEnd === child.start;
        leaves.push({ path: childPath, child, isElement });
      } else {
        visit(child.value, childPath);
      }
    }
  };
  visit(root, []);
  return leaves;
}

// The edits that rename keys, each in the quotes of the old key.

/** @param keys the new key by the id of the path that ends with the old one */
function renameEdits(target: LiteralTarget, keys: ReadonlyMap<string, string>): Edit[] {
  const style = styleOf(target.text, target.root, target.grammar);
  const edits: Edit[] = [];
  const visit = (node: LiteralNode, path: KeyPath): void => {
    if (node.kind !== 'object' && node.kind !== 'list') return;
    for (const child of node.children) {
      const own = [...path, child.step];
      const key = keys.get(joinKey(own));
      // An element of a PHP array has a number and no key.
      if (key !== undefined && child.keyEnd > child.start) {
        const own = { ...style, keyQuote: quoteAt(target.text, child.start) };
        const written = keyText({ ...target, style: own }, key, child);
        // A shorthand member (`{ title }`) gets a name and a value: `{ heading: title }`.
        const isBoth = child.value.start === child.start && child.value.end === child.keyEnd;
        const value = isBoth
          ? target.grammar.usualColon + target.text.slice(child.start, child.keyEnd)
          : '';
        edits.push({ start: child.start, end: child.keyEnd, text: written + value });
      }
      visit(child.value, own);
    }
  };
  visit(target.root, []);
  return edits;
}

/** The spans to remove: entries with their comments, and groups that lose their last entry. */
interface Removal {
  readonly removed: ReadonlySet<LiteralEntry>;
  /** Groups that stay even when they lose their last entry. */
  readonly kept?: ReadonlySet<LiteralNode>;
  /** Entries that are never read, by the one that is read: they are removed together. */
  readonly shadowed?: ReadonlyMap<LiteralEntry, LiteralEntry>;
}

/** List elements are removed only from the end: a removal of another element would rename all elements behind it. */
function removalEdits(
  text: string,
  root: LiteralNode,
  { removed, kept, shadowed = new Map() }: Removal,
): Edit[] {
  const edits: Edit[] = [];
  // @returns true when nothing of the node is left, so its parent removes it whole.
  const clear = (node: LiteralNode, mayGo: boolean): boolean => {
    if (node.kind !== 'object' && node.kind !== 'list') return false;
    const before = edits.length;
    const leaves = (child: LiteralEntry, childMayGo: boolean) =>
      removed.has(child) || clear(child.value, childMayGo);
    const leaving =
      node.kind === 'list'
        ? removalTail(node.children, leaves)
        : withShadowed(node.children, shadowed, (child) => leaves(child, node.isFrame !== true));
    if (mayGo && !kept?.has(node) && leaving.length > 0 && leaving.every(Boolean)) {
      edits.length = before;
      return true;
    }
    append(edits, containerEdits(text, node, leaving));
    return false;
  };
  clear(root, false);
  return edits;
}

// An entry begins at the end of the entry before it, so that its line and the comments directly above it are removed, too.
function containerEdits(text: string, container: LiteralGroup, gone: readonly boolean[]): Edit[] {
  if (!gone.includes(true)) return [];
  const edits: Edit[] = [];
  const ahead = leadingOnLine(text, container, gone);
  if (ahead !== undefined) edits.push({ ...ahead, text: '' });
  // A comment behind the opening bracket is about the group.
  let from = lineTail(text, container.start + 1);
  for (const [index, child] of container.children.entries()) {
    const { end } = itemEnd(text, child);
    const isAhead = ahead !== undefined && end <= ahead.end;
    const start = from + lengthApart(text.slice(from, child.start));
    if (gone[index] && !isAhead) edits.push({ start, end, text: '' });
    from = end;
  }
  return [...edits, ...danglingComma(text, container, gone)];
}

/** How much of the lines above an entry is not about it: comments with a blank line below them stay. */
function lengthApart(above: string): number {
  let length = 0;
  for (const { index, 0: comment } of above.matchAll(COMMENT)) {
    BLANK_LINE.lastIndex = index + comment.length;
    if (BLANK_LINE.test(above)) length = index + comment.length;
  }
  return length;
}

const COMMENT = /\/\*[\s\S]*?\*\/|(?:\/\/|#).*/g;
const BLANK_LINE = /[ \t]*\r?\n[ \t]*\r?\n/y;

// The first entries of a line are removed with the blanks behind them, so that the next one takes their place.
function leadingOnLine(
  text: string,
  { children }: LiteralGroup,
  gone: readonly boolean[],
): { readonly start: number; readonly end: number } | undefined {
  const first = children[0];
  const next = children[gone.indexOf(false)];
  if (first === undefined || next === undefined || next === first) return undefined;
  const isOneLine = !/[\r\n]/.test(text.slice(first.start, next.start));
  return isOneLine ? { start: first.start, end: next.start } : undefined;
}

// Strict JSON allows no comma behind the last entry, so the new last one loses its comma.
function danglingComma(text: string, container: LiteralGroup, gone: readonly boolean[]): Edit[] {
  const kept = container.children[gone.lastIndexOf(false)];
  const last = container.children.at(-1);
  if (kept === undefined || last === undefined || kept === last) return [];
  if (itemEnd(text, last).comma !== undefined) return [];
  const { comma } = itemEnd(text, kept);
  return comma === undefined ? [] : [{ start: comma, end: comma + 1, text: '' }];
}
