/** The deletions that take entries out of literals with their comments, and groups that lose their last entry with them. */
import type { Edit } from '../../format.ts';
import { itemEnd } from './literal-layout.ts';
import type { LiteralEntry, LiteralGroup, LiteralNode } from './literal-tree.ts';
import { removalTail } from './removal-tail.ts';
import { withShadowed } from './shadowed.ts';

export interface Removal {
  readonly removed: ReadonlySet<LiteralEntry>;
  /** Groups that stay even when they lose their last entry. */
  readonly kept?: ReadonlySet<LiteralNode>;
  /** What is never read goes with the entry that is. */
  readonly shadowed?: ReadonlyMap<LiteralEntry, LiteralEntry>;
}

/** Elements of a list go only from its end: taking out another one would rename those behind it. */
export function removalEdits(
  text: string,
  root: LiteralNode,
  { removed, kept, shadowed = new Map() }: Removal,
): Edit[] {
  const edits: Edit[] = [];
  // True: nothing is left of the node, its parent takes it out whole.
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
    edits.push(...containerEdits(text, node, leaving));
    return false;
  };
  clear(root, false);
  return edits;
}

// An entry reaches from the end of the one before it, so that comments above it go with it and its line does too.
function containerEdits(text: string, container: LiteralGroup, gone: readonly boolean[]): Edit[] {
  if (!gone.includes(true)) return [];
  const edits: Edit[] = [];
  const ahead = leadingOnLine(text, container, gone);
  if (ahead !== undefined) edits.push({ ...ahead, text: '' });
  let from = container.start + 1;
  for (const [index, child] of container.children.entries()) {
    const { end } = itemEnd(text, child);
    const isAhead = ahead !== undefined && end <= ahead.end;
    if (gone[index] && !isAhead) edits.push({ start: from, end, text: '' });
    from = end;
  }
  return [...edits, ...danglingComma(text, container, gone)];
}

// The first entries of a line go with the blanks behind them: the next one stands where they stood.
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

// Strict JSON allows no comma behind the last entry: the new last one loses its own.
function danglingComma(text: string, container: LiteralGroup, gone: readonly boolean[]): Edit[] {
  const kept = container.children[gone.lastIndexOf(false)];
  const last = container.children.at(-1);
  if (kept === undefined || last === undefined || kept === last) return [];
  if (itemEnd(text, last).comma !== undefined) return [];
  const { comma } = itemEnd(text, kept);
  return comma === undefined ? [] : [{ start: comma, end: comma + 1, text: '' }];
}
