/** Groups of items inside an entry, such as plural forms: taken out one by one, and written anew in another file. */
import type { Edit } from '../format.ts';
import { splice } from '../text/splice.ts';
import { type Entry, insertEntries, type NewEntry, removeEntries } from './flat-entries.ts';
import type { XmlEntryFile } from './xml-entries.ts';

/** One item that a group gets. */
export interface NewItem {
  readonly id: string;
  /** Id of the item before it; null: first. */
  readonly after: string | null;
  /** What stands between its tags. */
  readonly content: string;
}

export interface GroupStyle {
  /** The items by id. */
  readonly items: XmlEntryFile;
  /** The span of an item's content. */
  spanOf(id: string): { readonly start: number; readonly end: number } | undefined;
  /** The text of a model item made that of another one: `quantity="other"` -> `quantity="few"`. */
  rename(item: string, id: string): string;
}

/** The edits that add items to a group, each in the layout of the one before or behind it. */
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
  const span = style.spanOf(modelId ?? '');
  if (model === undefined || span === undefined) return undefined;
  const { start, end } = model.element;
  const { text } = items;
  return style.rename(text.slice(start, span.start) + content + text.slice(span.end, end), id);
}

/** The entry of a group as it stands in its file, with other items: those that are not wanted go. */
export function rewrittenGroup(
  entry: Entry,
  style: GroupStyle,
  wanted: readonly NewItem[],
): string {
  const { items } = style;
  const own = wanted.filter(({ id }) => items.entries.has(id));
  const kept = new Set(own.map(({ id }) => id));
  const gone = new Set([...items.entries.keys()].filter((id) => !kept.has(id)));
  const contents = own.flatMap(({ id, content }): Edit[] => {
    const span = style.spanOf(id);
    return span === undefined ? [] : [{ ...span, text: content }];
  });
  const added = wanted.filter(({ id }) => !kept.has(id));
  const edits = [
    ...removeEntries(items, gone),
    ...contents,
    ...addItems(style, chain(added, kept)),
  ];
  return splice(
    items.text.slice(entry.start, entry.end),
    edits.map((edit) => ({
      ...edit,
      start: edit.start - entry.start,
      end: edit.end - entry.start,
    })),
  );
}

// Behind an item that stays: one that goes takes its place along.
function chain(added: readonly NewItem[], kept: ReadonlySet<string>): NewItem[] {
  return added.map((item) =>
    item.after !== null && kept.has(item.after) ? item : { ...item, after: null },
  );
}
