import { describe, expect, it } from 'vitest';
import { readParagraphs } from '../../../src/files/ooxml.ts';
import { createZip, openZip, unpackEntry, type Zip } from '../../../src/files/zip.ts';
import { readOffice } from '../../../src/sandbox/documents/office.ts';
import { corpusFile, corpusFiles, corpusMissing, WHERE_CORPUS_IS } from '../../corpus.ts';
import { shout, uploaded } from './uploaded.ts';

describe.skipIf(corpusMissing)(`real office files ${WHERE_CORPUS_IS}`, () => {
  const files = corpusFiles('office', /\.(docx|pptx|xlsx)$/);

  it.each(files)('%s is translated, and what holds no words stays byte for byte', (name) => {
    const source = openZip(corpusFile('office', name), name);
    const document = readOffice(uploaded(name, source.bytes));
    const target = openZip(document.write(document.texts.map(shout)), name);
    const changed = source.entries.filter((entry) => !samePackedBytes(source, target, entry.name));
    expect(changed.length > 0).toBe(document.texts.length > 0);
    for (const { name: part } of changed) {
      expect(skeleton(xmlOf(target, part))).toBe(skeleton(xmlOf(source, part)));
      expect(wordsOf(target, part)).toEqual(wordsOf(source, part).map(shout));
    }
  });

  it.each(files)('%s stays byte for byte when every answer is the text asked', (name) => {
    const bytes = corpusFile('office', name);
    const document = readOffice(uploaded(name, bytes));
    expect(Buffer.compare(document.write(document.texts), bytes)).toBe(0);
  });
});

describe('an office file', () => {
  const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const OFFICE = 'application/vnd.openxmlformats-officedocument';

  it('keeps the headings that a table of the workbook names', () => {
    const workbook = packageOf({
      'xl/workbook.xml': [`${OFFICE}.spreadsheetml.sheet.main+xml`, '<workbook/>'],
      'xl/tables/table1.xml': [
        `${OFFICE}.spreadsheetml.table+xml`,
        '<table><tableColumn name="Price"/></table>',
      ],
      'xl/sharedStrings.xml': [
        `${OFFICE}.spreadsheetml.sharedStrings+xml`,
        `<sst xmlns="${SHEET}"><si><t>Price</t></si><si><t>Apples</t></si></sst>`,
      ],
    });
    expect(readOffice(uploaded('a.xlsx', workbook)).texts).toEqual(['Apples']);
  });

  it('sends its formatting as tags, and the answer keeps it', () => {
    const paragraph = '<w:r><w:t>one </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>two</w:t></w:r>';
    const document = packageOf({
      'word/document.xml': [
        `${OFFICE}.wordprocessingml.document.main+xml`,
        `<w:p xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${paragraph}</w:p>`,
      ],
    });
    const read = readOffice(uploaded('a.docx', document));
    expect(read.texts).toEqual(['<g id="0">one </g><g id="1">two</g>']);
    const answered = (answer: string) =>
      xmlOf(openZip(read.write([answer]), 'a.docx'), 'word/document.xml');
    expect(answered('[<g id="1">zwei</g> <g id="0">eins</g>]')).toContain(
      '<w:t>[zwei </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>eins]</w:t>',
    );
    expect(answered('<g id="0">eins zwei</g>')).toContain(
      '<w:t>eins zwei </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t></w:t>',
    );
  });

  it('that has other content inside is refused with the reason', () => {
    const bytes = createZip(
      new Map([['[Content_Types].xml', new TextEncoder().encode('<Types/>')]]),
    );
    expect(() => readOffice(uploaded('a.docx', bytes))).toThrow(
      /it is no docx inside, but something else/,
    );
  });

  it('without content types is refused with the reason', () => {
    const bytes = createZip(new Map([['a.xml', new Uint8Array()]]));
    expect(() => readOffice(uploaded('a.docx', bytes))).toThrow(
      /\[Content_Types\]\.xml is missing/,
    );
  });

  it('that is no ZIP file is refused with the reason', () => {
    expect(() => readOffice(uploaded('a.docx', 'hello'))).toThrow(/no complete ZIP/);
  });
});

function packageOf(parts: Record<string, readonly [type: string, xml: string]>): Uint8Array {
  const overrides = Object.entries(parts).map(
    ([name, [type]]) => `<Override PartName="/${name}" ContentType="${type}"/>`,
  );
  const contents = { '[Content_Types].xml': `<Types>${overrides.join('')}</Types>` };
  const all = Object.entries({
    ...contents,
    ...Object.fromEntries(Object.entries(parts).map(([name, [, xml]]) => [name, xml])),
  });
  return createZip(new Map(all.map(([name, xml]) => [name, Buffer.from(xml)])));
}

function xmlOf(zip: Zip, name: string): string {
  const entry = zip.entries.find((each) => each.name === name);
  return entry === undefined ? '' : new TextDecoder().decode(unpackEntry(zip, entry));
}

function wordsOf(zip: Zip, part: string): readonly string[] {
  return readParagraphs(xmlOf(zip, part), part).map(({ pieces }) =>
    pieces.map(({ text }) => text).join('|'),
  );
}

/** The XML with every text run empty. */
function skeleton(xml: string): string {
  return xml.replace(/(<(?:\w+:)?t(?:\s[^>]*)?>)[^<]*(?=<)/g, '$1');
}

function samePackedBytes(source: Zip, target: Zip, name: string): boolean {
  const [before, after] = [source, target].map((zip) => {
    const entry = zip.entries.find((each) => each.name === name);
    return zip.bytes.subarray(
      entry?.headerStart,
      (entry?.dataStart ?? 0) + (entry?.packedSize ?? 0),
    );
  });
  return Buffer.compare(before ?? Buffer.of(), after ?? Buffer.of()) === 0;
}
