/** The texts of a paragraph, a heading or a table cell: mostly one. A paragraph may have boxes and elements with texts of their own. Pure. */
import type { LeafBlock, Segment, Span } from '../../format.ts';
import type { HabitListener } from '../text/escapes.ts';
import { hasLetters } from '../text/parts.ts';
import { hasCommandsAlone, type PageReading } from './markdown-code.ts';
import { type ContainerText, textsOfContainers } from './markdown-containers.ts';
import type { MarkdownPlace } from './markdown-escapes.ts';
import { inlineParts, lineBefore } from './markdown-inline.ts';
import { contentsOfElements, type JsxSource } from './markdown-jsx.ts';
import { commentsIn, mathIn, withoutMarkerLines } from './markdown-markers.ts';
import { titlesIn } from './markdown-titles.ts';
import { type MarkdownDialect, type NodeOf, type Nodes, nodeSpan } from './markdown-tree.ts';

/** The text of a block; `own`: as it is written now. */
export type BlockText = Pick<Segment, 'start' | 'end' | 'parts' | 'readBefore' | 'leaf'> &
  Pick<MarkdownPlace, 'block' | 'own'>;

export type TextBlock = NodeOf<'paragraph' | 'heading' | 'tableCell'>;

export function isTextBlock(node: Nodes): node is TextBlock {
  return node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell';
}

export interface BlockSource {
  readonly text: string;
  readonly dialect: MarkdownDialect;
  readonly memory: HabitListener;
  readonly jsx: JsxSource;
  readonly reading: PageReading;
}

export function blockTexts(source: BlockSource, node: TextBlock): BlockText[] {
  const inside = node.type === 'paragraph' ? contentsOfElements(node, source.jsx) : undefined;
  if (inside === undefined && isOfCommands(source, node)) return [];
  const all = inside ?? [node.children];
  return all.flatMap((children) => inlineText(source, node, children));
}

function isOfCommands({ text, reading }: BlockSource, node: TextBlock): boolean {
  const { start, end } = nodeSpan(node);
  return node.type === 'paragraph' && hasCommandsAlone(text.slice(start, end), reading);
}

function inlineText(
  source: BlockSource,
  node: TextBlock,
  children: TextBlock['children'],
): BlockText[] {
  const first = children[0];
  const last = children.at(-1);
  if (first === undefined || last === undefined) return [];
  const { text } = source;
  const whole = withoutBlanks(text, { start: nodeSpan(first).start, end: nodeSpan(last).end });
  if (node.type !== 'paragraph')
    return oneText(source, children, { ...whole, block: blockOf(node, text), leaf: leafOf(node) });
  const paragraph = (span: Span, block: BlockText['block']) =>
    oneText(source, children, {
      ...{ ...withoutMarkerLines(text, span), block },
      leaf: block === 'heading' ? 'title' : 'paragraph',
    });
  const texts = textsOfParagraph(source, children, whole);
  if (texts === undefined) return paragraph(whole, 'paragraph');
  const found = texts.flatMap((each) => paragraph(each, each.isTitle ? 'heading' : 'paragraph'));
  const [head, ...rest] = found;
  const before = paragraph(whole, 'paragraph')[0];
  if (head === undefined || before === undefined) return found;
  const { start, end, parts } = before;
  const together = { as: 'box', start, end, parts, count: found.length } as const;
  return [{ ...head, readBefore: [together] }, ...rest];
}

/** The lines of a box count where no markup goes over them. */
function textsOfParagraph(
  { text, reading }: BlockSource,
  children: TextBlock['children'],
  whole: Span,
): readonly ContainerText[] | undefined {
  const texts = textsOfContainers(text, whole, reading);
  const isOver = (at: number) =>
    children.some((child) => {
      const { start, end } = nodeSpan(child);
      return child.type !== 'text' && start < at && at < end;
    });
  return texts?.some(({ start, end }) => isOver(start) || isOver(end)) ? undefined : texts;
}

function oneText(
  { text, dialect, memory }: BlockSource,
  children: TextBlock['children'],
  { block, leaf, ...span }: Span & Required<Pick<BlockText, 'block' | 'leaf'>>,
): BlockText[] {
  // In Markdown a comment is a node; the parser of MDX gets blanks in its place.
  const comments = dialect.name === 'mdx' ? commentsIn(text, span) : [];
  const opaque = [...mathIn(text, span), ...comments].sort((a, b) => a.start - b.start);
  const parts = inlineParts({ text, memory, opaque }, children, span);
  if (!hasLetters(parts) && titlesIn(parts).length === 0) return [];
  return [{ ...span, parts, block, leaf, own: text.slice(span.start, span.end) }];
}

/** Between the tags of an element a text may have blanks at its edges. */
function withoutBlanks(text: string, { start, end }: Span): Span {
  const own = text.slice(start, end);
  const [head] = /^[ \t]*/.exec(own) ?? [''];
  return { start: start + head.length, end: start + Math.max(head.length, own.trimEnd().length) };
}

/** A row needs no bar before its first cell (GFM 4.10), so the start of its text could begin another block. */
function startsRow(text: string, offset: number): boolean {
  return text.charAt(offset) !== '|' && !lineBefore(text, offset).includes('|');
}

function leafOf(node: TextBlock): LeafBlock {
  return node.type === 'tableCell' ? 'cell' : node.type;
}

/** An underlined heading (CommonMark 4.3) is written like a paragraph: its first line could begin any block. */
function blockOf(node: TextBlock, text: string): MarkdownPlace['block'] {
  if (node.type === 'tableCell') return startsRow(text, nodeSpan(node).start) ? 'row' : 'cell';
  return node.type === 'heading' && text.charAt(nodeSpan(node).start) === '#'
    ? 'heading'
    : 'paragraph';
}
