/** Whether the literals of a target have the shape of their source, where a text is to be added. */
import { formatLocation, JobFailure } from '../../failure.ts';
import type { KeyPath } from '../text/key-path.ts';
import { positionsOf } from '../text/position.ts';
import type { LiteralAddition, LiteralTarget } from './literal-insert.ts';
import type { LiteralNode } from './literal-tree.ts';

/**
 * A source of several literals has keys that begin with their names, which one literal of a target does not have. A group that takes over
 * others (`...base`) only in the target may have the key from them. Throws JobFailure `unsupported`.
 */
export function refuseForeign(
  { text, file, root }: LiteralTarget,
  source: LiteralNode,
  additions: readonly LiteralAddition[],
): void {
  for (const { path } of additions) {
    const [group, key] = [groupOf(root, path), path.at(-1)];
    const isOther = isFrame(source) && !isFrame(root);
    if (!isOther && (!takesOver(group) || takesOver(groupOf(source, path)))) continue;
    const { line } = positionsOf(text)(group.start);
    const why = isOther
      ? 'the source has several objects, and this file has one'
      : 'what is spread into this object may have it';
    throw new JobFailure({
      kind: 'unsupported',
      what: `${formatLocation({ file, line })}: "${key}" is not added: ${why}`,
      advice: 'Write it there yourself.',
    });
  }
}

function isFrame(node: LiteralNode): boolean {
  return node.kind === 'object' && node.isFrame === true && node.children.length > 0;
}

/** The innermost group of a path that is there. */
function groupOf(root: LiteralNode, path: KeyPath): LiteralNode {
  let node = root;
  for (const step of path.slice(0, -1)) {
    if (node.kind !== 'object' && node.kind !== 'list') return node;
    const next = node.children.findLast((child) => child.step === step)?.value;
    if (next === undefined) return node;
    node = next;
  }
  return node;
}

function takesOver(node: LiteralNode): boolean {
  return node.kind === 'object' && node.children.some(({ isSpread }) => isSpread === true);
}
