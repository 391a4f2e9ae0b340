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
  type WithinBlocks,
} from '../../format.ts';
import { append } from '../../parsing/append.ts';
import { EscapeMemory, LearnedHabits, readEscaped } from '../text/escapes.ts';
import { sameParts } from '../text/parts.ts';
import { positionsOf } from '../text/position.ts';
import { idOfContent, uniqueIds } from '../text/segment.ts';
import { MARKDOWN_NOTATION } from './entities.ts';
import { frontMatterTexts } from './front-matter.ts';
import { htmlTexts } from './html-texts.ts';
import {
  type KnownPieces,
  type ParsedPiece,
  type PiecesRead,
  readInPieces,
} from './markdown-blocks.ts';
import { codeIn, hasCommandsAlone, mayReadOtherwise, type PageReading } from './markdown-code.ts';
import { encodeMarkdown, type MarkdownPlace } from './markdown-escapes.ts';
import { plainParts } from './markdown-inline.ts';
import { isJsx, type JsxSource, jsxInside, jsxTexts } from './markdown-jsx.ts';
import { refuseDeepMarks, refuseManyBraces } from './markdown-nesting.ts';
import { type BlockText, blockTexts, isTextBlock, type TextBlock } from './markdown-paragraphs.ts';
import { definitionTitle, writeTitle } from './markdown-titles.ts';
import {
  isOnePiece,
  type MarkdownDialect,
  type NodeOf,
  type Nodes,
  nodeSpan,
  parseAsBefore,
} from './markdown-tree.ts';
import { isModule } from './mdx-signs.ts';
import { withReadBefore } from './read-before.ts';
import { VISIBLE_ATTRIBUTES, VISIBLE_FRONT_MATTER } from './shown-keys.ts';

/** A text of a piece, and how another text is written in its place. */
type UnplacedText = Pick<
  Segment,
  'start' | 'end' | 'parts' | 'context' | 'name' | 'readBefore' | 'leaf'
> &
  (Pick<Segment, 'encode'> | Pick<BlockText, 'block' | 'own'>);

type TextOfNode = UnplacedText & Pick<PlacedText, 'within'>;

type Visible = Pick<FormatOptions, 'file' | 'attributes' | 'frontMatter'>;

/**
 * Throws JobFailure `malformed` with line and column.
 * @param near a reading of nearly the same text: equal pieces are taken from it
 */
export function markdownDoc(
  text: string,
  dialect: MarkdownDialect,
  options: Visible,
  near?: Doc,
): Doc {
  refuseDeepMarks(options.file, text);
  if (dialect.name === 'mdx') refuseManyBraces(options.file, text);
  const memory = new EscapeMemory();
  const quoted = new EscapeMemory();
  const names = new Set(options.attributes ?? VISIBLE_ATTRIBUTES);
  const page = readInPieces<PieceTexts>(
    { text, dialect, file: options.file },
    {
      known: near && piecesKnown.get(near),
      words: wordsOf,
      parsed: (piece) => pieceTexts(piece, { options, names, memory, quoted, dialect }),
    },
  );
  for (const { result } of page.pieces) teachHabits(result, memory);
  const place = { isMdx: dialect.name === 'mdx', labels: page.labels, memory };
  const doc: Doc = {
    segments: numberedSegments(text, page.pieces, place),
    warnings: warningsOf(text, page.pieces),
  };
  piecesKnown.set(doc, page.known);
  return doc;
}

const piecesKnown = new WeakMap<Doc, KnownPieces<PieceTexts>>();

type PagePieces = PiecesRead<PieceTexts>['pieces'];

interface PieceTexts {
  /** In order. */
  readonly texts: readonly PlacedText[];
  /** Found, and left as they are. */
  readonly left: readonly PlacedText[];
  /** Absent: the texts are written without escapes, or their habits are learned already. */
  readonly habits?: LearnedHabits;
  /** Such texts. */
  readonly plain?: readonly Part[];
}

function teachHabits({ habits, plain = [] }: PieceTexts, memory: EscapeMemory): void {
  habits?.teach(memory);
  for (const part of plain) if (typeof part === 'string') memory.learnPlain(part);
}

type PagePlace = Omit<MarkdownPlace, 'block' | 'own'>;

/** A text with offsets from the start of its piece, and its `idOfContent`. Several pages may have the same piece. */
type PlacedText = UnplacedText & {
  readonly key: string;
  readonly within?: WithinBlocks | undefined;
};

function inPiece(found: TextOfNode, lead: number): PlacedText {
  return { ...found, ...moved(found, -lead), key: idOfContent(found.parts) };
}

type TextPlaces = Pick<Segment, 'start' | 'end' | 'readBefore'>;

function moved({ start, end, readBefore: before }: TextPlaces, by: number): TextPlaces {
  const place = { start: start + by, end: end + by };
  if (before === undefined) return place;
  const readBefore = before.map((each) => ({
    ...each,
    start: each.start + by,
    end: each.end + by,
  }));
  return { ...place, readBefore };
}

interface TextsInput {
  readonly options: Visible;
  /** The names of attributes that are texts. */
  readonly names: ReadonlySet<string>;
  /** The habits of the page. */
  readonly memory: EscapeMemory;
  /** The escape habits of its JSX attributes, which have no backslash escapes. */
  readonly quoted: EscapeMemory;
  readonly dialect: MarkdownDialect;
}

function pieceTexts(piece: ParsedPiece, input: TextsInput): PieceTexts {
  const isPlain = input.dialect.name === 'markdown';
  const now = textsOf(piece, { ...input, reading: isPlain ? 'now' : 'before' });
  const before = parseAsBefore(piece.text, input.dialect);
  if (before === undefined && !(isPlain && mayReadOtherwise(piece.text))) return now;
  const nodes = before?.children ?? piece.nodes;
  const { texts } = textsOf({ ...piece, nodes }, { ...input, reading: 'before' });
  return { ...now, texts: withReadBefore(now.texts, texts) };
}

function textsOf(
  { text, lead, nodes }: ParsedPiece,
  {
    options,
    names,
    memory,
    quoted,
    dialect,
    reading,
  }: TextsInput & { readonly reading: PageReading },
): PieceTexts {
  const habits = isOnePiece(dialect) ? undefined : new LearnedHabits();
  const jsx: JsxSource = { text, memory: quoted, names };
  const found: TextOfNode[] = [];
  const left: UnplacedText[] = [];
  const visit = (node: Nodes, within?: WithinBlocks): void => {
    const add = (all: readonly UnplacedText[]) =>
      append(found, within ? all.map((each) => ({ ...each, within })) : all);
    if (isJsx(node)) add(jsxTexts(node, jsx));
    if (isFrontMatter(node)) add(frontMatter(text, node, options));
    else if (node.type === 'html') add(htmlBlock(text, node));
    else if (node.type === 'definition') add(titleText(text, node));
    else if (isTextBlock(node)) {
      if (isModuleBlock(text, node)) return;
      const blocks = blockTexts({ text, dialect, memory: habits ?? memory, jsx, reading }, node);
      const attributes = jsxInside(node).flatMap((each) => jsxTexts(each, jsx));
      add(blocks);
      append(
        left,
        attributes.filter((each) => isInside(each, blocks)),
      );
      add(attributes.filter((each) => !isInside(each, blocks)));
    } else if ('children' in node) {
      const start = within?.start ?? nodeSpan(node).start - lead;
      const containers = [...(within?.containers ?? []), { kind: containerKind(node) }];
      for (const child of node.children) visit(child, { start, containers });
    }
  };
  for (const node of nodes) visit(node);
  const inOrder = found.sort((a, b) => a.start - b.start);
  const placed = (all: readonly TextOfNode[]) => all.map((each) => inPiece(each, lead));
  return { texts: placed(inOrder), left: placed(left), ...(habits && { habits }) };
}

function containerKind(node: Nodes): string {
  return 'name' in node ? `${node.type} ${String(node.name)}` : node.type;
}

function isInside({ start }: UnplacedText, blocks: readonly UnplacedText[]): boolean {
  return blocks.some((block) => start >= block.start && start < block.end);
}

function warningsOf(text: string, pieces: PagePieces): Warning[] {
  if (pieces.every(({ result }) => result.left.length === 0)) return [];
  const positionAt = positionsOf(text);
  return pieces.flatMap(({ start: offset, result }) =>
    result.left.map(({ start, end }) => ({
      line: positionAt(offset + start).line,
      message: `"${text.slice(offset + start, offset + end)}" stays as it is: it is an attribute inside a sentence`,
    })),
  );
}

/** Statements that plain Markdown shows as words: the page is MDX that only another version of its parser takes. */
function isModuleBlock(text: string, node: TextBlock): boolean {
  const { start, end } = nodeSpan(node);
  const isAtMargin = node.type === 'paragraph' && node.position?.start.column === 1;
  return isAtMargin && isModule(text.slice(start, end));
}

type FrontMatterNode = NodeOf<'yaml'> | (Omit<NodeOf<'yaml'>, 'type'> & { readonly type: 'toml' });

// mdast has no type for TOML; the front matter extension adds the node.
function isFrontMatter(node: Nodes | FrontMatterNode): node is FrontMatterNode {
  return node.type === 'yaml' || node.type === 'toml';
}

function frontMatter(text: string, node: FrontMatterNode, options: Visible): UnplacedText[] {
  const { start, end } = nodeSpan(node as NodeOf<'yaml'>);
  const fence = /^[-+]{3}[^\r\n]*(?:\r\n|\n|\r)/.exec(text.slice(start, end))?.[0] ?? '';
  const inside = text.slice(start + fence.length, end).replace(/[-+]{3}[ \t]*$/, '');
  // Everything before it becomes blanks, which keeps offsets and lines.
  const before = text.slice(0, start + fence.length).replace(/[^\r\n]/g, ' ');
  const shown = options.frontMatter ?? VISIBLE_FRONT_MATTER;
  return frontMatterTexts({ kind: node.type, text: before + inside, file: options.file, shown });
}

/** The title of a reference definition. Titles of links in sentences belong to their sentences. */
function titleText(text: string, node: NodeOf<'definition'>): UnplacedText[] {
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

// Only an HTML block at the margin: in a list or quote its lines have marks that are not HTML.
function htmlBlock(text: string, node: NodeOf<'html'>): UnplacedText[] {
  const { start, end } = nodeSpan(node);
  if (node.position?.start.column !== 1) return [];
  return htmlTexts(text.slice(start, end)).texts.map((found) => ({
    ...found,
    leaf: 'html' as const,
    start: start + found.start,
    end: start + found.end,
  }));
}

const NO_TEXTS: readonly PlacedText[] = [];

/**
 * Marks of markup that may split words into several parts: template calls, emoji, references, directives and their titles, line breaks.
 */
const MAY_HAVE_PARTS = /["{&\r\n]|!!!|\?\?\?|\\:/;

function wordsOf(words: string): PieceTexts {
  const start = words.startsWith('#') ? words.indexOf(' ') + 1 : 0;
  const own = words.slice(start);
  const block = start === 0 ? 'paragraph' : 'heading';
  const paragraph = words.trimEnd();
  if (isModule(paragraph) || hasCommandsAlone(paragraph))
    return { texts: NO_TEXTS, left: NO_TEXTS };
  const text = (parts: readonly Part[]): PlacedText => {
    const key = idOfContent(parts);
    return { start, end: words.length, parts, key, block, leaf: block, own };
  };
  const hasParts = MAY_HAVE_PARTS.test(own);
  if (!hasParts && !own.includes('\\')) {
    const plain = [own];
    return { texts: [text(plain)], left: NO_TEXTS, plain };
  }
  const habits = new LearnedHabits();
  const parts = hasParts
    ? plainParts({ text: words, memory: habits, opaque: [] }, { start, end: words.length })
    : [readEscaped(own, MARKDOWN_NOTATION, habits)];
  return { texts: [text(parts)], left: NO_TEXTS, habits };
}

function numberedSegments(text: string, pieces: PagePieces, place: PagePlace): Segment[] {
  const idOf = uniqueIds();
  const positionAt = positionsOf(text);
  const encoder = encoders(text, place);
  const code = codeIn(text);
  const isCode = (start: number, end: number) =>
    code.some((span) => start >= span.start && end <= span.end);
  return pieces.flatMap(({ start: offset, result }) =>
    result.texts.flatMap((found): Segment[] => {
      const { parts, context, name, within, leaf } = found;
      const place = moved(found, offset);
      const { start, end } = place;
      if (isCode(start, end)) return [];
      const segment: Segment = {
        id: idOf(found.key),
        ...place,
        parts,
        syntax: 'markup',
        ...(within && { within: { ...within, start: within.start + offset } }),
        ...(leaf && { leaf }),
        line: positionAt(start).line,
        encode: encoder(found, start, end),
      };
      if (context === undefined && name === undefined) return [segment];
      return [{ ...segment, ...(context && { context }), ...(name && { name }) }];
    }),
  );
}

/** A function beside `numberedSegments`, so that the segments do not keep the tables of that function in memory. */
function encoders(text: string, place: PagePlace) {
  return (found: UnplacedText, start: number, end: number): Segment['encode'] =>
    (written) =>
      // An unchanged text keeps its bytes.
      sameParts(written, found.parts) ? text.slice(start, end) : encoded(found, written, place);
}

function encoded(found: UnplacedText, written: readonly Part[], place: PagePlace): string {
  if ('encode' in found) return found.encode(written);
  const { block, own } = found;
  return encodeMarkdown(written, { ...place, block, own });
}
