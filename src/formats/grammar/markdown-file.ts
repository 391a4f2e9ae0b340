/**
 * The segments of a Markdown document: front matter, paragraphs, headings, table cells and texts of HTML blocks. Code and modules are the
 * frame.
 */
import {
  type Doc,
  type FormatOptions,
  type Part,
  partsText,
  type Segment,
  type Warning,
} from '../../format.ts';
import { EscapeMemory, type HabitListener, LearnedHabits } from '../text/escapes.ts';
import { hasLetters } from '../text/parts.ts';
import { positionsOf } from '../text/position.ts';
import { contentIds, makeSegment } from '../text/segment.ts';
import { frontMatterTexts, VISIBLE_FRONT_MATTER } from './front-matter.ts';
import { attributeText, type HtmlText, htmlTexts } from './html-texts.ts';
import { type KnownPieces, type ParsedPiece, readInPieces } from './markdown-blocks.ts';
import { encodeMarkdown, type MarkdownPlace } from './markdown-escapes.ts';
import { inlineParts, lineBefore, plainParts } from './markdown-inline.ts';
import { mathIn, withoutMarkerLines } from './markdown-markers.ts';
import { definitionTitle, titlesIn, writeTitle } from './markdown-titles.ts';
import {
  isOnePiece,
  type MarkdownDialect,
  type NodeOf,
  type Nodes,
  nodeSpan,
} from './markdown-tree.ts';

type SegmentDraft = Pick<Segment, 'start' | 'end' | 'parts' | 'encode' | 'context' | 'name'>;

type Visible = Pick<FormatOptions, 'file' | 'attributes' | 'frontMatter'>;

/**
 * Throws JobFailure `malformed` with line and column.
 * @param near a reading of nearly the same text: what is the same is taken from it
 */
export function markdownDoc(
  text: string,
  dialect: MarkdownDialect,
  options: Visible,
  near?: Doc,
): Doc {
  const memory = new EscapeMemory();
  const quoted = new EscapeMemory();
  const names = new Set(options.attributes ?? VISIBLE_ATTRIBUTES);
  const page = readInPieces<PieceTexts>(
    { text, dialect, file: options.file },
    {
      known: near && piecesKnown.get(near),
      words: (paragraph) => ({ drafts: [wordsDraft(paragraph, memory)], left: [] }),
      parsed: (piece) => pieceTexts(piece, { options, names, memory, quoted, dialect }),
    },
  );
  for (const { result } of page.pieces) result.habits?.tell(memory);
  const place = { isMdx: dialect.name === 'mdx', labels: page.labels, memory };
  const placed = (kind: 'drafts' | 'left') =>
    page.pieces.flatMap(({ start, result }) =>
      result[kind].map((draft) => at(draft, start, place)),
    );
  const doc: Doc = {
    segments: numberedSegments(text, placed('drafts')),
    warnings: warningsOf(text, placed('left')),
  };
  piecesKnown.set(doc, page.known);
  return doc;
}

const piecesKnown = new WeakMap<Doc, KnownPieces<PieceTexts>>();
interface PieceTexts {
  readonly drafts: readonly PieceDraft[];
  /** Found, and left as they are. */
  readonly left: readonly PieceDraft[];
  readonly habits?: LearnedHabits;
}

type PagePlace = Omit<MarkdownPlace, 'block' | 'own'>;

/** A text with offsets from the start of its piece. Several pages may have the same piece. */
interface PieceDraft extends Omit<SegmentDraft, 'encode'> {
  encode(parts: readonly Part[], place: PagePlace): string;
}

function at({ encode, ...draft }: PieceDraft, offset: number, place: PagePlace): SegmentDraft {
  const [start, end] = [draft.start + offset, draft.end + offset];
  return { ...draft, start, end, encode: (written) => encode(written, place) };
}

interface TextsInput {
  readonly options: Visible;
  /** The names of attributes that are texts. */
  readonly names: ReadonlySet<string>;
  /** The habits of the page. */
  readonly memory: EscapeMemory;
  /** Of its JSX attributes: they have no backslash escapes. */
  readonly quoted: EscapeMemory;
  readonly dialect: MarkdownDialect;
}

function pieceTexts(
  { text, lead, nodes }: ParsedPiece,
  { options, names, memory, quoted, dialect }: TextsInput,
): PieceTexts {
  const habits = isOnePiece(dialect) ? undefined : new LearnedHabits();
  const jsx = (node: Nodes) => jsxTexts(node, { text, memory: quoted, names });
  const drafts: PieceDraft[] = [];
  const left: PieceDraft[] = [];
  const visit = (node: Nodes): void => {
    if (isJsx(node)) drafts.push(...jsx(node));
    if (isFrontMatter(node)) drafts.push(...frontMatter(text, node, options));
    else if (node.type === 'html') drafts.push(...htmlDrafts(text, node));
    else if (node.type === 'definition') drafts.push(...titleDraft(text, node));
    else if (isTextBlock(node)) {
      const [block] = blockDraft(text, node, habits ?? memory);
      const attributes = jsxInside(node).flatMap(jsx);
      if (block !== undefined) drafts.push(block);
      for (const each of attributes) (isInside(each, block) ? left : drafts).push(each);
    } else if ('children' in node) for (const child of node.children) visit(child);
  };
  for (const node of nodes) visit(node);
  const inPiece = (draft: PieceDraft) =>
    lead === 0 ? draft : { ...draft, start: draft.start - lead, end: draft.end - lead };
  return { drafts: drafts.map(inPiece), left: left.map(inPiece), ...(habits && { habits }) };
}

function isInside({ start }: PieceDraft, block: PieceDraft | undefined): boolean {
  return block !== undefined && start >= block.start && start < block.end;
}

function warningsOf(text: string, left: readonly SegmentDraft[]): Warning[] {
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

function frontMatter(text: string, node: FrontMatterNode, options: Visible): SegmentDraft[] {
  const { start, end } = nodeSpan(node as NodeOf<'yaml'>);
  const fence = /^[-+]{3}[^\r\n]*(?:\r\n|\n|\r)/.exec(text.slice(start, end))?.[0] ?? '';
  const inside = text.slice(start + fence.length, end).replace(/[-+]{3}[ \t]*$/, '');
  // Everything before it becomes blanks, which keeps offsets and lines.
  const before = text.slice(0, start + fence.length).replace(/[^\r\n]/g, ' ');
  const shown = options.frontMatter ?? VISIBLE_FRONT_MATTER;
  return frontMatterTexts({ kind: node.type, text: before + inside, file: options.file, shown });
}

/** The title of a reference definition. Titles of links in sentences belong to their sentences. */
function titleDraft(text: string, node: NodeOf<'definition'>): SegmentDraft[] {
  const { start, end } = nodeSpan(node);
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
function htmlDrafts(text: string, node: NodeOf<'html'>): SegmentDraft[] {
  const { start, end } = nodeSpan(node);
  if (node.position?.start.column !== 1) return [];
  return htmlTexts(text.slice(start, end)).texts.map((found) => ({
    ...found,
    start: start + found.start,
    end: start + found.end,
  }));
}

/** A row needs no bar before its first cell (GFM 4.10), so the start of its text could begin another block. */
function startsRow(text: string, offset: number): boolean {
  return text.charAt(offset) !== '|' && !lineBefore(text, offset).includes('|');
}

/** An underlined heading (CommonMark 4.3) is written like a paragraph: its first line could begin any block. */
function blockOf(node: TextBlock, text: string): MarkdownPlace['block'] {
  if (node.type === 'tableCell') return startsRow(text, nodeSpan(node).start) ? 'row' : 'cell';
  return node.type === 'heading' && text.charAt(nodeSpan(node).start) === '#'
    ? 'heading'
    : 'paragraph';
}

function wordsDraft(text: string, memory: HabitListener): PieceDraft {
  const span = { start: 0, end: text.length };
  const parts = plainParts({ text, memory, opaque: [] }, span);
  const encode: PieceDraft['encode'] = (written, place) =>
    encodeMarkdown(written, { ...place, block: 'paragraph', own: text });
  return { ...span, parts, encode };
}

function blockDraft(text: string, node: TextBlock, memory: HabitListener): PieceDraft[] {
  const first = node.children[0];
  const last = node.children.at(-1);
  if (first === undefined || last === undefined) return [];
  const whole = { start: nodeSpan(first).start, end: nodeSpan(last).end };
  const span = node.type === 'paragraph' ? withoutMarkerLines(text, whole) : whole;
  const opaque = mathIn(text, span);
  const parts = inlineParts({ text, memory, opaque }, node.children, span);
  if (!hasLetters(parts) && titlesIn(parts).length === 0) return [];
  const block = blockOf(node, text);
  const own = text.slice(span.start, span.end);
  return [
    {
      ...span,
      parts,
      encode: (written, place) => encodeMarkdown(written, { ...place, block, own }),
    },
  ];
}

function numberedSegments(text: string, drafts: readonly SegmentDraft[]): Segment[] {
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
