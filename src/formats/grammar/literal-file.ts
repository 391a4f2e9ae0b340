/** A text of literals opened for reading and editing: its leaves with paths, and the edits that add and remove entries. */
import type { Edit } from '../../format.ts';
import type { KeyPath } from '../text/key-path.ts';
import { insertionEdits, type LiteralAddition, type LiteralTarget } from './literal-insert.ts';
import { styleOf } from './literal-layout.ts';
import { type Removal, removalEdits } from './literal-remove.ts';
import { renameEdits } from './literal-rename.ts';
import type { LiteralEntry, LiteralNode } from './literal-tree.ts';
import { type Repeated, repeatedKeys, shadowedBy } from './shadowed.ts';

/** A string or scalar with its place. */
export interface LiteralLeaf {
  readonly path: KeyPath;
  readonly child: LiteralEntry;
  /** It has no key. */
  readonly isElement: boolean;
}

export interface LiteralFile extends LiteralTarget {
  /** Without those that are never read. */
  leaves(): readonly LiteralLeaf[];
  readonly repeated: readonly Repeated<LiteralEntry>[];
  /** A new string in the quotes that the file uses. */
  literal(content: string): string;
  insert(additions: readonly LiteralAddition[]): readonly Edit[];
  remove(removal: Removal): readonly Edit[];
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
    rename: (keys) => renameEdits(target, keys),
  };
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
        // An array of PHP may have elements beside its keys.
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
