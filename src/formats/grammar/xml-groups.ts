/** Groups of items inside an entry, such as plural forms: removed one by one, and written again in another file. */
import type { Edit } from '../../format.ts';
import { splice } from '../text/splice.ts';
import {
  type FlatEntry,
  insertEntries,
  type NewEntry,
  removeEntries,
  usualGap,
} from './flat-entries.ts';
import type { XmlEntryFile } from './xml-entries.ts';

/** A new item of a group. */
export interface NewItem {
  readonly id: string;
  /** Id of the item before it; null: first. */
  readonly after: string | null;
  /** The content between its tags. */
  readonly content: string;
}

export interface GroupStyle {
  /** The items by id. */
  readonly items: XmlEntryFile;
  /** Span of an item's content; undefined when it has none (`<item/>`). */
  spanOf(id: string): { readonly start: number; readonly end: number } | undefined;
  /** Turns the text of a model item into another item: `quantity="other"` -> `quantity="few"`. */
  rename(item: string, id: string): string;
}

/** The edits that add items to a group, each in the layout of its neighbour. */
export function addItems(style: GroupStyle, additions: readonly NewItem[]): Edit[] {
  const { items } = style;
  return insertEntries(
    items,
    additions.flatMap(({ id, after, content }): NewEntry[] => {
      const text = itemText(style, id, content);
      return text === undefined ? [] : [{ after, text, gap: undefined }];
    }),
  );
}

function itemText(style: GroupStyle, id: string, content: string): string | undefined {
  const { items } = style;
  const [modelId, model] = items.entries.has(id)
    ? [id, items.entries.get(id)]
    : ([...items.entries].at(-1) ?? []);
  if (model === undefined) return undefined;
  const { start, end, name } = model.element;
  const { text } = items;
  const span = style.spanOf(modelId ?? '');
  if (span === undefined) {
    const open = text.slice(start, end).replace(/(?<!\s)\s*\/>$/, '>');
    return style.rename(`${open}${content}</${name}>`, id);
  }
  return style.rename(text.slice(start, span.start) + content + text.slice(span.end, end), id);
}

/** A group's entry with other items: those that are not wanted are removed. */
export function rewrittenGroup(
  entry: FlatEntry,
  style: GroupStyle,
  wanted: readonly NewItem[],
): string {
  const { text, entries } = style.items;
  const isOwn = ({ id }: NewItem) => entries.has(id);
  const edits = wanted.some(isOwn) ? itemEdits(style, wanted) : allItems(style, wanted);
  return splice(
    text.slice(entry.start, entry.end),
    edits.map((edit) => ({
      ...edit,
      start: edit.start - entry.start,
      end: edit.end - entry.start,
    })),
  );
}

function itemEdits(style: GroupStyle, wanted: readonly NewItem[]): Edit[] {
  const { items } = style;
  const own = wanted.filter(({ id }) => items.entries.has(id));
  const kept = new Set(own.map(({ id }) => id));
  const gone = new Set([...items.entries.keys()].filter((id) => !kept.has(id)));
  const contents = own.flatMap(({ id, content }): Edit[] => {
    const span = style.spanOf(id);
    return span === undefined ? [] : [{ ...span, text: content }];
  });
  return [...removeEntries(items, gone), ...contents, ...addItems(style, chain(wanted, kept))];
}

/** No existing item stays, so the wanted items replace all. */
function allItems(style: GroupStyle, wanted: readonly NewItem[]): Edit[] {
  const all = [...style.items.entries.values()];
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined) return [];
  const gap = usualGap(style.items);
  const written = wanted.map(({ id, content }) => itemText(style, id, content) ?? '');
  return [{ start: first.start, end: last.end, text: written.join(gap) }];
}

/** The new items, each behind the item that stays before it: the place of a removed item is removed, too. */
function chain(wanted: readonly NewItem[], kept: ReadonlySet<string>): NewItem[] {
  const added: NewItem[] = [];
  let after: string | null = null;
  for (const item of wanted) {
    if (kept.has(item.id)) after = item.id;
    else added.push({ ...item, after });
  }
  return added;
}
