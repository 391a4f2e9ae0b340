/** The edits that write other keys into a YAML text, each in the quotes that the old one has. */
import type { Edit } from '../../format.ts';
import { joinKey, type KeyPath } from '../text/key-path.ts';
import { keyText } from './yaml-insert.ts';
import type { YamlNode } from './yaml-tree.ts';

/** @param keys the new key by the id of the path, from `root` on, that ends with the old one */
export function renameEdits(
  text: string,
  root: YamlNode,
  keys: ReadonlyMap<string, string>,
): Edit[] {
  const edits: Edit[] = [];
  const visit = (node: YamlNode, path: KeyPath): void => {
    if (node.kind !== 'object' && node.kind !== 'list') return;
    for (const child of node.children) {
      const own = [...path, child.step];
      const key = keys.get(joinKey(own));
      if (key !== undefined && child.keyEnd > child.start) {
        edits.push({ start: child.start, end: child.keyEnd, text: keyText(text, key, child) });
      }
      visit(child.value, own);
    }
  };
  visit(root, []);
  return edits;
}
