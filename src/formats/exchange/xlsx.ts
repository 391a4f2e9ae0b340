/** XLSX for people with Excel or LibreOffice: one sheet of plain text cells (ECMA-376). All sheets are read, since people move rows. */
import { encodeXml } from '../../files/xml-characters.ts';
import { decodeXstring, encodeXstring } from '../../files/xstring.ts';
import { createZip } from '../../files/zip.ts';
import { elementText } from '../grammar/xml-text.ts';
import { childElements, type XmlElement } from '../grammar/xml-tree.ts';
import type { ExchangeDocument, ExchangeFormat, ExchangeUnit, Returned } from './exchange.ts';
import { readSheets } from './sheets.ts';
import { type Cell, refuseTooMany, type TableRow, tableOf } from './table.ts';
import { stringOf, Workbook, type WorkbookSheet } from './workbook.ts';
import { childrenNamed } from './xml.ts';

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
  const book = new Workbook(bytes, file);
  const shared = book.sharedStrings();
  const formats = book.numberFormats();
  const string = (value: string) => book.shared(shared, value);
  let count = 0;
  const counted = (cells: number) => {
    count += cells;
    refuseTooMany(count, file);
  };
  const sheets = book.sheets().map((sheet) => {
    const rows = rowsOfSheet(sheet, { string, formats, counted });
    coverMergedCells(rows, { root: sheet.root, counted });
    return { name: sheet.name, rows };
  });
  return readSheets(sheets, file);
}

interface SheetContext extends Pick<CellContext, 'string' | 'formats'> {
  readonly counted: (cells: number) => void;
}

type OpenRow = TableRow & { readonly cells: Cell[] };

function rowsOfSheet({ root, text }: WorkbookSheet, context: SheetContext): OpenRow[] {
  const data = childrenNamed(root, 'sheetData').flatMap((each) => childrenNamed(each, 'row'));
  return data.map((row, index) => {
    const line = rowNumber(row) ?? index + 1;
    const cells: Cell[] = [];
    let next = 0;
    for (const cell of childrenNamed(row, 'c')) {
      const name = cell.attributes.get('r');
      const at = columnOf(name) ?? next;
      next = at + 1;
      // Spreadsheets write styled cells without text, up to the end of the sheet.
      if (at >= MOST_COLUMNS || childElements(cell).length === 0) continue;
      while (cells.length < at) cells.push({ text: '' });
      cells[at] = cellOf(cell, text, { ...context, name: name ?? `${line}:${at + 1}` });
    }
    context.counted(cells.length);
    return { line, cells };
  });
}

function rowNumber(row: XmlElement): number | undefined {
  const number = Number(row.attributes.get('r'));
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** A person sees one text in all merged cells, and nobody can tell which of several rows it belongs to. */
function coverMergedCells(
  rows: readonly OpenRow[],
  { root, counted }: { readonly root: XmlElement } & Pick<SheetContext, 'counted'>,
): void {
  const byLine = new Map(rows.map(({ line, cells }) => [line, cells]));
  const last = rows.reduce((most, { line }) => Math.max(most, line), 0);
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const all = childrenNamed(root, 'mergeCells').flatMap((each) => childrenNamed(each, 'mergeCell'));
  for (const { attributes } of all) {
    const [first = '', end = ''] = (attributes.get('ref') ?? '').split(':');
    const [left, right] = [columnOf(first) ?? 0, columnOf(end) ?? -1];
    const [top, bottom] = [lineOfReference(first), lineOfReference(end)];
    const unseen = `it is in merged cells (${first}:${end}): unmerge them, and write the text of each row`;
    for (let line = top; line <= Math.min(bottom, last); line += 1) {
      counted(1);
      const cells = byLine.get(line) ?? [];
      for (let at = left; at <= Math.min(right, width - 1); at += 1) {
        counted(1);
        while (cells.length <= at) cells.push({ text: '' });
        const isFirst = line === top && at === left;
        if (!isFirst) cells[at] = { text: '', unseen, isCovered: true };
        else if (top < bottom) cells[at] = { text: cells[at]?.text ?? '', unseen };
      }
    }
  }
}

/** 0: the reference names no line. */
function lineOfReference(reference: string): number {
  return Number(/\d{1,7}$/.exec(reference)?.[0] ?? 0);
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
