/**
 * Boxes and tabs of MkDocs: `!!! note "Title"`, `??? tip`, `=== "Tab"`. What is indented below them is Markdown of its own. Markdown
 * itself takes it for code behind a blank line, and for words of the title's paragraph directly below the title. Pure.
 */
import type { Span } from '../../format.ts';
import { CODE_OR_COMMENT } from './markdown-markers.ts';

const OPENS = String.raw`(?:!!!|\?\?\?\+?|===[!+]?)[ \t]+["\w]`;
const ITEM_MARK = String.raw`(?:[-*+]|\d{1,9}[.)])`;
const MAY_OPEN = new RegExp(`^[ \\t]*(?:${ITEM_MARK} +)?${OPENS}`, 'm');
/** A box may be in the first line of an item. */
const BOX = new RegExp(`^(?<before> {0,40}(?:${ITEM_MARK} {1,4})?)${OPENS}`);

/** Lines that begin something else than a paragraph: a list, a heading, a quote, code, a table, a definition, a rule, another box. */
const BEGINS_BLOCK = new RegExp(
  [
    String.raw`^ *(?:${ITEM_MARK}[ \t]|#{1,6}[ \t]|>|\x60{3}|~{3}|\||:?-+:?[ \t]*\|`,
    String.raw`\[[^\]]+\]:[ \t]|(?:[-*_][ \t]*){3,}$|${OPENS})`,
  ].join('|'),
);

export function mayHaveBoxes(page: string): boolean {
  return MAY_OPEN.test(page);
}

/** The content becomes an item of a list: the parser then reads it as text, and offsets stay. */
export function withBoxesAsLists(page: string): string {
  return mayHaveBoxes(page) ? withItems(page, contentsOfBoxes(page)) : page;
}

/** As earlier versions read it: a list, a table or code directly below a title is words. Undefined: that makes no difference. */
export function withDirectContentAsWords(page: string): string | undefined {
  if (!mayHaveBoxes(page)) return undefined;
  const [starts, before] = [contentsOfBoxes(page), contentsBehindBlankLines(page)];
  return starts.join() === before.join() ? undefined : withItems(page, before);
}

function withItems(page: string, starts: readonly number[]): string {
  let read = '';
  for (const start of starts) {
    const at = start + ITEM.length;
    NUMBER.lastIndex = at;
    const [number = '', sign] = NUMBER.exec(page) ?? [];
    const first = sign === undefined ? '' : `1${sign}`.padEnd(number.length);
    read += `${page.slice(read.length, start)}${ITEM}${first}`;
  }
  return read + page.slice(read.length);
}

/** Below a paragraph, only 1 begins a list (CommonMark 5.2). */
const NUMBER = /\d{1,4}([.)])(?=[ \t])/y;

/** Not `-`: with dashes alone behind it, it would be a rule. */
const ITEM = '+   ';
const INDENT = 4;

/** Where the contents of boxes begin, less the indentation of a content. */
function contentsOfBoxes(page: string): number[] {
  const lines = linesOf(page);
  const isCode = insideCode(page);
  return lines.flatMap(({ start, text }, at) => {
    const own = BOX.exec(text)?.groups?.['before']?.length;
    if (own === undefined || isCode(start)) return [];
    const content = contentBelow(lines, at + 1, own + INDENT);
    return content === undefined ? [] : [content.start + own];
  });
}

interface Line {
  readonly start: number;
  readonly text: string;
}

/** The first line of a content that a parser must be led to. */
function contentBelow(lines: readonly Line[], first: number, least: number): Line | undefined {
  let at = first;
  let isOfBlocks = indentOf(lines[at]) >= least + INDENT;
  for (; indentOf(lines[at]) >= least; at += 1) isOfBlocks ||= beginsBlock(lines[at]);
  if (isOfBlocks) return lines[first];
  const direct = at;
  while (isBlank(lines[at])) at += 1;
  return at > direct && indentOf(lines[at]) === least ? lines[at] : undefined;
}

/** Below 0: there are no words. */
function indentOf(line: Line | undefined): number {
  return line?.text.search(/[^ ]/) ?? -1;
}

function isBlank(line: Line | undefined): boolean {
  return line?.text.trim() === '';
}

function beginsBlock(line: Line | undefined): boolean {
  return line !== undefined && BEGINS_BLOCK.test(line.text);
}

function linesOf(page: string): Line[] {
  return [...page.matchAll(/([^\r\n]*)(?:\r\n|\n|\r|$)/g)].map(({ index, 1: text = '' }) => ({
    start: index,
    text,
  }));
}

function insideCode(page: string): (start: number) => boolean {
  const code: readonly Span[] = [...page.matchAll(CODE_OR_COMMENT)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }));
  let next = 0;
  return (start) => {
    while ((code[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    return (code[next]?.start ?? start) < start;
  };
}

const LINE_END = String.raw`(?:\r\n|\n|\r)`;
/** The lines of a box up to the end of its first blank lines. */
const BOX_AND_BLANK_LINES = [
  String.raw`^(?<indent> {0,40})${OPENS}[^\r\n]*${LINE_END}`,
  String.raw`(?:\k<indent> {4}[ \t]{0,100}\S[^\r\n]*${LINE_END}){0,100}`,
  String.raw`(?:[ \t]{0,100}${LINE_END}){1,20}(?=\k<indent> {4}\S)`,
].join('');
const CODE_OR_BOX = new RegExp(`${CODE_OR_COMMENT.source}|${BOX_AND_BLANK_LINES}`, 'gm');

function contentsBehindBlankLines(page: string): number[] {
  return [...page.matchAll(CODE_OR_BOX)].flatMap(({ 0: found, index, groups }) => {
    const indent = groups?.['indent'];
    return indent === undefined ? [] : [index + found.length + indent.length];
  });
}
