/** Edits of single attributes: replaced in place, or added behind the last one; the rest of the tag stays. */
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
  const end = start + tag.replace(/(?<!\s)\s*\/?>$/, '').length;
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

/** Prefixes of elements and attributes. A word of a text may look like one, so only prefixes that the source declares count. */
const NAMESPACE_PREFIX = /(?:<|\s)([A-Za-z_][\w.-]*):[\w.-]+(?=[\s=>/])/g;

/**
 * Adds the declarations of prefixes that these texts use, if the source has them and this file lacks them. A parser refuses an undeclared
 * prefix (Namespaces in XML 1.0, 5). They are added to the root, also if the source has them at another element.
 * @param sourceRoot called only when a prefix is not declared
 */
export function namespaceEdits(
  text: string,
  root: XmlElement,
  { written, sourceRoot }: { readonly written: readonly string[]; sourceRoot(): XmlElement },
): Edit[] {
  const used = new Set(
    written.flatMap((each) => [...each.matchAll(NAMESPACE_PREFIX)].map(([, name]) => name)),
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

/** By attribute (`xmlns:x`); of equal names the outermost. */
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

const ATTRIBUTE = /(?<!\s)(\s+)([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

function attributeIn(tag: string, name: string) {
  for (const match of tag.matchAll(ATTRIBUTE)) {
    if (match[2] !== name) continue;
    const end = match.index + match[0].length - 1;
    const value = match[3] ?? match[4] ?? '';
    return { outerStart: match.index, start: end - value.length, end };
  }
  return undefined;
}
