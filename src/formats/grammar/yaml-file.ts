/** A YAML text opened for reading and editing: its leaves with paths, and the edits that add and remove entries. */
import type { Edit } from '../../format.ts';
import type { KeyPath } from '../text/key-path.ts';
import type { Addition } from './insertions.ts';
import { removalTail } from './removal-tail.ts';
import { type Repeated, repeatedKeys, shadowedBy, withShadowed } from './shadowed.ts';
import { arrangedList, type YamlElement } from './yaml-arrange.ts';
import { insertionEdits, type YamlValue } from './yaml-insert.ts';
import { afterLine, lineStart, startsLine } from './yaml-layout.ts';
import {
  parseYamlTrees,
  type YamlChild,
  type YamlGroup,
  type YamlLiteral,
  type YamlNode,
  type YamlString,
} from './yaml-tree.ts';

/** A string or literal with its place, or a key without a value; `owner` is its entry, absent for a text that is the whole document. */
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
  /** Without those that are never read. */
  leaves(): readonly YamlLeaf[];
  readonly repeated: readonly Repeated<YamlChild>[];
  /** Both are for files of one document. */
  insert(additions: readonly Addition<YamlValue>[]): readonly Edit[];
  remove(removed: ReadonlySet<YamlChild>, kept: YamlNode): readonly Edit[];
  /** Undefined: there is no such list of that length, or it cannot be written so. */
  arrange(list: KeyPath, length: number, elements: readonly YamlElement[]): Edit | undefined;
}

/** Throws JobFailure `malformed` with line and column. Several documents are told apart by an index before the path. */
export function openYaml(text: string, file: string): YamlFile {
  const trees = parseYamlTrees(text, file);
  const [root] = trees;
  const repeated = trees.flatMap((tree) => repeatedKeys<YamlChild>(tree));
  const shadowed = shadowedBy(repeated);
  return {
    text,
    root,
    repeated,
    leaves: () =>
      trees.flatMap((tree, index) => {
        const base = trees.length > 1 ? [index] : [];
        return tree === undefined ? [] : leavesOf(tree, base, shadowed);
      }),
    insert: (additions) => insertionEdits({ text, root: root ?? emptyRoot(text), file }, additions),
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
  let node = root;
  for (const step of path) {
    if (node?.kind !== 'object' && node?.kind !== 'list') return undefined;
    node = node.children.findLast((child) => child.step === step)?.value;
  }
  return node?.kind === 'object' || node?.kind === 'list' ? node : undefined;
}

/** A file of comments alone, or of nothing. */
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
      // What stands in one of several documents has its place by number, too.
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

// The deletions that take entries out of a YAML text: their lines with the comments above, or their place between commas.

/** Elements of a list go only from its end. `kept` groups (the Rails root) stay even when they lose their last entry. */
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
    /** What is never read goes with the entry that is. */
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
      edits.push(...groupEdits(text, node, leaving));
      return false;
    }
    edits.length = before;
    if (!mayGo) edits.push(emptied(text, node));
    return mayGo;
  };
  clear(root, false);
  return edits;
}

// An element of a list stays, for the sake of those behind it: nothing at all would be null.
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

interface Span {
  readonly start: number;
  readonly end: number;
}

function blockSpan(text: string, { children }: YamlGroup, index: number): Span {
  const child = children[index];
  const previous = children[index - 1];
  const next = children[index + 1];
  if (child === undefined) throw new RangeError('no such entry');
  if (previous !== undefined) {
    return withoutFinalBreak(text, {
      start: afterLine(text, previous),
      end: afterLine(text, child),
    });
  }
  // Behind a dash the next key moves up to it.
  if (!startsLine(text, child.start) && next !== undefined) {
    return { start: child.start, end: next.start };
  }
  return { start: lineStart(text, child.start), end: afterLine(text, child) };
}

// A file without a final line end stays one: its last entry takes the line break before it along.
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
