/**
 * Lines that open or close a box around texts: `::: tip Title`, `:::note[Label]{.wide}` and `:::` (Docusaurus, VitePress), `!!! note
 * "Title"` and `=== "Tab"` (MkDocs), `[!NOTE] Title` (GitHub, Obsidian). Markdown reads them as words of the paragraph around them. Their
 * titles are texts of their own. Pure.
 */
import type { Span } from '../../format.ts';

export interface ContainerText extends Span {
  /** On the line of the box. */
  readonly isTitle: boolean;
}

const MAY_OPEN = /:::|!!!|\?\?\?|===|\[!/;

export function mayHaveContainers(page: string): boolean {
  return MAY_OPEN.test(page);
}

/** The texts of a paragraph around such lines, in order. Undefined: it has no such line. */
export function textsOfContainers(text: string, { start, end }: Span): ContainerText[] | undefined {
  const own = text.slice(start, end);
  if (!MAY_OPEN.test(own)) return undefined;
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
  const end = line.trimEnd().length;
  const [alert] = (isFirst && ALERT.exec(line)) || [];
  if (alert !== undefined) return { start: alert.length, end };
  const [label] = LABEL.exec(line) ?? [];
  const bracket = label === undefined ? -1 : withoutAttributes(line, end);
  if (label !== undefined && line.charAt(bracket - 1) === ']')
    return { start: label.length, end: bracket - 1 };
  const [colons] = COLONS.exec(line) ?? [];
  if (colons !== undefined)
    return { start: colons.length, end: Math.max(colons.length, withoutAttributes(line, end)) };
  const [quote] = QUOTED.exec(line) ?? [];
  if (quote !== undefined && end > quote.length && line.charAt(end - 1) === '"')
    return { start: quote.length, end: end - 1 };
  const [box] = BOX.exec(line) ?? [];
  return box === undefined ? undefined : { start: box.length, end };
}

const ALERT = /^\[![A-Za-z]+\][+-]?[ \t]*/;
const LABEL = /^:{3,}[ \t]*[\w-]+\[/;
const COLONS = /^:{3,}[ \t]*[\w-]*(?:#[\w-]+)?[ \t]*(?:\{[^{}]*\})?[ \t]*/;
const QUOTED = /^(?:(?:!!!|\?\?\?\+?)[ \t]+[\w-]+[ \t]+(?:[\w-]+[ \t]+){0,5}|===[!+]?[ \t]+)"/;
const BOX = /^(?:!!!|\?\?\?\+?)[ \t]+[\w-]+(?:[ \t]+|$)/;

/** Where the title ends before `{open .wide}` at the end of its line. Braces in braces are a value of the page. */
function withoutAttributes(line: string, end: number): number {
  if (line.charAt(end - 1) !== '}') return end;
  const at = line.lastIndexOf('{', end);
  const isOne = at > 0 && line.charAt(at - 1) !== '{' && line.indexOf('}', at) === end - 1;
  return isOne ? line.slice(0, at).trimEnd().length : end;
}
