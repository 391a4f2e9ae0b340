/** Writes the elements of a YAML list in another order: block lists by lines, with the comments above; flow lists between commas. */
import type { Edit } from '../../format.ts';
import { lineStart } from '../text/position.ts';
import type { NewValue } from './insertions.ts';
import { leadsInOrder } from './list-leads.ts';
import { newEntry, type YamlTarget, type YamlValue } from './yaml-insert.ts';
import { afterLine, commentStart } from './yaml-layout.ts';
import type { YamlChild, YamlGroup } from './yaml-tree.ts';

/** An existing element, by its index, or a new one. */
export type YamlElement = number | NewValue<YamlValue>;

/** @returns undefined when elements share lines, or have comments between their commas */
export function arrangedList(
  target: YamlTarget,
  list: YamlGroup,
  elements: readonly YamlElement[],
): Edit | undefined {
  return list.isFlow ? arrangedFlow(target, list, elements) : arrangedBlock(target, list, elements);
}

function arrangedFlow(
  target: YamlTarget,
  { children }: YamlGroup,
  elements: readonly YamlElement[],
): Edit | undefined {
  const [first, last] = [children[0], children.at(-1)];
  if (first === undefined || last === undefined || elements.length === 0) return undefined;
  const { text } = target;
  const between = children.slice(1).map(({ start }, at) => text.slice(children[at]?.end, start));
  if (between.some((each) => each.includes('#'))) return undefined;
  const written = elements.map((element) => {
    const child = typeof element === 'number' ? children[element] : undefined;
    if (child !== undefined) return text.slice(child.start, child.end);
    return typeof element === 'number' ? '' : newEntry(target, element, { inFlow: true });
  });
  const items = ['', ...between].map((lead) => ({ lead, tail: '' }));
  const leads = leadsInOrder(items, elements, between[0] ?? ', ');
  const all = written.map((each, at) => (leads[at] ?? '') + each);
  return { start: first.start, end: last.end, text: all.join('') };
}

/** An element with its comments, without its last line break. */
interface ElementLines {
  /** Blank lines before it: they keep their place in the list. */
  readonly lead: string;
  readonly text: string;
}

function arrangedBlock(
  target: YamlTarget,
  list: YamlGroup,
  elements: readonly YamlElement[],
): Edit | undefined {
  const { text } = target;
  const { children } = list;
  const [first, last] = [children[0], children.at(-1)];
  if (first === undefined || last === undefined || elements.length === 0) return undefined;
  if (children.some((child) => !isAlone(text, child))) return undefined;
  // Comment lines directly above the first element belong to it.
  const start = commentStart(text, lineStart(text, first.start));
  const end = afterLine(text, last);
  let from = start;
  const lines = children.map((child) => {
    const own = elementLines(text.slice(from, afterLine(text, child)));
    from = afterLine(text, child);
    return own;
  });
  const lineEnd = /\r\n|\n/.exec(text)?.[0] ?? '\n';
  const indent = /^ */.exec(text.slice(lineStart(text, first.start)))?.[0] ?? '';
  const leads = lines.map(({ lead }) => lead);
  const written = elements.map((element, at) => {
    const lead = leads[at] ?? leads.at(-1) ?? '';
    if (typeof element === 'number') return lead + (lines[element]?.text ?? '');
    const entry = newEntry(target, element, { inFlow: false, indent, model: modelOf(list) });
    return lead + entry.slice(0, entry.length - lineEnd.length);
  });
  const tail = text.charAt(end - 1) === '\n' ? lineEnd : '';
  return { start, end, text: written.join(lineEnd) + tail };
}

/** Whether the dash of the element begins a line, and the value is behind the dash. */
function isAlone(text: string, { start }: YamlChild): boolean {
  return /^ *-[ \t]+(?:[&!]\S*[ \t]+)*$/.test(text.slice(lineStart(text, start), start));
}

function elementLines(text: string): ElementLines {
  const [lead = ''] = /^(?:[ \t]*\r?\n)*/.exec(text) ?? [];
  return { lead, text: text.slice(lead.length).replace(/\r?\n$/, '') };
}

/** The child whose key style is followed. */
function modelOf({ children }: YamlGroup): YamlChild | undefined {
  const group = children.map(({ value }) => value).find(({ kind }) => kind === 'object');
  return group?.kind === 'object' ? group.children[0] : undefined;
}
