/** Texts of XML elements: mixed content is read as parts, and written with the habits of its file. */
import { XML_ENTITIES } from '../../files/xml-characters.ts';
import type { Insertion, Part } from '../../format.ts';
import {
  decodeEscaped,
  type Escape,
  EscapeMemory,
  habitsOf,
  isReadBy,
  type Notation,
  type Required,
  readEscaped,
  writeEscaped,
} from '../text/escapes.ts';
import { normalizeParts, sameParts } from '../text/parts.ts';
import { lineEndOf } from './flat-entries.ts';
import { isElement, isSelfClosing, type XmlElement, type XmlNode } from './xml-tree.ts';

const ENTITIES: readonly Escape[] = [
  { pattern: /&(amp|lt|gt|quot|apos);/y, read: ([, name = '']) => XML_ENTITIES.get(name) },
  {
    pattern: /&#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}));/y,
    read: ([, hex, decimal]) => fromCode(hex === undefined ? Number(decimal) : parseInt(hex, 16)),
  },
];

// Habits are learned per UTF-16 unit, so an astral character is written as itself.
function fromCode(code: number): string | undefined {
  return code > 0 && code < 0x10000 ? String.fromCharCode(code) : undefined;
}

/** Entities that the file defines (`&app;`), and references to astral characters. */
const FOREIGN_ENTITY = /(&(?!(?:amp|lt|gt|quot|apos);)(?:[A-Za-z_:][\w:.-]*|#x?[0-9a-fA-F]+);)/;

/** How one format writes texts in XML. */
export interface XmlStyle {
  /** Escapes in addition to those of XML, such as Android's backslashes. */
  readonly escapes: readonly Escape[];
  readonly lead: RegExp;
  /** Inline elements that are kept whole. For other inline elements, the tags are kept and the content is translated. */
  isOpaque(element: XmlElement): boolean;
  /** Required escapes in addition to those of XML. @param place whether a text begins or ends the content */
  required(place: TextPlace): Required;
  /** Whether blanks around the content are layout. */
  readonly trims?: true;
  /** Normalizes line breaks and indentation inside a text; absent: they are part of it. */
  unfold?(raw: string): string;
  /** Ranges of text that are host syntax; the expression has one group. */
  readonly syntax?: RegExp;
}

export interface TextPlace {
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly own: OwnForm;
}

/** How the replaced content is written. */
export interface OwnForm {
  readonly isCdata: boolean;
  /** Absent: there is no content yet. */
  readonly raw?: string;
  /** It is from another file: the written file has habits of its own. */
  readonly isForeign?: true;
  /** It is in quotes that keep its blanks (Android). */
  readonly isQuoted?: boolean;
}

/** The content of one element. */
export interface XmlContent extends OwnForm {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly Part[];
}

export class XmlTexts {
  readonly #text: string;
  readonly #style: XmlStyle;
  readonly #notation: Notation;
  readonly #memory = new EscapeMemory();
  readonly #plainMemory = new EscapeMemory();
  readonly #lineEnd: string;

  constructor(text: string, style: XmlStyle) {
    this.#text = text;
    this.#lineEnd = lineEndOf(text);
    this.#style = style;
    this.#notation = {
      lead: new RegExp(`&|${style.lead.source}`),
      escapes: [...style.escapes, ...ENTITIES],
    };
  }

  read(element: XmlElement): XmlContent {
    const [only, ...others] = element.children.filter((child) => !this.#isBlank(child));
    if (only?.kind === 'cdata' && others.length === 0) return this.#readCdata(only);
    const { start, end } = this.#span(element);
    let pairs = 0;
    const readAll = (children: readonly XmlNode[]): Part[] =>
      children.flatMap((child): Part[] => {
        if (child.kind === 'text') {
          return this.#readText(Math.max(child.start, start), Math.min(child.end, end));
        }
        if (!isElement(child) || isSelfClosing(child) || this.#style.isOpaque(child)) {
          return [{ raw: this.#text.slice(child.start, child.end) }];
        }
        const id = pairs++;
        const open = this.#text.slice(child.start, child.openEnd);
        const close = this.#text.slice(child.closeStart, child.end);
        return [
          { raw: open, pair: { id, side: 'open' } },
          ...readAll(child.children),
          { raw: close, pair: { id, side: 'close' } },
        ];
      });
    const parts = normalizeParts(readAll(element.children));
    return { start, end, parts, isCdata: false, raw: this.#text.slice(start, end) };
  }

  /** @param form the content whose habits are followed: its own, or that of the entry it was translated from */
  write(parts: readonly Part[], form: OwnForm): string {
    const { isCdata, raw, isForeign } = form;
    const file = isCdata ? this.#plainMemory : this.#memory;
    const hasHabits = raw !== undefined && isForeign === undefined;
    const memory = hasHabits ? habitsOf(raw, this.#notationOf(form), file) : file;
    return parts
      .map((part, index) => {
        if (typeof part !== 'string') return part.raw;
        const place = { isFirst: index === 0, isLast: index === parts.length - 1, own: form };
        const own = this.#style.required(place);
        const written = writeEscaped(part, isCdata ? own : withXml(own), memory);
        return written.replaceAll('\n', this.#lineEnd);
      })
      .join('');
  }

  #span({ openEnd, closeStart }: XmlElement): { readonly start: number; readonly end: number } {
    if (this.#style.trims === undefined) return { start: openEnd, end: closeStart };
    const raw = this.#text.slice(openEnd, closeStart);
    const start = openEnd + raw.length - raw.trimStart().length;
    return { start, end: Math.max(start, openEnd + raw.trimEnd().length) };
  }

  #isBlank(node: XmlNode): boolean {
    return node.kind === 'text' && this.#text.slice(node.start, node.end).trim() === '';
  }

  #readCdata(node: XmlNode): XmlContent {
    const [start, end] = [node.start + CDATA.length, node.end - ']]>'.length];
    const raw = withLineFeeds(this.#text.slice(start, end));
    const text = readEscaped(raw, this.#notationOf({ isCdata: true }), this.#plainMemory);
    return { start, end, parts: text === '' ? [] : [text], isCdata: true, raw };
  }

  /** XML's escapes have no meaning in CDATA. */
  #notationOf({ isCdata }: OwnForm): Notation {
    return isCdata ? this.#style : this.#notation;
  }

  #readText(start: number, end: number): Part[] {
    const raw = this.#text.slice(start, end);
    const { syntax } = this.#style;
    return raw.split(FOREIGN_ENTITY).flatMap((piece, index): Part[] => {
      if (index % 2 === 1 && !isReadBy(ENTITIES, piece)) return [{ raw: piece }];
      if (syntax === undefined) return [this.#decode(piece)];
      return piece
        .split(syntax)
        .map((stretch, nth): Part => (nth % 2 === 1 ? { raw: stretch } : this.#decode(stretch)));
    });
  }

  #decode(raw: string): string {
    const unfolded = this.#style.unfold?.(raw) ?? withLineFeeds(raw);
    return readEscaped(unfolded, this.#notation, this.#memory);
  }
}

/** An XML parser returns every line end as a line feed (XML 1.0, 2.11). */
function withLineFeeds(raw: string): string {
  return raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw;
}

function withXml(own: Required): Required {
  return (character, index, text) => {
    if (character === '&') return '&amp;';
    if (character === '<') return '&lt;';
    if (character === '>' && text.slice(0, index).endsWith(']]')) return '&gt;';
    // XML reads a bare carriage return as a line feed (XML 1.0, 2.11).
    if (character === '\r') return '&#13;';
    return own(character, index, text);
  };
}

const CDATA = '<![CDATA[';

/** The place of an element's text. */
export interface ElementPlace extends XmlContent {
  /** The opening tag, when the file has none yet: `<string/>` becomes two tags when it gets a text. */
  readonly before: string;
  readonly after: string;
}

export function placeIn(
  text: string,
  element: XmlElement,
  texts: { read(element: XmlElement): XmlContent },
): ElementPlace {
  if (!isSelfClosing(element)) return { ...texts.read(element), before: '', after: '' };
  const { start, end, name } = element;
  const before = text.slice(start, end).replace(/(?<!\s)\s*\/>$/, '>');
  return { start, end, parts: [], isCdata: false, before, after: `</${name}>` };
}

/** The content of an insertion; an unchanged text keeps its bytes. */
export function insertedContent(
  { segment, parts, sourceText }: Insertion,
  texts: { write(parts: readonly Part[], form: OwnForm): string },
): string {
  const { start, end } = segment;
  if (sameParts(parts, segment.parts)) return sourceText.slice(start, end);
  const isCdata = sourceText.startsWith(CDATA, start - CDATA.length);
  const isQuoted = sourceText.charAt(start - 1) === '"' && sourceText.charAt(end) === '"';
  const raw = sourceText.slice(start, end);
  return texts.write(parts, { isCdata, isQuoted, isForeign: true, raw });
}

/** The decoded value of an attribute. */
export function attributeOf(element: XmlElement, name: string): string | undefined {
  const raw = element.attributes.get(name);
  return raw === undefined ? undefined : decodeXml(raw);
}

/** Text of an element without markup, decoded; for ids and comments. */
export function elementText(text: string, element: XmlElement | undefined): string {
  if (element === undefined) return '';
  return element.children
    .map((child) => {
      const raw = withLineFeeds(text.slice(child.start, child.end));
      if (child.kind === 'text') return decodeXml(raw);
      if (child.kind === 'cdata') return raw.slice(9, -3);
      return isElement(child) ? elementText(text, child) : '';
    })
    .join('');
}

function decodeXml(raw: string): string {
  return decodeEscaped(raw, { lead: /&/, escapes: ENTITIES });
}

/** Encodes a text for a new attribute value or element. */
export function escapeXml(text: string): string {
  return text.replace(
    /[&<>"]/g,
    (sign) => `&${[...XML_ENTITIES].find(([, each]) => each === sign)?.[0]};`,
  );
}
