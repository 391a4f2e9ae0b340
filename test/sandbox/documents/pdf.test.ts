import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOffice } from '../../../src/sandbox/documents/office.ts';
import { readPdf } from '../../../src/sandbox/documents/pdf.ts';
import { corpusFile, corpusFiles, corpusMissing, WHERE_CORPUS_IS } from '../../corpus.ts';
import { shout, uploaded } from './uploaded.ts';

describe('a PDF file', () => {
  it('gives its text by paragraphs, with words apart and hyphenation undone', () => {
    const content =
      'BT /F1 10 Tf 50 700 Td (A Ti) Tj 0 -40 Td [(Some )-20(wo)] TJ 0 -12 Td (rds are cut-) Tj ' +
      '0 -12 Td (ting edge.) Tj 100 0 Td (Apart) Tj ET';
    expect(read(pdfOf(content)).texts).toEqual(['A Ti', 'Some wo rds are cutting edge. Apart']);
  });

  it('reads strings in hexadecimal, escapes and accented letters', () => {
    expect(read(pdfOf('BT /F1 10 Tf (caf\\351 \\(a\\)) Tj 0 -50 Td <4142> Tj ET')).texts).toEqual([
      'café (a)',
      'AB',
    ]);
  });

  it('becomes a Word document that says what was lost', () => {
    const document = read(pdfOf('BT /F1 10 Tf (Hello) Tj ET'));
    const docx = readOffice(uploaded('a.docx', document.write(document.texts.map(shout))));
    expect(docx.texts).toEqual([
      expect.stringMatching(/^\[Text of a\.pdf.*layout of the PDF.*lost\.\]$/),
      'HELLO',
    ]);
  });

  it('without text is an error that says so', () => {
    expect(() => read(pdfOf('0 0 m 10 10 l S'))).toThrow(/no text that can be extracted/);
  });

  it('is an error when a PDF is wanted back', () => {
    expect(() => readPdf({ ...uploaded('a.pdf', pdfOf('')), output: 'pdf' })).toThrow(
      /cannot write PDF/,
    );
  });

  it('that is encrypted or no PDF is an error that says so', () => {
    expect(() => read(`${pdfOf('')}\ntrailer << /Encrypt 9 0 R >>`)).toThrow(/encrypted/);
    expect(() => read('hello')).toThrow(/no PDF/);
  });

  it('that draws itself, or has itself as a page, ends', () => {
    const loop = pdfOf('BT /F1 10 Tf (Once) Tj ET /X0 Do');
    expect(read(loop).texts.join(' ')).toMatch(/^Once/);
    expect(() =>
      read('%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>\n2 0 obj<</Kids[2 0 R]>>\n'),
    ).toThrow(/no text/);
  });

  it('whose forms draw each other without end, ends', () => {
    const bomb = '/X0 Do '.repeat(50);
    expect(() => read(pdfOf(bomb))).toThrow(/no text/);
  });

  it('damaged anywhere gives text or an error about the file, nothing else', () => {
    const whole = pdfOf('BT /F1 10 Tf (Hello) Tj [(a)(b)] TJ ET');
    const change = fc.record({
      at: fc.nat(whole.length - 1),
      mark: fc.constantFrom(...'[](){}<>/ 0R'),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        const marks = [...whole];
        for (const { at, mark } of changes) marks[at] = mark;
        expect(outcomeOf(marks.join(''))).toMatch(/^(fine|a\.pdf)/);
      }),
      { numRuns: 500 },
    );
  });
});

describe.skipIf(corpusMissing)(`real PDF files ${WHERE_CORPUS_IS}`, () => {
  it.each(corpusFiles('office', /\.pdf$/))('%s gives words that a person can read', (name) => {
    const { texts } = readPdf({ ...uploaded(name, corpusFile('office', name)), output: 'docx' });
    expect(texts.join(' ')).toMatch(/Adobe/);
  });
});

function read(content: string) {
  return readPdf({ ...uploaded('a.pdf', Buffer.from(content, 'latin1')), output: 'docx' });
}

function outcomeOf(content: string): string {
  try {
    read(content).write([]);
    return 'fine';
  } catch (error) {
    return (error as Error).message;
  }
}

/** One page that draws `content`, packed; its form X0 is the page's own content. */
function pdfOf(content: string): string {
  const packed = deflateSync(Buffer.from(content, 'latin1')).toString('latin1');
  const stream = `/Filter/FlateDecode/Length ${packed.length}>>stream\n${packed}\nendstream endobj`;
  return [
    '%PDF-1.4',
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1/Resources<</Font<</F1 4 0 R>>/XObject<</X0 6 0 R>>>>>>endobj',
    '3 0 obj<</Type/Page/Parent 2 0 R/Contents 5 0 R>>endobj',
    '4 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>endobj',
    `5 0 obj<<${stream}`,
    `6 0 obj<</Subtype/Form${stream}`,
    'trailer<</Root 1 0 R>>',
  ].join('\n');
}
