/** Child elements of an XML element as entries with the comments above them, to be removed and inserted. */
import { type EntryFile, type FlatEntry, lineEndOf } from './flat-entries.ts';
import { isElement, isSelfClosing, type XmlElement, type XmlNode } from './xml-tree.ts';

export interface XmlEntry extends FlatEntry {
  readonly element: XmlElement;
  /** The text of the attached comments. */
  readonly comment: string | undefined;
}

export interface XmlEntryFile extends EntryFile {
  /** The parent element of the entries. */
  readonly container: XmlElement;
  readonly entries: ReadonlyMap<string, XmlEntry>;
}

/** @param idOf undefined for elements that are not entries: they stay */
export function xmlEntries(
  text: string,
  container: XmlElement,
  idOf: (child: XmlElement) => string | undefined,
): XmlEntryFile {
  const entries = new Map<string, XmlEntry>();
  let gap = container.openEnd;
  let comments: XmlNode[] = [];
  let last: string | undefined;
  for (const child of container.children) {
    if (child.kind === 'text') {
      if (!isBlankLine(text.slice(child.start, child.end))) continue;
      gap = comments.at(-1)?.end ?? gap;
      comments = [];
    } else if (child.kind === 'comment') {
      const isBehind = !/[\r\n]/.test(text.slice(gap, child.start));
      const before = isBehind ? entries.get(last ?? '') : undefined;
      if (isBehind && entries.size > 0) gap = child.end;
      else comments.push(child);
      // A comment behind an entry on its line belongs to that entry.
      if (before !== undefined && last !== undefined) {
        entries.set(last, { ...before, end: child.end });
      }
    } else {
      const id = isElement(child) ? idOf(child) : undefined;
      if (id !== undefined && isElement(child)) {
        const start = comments[0]?.start ?? child.start;
        entries.set(id, {
          gap,
          start,
          end: child.end,
          element: child,
          comment: words(text, comments),
        });
      }
      last = id;
      gap = child.end;
      comments = [];
    }
  }
  const outer = indentationBefore(text, container.start);
  return { text, container, entries, home: homeIn(text, container, outer === '' ? '    ' : outer) };
}

function isBlankLine(blanks: string): boolean {
  return /\n[ \t]*\r?\n/.test(blanks);
}

function words(text: string, comments: readonly XmlNode[]): string | undefined {
  const said = comments
    .map(({ start, end }) =>
      text
        .slice(start + 4, end - 3)
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((word) => word !== '');
  return said.length === 0 ? undefined : said.join(' ');
}

/** @param step indentation of the first entry relative to its container */
export function homeIn(text: string, container: XmlElement, step: string): EntryFile['home'] {
  const { start, openEnd, closeStart, name } = container;
  const lineEnd = lineEndOf(text);
  const outer = lineEnd + indentationBefore(text, start);
  const before = outer + step;
  if (isSelfClosing(container)) {
    const open = text.slice(start, openEnd).replace(/(?<!\s)\s*\/>$/, '').length;
    return {
      start: start + open,
      end: openEnd,
      before: `>${before}`,
      after: `${outer}</${name}>`,
    };
  }
  const isSpread = /[\r\n]/.test(text.slice(openEnd, closeStart));
  return { start: openEnd, end: openEnd, before, after: isSpread ? '' : outer };
}

/**
 * The blanks at the start of a line. Goes back letter by letter: a search for a CR would read the whole file. The start of a very long line
 * is not looked for: a file on one line would be read again for each of its texts.
 */
export function indentationBefore(text: string, offset: number): string {
  let lineStart = offset;
  while (lineStart > 0 && !isLineEnd(text, lineStart - 1)) {
    if (offset - lineStart > LONGEST_LINE) return '';
    lineStart -= 1;
  }
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? '';
}

/** UTF-16 units before a tag in its line. */
const LONGEST_LINE = 4096;

/** The blanks before what begins its line; undefined: there is other text before it. */
export function ownLineBlanks(text: string, offset: number): string | undefined {
  let start = offset;
  while (/[ \t]/.test(text.charAt(start - 1))) start -= 1;
  return start === 0 || isLineEnd(text, start - 1) ? text.slice(start, offset) : undefined;
}

function isLineEnd(text: string, offset: number): boolean {
  return /[\r\n]/.test(text.charAt(offset));
}
