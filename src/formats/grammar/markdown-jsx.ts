/** The texts of JSX elements: their visible attributes, and the content of elements that are alone on their line. Pure. */
import { partsText } from '../../format.ts';
import type { EscapeMemory } from '../text/escapes.ts';
import { hasLetters } from '../text/parts.ts';
import { attributeText, type HtmlText } from './html-texts.ts';
import type { Inline, NodeOf, Nodes } from './markdown-tree.ts';

export interface JsxSource {
  readonly text: string;
  readonly memory: EscapeMemory;
  readonly names: ReadonlySet<string>;
}

/** The fields of an attribute in mdast-util-mdx-jsx. */
interface Attribute {
  readonly type: string;
  readonly name?: unknown;
  readonly value?: unknown;
  readonly position?: {
    readonly start: { readonly offset?: number };
    readonly end: { readonly offset?: number };
  };
}

type JsxText = HtmlText & { readonly context: string };

/** The visible attributes of the element itself, without those of its children. */
export function jsxTexts(node: Nodes, { text, memory, names }: JsxSource): JsxText[] {
  if (!('attributes' in node) || !Array.isArray(node.attributes)) return [];
  const element = 'name' in node && typeof node.name === 'string' ? node.name : '';
  return (node.attributes as readonly Attribute[]).flatMap((attribute) => {
    const { type, name, value, position } = attribute;
    const isShown = type === 'mdxJsxAttribute' && typeof name === 'string' && names.has(name);
    const [start, end] = [position?.start.offset, position?.end.offset];
    if (!isShown || start === undefined || end === undefined) return [];
    const found = valueText({ text, memory, start, end }, typeof value !== 'string');
    return found.map((each) => ({ ...each, context: `${name} of <${element}>` }));
  });
}

export function isJsx(node: Nodes): boolean {
  const type: string = node.type;
  return type === 'mdxJsxFlowElement' || type === 'mdxJsxTextElement';
}

/** All JSX elements inside a node that is not text itself, outermost first. */
export function jsxInside(node: Nodes): Nodes[] {
  const inner = 'children' in node ? node.children.flatMap((child) => jsxInside(child)) : [];
  return isJsx(node) ? [node, ...inner] : inner;
}

interface Value extends Omit<JsxSource, 'names'> {
  /** The offsets of the attribute. */
  readonly start: number;
  readonly end: number;
}

/** A value over several lines may contain marks of a quote or list: it stays. */
function valueText({ text, memory, start, end }: Value, isExpression: boolean): HtmlText[] {
  const raw = text.slice(start, end);
  const [head = '', quote = ''] = (isExpression ? STRING_IN_BRACES : QUOTED).exec(raw) ?? [];
  const tail = isExpression ? (/(?<![ \t])[ \t]*\}$/.exec(raw)?.[0].length ?? 0) : 0;
  const span = { start: start + head.length, end: end - tail - 1 };
  const own = text.slice(span.start, span.end);
  if (quote === '' || /[\r\n]/.test(own)) return [];
  return isExpression
    ? stringText(own, span, quote)
    : attributeText(text, { ...span, quote }, memory);
}

const QUOTED = /^[^=]*=\s*(["'])/;
/** `label={"x"}`: a single string without escapes of characters, or a template without values. */
const STRING_IN_BRACES = /^[^=]*=\s*\{[ \t]*(["'`])(?=(?:\\["'`\\$]|(?!\1)[^\\\r\n])*\1[ \t]*\}$)/;

function stringText(own: string, span: Pick<HtmlText, 'start' | 'end'>, quote: string): HtmlText[] {
  const parts = [own.replace(/\\(.)/g, '$1')];
  const hasValues = quote === '`' && own.replace(/\\./g, '').includes('${');
  if (hasValues || !hasLetters(parts)) return [];
  const escaped = quote === '`' ? /[\\`]|\$(?=\{)/g : new RegExp(`[\\\\${quote}]`, 'g');
  const encode: HtmlText['encode'] = (written) =>
    partsText(written)
      .replace(/(?<!\s)\s*[\r\n]+\s*/g, ' ')
      .replace(escaped, '\\$&');
  return [{ ...span, parts, encode }];
}

/**
 * The inline content of the elements of a paragraph that consists of elements alone: `<Tab label="One">Words</Tab>` has two texts.
 * Undefined: the paragraph is one text; without a visible attribute it stays one with its tags.
 */
export function contentsOfElements(
  paragraph: NodeOf<'paragraph'>,
  source: JsxSource,
): Inline[][] | undefined {
  const elements = paragraph.children.filter((child) => !isBlank(child));
  if (
    !elements.every(isJsx) ||
    jsxInside(paragraph).every((node) => jsxTexts(node, source).length === 0)
  )
    return undefined;
  return elements.flatMap(contents);
}

function contents(node: Inline): Inline[][] {
  const children = 'children' in node ? node.children : [];
  const own = children.filter((child) => !isBlank(child));
  if (own.length === 0) return [];
  return own.every(isJsx) ? own.flatMap(contents) : [children];
}

function isBlank(node: Inline): boolean {
  return node.type === 'text' && node.value.trim() === '';
}
