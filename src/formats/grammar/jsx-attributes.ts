/** The attributes of JSX elements that readers see: strings in quotes. Expressions stay. */
import type { EscapeMemory } from '../text/escapes.ts';
import { attributeText, type HtmlText } from './html-texts.ts';
import type { Nodes } from './markdown-tree.ts';

/** What components show, whatever they are. */
export const VISIBLE_ATTRIBUTES: readonly string[] = [
  'title',
  'label',
  'alt',
  'placeholder',
  'aria-label',
];

export interface JsxSource {
  readonly text: string;
  readonly memory: EscapeMemory;
  readonly names: ReadonlySet<string>;
}

/** What mdast-util-mdx-jsx knows of an attribute. */
interface Attribute {
  readonly type: string;
  readonly name?: unknown;
  readonly value?: unknown;
  readonly position?: {
    readonly start: { readonly offset?: number };
    readonly end: { readonly offset?: number };
  };
}

export type JsxText = HtmlText & { readonly context: string };

/** Of the element itself, not of what is inside it. */
export function jsxTexts(node: Nodes, { text, memory, names }: JsxSource): JsxText[] {
  if (!('attributes' in node) || !Array.isArray(node.attributes)) return [];
  const element = 'name' in node && typeof node.name === 'string' ? node.name : '';
  return (node.attributes as readonly Attribute[]).flatMap((attribute) => {
    const { type, name, value, position } = attribute;
    const isShown = type === 'mdxJsxAttribute' && typeof name === 'string' && names.has(name);
    const [start, end] = [position?.start.offset, position?.end.offset];
    if (!isShown || typeof value !== 'string' || start === undefined || end === undefined)
      return [];
    const [head = '', quote = ''] = /^[^=]*=\s*(["'])/.exec(text.slice(start, end)) ?? [];
    const span = { start: start + head.length, end: end - 1 };
    // A value over several lines may hold the marks of a quote or list.
    if (quote === '' || /[\r\n]/.test(text.slice(span.start, span.end))) return [];
    const context = `${name} of <${element}>`;
    return attributeText(text, { ...span, quote }, memory).map((found) => ({ ...found, context }));
  });
}

export function isJsx(node: Nodes): boolean {
  const type: string = node.type;
  return type === 'mdxJsxFlowElement' || type === 'mdxJsxTextElement';
}

/** All JSX elements inside a node that is no text itself, outermost first. */
export function jsxInside(node: Nodes): Nodes[] {
  const inner = 'children' in node ? node.children.flatMap((child) => jsxInside(child)) : [];
  return isJsx(node) ? [node, ...inner] : inner;
}
