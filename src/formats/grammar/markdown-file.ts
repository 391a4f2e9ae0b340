/**
 * The segments of a Markdown document: front matter, paragraphs, headings, table cells and texts of HTML blocks. Code and modules are the
 * frame.
 */
import {
  type Doc,
  type FormatOptions,
  partsText,
  type Segment,
  type Warning,
} from '../../format.ts';
import { EscapeMemory } from '../text/escapes.ts';
import { hasLetters } from '../text/parts.ts';
import { positionsOf } from '../text/position.ts';
import { contentIds, makeSegment } from '../text/segment.ts';
import { frontMatterTexts, VISIBLE_FRONT_MATTER } from './front-matter.ts';
import { attributeText, type HtmlText, htmlTexts } from './html-texts.ts';
import { type ParsedPiece, type PlainParagraph, readBlocks } from './markdown-blocks.ts';
import { encodeMarkdown, type MarkdownPlace } from './markdown-escapes.ts';
import { inlineParts, plainParts } from './markdown-inline.ts';
import { mathIn, withoutMarkerLines } from './markdown-markers.ts';
import { definitionTitle, titlesIn, writeTitle } from './markdown-titles.ts';
import { type MarkdownDialect, type NodeOf, type Nodes, spanOf } from './markdown-tree.ts';

type Draft = Pick<Segment, 'start' | 'end' | 'parts' | 'encode' | 'context' | 'name'>;

type Visible = Pick<FormatOptions, 'file' | 'attributes' | 'frontMatter'>;

/** Throws JobFailure `malformed` with line and column. */
export function markdownDoc(text: string, dialect: MarkdownDialect, options: Visible): Doc {
  const memory = new EscapeMemory();
  const names = new Set(options.attributes ?? VISIBLE_ATTRIBUTES);
  const labels = new Set<string>();
  const place = { isMdx: dialect.name === 'mdx', labels, memory };
  const reader: Reader = { place, options, names };
  const blocks = readBlocks({ text, dialect, file: options.file }, (piece): Texts => {
    if (piece.kind === 'plain') return { drafts: [plainDraft(text, piece, place)], left: [] };
    const { drafts, left } = textsOf(piece, reader);
    return { drafts: moved(drafts, piece.shift), left: moved(left, piece.shift) };
  });
  // Texts are written only after all labels are known.
  for (const label of blocks.labels) labels.add(label);
  const of = (kind: keyof Texts) => blocks.pieces.flatMap((piece) => piece[kind]);
  return { segments: segmentsOf(text, of('drafts')), warnings: warningsOf(text, of('left')) };
}

interface Texts {
  readonly drafts: readonly Draft[];
  /** Found, and left as they are. */
  readonly left: readonly Draft[];
}

interface Reader {
  readonly place: Omit<MarkdownPlace, 'block' | 'own'>;
  readonly options: Visible;
  /** Of attributes that are texts. */
  readonly names: ReadonlySet<string>;
}

/** Offsets are those of the piece. */
function textsOf({ text, nodes }: ParsedPiece, { place, options, names }: Reader): Texts {
  const jsx = (node: Nodes) => jsxTexts(node, { text, memory: place.memory, names });
  const drafts: Draft[] = [];
  const left: Draft[] = [];
  const visit = (node: Nodes): void => {
    if (isJsx(node)) drafts.push(...jsx(node));
    if (isFrontMatter(node)) drafts.push(...frontMatter(text, node, options));
    else if (node.type === 'html') drafts.push(...htmlDrafts(text, node));
    else if (node.type === 'definition') drafts.push(...titleDraft(text, node));
    else if (isTextBlock(node)) {
      const [block] = blockDraft(text, node, place);
      const attributes = jsxInside(node).flatMap(jsx);
      if (block !== undefined) drafts.push(block);
      for (const each of attributes) (isInside(each, block) ? left : drafts).push(each);
    } else if ('children' in node) for (const child of node.children) visit(child);
  };
  for (const node of nodes) visit(node);
  return { drafts, left };
}

function moved(drafts: readonly Draft[], by: number): readonly Draft[] {
  if (by === 0) return drafts;
  return drafts.map((draft) => ({ ...draft, start: draft.start + by, end: draft.end + by }));
}

function isInside({ start }: Draft, block: Draft | undefined): boolean {
  return block !== undefined && start >= block.start && start < block.end;
}

function warningsOf(text: string, left: readonly Draft[]): Warning[] {
  const positionAt = positionsOf(text);
  return left.map(({ start, end }) => ({
    line: positionAt(start).line,
    message: `"${text.slice(start, end)}" stays as it is: it is an attribute inside a sentence`,
  }));
}

type TextBlock = NodeOf<'paragraph' | 'heading' | 'tableCell'>;

function isTextBlock(node: Nodes): node is TextBlock {
  return node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell';
}

type FrontMatterNode = NodeOf<'yaml'> | (Omit<NodeOf<'yaml'>, 'type'> & { readonly type: 'toml' });

// mdast has no type for TOML; the front matter extension adds the node.
function isFrontMatter(node: Nodes | FrontMatterNode): node is FrontMatterNode {
  return node.type === 'yaml' || node.type === 'toml';
}

function frontMatter(text: string, node: FrontMatterNode, options: Visible): Draft[] {
  const { start, end } = spanOf(node as NodeOf<'yaml'>);
  const fence = /^[-+]{3}[^\r\n]*(?:\r\n|\n|\r)/.exec(text.slice(start, end))?.[0] ?? '';
  const inside = text.slice(start + fence.length, end).replace(/[-+]{3}[ \t]*$/, '');
  // Everything before it becomes blanks, which keeps offsets and lines.
  const before = text.slice(0, start + fence.length).replace(/[^\r\n]/g, ' ');
  const shown = options.frontMatter ?? VISIBLE_FRONT_MATTER;
  return frontMatterTexts({ kind: node.type, text: before + inside, file: options.file, shown });
}

/** The title of a reference definition. Titles of links in sentences belong to their sentences. */
function titleDraft(text: string, node: NodeOf<'definition'>): Draft[] {
  const { start, end } = spanOf(node);
  const title = definitionTitle(text.slice(start, end));
  if (title === undefined) return [];
  return [
    {
      start: start + title.start,
      end: start + title.end,
      parts: [title.text],
      encode: (written) => writeTitle(partsText(written), title.quoted),
      context: 'title of a link',
    },
  ];
}

// Only an HTML block at the margin: in a list or quote its lines have marks that are no HTML.
function htmlDrafts(text: string, node: NodeOf<'html'>): Draft[] {
  const { start, end } = spanOf(node);
  if (node.position?.start.column !== 1) return [];
  return htmlTexts(text.slice(start, end)).texts.map((found) => ({
    ...found,
    start: start + found.start,
    end: start + found.end,
  }));
}

/** A row needs no bar before its first cell (GFM 4.10), so the start of its text could begin another block. */
function startsRow(text: string, offset: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return text.charAt(offset) !== '|' && !before.includes('|');
}

/** An underlined heading (CommonMark 4.3) is written like a paragraph: its first line could begin any block. */
function blockOf(node: TextBlock, text: string): MarkdownPlace['block'] {
  if (node.type === 'tableCell') return startsRow(text, spanOf(node).start) ? 'row' : 'cell';
  return node.type === 'heading' && text.charAt(spanOf(node).start) === '#'
    ? 'heading'
    : 'paragraph';
}

function plainDraft(text: string, span: PlainParagraph, place: Reader['place']): Draft {
  const { start, end } = span;
  const parts = plainParts({ text, memory: place.memory, opaque: [] }, span);
  const own = text.slice(start, end);
  const encode: Draft['encode'] = (written) =>
    encodeMarkdown(written, { ...place, block: 'paragraph', own });
  return { start, end, parts, encode };
}

function blockDraft(text: string, node: TextBlock, place: Reader['place']): Draft[] {
  const first = node.children[0];
  const last = node.children.at(-1);
  if (first === undefined || last === undefined) return [];
  const whole = { start: spanOf(first).start, end: spanOf(last).end };
  const span = node.type === 'paragraph' ? withoutMarkerLines(text, whole) : whole;
  const opaque = mathIn(text, span);
  const parts = inlineParts({ text, memory: place.memory, opaque }, node.children, span);
  if (!hasLetters(parts) && titlesIn(parts).length === 0) return [];
  const block = blockOf(node, text);
  const own = text.slice(span.start, span.end);
  return [
    { ...span, parts, encode: (written) => encodeMarkdown(written, { ...place, block, own }) },
  ];
}

function segmentsOf(text: string, drafts: readonly Draft[]): Segment[] {
  const idOf = contentIds();
  const positionAt = positionsOf(text);
  const inOrder = [...drafts].sort((a, b) => a.start - b.start);
  return inOrder.map((draft) =>
    makeSegment(text, {
      ...draft,
      id: idOf(draft.parts),
      syntax: 'markup',
      line: positionAt(draft.start).line,
    }),
  );
}

// The visible attributes of JSX elements: quoted strings only. Expressions stay.

/** Attributes that components show, whatever the component is. */
const VISIBLE_ATTRIBUTES: readonly string[] = [
  'title',
  'label',
  'alt',
  'placeholder',
  'aria-label',
];

interface JsxSource {
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
function jsxTexts(node: Nodes, { text, memory, names }: JsxSource): JsxText[] {
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
    // A value over several lines may contain marks of a quote or list.
    if (quote === '' || /[\r\n]/.test(text.slice(span.start, span.end))) return [];
    const context = `${name} of <${element}>`;
    return attributeText(text, { ...span, quote }, memory).map((found) => ({ ...found, context }));
  });
}

function isJsx(node: Nodes): boolean {
  const type: string = node.type;
  return type === 'mdxJsxFlowElement' || type === 'mdxJsxTextElement';
}

/** All JSX elements inside a node that is no text itself, outermost first. */
function jsxInside(node: Nodes): Nodes[] {
  const inner = 'children' in node ? node.children.flatMap((child) => jsxInside(child)) : [];
  return isJsx(node) ? [node, ...inner] : inner;
}
