/** The layout of a JSON text around its entries: separators, indentation, commas, and the comments that belong to an entry. */
import type { LiteralEntry, LiteralGrammar, LiteralGroup, LiteralNode } from './literal-tree.ts';

/** The end of an entry: its comma, if any, and the end of its comment on the same line. */
export interface ItemEnd {
  readonly comma: number | undefined;
  readonly end: number;
}

/** A comment behind the comma on the same line belongs to the entry before it, unless another entry follows on that line. */
export function itemEnd(text: string, child: LiteralEntry): ItemEnd {
  let position = skipBlanks(text, child.end);
  while (isComment(text, position)) position = skipBlanks(text, commentEnd(text, position));
  const comma = text.charAt(position) === ',' ? position : undefined;
  return { comma, end: lineTail(text, comma === undefined ? child.end : comma + 1) };
}

function skipBlanks(text: string, from: number): number {
  let position = from;
  while (isSpace(text.charAt(position))) position += 1;
  return position;
}

function isSpace(character: string): boolean {
  return character !== '' && /[\s\uFEFF]/.test(character);
}

/** `#` is a comment of PHP, and `#[` one of its attributes; behind an entry, the other languages have no `#`. */
function isComment(text: string, position: number): boolean {
  return /^(?:\/[/*]|#(?!\[))/.test(text.slice(position, position + 2));
}

function commentEnd(text: string, position: number): number {
  if (text.startsWith('/*', position)) return text.indexOf('*/', position + 2) + 2;
  return lineEnd(text, position);
}

function lineEnd(text: string, position: number): number {
  const found = /[\r\n\u2028\u2029]/g;
  found.lastIndex = position;
  return found.exec(text)?.index ?? text.length;
}

/** The end of the comments that alone stand between an offset and the end of its line. */
export function lineTail(text: string, from: number): number {
  const tail =
    /(?:[ \t]*\/\*(?:[^*\r\n]|\*(?!\/))*\*\/)*(?:[ \t]*(?:\/\/|#(?!\[))[^\r\n\u2028\u2029]*)?(?=[ \t]*(?:[\r\n]|$))/y;
  tail.lastIndex = from;
  return from + (tail.exec(text)?.[0].length ?? 0);
}

/** The text of the comment lines directly above an entry. */
export function commentAbove(text: string, offset: number): string | undefined {
  const lines: string[] = [];
  let end = lineBreakBefore(text, offset);
  while (end > 0) {
    const start = text.lastIndexOf('\n', end - 1);
    const said = COMMENT_LINE.exec(text.slice(start + 1, end))?.groups;
    if (said === undefined) break;
    lines.unshift((said['line'] ?? said['block'] ?? '').trim());
    end = start;
  }
  const comment = lines.join('\n').trim();
  return comment === '' ? undefined : comment;
}

/** Looks back a limited distance: in a file of one line it would otherwise read to the start, for every entry. */
function lineBreakBefore(text: string, offset: number): number {
  const from = Math.max(0, offset - LONGEST_LINE);
  const found = text.slice(from, offset).lastIndexOf('\n');
  return found < 0 ? -1 : from + found;
}

const LONGEST_LINE = 4096;
const COMMENT_LINE = /^\s*(?:\/\/+(?<line>.*)|\/\*+(?<block>.*)\*\/)\s*$/;

/** The blanks before a new entry that follows `index` in its container (-1: comes first). */
export function separator(text: string, container: LiteralGroup, index: number): string {
  const { children } = container;
  // The first entry may have no blank before it while the others have one: `{"a": 1, "b": 2}`.
  const model = index === 0 && children.length > 1 ? 1 : Math.max(index, 0);
  const blanks = blanksBefore(text, container, model);
  const only = children.length === 1 && index === 0 ? children[0] : undefined;
  if (only === undefined || /[\r\n]/.test(blanks)) return blanks;
  return isSpace(text.charAt(only.value.start - 1)) ? ' ' : blanks;
}

function blanksBefore(text: string, container: LiteralGroup, index: number): string {
  const child = container.children[index];
  if (child === undefined) return '';
  const previous = container.children[index - 1];
  const from =
    previous === undefined
      ? container.start + 1
      : (itemEnd(text, previous).comma ?? previous.end) + 1;
  const gap = text.slice(from, child.start);
  // A comment between the indentation and the entry belongs only to that entry.
  const indentation = /(?:\r\n|\n|\r)[^\S\r\n]*(?=[^\r\n]*$)/.exec(gap);
  return indentation?.[0] ?? /(?<![^\S\r\n])[^\S\r\n]*$/.exec(gap)?.[0] ?? '';
}

/** The indentation of the line with an offset. */
export function indentationAt(text: string, offset: number): string {
  // Not `lastIndexOf('\r')`: without a CR that would read the file from its start, for every entry.
  let lineStart = offset;
  while (lineStart > 0 && !/[\r\n]/.test(text.charAt(lineStart - 1))) lineStart -= 1;
  const blanks = /[ \t]*/y;
  blanks.lastIndex = lineStart;
  return blanks.exec(text)?.[0] ?? '';
}

/** The style of a file: its line end, one step of indentation, the blanks around a colon. */
export interface LiteralStyle {
  /** Empty in a file of one line. */
  readonly lineEnd: string;
  readonly indent: string;
  readonly colon: string;
  /** `'`, `"`, or empty for identifiers (JSON5). */
  readonly keyQuote: string;
  readonly valueQuote: string;
}

export function styleOf(text: string, root: LiteralNode, grammar: LiteralGrammar): LiteralStyle {
  const model = firstMember(root);
  const colon = model === undefined ? '' : text.slice(model.keyEnd, model.value.start);
  return {
    lineEnd: /\r\n|\n|\r/.exec(text)?.[0] ?? '',
    indent: firstIndent(text, root),
    colon: grammar.colon.test(colon) ? colon : grammar.usualColon,
    keyQuote: model === undefined ? grammar.usualQuote : quoteAt(text, model.start),
    valueQuote: quoteAt(text, firstString(root)?.start ?? -1) || grammar.usualQuote,
  };
}

/** The quote at an offset; empty for none. */
export function quoteAt(text: string, offset: number): string {
  const character = text.charAt(offset);
  return character === '"' || character === "'" ? character : '';
}

function firstMember(node: LiteralNode): LiteralEntry | undefined {
  if (node.kind === 'object' && node.children.length > 0) return node.children[0];
  if (node.kind !== 'list') return undefined;
  return node.children.map(({ value }) => firstMember(value)).find((found) => found !== undefined);
}

function firstString(node: LiteralNode): LiteralNode | undefined {
  if (node.kind === 'string') return node;
  if (node.kind === 'literal') return undefined;
  for (const { value } of node.children) {
    const found = firstString(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstIndent(text: string, root: LiteralNode): string {
  if (root.kind !== 'object' && root.kind !== 'list') return '  ';
  const blanks = blanksBefore(text, root, 0);
  const indent = blanks.replace(/^[\r\n]+/, '');
  return indent === '' || indent === blanks ? '  ' : indent;
}
