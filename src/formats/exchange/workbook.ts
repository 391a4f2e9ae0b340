/** An XLSX workbook (ECMA-376) as a container: its sheets, shared strings and number formats. */
import { decodeXstring } from '../../files/xstring.ts';
import { openZip, unpackEntry } from '../../files/zip.ts';
import { excerptOf } from '../../format.ts';
import { localName } from '../grammar/xliff-units.ts';
import { attributeOf, elementText } from '../grammar/xml-text.ts';
import { childElements, parseXml, type XmlElement } from '../grammar/xml-tree.ts';
import { malformed } from '../text/position.ts';
import { astralWritten, childrenNamed } from './xml.ts';

export interface WorkbookSheet {
  /** As its tab shows it. */
  readonly name: string;
  readonly text: string;
  readonly root: XmlElement;
}

/** Bytes that a part may unpack to in any case. */
const SURE_BYTES = 4_000_000;
/**
 * The largest accepted packing ratio: rows of texts pack to a tenth, empty styled cells to a fortieth; one repeated character to a
 * thousandth.
 */
const MOST_PACKED = 200;

/** The parts of a workbook, read from the container by their names. */
export class Workbook {
  readonly #file: string;
  readonly #zip: ReturnType<typeof openZip>;

  constructor(bytes: Uint8Array, file: string) {
    this.#file = file;
    this.#zip = openZip(bytes, file);
  }

  xml(name: string): { readonly text: string; readonly root: XmlElement } {
    const text = this.#text(name);
    if (text === undefined) throw this.#malformed(`it has no ${name}: it is no workbook`);
    if (/<!DOCTYPE/i.test(text)) throw this.#malformed(`${name} has a document type`);
    return { text, root: parseXml(text, this.#file) };
  }

  /** The sheets in the order of their tabs, hidden ones too. */
  sheets(): WorkbookSheet[] {
    const book = this.xml('xl/workbook.xml');
    const links = childrenNamed(this.xml('xl/_rels/workbook.xml.rels').root, 'Relationship').filter(
      (link) => link.attributes.get('TargetMode') !== 'External',
    );
    const sheets = childrenNamed(book.root, 'sheets')
      .flatMap((each) => childrenNamed(each, 'sheet'))
      .map((sheet) => {
        const id = [...sheet.attributes].find(([name]) => /(?:^|:)id$/.test(name))?.[1];
        const link = links.find((each) => each.attributes.get('Id') === id);
        const target = link === undefined ? undefined : (attributeOf(link, 'Target') ?? '');
        if (target === undefined) throw this.#malformed('it has no sheet');
        const part = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
        return { name: attributeOf(sheet, 'name') ?? '', ...this.xml(part) };
      });
    if (sheets.length === 0) throw this.#malformed('it has no sheet');
    return sheets;
  }

  sharedStrings(): string[] {
    const text = this.#text('xl/sharedStrings.xml');
    if (text === undefined) return [];
    const { root } = this.xml('xl/sharedStrings.xml');
    return childrenNamed(root, 'si').map((each) => stringOf(each, text));
  }

  /** The format of the numbers in cells of each style. */
  numberFormats(): string[] {
    if (this.#text('xl/styles.xml') === undefined) return [];
    const { root } = this.xml('xl/styles.xml');
    const own = childrenNamed(root, 'numFmts').flatMap((each) => childrenNamed(each, 'numFmt'));
    const codes = new Map(Object.entries({ 0: 'General', 1: '0', 49: '@' }));
    for (const each of own) {
      codes.set(attributeOf(each, 'numFmtId') ?? '', attributeOf(each, 'formatCode') ?? '');
    }
    return childrenNamed(root, 'cellXfs')
      .flatMap((each) => childrenNamed(each, 'xf'))
      .map((each) => codes.get(attributeOf(each, 'numFmtId') ?? '0') ?? 'another');
  }

  /** An unknown index is refused: as an empty text it would look like a text that nobody translated. */
  shared(strings: readonly string[], value: string): string {
    const text = strings[Number(value)];
    if (text !== undefined && value.trim() !== '') return text;
    throw this.#malformed(
      `a cell has the shared string ${excerptOf(value, 20)}, which is not there`,
    );
  }

  #text(name: string): string | undefined {
    const entry = this.#zip.entries.find((each) => each.name === name);
    if (entry === undefined) return undefined;
    const { size, packedSize } = entry;
    if (size > SURE_BYTES && size > MOST_PACKED * packedSize) {
      const most = `${MOST_PACKED} times their packed size`;
      throw this.#malformed(`${name} would unpack to ${size} bytes, more than ${most}`);
    }
    const text = Buffer.from(unpackEntry(this.#zip, entry)).toString('utf8');
    return astralWritten(text.replace(/^\uFEFF/, ''));
  }

  #malformed(message: string) {
    return malformed(this.#file, { text: '', offset: 0 }, message);
  }
}

/** A string and its runs, without Japanese phonetic guides. */
export function stringOf(element: XmlElement, text: string): string {
  const runs = childElements(element).flatMap((child) => {
    if (localName(child) === 't') return [child];
    return localName(child) === 'r' ? childrenNamed(child, 't') : [];
  });
  return runs.map((run) => decodeXstring(elementText(text, run))).join('');
}
