/** Edits of single attributes: set in place, added behind the last one, nothing else of the tag moves. */
import type { Edit } from '../../format.ts';
import { escapeXml } from './xml-text.ts';
import type { XmlElement } from './xml-tree.ts';

export function setAttribute(
  text: string,
  { start, openEnd, name: element }: XmlElement,
  { name, value }: { readonly name: string; readonly value: string },
): Edit[] {
  const tag = text.slice(start, openEnd);
  const found = attributeIn(tag, name);
  const written = escapeXml(value);
  if (found !== undefined) {
    const at = { start: start + found.start, end: start + found.end };
    return text.slice(at.start, at.end) === written ? [] : [{ ...at, text: written }];
  }
  const end = start + tag.replace(/\s*\/?>$/, '').length;
  const at = Math.max(end, start + 1 + element.length);
  return [{ start: at, end: at, text: ` ${name}="${written}"` }];
}

export function removeAttribute(
  text: string,
  { start, openEnd }: XmlElement,
  name: string,
): Edit[] {
  const found = attributeIn(text.slice(start, openEnd), name);
  return found === undefined
    ? []
    : [{ start: start + found.outerStart, end: start + found.end + 1, text: '' }];
}

/** Of elements and attributes. A word of a text may look so: it counts only where the source declares it. */
const PREFIX = /(?:<|\s)([A-Za-z_][\w.-]*):[\w.-]+(?=[\s=>/])/g;

/**
 * The declarations of prefixes that these texts use, as the source has them and this file lacks: a parser refuses a prefix without
 * one (Namespaces in XML 1.0, 5). They go to the root, wherever the source has them.
 * @param sourceRoot asked for only when a prefix is not declared
 */
export function namespaceEdits(
  text: string,
  root: XmlElement,
  { written, sourceRoot }: { readonly written: readonly string[]; sourceRoot(): XmlElement },
): Edit[] {
  const used = new Set(
    written.flatMap((each) => [...each.matchAll(PREFIX)].map(([, name]) => name)),
  );
  const lacking = [...used]
    .map((prefix) => `xmlns:${prefix}`)
    .filter((name) => !root.attributes.has(name));
  if (lacking.length === 0) return [];
  const known = declarationsIn(root);
  const brought = (name: string) => written.some((each) => each.includes(`${name}=`));
  const open = lacking.filter((name) => !known.has(name) && !brought(name));
  if (open.length === 0) return [];
  const declared = declarationsIn(sourceRoot());
  return open.flatMap((name) => {
    const value = declared.get(name);
    return value === undefined ? [] : setAttribute(text, root, { name, value });
  });
}

/** By attribute (`xmlns:x`); the outermost of each. */
function declarationsIn(root: XmlElement): Map<string, string> {
  const found = new Map<string, string>();
  const visit = ({ attributes, children }: XmlElement) => {
    for (const [name, value] of attributes) {
      if (name.startsWith('xmlns:') && !found.has(name)) found.set(name, value);
    }
    for (const child of children) if (child.kind === 'element') visit(child);
  };
  visit(root);
  return found;
}

const ATTRIBUTE = /(\s+)([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

function attributeIn(tag: string, name: string) {
  for (const match of tag.matchAll(ATTRIBUTE)) {
    if (match[2] !== name) continue;
    const end = match.index + match[0].length - 1;
    const value = match[3] ?? match[4] ?? '';
    return { outerStart: match.index, start: end - value.length, end };
  }
  return undefined;
}
