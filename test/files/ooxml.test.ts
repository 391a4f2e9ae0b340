import { describe, expect, it } from 'vitest';
import { type Paragraph, readParagraphs, replacePieces } from '../../src/files/ooxml.ts';
import {
  headings,
  officeKind,
  partsWithWords,
  readContentTypes,
} from '../../src/files/ooxml-parts.ts';

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const SLIDE = 'xmlns:a="http://purl.oclc.org/ooxml/drawingml/main"';
const SHEET = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

describe('paragraphs of Word', () => {
  const word = (body: string) => read(`<w:document ${WORD}><w:body>${body}</w:body></w:document>`);

  it('joins runs of one format, whatever spelling marks are between them', () => {
    const found = word(
      '<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>He</w:t></w:r><w:proofErr w:type="spellStart"/>' +
        '<w:r w:rsidR="00A1"><w:rPr><w:b/><w:lang w:val="en-GB"/></w:rPr><w:t>llo</w:t></w:r></w:p>',
    );
    expect(found).toEqual([['Hello']]);
  });

  it('keeps pieces of different format apart', () => {
    const found = word(
      '<w:p><w:r><w:t>a </w:t></w:r><w:r><w:rPr><w:i/></w:rPr><w:t>b</w:t></w:r></w:p>',
    );
    expect(found).toEqual([['a ', 'b']]);
  });

  it('keeps pieces apart where a tab or a link is between them', () => {
    const found = word(
      '<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t></w:r><w:hyperlink><w:r><w:t>c</w:t></w:r></w:hyperlink></w:p>',
    );
    expect(found).toEqual([['a', 'b', 'c']]);
  });

  it('reads a text box inside a paragraph as a paragraph of its own', () => {
    const found = word(
      '<w:p><w:r><w:t>out</w:t><w:pict><w:p><w:r><w:t>in</w:t></w:r></w:p></w:pict><w:t>side</w:t></w:r></w:p>',
    );
    expect(found).toEqual([['in'], ['out', 'side']]);
  });

  it('leaves field codes and deleted text alone', () => {
    const found = word(
      '<w:p><w:r><w:instrText>PAGE</w:instrText><w:delText>gone</w:delText><w:t>kept</w:t></w:r></w:p>',
    );
    expect(found).toEqual([['kept']]);
  });

  it('reads character references and CDATA as the text they mean', () => {
    expect(word('<w:p><w:r><w:t>a &amp;&#x20;<![CDATA[<b>]]></w:t></w:r></w:p>')).toEqual([
      ['a & <b>'],
    ]);
  });
});

describe('paragraphs of slides and sheets', () => {
  it('leaves slide numbers and dates alone', () => {
    const xml = `<a:txBody ${SLIDE}><a:p><a:r><a:t>Slide </a:t></a:r><a:fld><a:t>12</a:t></a:fld></a:p></a:txBody>`;
    expect(read(xml)).toEqual([['Slide ']]);
  });

  it('leaves phonetic hints alone', () => {
    expect(
      read(`<sst ${SHEET}><si><t>課</t><rPh sb="0" eb="1"><t>カ</t></rPh></si></sst>`),
    ).toEqual([['課']]);
  });

  it('reads and writes what XML cannot hold as spreadsheets do', () => {
    const xml = `<sst ${SHEET}><si><t>a_x000D_b _x005F_x0041_</t></si></sst>`;
    const [paragraph] = readParagraphs(xml, 'sharedStrings.xml');
    const piece = paragraph?.pieces[0];
    expect(piece?.text).toBe('a\rb _x0041_');
    expect(replacePieces(xml, piece ? [{ piece, text: piece.text }] : [])).toBe(xml);
  });
});

describe('replacing pieces', () => {
  it('gives the first run the text, empties the others, and changes nothing else', () => {
    const xml = `<w:p ${WORD}><w:r><w:t xml:space="preserve">a </w:t></w:r><w:r><w:t>b</w:t></w:r><!-- c --></w:p>`;
    const piece = readParagraphs(xml, 'document.xml')[0]?.pieces[0];
    expect(replacePieces(xml, piece ? [{ piece, text: '1 < 2 & 3' }] : [])).toBe(
      `<w:p ${WORD}><w:r><w:t xml:space="preserve">1 &lt; 2 &amp; 3</w:t></w:r><w:r><w:t></w:t></w:r><!-- c --></w:p>`,
    );
  });
});

describe('hostile XML', () => {
  it.each([
    [
      'a DOCTYPE',
      `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><w:p ${WORD}/>`,
      /1:1: a DOCTYPE is refused/,
    ],
    ['a tag that closes nothing', `<w:p ${WORD}>\n</w:q></w:p>`, /2:1: <\/w:q> closes nothing/],
    ['an open end', `<w:p ${WORD}>`, /never closed/],
    ['two roots', `<a/><b/>`, /2 root elements/],
    ['an open quote', `<a b="></a>`, /quote/],
    ['a prefix with two meanings', `<a xmlns:w="x"><w:p ${WORD}/></a>`, /two meanings/],
    ['endless nesting', '<a>'.repeat(6000), /too deeply/],
  ])('with %s is refused', (_, xml, message) => {
    expect(() => readParagraphs(xml, 'document.xml')).toThrow(message);
  });

  it('of a million unclosed quotes is refused in time that grows with its length only', () => {
    expect(() => readParagraphs(`<a ${'b="c" '.repeat(200_000)}`, 'document.xml')).toThrow(
      /never closed/,
    );
  });
});

describe('content types', () => {
  const types = readContentTypes(
    '<Types><Default Extension="xml" ContentType="application/xml"/>' +
      '<Override PartName="/word/document2.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>' +
      '<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>',
    ['word/document2.xml', 'word/styles.xml', 'word/other.xml'],
  );

  it('show the kind of the package and its parts with words, whatever they are named', () => {
    expect(officeKind(types)).toBe('docx');
    expect(partsWithWords(types)).toEqual(['word/document2.xml']);
  });
});

describe('tables of a workbook', () => {
  it('name the headings that must not be translated', () => {
    const xml = `<table ${SHEET}><tableColumns><tableColumn id="1" name="Net_x000a_price"/></tableColumns></table>`;
    expect(headings(xml, 'table1.xml')).toEqual(['Net\nprice']);
  });
});

function read(xml: string): readonly (readonly string[])[] {
  return readParagraphs(xml, 'part.xml').map((paragraph: Paragraph) =>
    paragraph.pieces.map((piece) => piece.text),
  );
}
