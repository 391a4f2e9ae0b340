/** Refuses a page with brackets or emphasis that are nested too deeply, or with too many of them, before it is parsed. Pure. */
import { readBlock, readLine, underlineLevel } from '../../segments/frame/block-syntax.ts';
import { MOST_LEVELS } from '../text/nesting.ts';
import { malformed } from '../text/position.ts';
import { frontMatterLength } from './front-matter-fences.ts';
import { CODE_OR_COMMENT } from './markdown-markers.ts';
import { manyBracesIn } from './mdx-scripts.ts';

/** What a paragraph has too much of, and where it begins. */
interface DeepNesting {
  readonly offset: number;
  readonly what: string;
}

/** Opening brackets of one paragraph. The parser took 5 s for 20,000 that end no link, and 16 times less for a quarter of them. */
const MOST_BRACKETS = 5000;
/** Emphases of one paragraph, in each other or not: 16,000 took 0.6 s, and 32,000 took 12 s. */
const MOST_EMPHASES = 10_000;
const tooMany = (most: number, what: string) => `${most} ${what}; divide it`;
const inEachOther = (what: string) =>
  `${MOST_LEVELS} ${what} in each other, and dragoman reads at most ${MOST_LEVELS}`;

/**
 * The time of the parser grows with the square of the marks in each other: 5,000 brackets took seconds. Only its time limit ended that,
 * so some commands read the page and others did not.
 * @throws JobFailure `malformed` with the place of the first such paragraph
 */
export function refuseDeepMarks(file: string, text: string): void {
  if (deepMarksIn(text) === undefined) return;
  const found = deepMarksInBlocks(withoutCode(text));
  if (found === undefined) return;
  throw malformed(file, { text, offset: found.offset }, `a paragraph has more than ${found.what}`);
}

/** The same for MDX, whose parser takes the square of the braces in an expression. @throws JobFailure `malformed` */
export function refuseManyBraces(file: string, text: string): void {
  if (manyBracesIn(text) === undefined) return;
  const found = manyBracesIn(withoutCode(text), frontMatterLength(text));
  if (found !== undefined) throw malformed(file, { text, offset: found.offset }, found.what);
}

function withoutCode(text: string): string {
  const blank = (code: string) => code.replace(/[^\r\n]/g, ' ');
  return text.replace(CODE_OR_COMMENT, blank).replace(NO_PARAGRAPH, blank);
}

/** HTML that shows its content as it is (CommonMark 4.6), formulas, comments and modules of MDX, and indented code. */
const NO_PARAGRAPH =
  /<(pre|script|style|textarea)\b[\s\S]*?<\/\1>|\$\$[\s\S]*?\$\$|\{\/\*[\s\S]*?\*\/\}|(?<![^\n])(?:im|ex)port\b[^\n]*(?:\n(?![ \t]*\r?\n)[^\n]*)*|(?<=(?:^|\n)[ \t]*\r?\n)(?:(?: {4}|\t)[^\n]*(?:\n|$))+/g;

/** Each item, table row and heading is a block of its own: marks of one are not inside of those of another. */
function deepMarksInBlocks(text: string): DeepNesting | undefined {
  let [start, offset] = [0, 0];
  for (const line of text.split(/(?<=\n)|(?<=\r)(?!\n)/)) {
    const found = beginsBlock(line) ? deepMarksIn(text.slice(start, offset)) : undefined;
    if (found !== undefined) return { ...found, offset: start + found.offset };
    if (beginsBlock(line)) start = offset;
    offset += line.length;
  }
  const last = deepMarksIn(text.slice(start));
  return last && { ...last, offset: start + last.offset };
}

function beginsBlock(text: string): boolean {
  const line = readLine(text);
  const isItem = line.containers.some(({ kind }) => kind === 'item');
  const isOther = readBlock(line.content).kind === 'other' && underlineLevel(text) === 0;
  return isItem || !isOther || text.includes('|') || FOOTNOTE.test(line.content);
}

const FOOTNOTE = /^\[\^[^\]\r\n]+\]:/;

/** An escaped character, a bracket, marks of emphasis, or a blank line. */
const MARKS = /\\[^\r\n]|[[\]]|[*_~]+|(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)/g;

const BLANK_LINES = /^(?:[ \t]*[\r\n])*/;

function deepMarksIn(text: string): DeepNesting | undefined {
  let [offset, opened, emphasized] = [BLANK_LINES.exec(text)?.[0].length ?? 0, 0, 0];
  /** For each open bracket, and for each open emphasis, the pairs inside of it. */
  let [brackets, emphases]: [number[], number[]] = [[], []];
  for (const { 0: mark, index } of text.matchAll(MARKS)) {
    const isBlankLine = /^[\r\n]/.test(mark);
    if (isBlankLine) {
      offset = index + mark.length;
      [brackets, emphases, opened, emphasized] = [[], [], 0, 0];
    } else if (mark === '[') {
      brackets.push(0);
      opened += 1;
      if (opened > MOST_BRACKETS)
        return { offset, what: tooMany(MOST_BRACKETS, 'opening brackets') };
    } else if (mark === ']') {
      if (closeLast(brackets) > MOST_LEVELS) {
        return { offset, what: inEachOther('pairs of brackets') };
      }
    } else if (!mark.startsWith('\\')) {
      if (changesIn(mark) > MOST_LEVELS) return { offset, what: inEachOther('emphases') };
      const side = sideOf(text, { start: index, end: index + mark.length });
      if (side !== 'text') emphasized += 1;
      if (emphasized > 2 * MOST_EMPHASES)
        return { offset, what: tooMany(MOST_EMPHASES, 'emphases') };
      if (side === 'open') emphases.push(0);
      if (side === 'close' && closeLast(emphases) > MOST_LEVELS)
        return { offset, what: inEachOther('emphases') };
    }
  }
  return undefined;
}

/** Marks behind a blank open an emphasis, and marks before a blank close one. Others are rare, and count as text. */
function sideOf(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): 'open' | 'close' | 'text' {
  const isBlank = (offset: number) => /^\s?$/.test(text.charAt(offset));
  const [before, behind] = [isBlank(start - 1), isBlank(end)];
  if (before === behind) return 'text';
  return before ? 'open' : 'close';
}

/** @returns how many pairs end here in each other */
function closeLast(open: number[]): number {
  const inside = open.pop();
  if (inside === undefined) return 0;
  const around = open.pop();
  if (around !== undefined) open.push(Math.max(around, inside + 1));
  return inside + 1;
}

/** How often another kind of mark follows. */
function changesIn(marks: string): number {
  let changes = 0;
  for (let at = 1; at < marks.length; at++) if (marks[at] !== marks[at - 1]) changes++;
  return changes;
}
