/** TTML captions: the text of each paragraph; timing, styles and line breaks stay where they are. */
import type { Doc, Edit, Format, FormatOptions } from '../format.ts';
import { localName } from './grammar/xliff-units.ts';
import { setAttribute } from './grammar/xml-attributes.ts';
import { type XmlStyle, XmlTexts } from './grammar/xml-text.ts';
import { isElement, isSelfClosing, parseXml, type XmlElement } from './grammar/xml-tree.ts';
import { positionsOf } from './text/position.ts';
import { contentIds, makeSegment } from './text/segment.ts';

export const ttml: Format = { name: 'ttml', shape: 'sequence', foldsWhitespace: true, parse };

const STYLE: XmlStyle = {
  lead: /(?!)/,
  escapes: [],
  required: () => () => undefined,
  isOpaque: (element) => localName(element) === 'metadata',
  trims: true,
  unfold: (raw) => raw.replace(/(?<![ \t])[ \t]*[\r\n]\s*/g, ' '),
};

function parse(text: string, { file }: FormatOptions): Doc {
  const root = parseXml(text, file);
  const texts = new XmlTexts(text, STYLE);
  const ids = contentIds();
  const positionAt = positionsOf(text);
  const segments = paragraphs(root).map((paragraph) => {
    const content = texts.read(paragraph);
    return makeSegment(text, {
      id: ids(content.parts),
      start: content.start,
      end: content.end,
      line: positionAt(content.start).line,
      parts: content.parts,
      syntax: 'markup',
      encode: (parts) => texts.write(parts, content),
    });
  });
  return {
    segments,
    warnings: [],
    localeEdits: (language): Edit[] =>
      root.attributes.has('xml:lang')
        ? setAttribute(text, root, { name: 'xml:lang', value: language })
        : [],
  };
}

function paragraphs(element: XmlElement): XmlElement[] {
  return element.children.filter(isElement).flatMap((child) => {
    if (localName(child) === 'p') return isSelfClosing(child) ? [] : [child];
    return paragraphs(child);
  });
}
