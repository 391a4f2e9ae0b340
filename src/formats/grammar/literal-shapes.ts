/** Whether the literals of a target have the shape of their source, where a text is to be added. */
import { formatLocation, JobFailure } from '../../failure.ts';
import { positionsOf } from '../text/position.ts';
import type { LiteralTarget } from './literal-insert.ts';
import type { LiteralNode } from './literal-tree.ts';

/**
 * A source of several literals has keys that begin with their names, which one literal of a target does not have. Throws JobFailure
 * `unsupported`.
 */
export function refuseOtherShape({ text, file, root }: LiteralTarget, source: LiteralNode): void {
  if (!isFrame(source) || isFrame(root)) return;
  const { line } = positionsOf(text)(root.start);
  throw new JobFailure({
    kind: 'unsupported',
    what: `${formatLocation({ file, line })}: the source has several objects, and this file has one`,
    advice: 'Write the text there yourself.',
  });
}

function isFrame(node: LiteralNode): boolean {
  return node.kind === 'object' && node.isFrame === true && node.children.length > 0;
}
