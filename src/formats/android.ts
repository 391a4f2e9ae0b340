/** Android string resources: strings, plurals by the categories of the target, arrays. `xliff:g` and markup stay whole. */

import {
  type Doc,
  type Edit,
  type Format,
  type FormatOptions,
  type Insertion,
  partsText,
  type Segment,
} from '../format.ts';
import { append } from '../parsing/append.ts';
import { arrangedArray } from './grammar/android-arrays.ts';
import {
  groupStyle,
  isReference,
  isStringResource,
  isTranslatable,
  itemsOf,
  openResources,
  type ResourceFile,
  type ResourceItem,
} from './grammar/android-resources.ts';
import {
  type EntryFile,
  entryLayout,
  insertEntries,
  lineEndOf,
  type NewEntry,
  removeEntries,
  sourceEntries,
  withLineEnds,
} from './grammar/flat-entries.ts';
import { expandCategories } from './grammar/plural-categories.ts';
import { renamedBaseline } from './grammar/renamed-keys.ts';
import { namespaceEdits, setAttribute } from './grammar/xml-attributes.ts';
import type { XmlEntry } from './grammar/xml-entries.ts';
import { addItems, type NewItem, rewrittenGroup } from './grammar/xml-groups.ts';
import { attributeOf, insertedContent, placeIn } from './grammar/xml-text.ts';
import { isSelfClosing, type XmlElement } from './grammar/xml-tree.ts';
import { countingOf, isNumbered, plainId, withoutShadowed } from './text/duplicates.ts';
import { joinKey, splitKey } from './text/key-path.ts';
import { positionsOf } from './text/position.ts';
import { makeSegment } from './text/segment.ts';

export const android: Format = {
  name: 'android',
  shape: 'keyed',
  // The elements of an array are numbered, the forms of a plural named: `faq[0]`, `files.one`.
  messageOf: (id) => id.replace(/(?<!\\)(?:\[\d+\]|\.[a-z]+)$/, ''),
  recognises: (text) => /<resources[\s/>]/.test(text),
  parse,
  expect: (source, { language }) => expandCategories(source.segments, language),
};

function parse(text: string, options: FormatOptions): Doc {
  const file = openResources(text, options);
  const positionAt = positionsOf(text);
  const entries = [...file.entries.entries];
  const drafts = entries.flatMap(([key, entry]) =>
    isNumbered(key)
      ? []
      : itemsOf(file, key, entry).map((item) => ({
          ...item,
          comment: entry.comment,
          isOwn: !isTranslatable(text, entry.element),
        })),
  );
  const segments = drafts.map((draft) =>
    resourceSegment(file, draft, positionAt(draft.element.start).line),
  );
  const doc: Doc = {
    segments,
    warnings: [],
    insert: (insertions) => insert(file, insertions),
    remove: (ids) => remove(file, ids),
    rename: (renames) => rename(file, renames),
    arrange: (list) => {
      const edit = arrangedArray(file, list);
      return edit && [edit];
    },
    declarationEdits: (written, source) =>
      namespaceEdits(text, file.root, {
        written,
        sourceRoot: () => openResources(source).root,
      }),
    // Android takes texts that are not for translation from the default file.
    localeEdits: () => removeEntries(file.all, untranslatable(file)),
  };
  return withoutShadowed(doc, {
    counting: countingOf('android', options),
    file: options.file,
    entries: entries.map(([id, { element }]) => ({ id, line: positionAt(element.start).line })),
  });
}

interface ResourceDraft extends ResourceItem {
  readonly comment: string | undefined;
  /** It is not for translation; only in a target. */
  readonly isOwn: boolean;
}

function resourceSegment(
  { text, texts }: ResourceFile,
  { id, element, group, category, comment, isOwn }: ResourceDraft,
  line: number,
): Segment {
  const content = placeIn(text, element, texts);
  const { start, end, before, after } = content;
  const isName = isOwn || isReference(text, element);
  const place = category === undefined ? { positional: true as const } : {};
  return makeSegment(text, {
    id,
    start,
    end,
    line,
    // Raw, because the encoder would escape the first letter of a text.
    parts: isName ? [{ raw: text.slice(start, end) }] : content.parts,
    ...(comment === undefined ? {} : { context: comment }),
    ...(group === undefined ? {} : place),
    ...(group === undefined || category === undefined ? {} : { plural: { group, category } }),
    ...(isName ? { state: 'do-not-translate' as const } : {}),
    ...(isOwn ? { isReference: true as const, isPersons: true as const } : {}),
    ...(group === undefined && element.name === 'item' ? { unseenBefore: true as const } : {}),
    ...(isSelfClosing(element) ? { gap: 'value' as const } : {}),
    syntax: 'printf',
    encode: (parts) => before + texts.write(parts, content) + after,
  });
}

/** The id of the entry that a segment belongs to. */
function entryId({
  id,
  plural,
  positional,
}: Pick<Segment, 'id' | 'plural' | 'positional'>): string {
  return plural?.group ?? (positional ? id.replace(/\[\d+\]$/, '[]') : id);
}

/** The same from the id alone: an item id ends in a category or number. */
function entryOfId(file: ResourceFile, id: string | null): string | null {
  if (id === null || file.entries.entries.has(id)) return id;
  return id.endsWith(']') ? id.replace(/\[\d+\]$/, '[]') : id.replace(/\w+$/, '');
}

function insert(file: ResourceFile, insertions: readonly Insertion[]): Edit[] {
  const groups = Map.groupBy(insertions, ({ segment }) => entryId(segment));
  const sourceOf = sourceEntries(insertions, openEntries);
  const lineEnd = lineEndOf(file.text);
  const added: NewEntry[] = [];
  const edits: Edit[] = [];
  for (const [key, group] of groups) {
    const current = file.entries.entries.get(key)?.element;
    const style = current && groupStyle(file, key, current);
    if (style !== undefined && style.items.entries.size > 0) {
      append(edits, addItems(style, itemsFor(file, group)));
      continue;
    }
    const [first] = group;
    const source = first && sourceOf(first).file.opened;
    const entry = source?.entries.entries.get(key);
    if (first === undefined || source === undefined || entry === undefined) continue;
    const written = (from: XmlEntry) =>
      withLineEnds(entryText(file, { source, key, entry: from }, group), lineEnd);
    if (current !== undefined) {
      // An empty group takes the items of the source's group; the comments above the source's group are left out.
      const { start, end } = current;
      edits.push({ start, end, text: written({ ...entry, start: entry.element.start }) });
      continue;
    }
    added.push({
      after: entryOfId(file, first.after),
      text: written(entry),
      ...entryLayout(source.entries, entry, {
        lineEnd,
        texts: group.map(({ parts }) => partsText(parts)),
      }),
    });
  }
  return [...edits, ...insertEntries(file.entries, added)];
}

function openEntries(text: string): EntryFile & { readonly opened: ResourceFile } {
  const opened = openResources(text);
  return { ...opened.entries, opened };
}

interface SourceEntry {
  readonly source: ResourceFile;
  readonly key: string;
  readonly entry: XmlEntry;
}

function entryText(
  file: ResourceFile,
  { source, key, entry }: SourceEntry,
  insertions: readonly Insertion[],
): string {
  const { element, start, end } = entry;
  if (!isStringResource(element)) {
    const ordered = insertions.toSorted(orderOfForms(file, insertions));
    return rewrittenGroup(entry, groupStyle(source, key, element), itemsFor(file, ordered));
  }
  const [only] = insertions;
  const content = source.texts.read(element);
  const written = only === undefined ? '' : insertedContent(only, file.texts);
  return source.text.slice(start, content.start) + written + source.text.slice(content.end, end);
}

/** The order of the forms in the first group of the file that has all of these; else the order of the insertions (CLDR). */
function orderOfForms(
  file: ResourceFile,
  insertions: readonly Insertion[],
): (one: Insertion, other: Insertion) => number {
  const formOf = ({ segment }: Insertion) => segment.plural?.category ?? '';
  const forms = insertions.map(formOf);
  for (const [key, { element }] of forms.includes('') ? [] : file.entries.entries) {
    if (isStringResource(element) || key.endsWith('[]')) continue;
    const ids = groupStyle(file, key, element).items.entries.keys();
    const order = [...ids].map((id) => id.slice(key.length));
    if (!forms.every((form) => order.includes(form))) continue;
    return (one, other) => order.indexOf(formOf(one)) - order.indexOf(formOf(other));
  }
  return () => 0;
}

/** In order, each behind the one before it, if that is in the same group. */
function itemsFor(file: ResourceFile, insertions: readonly Insertion[]): NewItem[] {
  return insertions.map((insertion) => ({
    id: insertion.segment.id,
    after: insertion.after,
    content: insertedContent(insertion, file.texts),
  }));
}

function untranslatable({ text, all }: ResourceFile): ReadonlySet<string> {
  const own = [...all.entries].filter(([, { element }]) => !isTranslatable(text, element));
  return new Set(own.map(([id]) => id));
}

/** A group that loses its last item is removed whole; from others, single forms and last elements are removed. */
function remove(file: ResourceFile, ids: ReadonlySet<string>): Edit[] {
  const gone = new Set<string>();
  const edits: Edit[] = [];
  for (const [key, entry] of file.entries.entries) {
    if (isStringResource(entry.element)) {
      if (ids.has(key)) gone.add(key);
      continue;
    }
    const { items } = groupStyle(file, key, entry.element);
    const own = [...items.entries.keys()];
    const leaving = key.endsWith('[]')
      ? own.slice(own.findLastIndex((id) => !ids.has(id)) + 1)
      : own.filter((id) => ids.has(id));
    if (leaving.length === own.length && own.length > 0) gone.add(key);
    else append(edits, removeEntries(items, new Set(leaving)));
  }
  const all = [...file.entries.entries.keys()];
  const namesakes = all.filter((key) => isNumbered(key) && gone.has(plainId(key)));
  return [...removeEntries(file.entries, gone.union(new Set(namesakes))), ...edits];
}

/** Plurals and arrays are renamed when all their items are. */
function rename(file: ResourceFile, renames: ReadonlyMap<string, string>): Edit[] {
  return [...file.entries.entries].flatMap(([key, entry]) => {
    const { element } = entry;
    const base = isStringResource(element) ? key : key.replace(/\.$|\[\]$/, '');
    const ids = itemsOf(file, key, entry).map(({ id }) => id);
    const value = resourceName(renamedBaseline(base, ids, renames), element);
    return value === undefined ? [] : setAttribute(file.text, element, { name: 'name', value });
  });
}

/** The name in an id; undefined for the id of another product or of a duplicate. */
function resourceName(id: string | undefined, element: XmlElement): string | undefined {
  const [key, ...more] = splitKey(id ?? '');
  if (typeof key !== 'string' || more.length > 0 || joinKey([key]) !== id) return undefined;
  const product = attributeOf(element, 'product');
  const tail = product === undefined ? '' : `@${product}`;
  return key.endsWith(tail) ? key.slice(0, key.length - tail.length) : undefined;
}
