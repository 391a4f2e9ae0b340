/**
 * Boxes and tabs of MkDocs: `!!! note "Title"`, `??? tip`, `=== "Tab"`. What is indented below them, behind a blank line, is code for
 * Markdown and text for MkDocs. Pure.
 */
import { CODE_OR_COMMENT } from './markdown-markers.ts';

const OPENS = String.raw`(?:!!!|\?\?\?\+?|===[!+]?)[ \t]+["\w]`;
const MAY_OPEN = new RegExp(`^[ \\t]*${OPENS}`, 'm');

const LINE_END = String.raw`(?:\r\n|\n|\r)`;
/** The lines of a box up to the end of its first blank lines. */
const BOX = [
  String.raw`^(?<indent> {0,40})${OPENS}[^\r\n]*${LINE_END}`,
  String.raw`(?:\k<indent> {4}[ \t]{0,100}\S[^\r\n]*${LINE_END}){0,100}`,
  String.raw`(?:[ \t]{0,100}${LINE_END}){1,20}(?=\k<indent> {4}\S)`,
].join('');
const CODE_OR_BOX = new RegExp(`${CODE_OR_COMMENT.source}|${BOX}`, 'gm');

export function mayHaveBoxes(page: string): boolean {
  return MAY_OPEN.test(page);
}

/** The content becomes an item of a list: the parser then reads it as text, and offsets stay. */
export function withBoxesAsLists(page: string): string {
  if (!mayHaveBoxes(page)) return page;
  let read = '';
  for (const found of page.matchAll(CODE_OR_BOX)) {
    const indent = found.groups?.['indent'];
    if (indent === undefined) continue;
    const start = found.index + found[0].length + indent.length;
    read += `${page.slice(read.length, start)}${ITEM}`;
  }
  return read + page.slice(read.length);
}

const ITEM = '-   ';
