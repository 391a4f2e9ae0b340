/**
 * The texts of a paragraph that has lines that open or close a box around texts. Markdown reads these lines as words of the paragraph around
 * them. Their titles are texts of their own. Pure.
 */
import type { Span } from '../../format.ts';
import { mayOpenBox, readBlock } from '../../segments/block-syntax.ts';

export interface ContainerText extends Span {
  /** On the line of the box. */
  readonly isTitle: boolean;
}

/** The texts of a paragraph around such lines, in order. Undefined: it has no such line. */
export function textsOfContainers(text: string, { start, end }: Span): ContainerText[] | undefined {
  const own = text.slice(start, end);
  if (!mayOpenBox(own)) return undefined;
  const texts: ContainerText[] = [];
  let lines: Span | undefined;
  let hasMarks = false;
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
    const title = titleIn(line, isFirst);
    if (title === undefined) {
      lines = { start: lines?.start ?? from, end: from + line.trimEnd().length };
      continue;
    }
    hasMarks = true;
    push();
    const at = { start: from + title.start, end: from + title.end };
    if (at.end > at.start) texts.push({ ...at, isTitle: true });
  }
  push();
  return hasMarks ? texts : undefined;
}

const LINE = /(?<prefix>[ \t>]*)(?<content>[^\r\n]+)(?:\r\n|\n|\r|$)/g;

/** Offsets in the line. Undefined: it opens and closes no box. */
function titleIn(line: string, isFirst: boolean): Span | undefined {
  const content = line.trimEnd();
  const block = readBlock(content);
  if (block.kind === 'end') return { start: content.length, end: content.length };
  return block.kind === 'opening' && (isFirst || block.box !== 'alert') ? block.title : undefined;
}
