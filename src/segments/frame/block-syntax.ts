/**
 * What a line of a page is, in the words of CommonMark: its containers (block quotes, list items) and the block behind their markers. No other
 * file of this room has expressions for these signs. Pure.
 */
import type { Span } from '../../format.ts';

export interface ListMarker {
  readonly kind: 'item';
  /** What is before it on its line. */
  readonly before: string;
  /** Of an item in an ordered list; empty in a bullet list. */
  readonly number: string;
  /** The bullet `-`, `*` or `+`, or the delimiter `.` or `)` behind the number. All items of a list have the same one. */
  readonly sign: string;
  /** The blanks behind it. */
  readonly blanks: string;
  /** The box of a task: `[ ] `. */
  readonly task: string;
}

export type Container = { readonly kind: 'quote' } | ListMarker;

export interface BlockLine {
  /** The outermost one comes first. */
  readonly containers: readonly Container[];
  /** Width of the blanks before its content, and before a list marker. */
  readonly indent: number;
  /** Without what is before it, and without blanks and the line end behind it. */
  readonly content: string;
}

const CONTAINER =
  /[ \t]*(?:(?<quote>>)|(?:(?<bullet>[-*+])|(?<number>\d{1,9})(?<delimiter>[.)]))(?<blanks>[ \t]+)(?<task>\[[ xX]\][ \t]+)?)/gy;

/** @param line of a page, or its beginning before a text */
export function readLine(line: string): BlockLine {
  const containers: Container[] = [];
  let end = 0;
  for (const { 0: found, index, groups = {} } of line.matchAll(CONTAINER)) {
    const { quote, bullet, number = '', delimiter = '', blanks = '', task = '' } = groups;
    const before = line.slice(0, index) + (/^[ \t]*/.exec(found)?.[0] ?? '');
    const sign = bullet ?? delimiter;
    containers.push(
      quote === undefined
        ? { kind: 'item', before, number, sign, blanks, task }
        : { kind: 'quote' },
    );
    end = index + found.length;
  }
  const [blanks = ''] = /^[ \t>]*/.exec(line) ?? [];
  return {
    containers,
    indent: widthOf(blanks),
    content: line.slice(end).trim(),
  };
}

/** In columns: a tab ends at a multiple of four. */
export function widthOf(text: string): number {
  const [first = '', ...rest] = text.split('\t');
  return rest.reduce((width, part) => width - (width % 4) + 4 + part.length, first.length);
}

/** Where the content of an item begins. Behind five blanks and more, it begins with code. */
export function contentColumn({ before, number, sign, blanks }: ListMarker): number {
  const end = widthOf(before + number + sign);
  const column = widthOf(before + number + sign + blanks);
  return column - end > 4 ? end + 1 : column;
}

/** The marker of the list item whose text is right behind it. */
export function markerBefore(sign: string): ListMarker | undefined {
  const last = readLine(sign).containers.at(-1);
  return last?.kind === 'item' && markerText(last) === sign ? last : undefined;
}

export function markerText({ before, number, sign, blanks, task }: ListMarker): string {
  return `${before}${number}${sign}${blanks}${task}`;
}

/** What begins or ends on a line, behind its containers. */
export type LineBlock =
  | { readonly kind: 'blank' | 'other' }
  | { readonly kind: 'heading'; readonly level: number }
  /** Begins or ends code. */
  | { readonly kind: 'fence'; readonly fence: string; readonly isBare: boolean }
  | BoxOpening
  | { readonly kind: 'end'; readonly signs: string };

/** A line that opens a box around texts, with its title. */
export interface BoxOpening {
  readonly kind: 'opening';
  /**
   * `:::tip Title` (Docusaurus, VitePress) and `/// tip | Title` (Python-Markdown) are directives, `!!! note "Title"` (MkDocs) is an
   * admonition, `=== "Title"` a tab. `> [!NOTE] Title` (GitHub, Obsidian) is an alert, if it is in a quote.
   */
  readonly box: 'directive' | 'admonition' | 'tab' | 'alert';
  /** Of a directive: three or more colons or slashes, which its end repeats. */
  readonly signs: string;
  /** Offsets in the content. Undefined: the line has no end of its title. */
  readonly title: Span | undefined;
  /** `::: note words :::` is a box on one line. */
  readonly isClosed: boolean;
}

const MAY_OPEN_BOX = /:::|!!!|\?\?\?|===|\[!|\/\/\//;

export function mayOpenBox(text: string): boolean {
  return MAY_OPEN_BOX.test(text);
}

const FENCE = /^(?:`{3,}(?=[^`]*$)|~{3,})/;

/** @param content of a line */
export function readBlock(content: string): LineBlock {
  if (content === '') return { kind: 'blank' };
  const [fence] = FENCE.exec(content) ?? [];
  if (fence !== undefined) return { kind: 'fence', fence, isBare: fence === content };
  const [heading] = /^#{1,6}(?!\S)/.exec(content) ?? [];
  if (heading !== undefined) return { kind: 'heading', level: heading.length };
  const [signs] = /^(?::{3,}|\/{3,})$/.exec(content) ?? [];
  if (signs !== undefined) return { kind: 'end', signs };
  return boxOpening(content) ?? { kind: 'other' };
}

/** @param line of a page, or its beginning before a text */
export function blockIn(line: string): LineBlock {
  return readBlock(readLine(line).content);
}

const ALERT = /^\[![A-Za-z]+\][+-]?[ \t]*/;
const LABEL = /^:{3,}[ \t]*[\w-]+\[/;
const DIRECTIVE = /^(:{3,})[ \t]*[\w-]*(?:#[\w-]+)?[ \t]*(?:\{[^{}]*\})?[ \t]*/;
const SLASHES = /^(\/{3,})[ \t]*([\w-]+)[ \t]*(?:\|[ \t]*|$)/;
/** What is behind the bar is no title: `/// html | div.wide`, `/// figure-caption | #id`. */
const WITHOUT_TITLE = /^(?:html|(?:[\w-]+-)?caption)$/;
const QUOTED = /^(?:(?:!!!|\?\?\?\+?)[ \t]+[\w-]+[ \t]+(?:[\w-]+[ \t]+){0,5}|===[!+]?[ \t]+)"/;
const ADMONITION = /^(?:!!!|\?\?\?\+?)[ \t]+[\w-]+(?:[ \t]+|$)/;

function boxOpening(content: string): BoxOpening | undefined {
  const end = content.length;
  const box = { kind: 'opening', signs: '', isClosed: false } as const;
  const [alert] = ALERT.exec(content) ?? [];
  if (alert !== undefined) return { ...box, box: 'alert', title: { start: alert.length, end } };
  const [block, slashes = '', name = ''] = SLASHES.exec(content) ?? [];
  if (block !== undefined) {
    const start = WITHOUT_TITLE.test(name) ? end : block.length;
    return { ...box, box: 'directive', signs: slashes, title: { start, end } };
  }
  const [directive, signs = ''] = DIRECTIVE.exec(content) ?? [];
  if (directive !== undefined) {
    const isClosed = content.endsWith(':::');
    return {
      ...box,
      box: 'directive',
      signs,
      title: directiveTitle(content, directive),
      isClosed,
    };
  }
  const [quote] = QUOTED.exec(content) ?? [];
  const kind = content.startsWith('===') ? 'tab' : 'admonition';
  const isQuoted = quote !== undefined && end > quote.length && content.endsWith('"');
  if (isQuoted) return { ...box, box: kind, title: { start: quote.length, end: end - 1 } };
  const [admonition] = ADMONITION.exec(content) ?? [];
  if (admonition !== undefined)
    return { ...box, box: kind, title: { start: admonition.length, end } };
  return quote === undefined ? undefined : { ...box, box: kind, title: undefined };
}

function directiveTitle(content: string, directive: string): Span {
  const [label] = LABEL.exec(content) ?? [];
  const end = withoutAttributes(content);
  return label !== undefined && content.charAt(end - 1) === ']'
    ? { start: label.length, end: end - 1 }
    : { start: directive.length, end: Math.max(directive.length, end) };
}

/** Where the title ends before `{open .wide}` at the end of its line. Braces in braces are a value of the page. */
function withoutAttributes(content: string): number {
  const end = content.length;
  if (!content.endsWith('}')) return end;
  const at = content.lastIndexOf('{');
  const isOne = at > 0 && content.charAt(at - 1) !== '{' && content.indexOf('}', at) === end - 1;
  return isOne ? content.slice(0, at).trimEnd().length : end;
}

/** The level of the heading whose underline a line is: `=====` or `-----`; 0: it is none. */
export function underlineLevel(line: string): 0 | 1 | 2 {
  const [, sign] = /^[ \t>]*([=-])\1*[ \t]*(?:\r\n?|\n)?$/.exec(line) ?? [];
  return sign === undefined ? 0 : sign === '=' ? 1 : 2;
}

const BOXES = 'note tip info warning danger caution important success details'.split(' ');

/** The marks of lists, quotes, headings and titles before a text, with usual indents: they may have left both pages. */
export function usualSigns(): string[] {
  const blanks = [1, 2, 3, 4].map((count) => ' '.repeat(count));
  const bullets = ['-', '*', '+'].flatMap((sign) => blanks.map((pad) => `${sign}${pad}`));
  const numbers = Array.from({ length: 9 }, (_, n) => n + 1).flatMap((number) =>
    ['.', ')'].flatMap((sign) => blanks.slice(0, 2).map((pad) => `${number}${sign}${pad}`)),
  );
  const headings = Array.from({ length: 6 }, (_, n) => `${'#'.repeat(n + 1)} `);
  const titles = BOXES.flatMap((name) => [
    ...[':::', '::::'].flatMap((sign) => [
      `${sign}${name} `,
      `${sign} ${name} `,
      `${sign}${name}[`,
    ]),
    `!!! ${name} "`,
  ]);
  const inLists = [...bullets, ...numbers, '> ', '> > '];
  const indents = Array.from({ length: 9 }, (_, count) => ' '.repeat(count));
  return [
    ...headings,
    ...titles,
    ...inLists.flatMap((mark) => indents.map((pad) => `${pad}${mark}`)),
    ...usualTags(indents),
  ];
}

const TEXT_TAGS = 'p li h1 h2 h3 h4 h5 h6 td th dt dd summary figcaption caption'.split(' ');
const OUTER_TAGS = 'ul ol dl table thead tbody tr section div blockquote details'.split(' ');

/** Tags without attributes around a text, and on lines of their own. */
function usualTags(indents: readonly string[]): string[] {
  const before = [...TEXT_TAGS.map((tag) => `<${tag}>`), '<tr><td>', '<tr><th>'];
  const lines = OUTER_TAGS.flatMap((tag) => [`<${tag}>\n`, `</${tag}>\n`]);
  const behind = TEXT_TAGS.map((tag) => `</${tag}>\n`);
  const cells = ['td', 'th'].flatMap((tag) => [`</${tag}></tr>\n`, `</${tag}><${tag}>`]);
  return [
    ...behind,
    ...cells,
    ...[...before, ...lines].flatMap((tags) => indents.map((pad) => `${pad}${tags}`)),
  ];
}

const MARK_ALONE = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]*\r?$/;
const QUOTE_ALONE = /^[ \t]*>[ \t>]*\r?$/;

/** Whether a line is the mark of a list item, with nothing behind it. */
export function isMarkAlone(line: string): boolean {
  return MARK_ALONE.test(line);
}

/** Whether a line is of a quote; `alone`: and has nothing else. */
export function isQuoteLine(line: string, what: 'any' | 'alone'): boolean {
  return what === 'any' ? /^[ \t]*>/.test(line) : QUOTE_ALONE.test(line);
}
