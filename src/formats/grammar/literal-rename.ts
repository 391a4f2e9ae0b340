/** The edits that write other keys into literals, each in the quotes that the old one has. */
import type { Edit } from '../../format.ts';
import { joinKey, type KeyPath } from '../text/key-path.ts';
import { keyText, type LiteralTarget } from './literal-insert.ts';
import { quoteAt, styleOf } from './literal-layout.ts';
import type { LiteralNode } from './literal-tree.ts';

/** @param keys the new key by the id of the path that ends with the old one */
export function renameEdits(target: LiteralTarget, keys: ReadonlyMap<string, string>): Edit[] {
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
        edits.push({ start: child.start, end: child.keyEnd, text: written });
      }
      visit(child.value, own);
    }
  };
  visit(target.root, []);
  return edits;
}
