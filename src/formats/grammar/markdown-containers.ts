/**
 * The texts of a paragraph that has lines that open or close a box around texts. Markdown reads these lines as words of the paragraph around
 * them. Their titles are texts of their own. Pure.
 */
import type { Span } from '../../format.ts';
import { mayOpenBox, readBlock } from '../../segments/frame/block-syntax.ts';
import type { PageReading } from './markdown-code.ts';

export interface ContainerText extends Span {
  /** On the line of the box. */
  readonly isTitle: boolean;
}

/** The texts of a paragraph around such lines, in order. Undefined: it has no such line. */
export function textsOfContainers(
  text: string,
  { start, end }: Span,
  reading: PageReading = 'now',
): ContainerText[] | undefined {
  const own = text.slice(start, end);
  if (!mayOpenBox(own)) return undefined;
  const texts: ContainerText[] = [];
  let lines: Span | undefined;
  let hasMarks = false;
  let options = Number.POSITIVE_INFINITY;
  const push = (): void => {
    if (lines !== undefined) texts.push({ ...lines, isTitle: false });
    lines = undefined;
  };
  for (const found of own.matchAll(LINE)) {
    const { prefix = '', content = '' } = found.groups ?? {};
    const isFirst = found.index === 0;
    // The prefix of the first line is before the paragraph.
    const line = isFirst ? prefix + content : content;
    const from = start + found.index + (isFirst ? 0 : prefix.length);
    const mark = boxLine(line, isFirst, reading);
    if (mark === undefined) {
      if (!isFirst && prefix.length >= options) continue;
      options = Number.POSITIVE_INFINITY;
      lines = { start: lines?.start ?? from, end: from + line.trimEnd().length };
      continue;
    }
    const { title } = mark;
    hasMarks = true;
    push();
    const column = isFirst ? charactersBefore(text, start) : prefix.length;
    options = mark.hasOptions ? column + INDENT : Number.POSITIVE_INFINITY;
    const at = { start: from + title.start, end: from + title.end };
    if (at.end > at.start) texts.push({ ...at, isTitle: true });
  }
  push();
  return hasMarks ? texts : undefined;
}

const LINE = /(?<prefix>[ \t>]*)(?<content>[^\r\n]+)(?:\r\n|\n|\r|$)/g;
/** Lines that are indented by so much directly below `/// details` set its options. */
const INDENT = 4;

interface BoxLine {
  /** Offsets in the line. */
  readonly title: Span;
  readonly hasOptions: boolean;
}

/** Undefined: the line opens and closes no box. */
function boxLine(line: string, isFirst: boolean, reading: PageReading): BoxLine | undefined {
  const content = line.trimEnd();
  const block = readBlock(content);
  if (block.kind !== 'end' && block.kind !== 'opening') return undefined;
  const hasSlashes = block.signs.startsWith('/');
  if (hasSlashes && reading === 'before') return undefined;
  if (block.kind === 'end') {
    return { title: { start: content.length, end: content.length }, hasOptions: false };
  }
  const { title } = block;
  if (title === undefined || (!isFirst && block.box === 'alert')) return undefined;
  return { title, hasOptions: hasSlashes };
}

/** On the same line. */
function charactersBefore(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && !/[\r\n]/.test(text.charAt(start - 1))) start -= 1;
  return offset - start;
}
