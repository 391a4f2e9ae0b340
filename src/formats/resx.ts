/** .NET resources: the strings of `data`; designer values beside them stay as they are. */
import {
  type Doc,
  type Format,
  type FormatOptions,
  type Insertion,
  partsText,
  type Segment,
} from '../format.ts';
import {
  entryLayout,
  flatId,
  insertEntries,
  lineEndOf,
  type NewEntry,
  removeEntries,
  renameEntries,
  sourceEntries,
  withLineEnds,
} from './grammar/flat-entries.ts';
import { namespaceEdits, setAttribute } from './grammar/xml-attributes.ts';
import { type XmlEntry, type XmlEntryFile, xmlEntries } from './grammar/xml-entries.ts';
import {
  attributeOf,
  type ElementPlace,
  elementText,
  insertedContent,
  placeIn,
  type XmlStyle,
  XmlTexts,
} from './grammar/xml-text.ts';
import { childElements, isSelfClosing, parseXml, type XmlElement } from './grammar/xml-tree.ts';
import { COUNTING, withoutShadowed } from './text/duplicates.ts';
import { positionsOf } from './text/position.ts';
import { makeSegment, uniqueIds } from './text/segment.ts';

export const resx: Format = { name: 'resx', shape: 'keyed', parse };

const STYLE: XmlStyle = {
  lead: /(?!)/,
  escapes: [],
  required: () => () => undefined,
  isOpaque: () => false,
};

function parse(text: string, { file, role }: FormatOptions): Doc {
  const opened = open(text, { file, role });
  const texts = new XmlTexts(text, STYLE);
  const positionAt = positionsOf(text);
  const segments = [...opened.entries].map(([id, entry]) => ({
    ...resxSegment(text, { id, entry, texts }),
    line: positionAt(entry.element.start).line,
  }));
  const doc: Doc = {
    segments,
    warnings: [],
    declarationEdits: (written, source) =>
      namespaceEdits(text, opened.container, {
        written,
        sourceRoot: () => parseXml(source, ''),
      }),
    insert: (insertions) => insertEntries(opened, newLeaves(opened, insertions, { open, texts })),
    remove: (ids) => removeEntries(opened, ids),
    rename: (renames) =>
      renameEntries(opened.entries, renames, ({ element }, value) =>
        setAttribute(text, element, { name: 'name', value }).at(0),
      ),
  };
  return withoutShadowed(doc, { counting: COUNTING.resx, file });
}

/** In a target, values of other types are entries, too: ResGen refuses a second one of that name. */
function open(
  text: string,
  { file, role }: Pick<FormatOptions, 'file' | 'role'> = { file: '', role: 'source' },
): XmlEntryFile {
  const ids = uniqueIds();
  return xmlEntries(text, parseXml(text, file), (child) =>
    (role === 'target' ? isValue(child) : isString(child))
      ? ids(flatId(attributeOf(child, 'name') ?? ''))
      : undefined,
  );
}

function isString(data: XmlElement): boolean {
  return isValue(data) && !isTyped(data);
}

/** A value with a type other than string is a number, an image or the like. */
function isTyped({ attributes }: XmlElement): boolean {
  const type = attributes.get('type') ?? STRING;
  return attributes.has('mimetype') || !/^System\.String(?:,|$)/.test(type);
}

/** `>>` and `$this.Name` are notes of the Windows Forms designer. */
function isValue({ name: kind, attributes }: XmlElement): boolean {
  const name = attributes.get('name') ?? '';
  const isDesigner = name.startsWith('&gt;&gt;') || name.startsWith('>>') || name === '$this.Name';
  return kind === 'data' && !isDesigner;
}

/** The type of a value without a type. */
const STRING = 'System.String';

function valueIn(data: XmlElement): XmlElement | undefined {
  return childElements(data, 'value')[0];
}

function resxSegment(
  text: string,
  { id, entry, texts }: { id: string; entry: XmlEntry; texts: XmlTexts },
): Segment {
  const { element } = entry;
  const place = valuePlace(text, element, texts);
  const [comment] = childElements(element, 'comment');
  const context = elementText(text, comment).trim() || entry.comment;
  const isIcu = /\{\s*\w+\s*,\s*(?:plural|select)/.test(text.slice(place.start, place.end));
  const value = valueIn(element);
  const isOwn = isTyped(element);
  return makeSegment(text, {
    id,
    start: place.start,
    end: place.end,
    line: 0,
    parts: isOwn ? [{ raw: text.slice(place.start, place.end) }] : place.parts,
    ...(isOwn && { state: 'do-not-translate', isReference: true }),
    ...(value === undefined || isSelfClosing(value) ? { gap: 'value' } : {}),
    ...(context === undefined ? {} : { context }),
    syntax: isIcu ? 'icu' : 'generic',
    encode: (parts) => place.before + texts.write(parts, place) + place.after,
  });
}

/** The place of the value: first in its `data`; the comment is usually behind it. */
function valuePlace(text: string, data: XmlElement, texts: XmlTexts): ElementPlace {
  const value = valueIn(data);
  if (value !== undefined) return placeIn(text, value, texts);
  const outer = placeIn(text, data, texts);
  const [before, after] = [`${outer.before}<value>`, `</value>${outer.after}`];
  if (isSelfClosing(data)) return { ...outer, before, after };
  return { start: data.openEnd, end: data.openEnd, parts: [], isCdata: false, before, after };
}

/** New entries with one text each, copied from the source's file with the new text. */
function newLeaves(
  { text }: XmlEntryFile,
  insertions: readonly Insertion[],
  { open, texts }: { open(text: string): XmlEntryFile; readonly texts: Pick<XmlTexts, 'write'> },
): NewEntry[] {
  const lineEnd = lineEndOf(text);
  const sourceOf = sourceEntries(insertions, open);
  return insertions.flatMap((insertion) => {
    const { file, entry } = sourceOf(insertion);
    if (entry === undefined) return [];
    const { start, end } = insertion.segment;
    const before = file.text.slice(entry.start, start);
    const after = file.text.slice(end, entry.end);
    const written = withLineEnds(before + insertedContent(insertion, texts) + after, lineEnd);
    const place = entryLayout(file, entry, { lineEnd, texts: [partsText(insertion.parts)] });
    return [{ after: insertion.after, text: written, ...place }];
  });
}
