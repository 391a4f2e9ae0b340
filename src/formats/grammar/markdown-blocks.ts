/**
 * Reads a page in pieces, each cut where no block is open and parsed alone: the tree of a whole page of 10 MB takes gigabytes. A paragraph
 * of words alone needs no parser. Together the pieces read like the page; a test compares both. Offsets are UTF-16 units.
 */
import {
  frontMatterLength,
  type MarkdownDialect,
  type Nodes,
  parseMarkdown,
  type Root,
  spanOf,
} from './markdown-tree.ts';

interface Page {
  readonly text: string;
  readonly dialect: MarkdownDialect;
  /** For messages. */
  readonly file: string;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A paragraph of words alone, in the text of the page. */
export type PlainParagraph = Span & { readonly kind: 'plain' };

export interface ParsedPiece {
  readonly kind: 'parsed';
  /** The text to which the offsets of `nodes` belong. */
  readonly text: string;
  /** What an offset of `nodes` is short of its offset in the page. */
  readonly shift: number;
  readonly nodes: Root['children'];
}

export type PagePiece = PlainParagraph | ParsedPiece;

interface Blocks<T> {
  /** What `read` made of the pieces, in order. */
  readonly pieces: readonly T[];
  /** The labels that `[label]` may refer to, normalized as Markdown does it. */
  readonly labels: ReadonlySet<string>;
}

/**
 * @param read is called once for each piece, not in their order: a definition further down can make a reference of brackets
 * @throws JobFailure `malformed` with line and column; plain Markdown always parses
 */
export function readBlocks<T>(page: Page, read: (piece: PagePiece) => T): Blocks<T> {
  const mayDefine = page.text.includes(']:');
  const defined = new Set<string>();
  const pieces = Array.from(piecesOf(page), (each): Reading<T> => {
    const own = mayDefine ? labelsIn(each.piece) : NONE;
    for (const label of own) defined.add(label);
    const used = mayDefine ? labelsUsed(page, each) : [];
    const unknown = used.filter((label) => !own.has(label));
    return unknown.length === 0 ? { result: read(each.piece) } : { ...each, unknown };
  });
  const resultOf = (each: Reading<T>) =>
    'result' in each ? each.result : read(withLabels(page, each, defined));
  return {
    pieces: pieces.map(resultOf),
    labels: new Set([...defined].map((label) => label.replace(/^\^/, ''))),
  };
}

/** A piece with brackets is read when all labels of the page are known. */
type Reading<T> = { readonly result: T } | OpenPiece;
type OpenPiece = Piece & { readonly unknown: readonly string[] };

function withLabels(
  page: Page,
  { start, end, piece, unknown }: OpenPiece,
  defined: ReadonlySet<string>,
): PagePiece {
  const labels = unknown.filter((label) => defined.has(label));
  return labels.length === 0 ? piece : parsed(page, { start, end }, labels).piece;
}

const NONE: ReadonlySet<string> = new Set();

interface Piece extends Span {
  readonly piece: PagePiece;
  /** Brackets in it may be references. */
  readonly mayRefer: boolean;
}

/** UTF-16 units: the parser takes as long to be set up as for about so much text. */
const LEAST = 4096;

function* piecesOf(page: Page): Generator<Piece> {
  const { text, dialect } = page;
  const head = dialect.isWhole ? text.length : frontMatterLength(text);
  if (head > 0) {
    const place = { start: 0, end: head };
    yield { ...place, piece: parsed(page, place, []).piece, mayRefer: false };
  }
  for (let start = nextLine(text, head); start < text.length; ) {
    const plain = plainAt(text, start);
    const next =
      plain === undefined ? parsedAt(page, start) : { ...plain, piece: plain, mayRefer: false };
    yield next;
    start = nextLine(text, next.end);
  }
}

/** Tries a longer piece while a fence or HTML is open at its end. */
function parsedAt(page: Page, start: number): Piece {
  for (let least = LEAST; ; least *= 2) {
    const place = { start, end: cutBehind(page.text, start + least) };
    const { piece, isClosed } = parsed(page, place, []);
    if (isClosed) return { ...place, piece, mayRefer: true };
  }
}

/** @param labels defined elsewhere in the page */
function parsed(
  { text, dialect, file }: Page,
  { start, end }: Span,
  labels: readonly string[],
): { readonly piece: ParsedPiece; readonly isClosed: boolean } {
  const before = labels.map((label) => `[${label}]: x\n\n`).join('');
  const isLast = end === text.length;
  const own = before + text.slice(start, end);
  const all = parseMarkdown(isLast ? own : own + NEXT, dialect, { file, isStart: start === 0 });
  const last = all.children.at(-1);
  const isNext = !isLast && last?.type === 'paragraph' && spanOf(last).start === own.length;
  const nodes = all.children.filter((node) => {
    const at = spanOf(node).start;
    return at >= before.length && at < own.length;
  });
  return {
    piece: { kind: 'parsed', text: own, shift: start - before.length, nodes },
    isClosed: isLast || isNext,
  };
}

/** Stands for the line behind a piece: a paragraph at the margin, if nothing before it is open. */
const NEXT = 'x';

const END = String.raw`(?:\r\n|\n|\r(?!\n))`;
const BLANK_LINES = new RegExp(String.raw`(?:[ \t]*${END})*`, 'y');

function nextLine(text: string, offset: number): number {
  BLANK_LINES.lastIndex = offset;
  return offset + (BLANK_LINES.exec(text)?.[0].length ?? 0);
}

/**
 * Behind a blank line, at a line that continues no list (CommonMark 5.2), no quote (5.1) and no footnote: these need a mark or blanks at
 * its start.
 */
const CUT = new RegExp(String.raw`${END}[ \t]*${END}(?=[^\s>\-+*\d])`, 'g');

function cutBehind(text: string, offset: number): number {
  CUT.lastIndex = offset;
  const found = CUT.exec(text);
  return found === null ? text.length : found.index + found[0].length;
}

/** A line that begins with a letter, ends with no blank, and has no character that Markdown or GFM reads as markup. */
const WORDS = String.raw`\p{L}(?:[^\\&\x60*_~<[\]@|{$:\r\n\0]|:(?=[ \t\r\n]|$))*(?<![ \t])`;
const PLAIN = new RegExp(
  String.raw`${WORDS}(?:${END}${WORDS})*(?=${END}?$|${END}[ \t]*${END})`,
  'uy',
);
/** GFM makes a link of such an address without a colon (GFM 6.9). */
const ADDRESS = /www\./i;

function plainAt(text: string, start: number): PlainParagraph | undefined {
  PLAIN.lastIndex = start;
  const [found] = PLAIN.exec(text) ?? [];
  if (found === undefined || ADDRESS.test(found)) return undefined;
  return { kind: 'plain', start, end: start + found.length };
}

/** The labels of definitions; those of footnotes begin with `^`. */
function labelsIn(piece: PagePiece): ReadonlySet<string> {
  const labels = new Set<string>();
  const visit = (node: Nodes): void => {
    if (node.type === 'definition') labels.add(node.identifier);
    if (node.type === 'footnoteDefinition') labels.add(`^${node.identifier}`);
    if ('children' in node) for (const child of node.children) visit(child);
  };
  if (piece.kind === 'parsed') for (const node of piece.nodes) visit(node);
  return labels;
}

/** What stands in brackets, normalized like the label of a definition. */
function labelsUsed({ text }: Page, { start, end, mayRefer }: Piece): string[] {
  if (!mayRefer) return [];
  return [...text.slice(start, end).matchAll(/\[((?:[^[\]\\]|\\[\s\S])+)\]/g)].map(
    ([, label = '']) =>
      label
        .replace(/[\r\n][ \t>]*/g, ' ')
        .replace(/[ \t]+/g, ' ')
        .replace(/^ | $/g, '')
        .toLowerCase()
        .toUpperCase()
        .toLowerCase(),
  );
}
