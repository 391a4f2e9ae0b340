/**
 * Reads a page in pieces: each ends where no block is open, and is parsed alone. The tree of a whole page of 10 MB takes gigabytes. A
 * paragraph or a heading of words alone needs no parser. Together the pieces read like the page; a test compares both. Offsets are
 * UTF-16 units.
 */
import { crc32 } from 'node:zlib';
import type { Span } from '../../format.ts';
import { frontMatterLength } from './front-matter-fences.ts';
import {
  isOnePiece,
  type MarkdownDialect,
  type Nodes,
  nodeSpan,
  parseMarkdown,
  type Root,
} from './markdown-tree.ts';

interface PageText {
  readonly text: string;
  readonly dialect: MarkdownDialect;
  /** For messages. */
  readonly file: string;
}

export interface ParsedPiece {
  /** The text to which the offsets of `nodes` belong. */
  readonly text: string;
  /** The offset of the piece in `text`. */
  readonly lead: number;
  readonly nodes: Root['children'];
}

/** The results of the pieces. Offsets of a result begin at its piece. */
interface PieceReader<T> {
  /** @param words a paragraph or a heading that is one text, in whole lines */
  words(words: string): T;
  /** Also called again for a piece, and not in order: a definition further down can make a reference of brackets. */
  parsed(piece: ParsedPiece): T;
  /** Those of nearly the same page: the result of a piece with the same text is taken from it. */
  readonly known: KnownPieces<T> | undefined;
}

export interface PiecesRead<T> {
  /** In order. `start`: where the piece begins in the page. */
  readonly pieces: readonly { readonly start: number; readonly result: T }[];
  /** The labels that `[label]` may refer to, normalized as Markdown does it. */
  readonly labels: ReadonlySet<string>;
  readonly known: KnownPieces<T>;
}

/** By the text of the piece. */
export interface KnownPieces<T> {
  readonly parsed: ReadonlyMap<string, KnownPiece<T>>;
  readonly words: ReadonlyMap<string, T>;
}

interface KnownPiece<T> extends PieceLabels {
  /** The labels with a key of `used` that other pieces defined. */
  readonly defined: readonly string[];
  readonly result: T;
}

interface PieceLabels {
  /** Those that the piece defines. */
  readonly own: ReadonlySet<string>;
  /** The keys of the labels in brackets, which other pieces may define. */
  readonly used: readonly string[];
}

/** @throws JobFailure `malformed` with line and column; plain Markdown always parses */
export function readInPieces<T>(page: PageText, reader: PieceReader<T>): PiecesRead<T> {
  const labels = new Set<string>();
  const mayDefine = page.text.includes(']:');
  const opened = Array.from(unreadPieces({ ...page, mayDefine }, reader), (each) => {
    for (const label of each.own) labels.add(label);
    return each;
  });
  const byKey = Map.groupBy(labels, labelKey);
  const known = { parsed: new Map<string, KnownPiece<T>>(), words: new Map<string, T>() };
  const pieces = opened.map(({ start, end, own, used, reuse, read }) => {
    const defined = used.flatMap((key) => byKey.get(key) ?? []).filter((label) => !own.has(label));
    const result = read(defined);
    const text = page.text.slice(start, end);
    if (reuse === 'parsed') known.parsed.set(text, { own, used, defined, result });
    if (reuse === 'words') known.words.set(text, result);
    return { start, result };
  });
  // Footnotes too: brackets around such a label are written with escapes.
  return {
    pieces,
    labels: new Set([...labels].map((label) => label.slice(1).replace(/^\^/, ''))),
    known,
  };
}

interface UnreadPiece<T> extends Span, PieceLabels {
  /** @param defined the labels with a key of `used` that other pieces define */
  read(defined: readonly string[]): T;
  /** The known pieces in which another page finds it; undefined: its result depends on the page around it. */
  readonly reuse: keyof KnownPieces<T> | undefined;
}

/** `mayDefine`: some piece may have definitions. It is found once: a search for each piece reads a long page hundreds of times. */
type OpenPage = PageText & { readonly mayDefine: boolean };

const NO_LABELS: PieceLabels = { own: new Set(), used: [] };

function* unreadPieces<T>(page: OpenPage, reader: PieceReader<T>): Generator<UnreadPiece<T>> {
  const { text, dialect } = page;
  const head = isOnePiece(dialect) ? text.length : frontMatterLength(text);
  if (head > 0) {
    const place = { start: 0, end: head };
    const { piece } = parsed(page, place, []);
    const own = labelsIn(piece.nodes);
    yield { ...place, ...NO_LABELS, own, reuse: undefined, read: always(reader.parsed(piece)) };
  }
  for (let start = nextLine(text, head); start < text.length; ) {
    const end = wordsEnd(page, start);
    const next =
      end === undefined ? pieceAt(page, start, reader) : wordsAt(page, { start, end }, reader);
    yield next;
    start = nextLine(text, next.end);
  }
}

function wordsAt<T>({ text }: PageText, place: Span, reader: PieceReader<T>): UnreadPiece<T> {
  const words = text.slice(place.start, place.end);
  const result = reader.known?.words.get(words) ?? reader.words(words);
  return { ...place, ...NO_LABELS, reuse: 'words', read: always(result) };
}

/** Not a closure in its callers: that would keep the tree of the piece in memory, too. */
function always<T>(result: T): () => T {
  return () => result;
}

/** Tries a longer piece while a fence or HTML is open at its end. */
function pieceAt<T>(page: OpenPage, start: number, reader: PieceReader<T>): UnreadPiece<T> {
  for (let least = page.dialect.leastPiece; ; least *= 2) {
    const place = { start, end: cutBehind(page, start + least) };
    const known = reader.known?.parsed.get(page.text.slice(start, place.end));
    if (known !== undefined) return knownPiece(page, { ...place, known }, reader);
    const { piece, isClosed } = parsed(page, place, []);
    if (isClosed) return newPiece(page, { ...place, piece }, reader);
  }
}

function knownPiece<T>(
  page: PageText,
  { known, ...place }: Span & { readonly known: KnownPiece<T> },
  reader: PieceReader<T>,
): UnreadPiece<T> {
  const { own, used, defined, result } = known;
  const read = (now: readonly string[]) =>
    now.join('[') === defined.join('[') ? result : reader.parsed(parsed(page, place, now).piece);
  return { ...place, own, used, reuse: 'parsed', read };
}

function newPiece<T>(
  page: OpenPage,
  { piece, ...place }: Span & { readonly piece: ParsedPiece },
  reader: PieceReader<T>,
): UnreadPiece<T> {
  // The last piece of a page may end with an open block.
  const reuse = place.end < page.text.length ? 'parsed' : undefined;
  // The tree is not kept until all definitions are known: the trees of all pieces take gigabytes.
  const result = reader.parsed(piece);
  const read = (defined: readonly string[]) =>
    defined.length === 0 ? result : reader.parsed(parsed(page, place, defined).piece);
  return { ...place, own: labelsIn(piece.nodes), used: labelsUsed(piece.text), reuse, read };
}

/** @param labels defined by other pieces */
function parsed(
  { text, dialect, file }: PageText,
  { start, end }: Span,
  labels: readonly string[],
): { readonly piece: ParsedPiece; readonly isClosed: boolean } {
  const isLast = end === text.length;
  // The parser takes U+FEFF from the start of a text, but inside a page it is a character.
  const before = start > 0 && text.charAt(start) === '\uFEFF' ? '\n' : '';
  const own = before + text.slice(start, end);
  const place = { file, isStart: start === 0, labels };
  const all = parseMarkdown(isLast ? own : own + NEXT, dialect, place);
  const last = all.children.at(-1);
  const isNext = !isLast && last?.type === 'paragraph' && nodeSpan(last).start === own.length;
  const nodes = all.children.filter((node) => {
    const at = nodeSpan(node).start;
    return at >= before.length && at < own.length;
  });
  return { piece: { text: own, lead: before.length, nodes }, isClosed: isLast || isNext };
}

/** Stands for the line behind a piece: a paragraph at the margin, if nothing before it is open. */
const NEXT = 'x';

const LINE_END = String.raw`(?:\r\n|\n|\r(?!\n))`;
const BLANK_LINE = new RegExp(String.raw`[ \t]*${LINE_END}`, 'y');

// One line at a time: an expression for all of them runs out of stack at some millions.
function nextLine(text: string, offset: number): number {
  let start = offset;
  for (BLANK_LINE.lastIndex = start; BLANK_LINE.test(text); start = BLANK_LINE.lastIndex) {}
  return start;
}

/**
 * A piece may begin behind a blank line, at a line that continues no list (CommonMark 5.2) and no footnote. Lines that continue them begin
 * with a mark or with blanks. A quote behind a blank line is another one (5.1).
 */
const CUT = new RegExp(String.raw`${LINE_END}[ \t]*${LINE_END}(?=[^\s\-+*\d])`, 'g');
/** One of so many lines may begin a piece. The content of the line decides, so an edit does not change the pieces behind it. */
const ONE_OF = 4;
const LINE = /[^\r\n]{0,500}/y;

function cutBehind({ text, dialect }: PageText, offset: number): number {
  CUT.lastIndex = offset;
  for (let found = CUT.exec(text); found !== null; found = CUT.exec(text)) {
    const at = CUT.lastIndex;
    LINE.lastIndex = at;
    const [line = ''] = LINE.exec(text) ?? [];
    if (at > offset + dialect.leastPiece || crc32(line) % ONE_OF === 0) return at;
    // The end of this blank line may end the line before the next one.
    CUT.lastIndex = at - 1;
  }
  return text.length;
}

/**
 * Paragraphs and headings that are one text for Markdown and GFM. Each line begins with a letter or a bracketed letter, ends with no blank,
 * and has no markup except escaped marks. Longer lines and paragraphs are parsed: an expression without a bound runs out of stack.
 * @param others a pattern of further characters that a line may have
 */
function wordsWith(others: string): RegExp {
  const escaped = String.raw`\\[!-#%-/:-@[-\x60{-~]`;
  const letters = String.raw`[^\\&\x60*_~<[\]@|{$:\r\n\0]|:(?=[ \t\r\n]|$)`;
  const rest = String.raw`(?:${letters}|${escaped}${others}){0,5000}(?<![ \t])`;
  const line = String.raw`\[?\p{L}${rest}`;
  // Hashes at the end of a heading may close it (CommonMark 4.2).
  const heading = String.raw`#{1,6} (?![^\r\n]*#)${line}`;
  const end = String.raw`(?=${LINE_END}?$|${LINE_END}[ \t]*${LINE_END})`;
  return new RegExp(`(?:${heading}|${line}(?:${LINE_END}${line}){0,50})${end}`, 'uy');
}

const PLAIN_WORDS = wordsWith('');
/** In a page without definitions, brackets are text where no address follows (CommonMark 6.3). */
const WORDS_IN_BRACKETS = wordsWith(String.raw`|\[|\](?!\()`);
/** GFM makes a link of an address that begins so, although it has no colon (GFM 6.9). */
const ADDRESS = /www\./i;

/** The end of a paragraph or a heading of words alone that begins here. */
function wordsEnd({ text, mayDefine }: OpenPage, start: number): number | undefined {
  const words = mayDefine ? PLAIN_WORDS : WORDS_IN_BRACKETS;
  words.lastIndex = start;
  const [found] = words.exec(text) ?? [];
  return found === undefined || ADDRESS.test(found) ? undefined : start + found.length;
}

/** The labels of definitions, each behind a mark: `[label` or, of a footnote, `^label`. */
function labelsIn(nodes: readonly Nodes[]): ReadonlySet<string> {
  const labels = new Set<string>();
  const visit = (node: Nodes): void => {
    if (node.type === 'definition') labels.add(`[${node.identifier}`);
    if (node.type === 'footnoteDefinition') labels.add(`^${node.identifier}`);
    if ('children' in node) for (const child of node.children) visit(child);
  };
  for (const node of nodes) visit(node);
  return labels;
}

/**
 * The keys of the labels in brackets, each once. Keys have no blanks and no `>`, because only a parser knows which `>` marks a quote. So
 * a key may belong to two labels; the parser then knows both, as it does in the whole page. A label has at most 999 characters
 * (CommonMark 4.7).
 */
function labelsUsed(text: string): string[] {
  const used = text
    .matchAll(/\[((?:[^[\]\\]|\\[\s\S]){1,999})\]/g)
    .map(([, label = '']) => labelKey(`[${label.replaceAll('\0', '\uFFFD')}`));
  return [...new Set(used)];
}

/** @param label behind its mark; the mark of a footnote is also the first character in its brackets */
function labelKey(label: string): string {
  return label
    .replace(/^\[/, '')
    .replace(/[ \t\r\n>]+/g, '')
    .toLowerCase()
    .toUpperCase();
}
