/** XLSX for people with Excel or LibreOffice: one sheet of plain text cells (ECMA-376). */
import { encodeXml } from '../../files/xml-characters.ts';
import { decodeXstring, encodeXstring } from '../../files/xstring.ts';
import { createZip, openZip, unpackEntry } from '../../files/zip.ts';
import { excerptOf } from '../../format.ts';
import { localName } from '../grammar/xliff-units.ts';
import { attributeOf, elementText } from '../grammar/xml-text.ts';
import { childElements, parseXml, type XmlElement } from '../grammar/xml-tree.ts';
import { malformed } from '../text/position.ts';
import type { ExchangeDocument, ExchangeFormat, ExchangeUnit, Returned } from './exchange.ts';
import { type Cell, readExchangeTable, refuseTooMany, type TableRow, tableOf } from './table.ts';
import { astralWritten, childrenNamed } from './xml.ts';

export const xlsx: ExchangeFormat = { name: 'xlsx', extension: 'xlsx', write, lacks, read };

/** Characters of a cell, in UTF-16 units as Excel counts them. */
const MOST_CELL_CHARACTERS = 32_767;

function lacks({ source, target, notes }: ExchangeUnit): string | undefined {
  const longest = Math.max(source.length, target.length, notes.join('\n').length);
  return longest < MOST_CELL_CHARACTERS
    ? undefined
    : `a cell holds ${MOST_CELL_CHARACTERS} characters at most`;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS_NAMESPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE_NAMESPACE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

function write(document: ExchangeDocument): Uint8Array {
  const rows = tableOf(document);
  const files: Readonly<Record<string, string>> = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE_NAMESPACE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
    '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS_NAMESPACE}"><sheets><sheet name="review" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ['worksheet', 'worksheets/sheet1.xml'],
      ['styles', 'styles.xml'],
    ]),
    // The second style is text: Excel then leaves typed values as they are.
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': sheetOf(rows),
  };
  const contents = Object.entries(files).map(
    ([name, text]) => [name, Buffer.from(XML_DECLARATION + text)] as const,
  );
  return createZip(new Map(contents));
}

function relations(of: readonly (readonly [string, string])[]): string {
  const each = of.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${RELATIONS_NAMESPACE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE_NAMESPACE}/relationships">${each.join('')}</Relationships>`;
}

function sheetOf(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row, index) => {
    const cells = row.map(
      (text, column) =>
        `<c r="${columnLetter(column)}${index + 1}" s="1" t="inlineStr"><is><t xml:space="preserve">${encodeXml(encodeXstring(text))}</t></is></c>`,
    );
    return `<row r="${index + 1}">${cells.join('')}</row>`;
  });
  const widths =
    '<cols><col min="1" max="5" width="16" customWidth="1"/><col min="6" max="7" width="60" customWidth="1"/><col min="8" max="12" width="24" customWidth="1"/></cols>';
  const pane =
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';
  return `<worksheet xmlns="${MAIN}">${pane}${widths}<sheetData>${lines.join('')}</sheetData></worksheet>`;
}

function columnLetter(column: number): string {
  return String.fromCharCode(65 + column);
}

function read(bytes: Uint8Array, file: string): Returned {
  const book = new Book(bytes, file);
  const sheet = book.xml(book.firstSheet());
  const shared = book.sharedStrings();
  const formats = book.numberFormats();
  const data = childrenNamed(sheet.root, 'sheetData').flatMap((each) => childrenNamed(each, 'row'));
  let count = 0;
  const rows = data.map((row, index): TableRow => {
    const line = rowNumber(row) ?? index + 1;
    const cells: Cell[] = [];
    let next = 0;
    for (const cell of childrenNamed(row, 'c')) {
      const at = columnOf(cell.attributes.get('r')) ?? next;
      next = at + 1;
      // Spreadsheets write styled cells without text, up to the end of the sheet.
      if (at >= MOST_COLUMNS || childElements(cell).length === 0) continue;
      while (cells.length < at) cells.push({ text: '' });
      cells[at] = cellOf(cell, sheet.text, {
        string: (value) => book.shared(shared, value),
        formats,
        name: cell.attributes.get('r') ?? `${line}:${at + 1}`,
      });
    }
    count += cells.length;
    refuseTooMany(count, file);
    return { line, cells };
  });
  return readExchangeTable(rows, file);
}

function rowNumber(row: XmlElement): number | undefined {
  const number = Number(row.attributes.get('r'));
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** Columns beyond this number are ignored. */
const MOST_COLUMNS = 1000;

function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  const number = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  return number - 1;
}

interface CellContext {
  readonly string: (value: string) => string;
  /** By number of the style. */
  readonly formats: readonly string[];
  /** `B2`, for messages. */
  readonly name: string;
}

function cellOf(cell: XmlElement, text: string, { string, formats, name }: CellContext): Cell {
  const value = elementText(text, childrenNamed(cell, 'v')[0]);
  const type = cell.attributes.get('t') ?? 'n';
  const unseen = (what: string) => ({
    text: value,
    unseen: `cell ${name} holds ${what}: format the cell as text, and write the text`,
  });
  if (childrenNamed(cell, 'f').length > 0) return unseen('a formula, which is not computed');
  switch (type) {
    case 's':
      return { text: string(value) };
    case 'inlineStr': {
      const strings = childrenNamed(cell, 'is').map((each) => stringOf(each, text));
      return { text: strings.join('') };
    }
    case 'b':
      return unseen('a truth value, which each language shows in its own words');
    case 'e':
      return unseen(`${value}, an error of the spreadsheet`);
    case 'n': {
      const format = formats[Number(cell.attributes.get('s') ?? 0)] ?? 'General';
      const isPlain = /^(?:General|0|@)$/i.test(format) && /^(?:-?\d{1,11})?$/.test(value);
      return isPlain ? { text: value } : unseen('a number, a date or a time, not what is shown');
    }
    case 'd':
      return unseen('a date, not what is shown');
    default:
      return { text: decodeXstring(value) };
  }
}

/** A string and its runs, without Japanese phonetic guides. */
function stringOf(element: XmlElement, text: string): string {
  const runs = childElements(element).flatMap((child) => {
    if (localName(child) === 't') return [child];
    return localName(child) === 'r' ? childrenNamed(child, 't') : [];
  });
  return runs.map((run) => decodeXstring(elementText(text, run))).join('');
}

/** Bytes that a part may unpack to in any case. */
const SURE_BYTES = 4_000_000;
/**
 * The largest accepted packing ratio: rows of texts pack to a tenth, empty styled cells to a fortieth; one repeated character to a
 * thousandth.
 */
const MOST_PACKED = 200;

/** The parts of a workbook, read from the container by their names. */
class Book {
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

  firstSheet(): string {
    const book = this.xml('xl/workbook.xml');
    const [sheet] = childrenNamed(book.root, 'sheets').flatMap((each) =>
      childrenNamed(each, 'sheet'),
    );
    const id = [...(sheet?.attributes ?? [])].find(([name]) => /(?:^|:)id$/.test(name))?.[1];
    const links = this.xml('xl/_rels/workbook.xml.rels');
    const target = childrenNamed(links.root, 'Relationship')
      .filter((link) => link.attributes.get('TargetMode') !== 'External')
      .filter((link) => link.attributes.get('Id') === id)
      .map((link) => attributeOf(link, 'Target') ?? '')[0];
    if (target === undefined) throw this.#malformed('it has no sheet');
    return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
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
