/** Android string resources: strings, plurals by the categories of the target, arrays; `xliff:g` and markup stay whole. */
import type { Doc, Edit, Format, FormatOptions, Insertion, Segment } from '../format.ts';
import { AndroidTexts } from '../syntax/android-text.ts';
import {
  type EntryFile,
  gapOf,
  insertEntries,
  lineEndOf,
  type NewEntry,
  removeEntries,
  sourceEntries,
  withLineEnds,
} from '../syntax/flat-entries.ts';
import { expandCategories } from '../syntax/plural-categories.ts';
import { type XmlEntry, type XmlEntryFile, xmlEntries } from '../syntax/xml-entries.ts';
import { addItems, type GroupStyle, type NewItem, rewrittenGroup } from '../syntax/xml-groups.ts';
import { attributeOf, insertedContent } from '../syntax/xml-text.ts';
import { childElements, isSelfClosing, parseXml, type XmlElement } from '../syntax/xml-tree.ts';
import { joinKey } from '../text/key-path.ts';
import { isPluralCategory } from '../text/plurals.ts';
import { positionsOf } from '../text/position.ts';
import { makeSegment, uniqueIds } from '../text/segment.ts';

export const android: Format = {
  name: 'android',
  shape: 'keyed',
  recognises: (text) => /<resources[\s>]/.test(text),
  parse,
  expect: (source, { language }) => expandCategories(source.segments, language),
};

interface ResourceFile {
  readonly text: string;
  readonly texts: AndroidTexts;
  /** Strings, plurals and arrays. */
  readonly entries: XmlEntryFile;
  /** What is not for translation; a file of another language does without it. */
  readonly others: XmlEntryFile;
}

function open(text: string, file = ''): ResourceFile {
  const root = parseXml(text, file);
  const ids = uniqueIds();
  return {
    text,
    texts: new AndroidTexts(text),
    entries: xmlEntries(text, root, (child) =>
      isTranslatable(text, child) ? ids(entryKey(child)) : undefined,
    ),
    others: xmlEntries(text, root, (child) =>
      isText(child) && !isTranslatable(text, child) ? `${child.start}` : undefined,
    ),
  };
}

function entryKey(element: XmlElement): string {
  const product = attributeOf(element, 'product');
  const name = attributeOf(element, 'name') ?? '';
  const key = joinKey([product === undefined ? name : `${name}@${product}`]);
  switch (element.name) {
    case 'plurals':
      return `${key}.`;
    case 'string-array':
      return `${key}[]`;
    default:
      return key;
  }
}

function isText({ name }: XmlElement): boolean {
  return name === 'string' || name === 'plurals' || name === 'string-array';
}

const REFERENCE = /^\s*[@?](?:\+?[\w.]+:)?\w+\/[\w.]+\s*$/;

function isTranslatable(text: string, element: XmlElement): boolean {
  if (!isText(element) || isSelfClosing(element)) return false;
  if (element.attributes.get('translatable') === 'false') return false;
  return element.name !== 'string' || !REFERENCE.test(contentOf(text, element));
}

function contentOf(text: string, { openEnd, closeStart }: XmlElement): string {
  return text.slice(openEnd, closeStart);
}

function parse(text: string, options: FormatOptions): Doc {
  const file = open(text, options.file);
  const positionAt = positionsOf(text);
  const drafts = [...file.entries.entries].flatMap(([key, entry]) =>
    itemsOf(file, key, entry).map((item) => ({ ...item, comment: entry.comment })),
  );
  const segments = drafts.map((draft) =>
    segmentOf(file, draft, positionAt(draft.element.start).line),
  );
  return {
    segments,
    warnings: [],
    insert: (insertions) => insert(file, insertions),
    remove: (ids) => remove(file, ids),
    localeEdits: () => removeEntries(file.others, new Set(file.others.entries.keys())),
  };
}

interface Item {
  readonly id: string;
  readonly element: XmlElement;
  readonly group?: string;
  readonly category?: string;
}

function itemsOf(file: ResourceFile, key: string, { element }: XmlEntry): Item[] {
  if (element.name === 'string') return [{ id: key, element }];
  return [...groupStyle(file, key, element).items.entries].map(([id, item]) => {
    const category = item.element.attributes.get('quantity');
    return {
      id,
      element: item.element,
      group: key,
      ...(category === undefined ? {} : { category }),
    };
  });
}

function segmentOf(
  { text, texts }: ResourceFile,
  { id, element, group, category, comment }: Item & { readonly comment: string | undefined },
  line: number,
): Segment {
  const content = texts.read(element);
  const place = category === undefined ? { positional: true as const } : {};
  return makeSegment(text, {
    id,
    start: content.start,
    end: content.end,
    line,
    parts: content.parts,
    ...(comment === undefined ? {} : { context: comment }),
    ...(group === undefined ? {} : place),
    ...(group === undefined || category === undefined ? {} : { plural: { group, category } }),
    ...(REFERENCE.test(contentOf(text, element)) ? { state: 'do-not-translate' as const } : {}),
    syntax: 'printf',
    encode: (parts) => texts.write(parts, content),
  });
}

/** The items of plurals by category, of arrays by number. */
function groupStyle(file: ResourceFile, key: string, element: XmlElement): GroupStyle {
  const { text, texts } = file;
  const items = xmlEntries(text, element, itemId(key, childElements(element, 'item')));
  return {
    items,
    spanOf(id) {
      const item = items.entries.get(id)?.element;
      return item === undefined ? undefined : texts.read(item);
    },
    rename(item, id) {
      const category = id.slice(key.length);
      if (!isPluralCategory(category)) return item;
      return item.replace(/(quantity\s*=\s*)(["'])\w+\2/, `$1$2${category}$2`);
    },
  };
}

function itemId(
  key: string,
  items: readonly XmlElement[],
): (item: XmlElement) => string | undefined {
  if (key.endsWith('[]')) {
    const places = new Map(items.map((item, index) => [item, index]));
    return (item) => {
      const place = places.get(item);
      return place === undefined || isSelfClosing(item)
        ? undefined
        : `${key.slice(0, -2)}[${place}]`;
    };
  }
  return (item) => {
    const category = item.attributes.get('quantity') ?? '';
    return isPluralCategory(category) && !isSelfClosing(item) ? key + category : undefined;
  };
}

/** The id of the entry that a segment stands in. */
function entryId({
  id,
  plural,
  positional,
}: Pick<Segment, 'id' | 'plural' | 'positional'>): string {
  return plural?.group ?? (positional ? id.replace(/\[\d+\]$/, '[]') : id);
}

/** The same of an id alone: items of groups end in their category or number. */
function entryOfId(file: ResourceFile, id: string | null): string | null {
  if (id === null || file.entries.entries.has(id)) return id;
  return id.endsWith(']') ? id.replace(/\[\d+\]$/, '[]') : id.replace(/\w+$/, '');
}

function insert(file: ResourceFile, insertions: readonly Insertion[]): Edit[] {
  const groups = Map.groupBy(insertions, ({ segment }) => entryId(segment));
  const sourceOf = sourceEntries(insertions, openEntries);
  const added: NewEntry[] = [];
  const edits: Edit[] = [];
  for (const [key, group] of groups) {
    const standing = file.entries.entries.get(key)?.element;
    if (standing !== undefined) {
      edits.push(...addItems(groupStyle(file, key, standing), itemsFor(file, group)));
      continue;
    }
    const [first] = group;
    const source = first && sourceOf(first).file.opened;
    const entry = source?.entries.entries.get(key);
    if (first === undefined || source === undefined || entry === undefined) continue;
    const lineEnd = lineEndOf(file.text);
    added.push({
      after: entryOfId(file, first.after),
      text: withLineEnds(entryText(file, { source, key, entry }, group), lineEnd),
      gap: gapOf(source.entries, entry, lineEnd),
    });
  }
  return [...edits, ...insertEntries(file.entries, added)];
}

function openEntries(text: string): EntryFile & { readonly opened: ResourceFile } {
  const opened = open(text);
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
  if (element.name !== 'string') {
    return rewrittenGroup(entry, groupStyle(source, key, element), itemsFor(file, insertions));
  }
  const [only] = insertions;
  const content = source.texts.read(element);
  const written = only === undefined ? '' : insertedContent(only, file.texts);
  return source.text.slice(start, content.start) + written + source.text.slice(content.end, end);
}

/** In the order in which they come: each behind the one before it, as far as that is in the group. */
function itemsFor(file: ResourceFile, insertions: readonly Insertion[]): NewItem[] {
  return insertions.map((insertion) => ({
    id: insertion.segment.id,
    after: insertion.after,
    content: insertedContent(insertion, file.texts),
  }));
}

/** Groups without an item that stays go whole; of others single forms, and elements from the end. */
function remove(file: ResourceFile, ids: ReadonlySet<string>): Edit[] {
  const gone = new Set<string>();
  const edits: Edit[] = [];
  for (const [key, entry] of file.entries.entries) {
    if (entry.element.name === 'string') {
      if (ids.has(key)) gone.add(key);
      continue;
    }
    const { items } = groupStyle(file, key, entry.element);
    const own = [...items.entries.keys()];
    const leaving = key.endsWith('[]')
      ? own.slice(own.findLastIndex((id) => !ids.has(id)) + 1)
      : own.filter((id) => ids.has(id));
    if (leaving.length === own.length && own.length > 0) gone.add(key);
    else edits.push(...removeEntries(items, new Set(leaving)));
  }
  return [...removeEntries(file.entries, gone), ...edits];
}
