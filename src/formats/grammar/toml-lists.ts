/**
 * The lists of a TOML text: arrays between brackets, and lists of tables, which have a header for each element (`[[faq]]`). An element
 * moves with its comments, and in an array with the line break before it.
 */
import type { Edit } from '../../format.ts';
import { joinKey, type KeyPath } from '../text/key-path.ts';
import { lineStart } from '../text/position.ts';
import { insertion } from '../text/splice.ts';
import type { NewGroup, NewValue } from './insertions.ts';
import { leadsInOrder } from './list-leads.ts';
import { newString } from './toml-strings.ts';
import type { TomlArray, TomlFile, TomlTable } from './toml-tree.ts';

export interface TomlText extends TomlFile {
  readonly text: string;
  /** The line end of the file. */
  readonly lineEnd: string;
}

/** An existing element, by its index, or a new one with its values encoded. */
export type TomlElement = number | NewValue<string>;

/** @returns undefined when there is no such list of that length, or it cannot be written in that order */
export function arrangedList(
  target: TomlText,
  path: KeyPath,
  { length, elements }: { readonly length: number; readonly elements: readonly TomlElement[] },
): readonly Edit[] | undefined {
  if (elements.length === 0) return undefined;
  const array = target.arrays.get(joinKey(path));
  if (array !== undefined) {
    return array.elements.length === length
      ? [arrangedArray(target.text, array, elements)]
      : undefined;
  }
  const blocks = elementBlocks(target, path);
  return blocks?.length === length ? arrangedBlocks(target, blocks, elements) : undefined;
}

/** Adds elements behind the last one. Undefined: there is no such list. */
export function appendedElements(
  target: TomlText,
  path: KeyPath,
  added: readonly NewValue<string>[],
): readonly Edit[] | undefined {
  const array = target.arrays.get(joinKey(path));
  if (array !== undefined) return appendedToArray(target.text, array, added.map(inlineValue));
  const blocks = elementBlocks(target, path);
  const last = blocks?.at(-1);
  if (blocks === undefined || last === undefined) return undefined;
  const written = added.map((each) => newBlock(target, last, each));
  if (written.some((each) => each === undefined)) return undefined;
  const gap = gapBetween(target, blocks);
  return [insertion(last.bodyEnd, written.map((each) => gap + each).join(''))];
}

/** A new value on one line. */
export function inlineValue(value: NewValue<string>): string {
  if (value.kind === 'leaf') return value.value;
  if (value.kind === 'list') {
    return `[${value.children.map((child) => inlineValue(child.value)).join(', ')}]`;
  }
  const entries = value.children.map(
    ({ step, value }) => `${bareKey(step)} = ${inlineValue(value)}`,
  );
  return `{ ${entries.join(', ')} }`;
}

/** Lines of the entries of a new table, each with its line end. */
export function tableLines(group: NewGroup<string>, lineEnd: string, indent = ''): string {
  const lines = group.children.map(
    ({ step, value }) => `${indent}${bareKey(step)} = ${inlineValue(value)}${lineEnd}`,
  );
  return lines.join('');
}

export function bareKey(step: string | number): string {
  return /^[A-Za-z0-9_-]+$/.test(String(step)) ? String(step) : newString(String(step));
}

// Arrays.

interface ArrayItem {
  readonly lead: string;
  /** With the comments above it. */
  readonly text: string;
  /** A comment behind its comma. */
  readonly tail: string;
}

function arrangedArray(text: string, array: TomlArray, elements: readonly TomlElement[]): Edit {
  const items = arrayItems(text, array);
  const last = itemEnd(text, array.elements.at(-1)?.end ?? array.start + 1);
  const leads = leadsInOrder(items, elements, usualLead(items.slice(0, 2).map(({ lead }) => lead)));
  const written = elements.map((element, at) => {
    const lead = leads[at] ?? '';
    const comma = at === elements.length - 1 && last.comma === undefined ? '' : ',';
    if (typeof element !== 'number') return lead + inlineValue(element) + comma;
    const { text: own = '', tail = '' } = items[element] ?? {};
    return lead + own + comma + tail;
  });
  return { start: array.start + 1, end: last.end, text: written.join('') };
}

function arrayItems(text: string, { start, elements }: TomlArray): ArrayItem[] {
  let from = start + 1;
  return elements.map((element) => {
    const { comma, end } = itemEnd(text, element.end);
    const [lead = ''] = /^\s*/.exec(text.slice(from, element.start)) ?? [];
    const own = text.slice(from + lead.length, comma ?? element.end);
    const tail = text.slice(comma === undefined ? element.end : comma + 1, end);
    from = end;
    return { lead, text: own, tail };
  });
}

// The first element may have no blank before it while the others have one.
function usualLead(leads: readonly string[]): string {
  const last = leads.at(-1) ?? '';
  return leads.length === 1 && last === '' ? ' ' : last;
}

function appendedToArray(text: string, array: TomlArray, values: readonly string[]): Edit[] {
  const last = array.elements.at(-1);
  if (last === undefined) return [insertion(array.start + 1, values.join(', '))];
  const { comma, end } = itemEnd(text, last.end);
  const lead = usualLead(arrayItems(text, array).map((item) => item.lead));
  if (comma !== undefined) {
    return [insertion(end, values.map((value) => `${lead}${value},`).join(''))];
  }
  return [insertion(last.end, ','), insertion(end, values.map((v) => lead + v).join(','))];
}

/** The comma behind an element, and the end of the comment on its line. */
function itemEnd(text: string, from: number): { readonly comma?: number; readonly end: number } {
  const gap = /(?:\s|#[^\n]*)*/y;
  gap.lastIndex = from;
  gap.exec(text);
  const comma = text.charAt(gap.lastIndex) === ',' ? gap.lastIndex : undefined;
  const tail = /[ \t]*#[^\r\n]*/y;
  tail.lastIndex = comma === undefined ? from : comma + 1;
  const end = tail.lastIndex + (tail.exec(text)?.[0].length ?? 0);
  return comma === undefined ? { end } : { comma, end };
}

// Lists of tables.

/** The lines of an element: its header with the comments above, its entries, and the tables in it. */
interface ElementBlock {
  readonly table: TomlTable;
  readonly start: number;
  /** The end of its last line, without the line break. */
  readonly bodyEnd: number;
  /** Behind the blank lines below it. */
  readonly end: number;
}

/** Undefined: there are none, or the tables of an element are apart from it. */
function elementBlocks(target: TomlText, path: KeyPath): readonly ElementBlock[] | undefined {
  const { text, tables } = target;
  const id = joinKey(path);
  const isWithin = (table: TomlTable) =>
    typeof table.path[path.length] === 'number' && joinKey(table.path.slice(0, path.length)) === id;
  const blocks: ElementBlock[] = [];
  for (const [at, table] of tables.entries()) {
    if (!isWithin(table)) continue;
    const next = tables[at + 1];
    const end = next === undefined ? text.length : blockStart(text, next.start);
    const last = blocks.at(-1);
    const isHeader = table.path.length === path.length + 1;
    if (isHeader) blocks.push({ table, ...spanOf(text, blockStart(text, table.start), end) });
    else if (last === undefined || last.end !== blockStart(text, table.start)) return undefined;
    else blocks[blocks.length - 1] = { ...last, ...spanOf(text, last.start, end) };
  }
  return blocks.length === 0 ? undefined : blocks;
}

function spanOf(text: string, start: number, end: number): Omit<ElementBlock, 'table'> {
  const written = start + text.slice(start, end).trimEnd().length;
  const lineBreak = /\r?\n/g;
  lineBreak.lastIndex = written;
  const bodyEnd = Math.min(lineBreak.exec(text)?.index ?? end, end);
  return { start, bodyEnd, end };
}

/** With the comment lines directly above. A comment at the start of the file may be its license and stays. */
function blockStart(text: string, header: number): number {
  const own = lineStart(text, header);
  let from = own;
  while (from > 0) {
    const above = lineStart(text, from - 1);
    if (!/^[ \t]*#/.test(text.slice(above, from))) break;
    from = above;
  }
  return from === 0 ? own : from;
}

function arrangedBlocks(
  target: TomlText,
  blocks: readonly ElementBlock[],
  elements: readonly TomlElement[],
): readonly Edit[] | undefined {
  const { text } = target;
  const model = blocks.at(-1);
  const written = elements.map((element) => {
    const block = typeof element === 'number' ? blocks[element] : undefined;
    if (block !== undefined) return text.slice(block.start, block.bodyEnd);
    return typeof element === 'number' || model === undefined
      ? undefined
      : newBlock(target, model, element);
  });
  if (written.some((each) => each === undefined)) return undefined;
  const gap = gapBetween(target, blocks);
  const more = written.slice(blocks.length).map((each) => gap + each);
  return blocks.map(({ start, bodyEnd, end }, at) => {
    const own = written[at];
    if (own === undefined) return { start, end, text: '' };
    return { start, end: bodyEnd, text: at === blocks.length - 1 ? own + more.join('') : own };
  });
}

/** The line breaks between two elements. */
function gapBetween({ text, lineEnd }: TomlText, blocks: readonly ElementBlock[]): string {
  const [first, second] = blocks;
  if (first === undefined) return lineEnd;
  if (second !== undefined && first.end === second.start) {
    return text.slice(first.bodyEnd, first.end);
  }
  const above = lineStart(text, first.start - 1);
  const isApart = first.start > 0 && text.slice(above, first.start).trim() === '';
  return isApart ? lineEnd + lineEnd : lineEnd;
}

/** A new element, without its last line break. Undefined: it is no table. */
function newBlock(
  { text, lineEnd }: TomlText,
  { table, bodyEnd }: ElementBlock,
  element: NewValue<string>,
): string | undefined {
  if (element.kind !== 'object') return undefined;
  const start = lineStart(text, table.start);
  const header = text.slice(start, text.indexOf(']]', table.head) + 2);
  const below = text.slice(table.head, bodyEnd);
  const indent = /\n([ \t]*)[^\s#]/.exec(below)?.[1] ?? '';
  const lines = header + lineEnd + tableLines(element, lineEnd, indent);
  return lines.slice(0, lines.length - lineEnd.length);
}
