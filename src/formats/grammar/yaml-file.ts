/** A YAML text opened for reading and editing: its leaves with paths, and the edits that add and remove entries. */
import type { Edit } from '../../format.ts';
import type { KeyPath } from '../text/key-path.ts';
import type { Addition } from './insertions.ts';
import { type Repeated, repeatedKeys, shadowedBy } from './shadowed.ts';
import { insertionEdits, type YamlValue } from './yaml-insert.ts';
import { removalEdits } from './yaml-remove.ts';
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
  };
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
