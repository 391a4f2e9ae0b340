/** Common parts of both XLIFF versions: opening without outside content, reading row by row. */
import { parseExchangeId } from '../../segments/exchange-id.ts';
import { localName } from '../grammar/xliff-units.ts';
import { attributeOf, elementText, escapeXml } from '../grammar/xml-text.ts';
import { childElements, isElement, parseXml, type XmlElement } from '../grammar/xml-tree.ts';
import { decodeBytes } from '../text/decode.ts';
import { malformed, positionsOf } from '../text/position.ts';
import { END_OF_FILE, type Returned, type ReturnedRow } from './exchange.ts';

interface OpenedExchange {
  /** The offsets of the elements refer to this text. */
  readonly text: string;
  readonly root: XmlElement;
  lineAt(offset: number): number;
}

/** Opens the file without its document type, which could name files and entities. @throws JobFailure `malformed` */
export function openExchange(bytes: Uint8Array, file: string): OpenedExchange {
  // A file in another encoding than UTF-8 names it in its first line (XML 1.0, 4.3.3).
  const named = namedEncoding(bytes, /^<\?xml\s[^?]*?encoding\s*=\s*["']([\w.-]+)/);
  // Readers of XML take each line end for one line feed, but not a carriage return that is written as a reference (XML 1.0, 2.11).
  const text = astralWritten(decodeBytes(bytes, { file, ...named }).text.replace(/\r\n?/g, '\n'));
  const doctype = text.search(/<!DOCTYPE/i);
  if (doctype >= 0) {
    throw malformed(file, { text, offset: doctype }, 'a document type is not read: take it out');
  }
  const root = parseXml(text, file);
  if (localName(root) !== 'xliff') {
    throw malformed(file, { text, offset: root.start }, `<xliff> is expected, not <${root.name}>`);
  }
  const positionAt = positionsOf(text);
  return { text, root, lineAt: (offset) => positionAt(offset).line };
}

/** The name of the encoding is within so many bytes from the start. */
const HEAD_BYTES = 4096;

/**
 * The encoding that the head of a file names, for files that are not UTF-8: tools of translators write them.
 * @param pattern its first group is the name
 */
export function namedEncoding(bytes: Uint8Array, pattern: RegExp): { readonly fallback?: string } {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  const fallback = pattern.exec(head)?.[1]?.toLowerCase();
  return fallback === undefined || /^utf-?8$/.test(fallback) ? {} : { fallback };
}

const ASTRAL = /<!\[CDATA\[[\s\S]*?\]\]>|&#(?:x0*([\da-f]{5,6})|0*(\d{5,7}));/gi;

/**
 * Replaces numeric references to characters beyond U+FFFF by these characters. Tools that write ASCII use such references, and the
 * readers of texts would keep them as they are.
 */
export function astralWritten(xml: string): string {
  return xml.replace(ASTRAL, (reference, hex?: string, decimal?: string) => {
    const point = Number(hex === undefined ? decimal : `0x${hex}`);
    return point > 0xffff && point <= 0x10ffff ? String.fromCodePoint(point) : reference;
  });
}

export function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(value).replace(/[\t\n\r]/g, ' ')}"`)
    .join('');
}

/** Notes by author. */
export function unitNotes(
  text: string,
  holders: readonly XmlElement[],
  name: 'from' | 'category',
): ReadonlyMap<string, string> {
  return new Map(
    holders
      .flatMap((holder) => childElements(holder))
      .filter((child) => localName(child) === 'note')
      .map((note) => [attributeOf(note, name) ?? '', elementText(text, note).trim()]),
  );
}

/**
 * The text of a source or target. A code with content is that content; an empty code is looked up by its id. For all other elements,
 * the content counts, since tools wrap texts in their own marks.
 * @throws Error for an empty code with an unknown id
 */
export function exchangeText(
  text: string,
  element: XmlElement,
  codes: ReadonlyMap<string, string>,
): string {
  return element.children
    .map((child) => {
      const raw = text.slice(child.start, child.end);
      if (!isElement(child))
        return child.kind === 'comment' ? '' : elementText(text, holding(child));
      if (!/^(?:ph|x|bx|ex|sc|ec|it|bpt|ept|cp)$/.test(localName(child))) {
        return exchangeText(text, child, codes);
      }
      return inlineCode(text, child, codes) ?? unknownCode(raw);
    })
    .join('');
}

function holding(child: XmlElement['children'][number]): XmlElement {
  const { start, end } = child;
  return {
    ...{ kind: 'element', name: '', attributes: new Map(), children: [child] },
    ...{ start, openEnd: start, closeStart: end, end },
  };
}

function inlineCode(
  text: string,
  code: XmlElement,
  codes: ReadonlyMap<string, string>,
): string | undefined {
  if (localName(code) === 'cp') {
    const point = Number.parseInt(code.attributes.get('hex') ?? '', 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
  }
  const own = elementText(text, code);
  if (own !== '') return own;
  const known = codes.get(code.attributes.get('id') ?? '');
  return known ?? attributeOf(code, 'equiv') ?? attributeOf(code, 'equiv-text');
}

function unknownCode(raw: string): never {
  throw new Error(`${raw} stands for no placeholder of the source`);
}

function isEndOfFile({ id, source, target }: ReturnedRow): boolean {
  return source === END_OF_FILE && target === source && parseExchangeId(id) === undefined;
}

/** Reads rows: a row that cannot be read is reported, and the others are kept. */
export class ExchangeRows {
  readonly #rows: ReturnedRow[] = [];
  readonly #refused: { line: number; message: string }[] = [];

  add(line: number, row: () => ReturnedRow): void {
    try {
      const read = row();
      if (!isEndOfFile(read)) this.#rows.push(read);
    } catch (error) {
      this.refuse(line, error instanceof Error ? error.message : String(error));
    }
  }

  refuse(line: number, message: string): void {
    this.#refused.push({ line, message });
  }

  get returned(): Pick<Returned, 'rows' | 'refused'> {
    return { rows: this.#rows, refused: this.#refused };
  }
}

/**
 * A tool may cut a text into segments. If only some of them are translated, the others would be lost.
 * @param areTranslated the segments with words, in their order
 */
export function emptySegmentIn(
  areTranslated: readonly boolean[],
): Pick<ReturnedRow, 'emptySegment'> {
  const at = areTranslated.indexOf(false);
  if (at < 0 || !areTranslated.includes(true)) return {};
  return { emptySegment: { nth: at + 1, of: areTranslated.length } };
}

/** An unescaped carriage return would be read as a line feed. */
export function xmlContent(text: string): string {
  return escapeXml(text).replaceAll('\r', '&#13;');
}

export function childrenNamed(element: XmlElement, name: string): XmlElement[] {
  return childElements(element).filter((child) => localName(child) === name);
}
