/** Writes the items of a string array in another order, each with its quotes, its CDATA and its comments. */
import type { Arrangement, Edit, Insertion } from '../../format.ts';
import { groupStyle, openResources, type ResourceFile } from './android-resources.ts';
import { lineEndOf, usualGap, withLineEnds } from './flat-entries.ts';
import type { XmlEntryFile } from './xml-entries.ts';
import { insertedContent } from './xml-text.ts';

/** @returns undefined when there is no such array of that length */
export function arrangedArray(
  file: ResourceFile,
  { list, length, elements }: Arrangement,
): Edit | undefined {
  const style = arrayIn(file, list);
  const items = [...(style?.entries.values() ?? [])];
  const [first, last] = [items[0], items.at(-1)];
  if (style === undefined || first === undefined || last === undefined) return undefined;
  if (items.length !== length || elements.length === 0) return undefined;
  const { leads, rest } = leadsOf(style, new Set(elements));
  const usual = usualGap(style);
  const written = elements.map((element, at) => {
    const item = typeof element === 'number' ? items[element] : undefined;
    const own = typeof element === 'number' ? (leads[element] ?? '') : '';
    const lead = at === 0 ? own.trimStart() : own || usual;
    if (item !== undefined) return lead + file.text.slice(item.start, item.end);
    return lead + (typeof element === 'number' ? '' : newItem(file, list, element));
  });
  return { start: first.start, end: last.end, text: written.join('') + rest };
}

function arrayIn(file: ResourceFile, list: string): XmlEntryFile | undefined {
  const key = `${list}[]`;
  const array = file.entries.entries.get(key);
  return array && groupStyle(file, key, array.element).items;
}

/**
 * The blanks before each item, with comments that are apart from all items. Such comments stay when the item below them leaves.
 * @param staying the indexes of items that stay
 */
function leadsOf(
  { text, entries }: XmlEntryFile,
  staying: ReadonlySet<unknown>,
): { readonly leads: readonly string[]; readonly rest: string } {
  const items = [...entries.values()];
  let left = '';
  const leads = items.map(({ start }, at) => {
    const own = text.slice(items[at - 1]?.end ?? start, start);
    const isBlank = own.trim() === '';
    const lead = isBlank && left !== '' ? left : left.trimEnd() + own;
    left = staying.has(at) || lead.trim() === '' ? '' : lead;
    return lead;
  });
  return { leads, rest: left.trimEnd() };
}

/** An item as its source has it, with its new text. */
function newItem(file: ResourceFile, list: string, [insertion]: readonly Insertion[]): string {
  if (insertion === undefined) return '';
  const { segment, sourceText } = insertion;
  const item = arrayIn(openResources(sourceText), list)?.entries.get(segment.id)?.element;
  const content = insertedContent(insertion, file.texts);
  if (item === undefined) return `<item>${content}</item>`;
  const open = sourceText.slice(item.start, segment.start);
  const close = sourceText.slice(segment.end, item.end);
  return withLineEnds(open + content + close, lineEndOf(file.text));
}
