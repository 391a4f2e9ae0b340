/** .NET resources: the strings of `data`; what a designer stores beside them is left alone. */
import type { Doc, Format, FormatOptions, Segment } from '../format.ts';
import { flatId, insertEntries, removeEntries, renameEntries } from './grammar/flat-entries.ts';
import { setAttribute } from './grammar/xml-attributes.ts';
import { type XmlEntry, type XmlEntryFile, xmlEntries } from './grammar/xml-entries.ts';
import { newLeaves } from './grammar/xml-leaves.ts';
import { attributeOf, plainText, type XmlStyle, XmlTexts } from './grammar/xml-text.ts';
import { childElements, isSelfClosing, parseXml, type XmlElement } from './grammar/xml-tree.ts';
import { positionsOf } from './text/position.ts';
import { makeSegment, markDuplicates, uniqueIds } from './text/segment.ts';

export const resx: Format = { name: 'resx', shape: 'keyed', parse };

const STYLE: XmlStyle = {
  lead: /(?!)/,
  escapes: [],
  required: () => () => undefined,
  isOpaque: () => false,
};

function parse(text: string, { file }: FormatOptions): Doc {
  const opened = open(text, file);
  const texts = new XmlTexts(text, STYLE);
  const positionAt = positionsOf(text);
  const segments = [...opened.entries].flatMap(([id, entry]) => {
    const segment = segmentOf(text, { id, entry, texts });
    return segment === undefined
      ? []
      : [{ ...segment, line: positionAt(entry.element.start).line }];
  });
  return {
    segments: markDuplicates(segments),
    warnings: [],
    insert: (insertions) => insertEntries(opened, newLeaves(opened, insertions, { open, texts })),
    remove: (ids) => removeEntries(opened, ids),
    rename: (renames) =>
      renameEntries(opened.entries, renames, ({ element }, value) =>
        setAttribute(text, element, { name: 'name', value }).at(0),
      ),
  };
}

function open(text: string, file = ''): XmlEntryFile {
  const ids = uniqueIds();
  return xmlEntries(text, parseXml(text, file), (child) =>
    isString(child) ? ids(flatId(attributeOf(child, 'name') ?? '')) : undefined,
  );
}

/** Values with another type than a string are numbers, images and the like; `>>` and `$this.Name` are notes of the Windows Forms designer. */
function isString(data: XmlElement): boolean {
  const { attributes } = data;
  const name = attributes.get('name') ?? '';
  const value = valueIn(data);
  const isTyped =
    attributes.has('mimetype') || !/^System\.String(?:,|$)/.test(attributes.get('type') ?? STRING);
  const isDesigner = name.startsWith('&gt;&gt;') || name.startsWith('>>') || name === '$this.Name';
  return (
    data.name === 'data' && !isTyped && !isDesigner && value !== undefined && !isSelfClosing(value)
  );
}

/** What a value without a type is. */
const STRING = 'System.String';

function valueIn(data: XmlElement): XmlElement | undefined {
  return childElements(data, 'value')[0];
}

function segmentOf(
  text: string,
  { id, entry, texts }: { id: string; entry: XmlEntry; texts: XmlTexts },
): Segment | undefined {
  const value = valueIn(entry.element);
  if (value === undefined) return undefined;
  const content = texts.read(value);
  const [comment] = childElements(entry.element, 'comment');
  const context = plainText(text, comment).trim() || entry.comment;
  const isIcu = /\{\s*\w+\s*,\s*(?:plural|select)/.test(text.slice(content.start, content.end));
  return makeSegment(text, {
    id,
    start: content.start,
    end: content.end,
    line: 0,
    parts: content.parts,
    ...(context === undefined ? {} : { context }),
    syntax: isIcu ? 'icu' : 'generic',
    encode: (parts) => texts.write(parts, content),
  });
}
