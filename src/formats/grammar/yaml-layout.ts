/** The lines of a YAML text around its entries: where an entry begins and ends, and its indentation. */
import { lineStart } from '../text/position.ts';
import type { YamlChild, YamlNode } from './yaml-tree.ts';

/** The offset behind the last line of an entry, including its comment; blank lines that `|+` keeps belong to it. */
export function afterLine(text: string, child: YamlChild): number {
  const lineEnd = text.indexOf('\n', child.end);
  const end = text.charAt(child.end - 1) === '\n' ? child.end : lineEnd + 1;
  if (end === 0) return text.length;
  if (!keepsBlankLines(text, child.value)) return end;
  return end + (/^(?:[ \t]*\r?\n)*/.exec(text.slice(end))?.[0].length ?? 0);
}

function keepsBlankLines(text: string, node: YamlNode): boolean {
  if (node.kind === 'literal') return false;
  if (node.kind === 'string') return /^[|>]\d?\+/.test(text.slice(node.start, node.start + 3));
  const last = node.children.at(-1);
  return last !== undefined && keepsBlankLines(text, last.value);
}

/** Blanks up to the column of an offset. */
export function indentTo(text: string, offset: number): string {
  return ' '.repeat(offset - lineStart(text, offset));
}

/** Whether only blanks precede an offset on its line; a key behind a dash shares its line. */
export function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}

/** Start of the comment lines directly above a line; those that are indented further belong to what is above. */
export function commentStart(text: string, line: number): number {
  const indent = blanksAt(text, line);
  let start = line;
  while (start > 0) {
    const above = lineStart(text, start - 1);
    if (text.charAt(above + blanksAt(text, above)) !== '#' || blanksAt(text, above) > indent) break;
    start = above;
  }
  return start;
}

function blanksAt(text: string, line: number): number {
  return /^[ \t]*/.exec(text.slice(line, line + 1000))?.[0].length ?? 0;
}

/** Start of an entry that begins a line, with its comments. A comment at the start of the file may be its license: it stays there. */
export function entryStart(text: string, offset: number): number {
  const line = lineStart(text, offset);
  const start = commentStart(text, line);
  return /^(?:[ \t]*(?:---.*|%.*)?\r?\n)*$/.test(text.slice(0, start)) ? line : start;
}

/** The comment lines directly above an entry. */
export function commentAbove(text: string, offset: number): string | undefined {
  const lines: string[] = [];
  let end = lineStart(text, offset);
  while (end > 0) {
    const start = lineStart(text, end - 1);
    const line = text.slice(start, end).trim();
    if (!line.startsWith('#')) break;
    lines.unshift(line.replace(/^#+\s?/, ''));
    end = start;
  }
  const comment = lines.join('\n').trim();
  return comment === '' ? undefined : comment;
}

/** One step of indentation: that of the first nested group, else two blanks. */
export function indentStep(text: string, root: YamlNode): string {
  const visit = (node: YamlNode, outer: number): number | undefined => {
    if (node.kind === 'string' || node.kind === 'literal' || node.isFlow) return undefined;
    const own = node.kind === 'object' ? columnOf(text, node.children[0]?.start) : undefined;
    if (own !== undefined && own > outer && outer >= 0) return own - outer;
    for (const child of node.children) {
      const found = visit(child.value, node.kind === 'object' ? (own ?? -1) : -1);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return ' '.repeat(visit(root, -1) ?? 2);
}

function columnOf(text: string, offset: number | undefined): number | undefined {
  return offset === undefined ? undefined : offset - lineStart(text, offset);
}
