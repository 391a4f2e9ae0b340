/** Writes the elements of a list of literals in another order, each with its comments and the line break before it. */
import type { Edit } from '../../format.ts';
import type { NewValue } from './insertions.ts';
import { leadsInOrder } from './list-leads.ts';
import { type LiteralTarget, type LiteralValue, newElementText } from './literal-insert.ts';
import { itemEnd } from './literal-layout.ts';
import type { LiteralList } from './literal-tree.ts';

/** An existing element, by its index, or a new one. */
export type LiteralElement = number | NewValue<LiteralValue>;

interface ListItem {
  readonly lead: string;
  /** With the comments above it. */
  readonly text: string;
  /** Comments behind its comma. */
  readonly tail: string;
}

export function arrangedList(
  target: LiteralTarget,
  list: LiteralList,
  elements: readonly LiteralElement[],
): Edit | undefined {
  const { text } = target;
  const last = list.children.at(-1);
  if (last === undefined || elements.length === 0) return undefined;
  const start = list.start + 1;
  const end = itemEnd(text, last);
  const items = itemsOf(text, list);
  const leads = leadsInOrder(items, elements, (items[1] ?? items[0])?.lead ?? '');
  const written = elements.map((element, at): string => {
    const lead = leads[at] ?? '';
    const isLast = at === elements.length - 1 && end.comma === undefined;
    const comma = isLast ? '' : ',';
    if (typeof element !== 'number') {
      return lead + newElementText(target, element, { list, lead }) + comma;
    }
    const { text: own = '', tail = '' } = items[element] ?? {};
    return lead + own + comma + tail;
  });
  return { start, end: end.end, text: written.join('') };
}

function itemsOf(text: string, { start, children }: LiteralList): ListItem[] {
  let from = start + 1;
  return children.map((child) => {
    const { comma, end } = itemEnd(text, child);
    const [lead = ''] = /^\s*/.exec(text.slice(from, child.start)) ?? [];
    const own = text.slice(from + lead.length, comma ?? child.end);
    const tail = text.slice(comma === undefined ? child.end : comma + 1, end);
    from = end;
    return { lead, text: own, tail };
  });
}
