/** PDF to docx: the text that can be extracted, page by page. The layout is lost, and the result says so. */

import { encodeXml } from '../../files/xml-characters.ts';
import { createZip } from '../../files/zip.ts';
import { countCharacters } from '../billing.ts';
import { blockHasWords } from './blocks.ts';
import { cannot, type ReadDocument, type SourceDocument } from './document.ts';
import { PdfFile } from './pdf-file.ts';
import { pageText } from './pdf-text.ts';

export function readPdf({ bytes, name, output }: SourceDocument): ReadDocument {
  if (output !== 'docx') {
    throw cannot(
      `${name}: this sandbox cannot write PDF files`,
      'Ask for output_format=docx, or start it with --passthrough.',
    );
  }
  const file = new PdfFile(bytes, name);
  const pages = file.pages().map((page) => pageText(file, page));
  const texts = pages.flat();
  if (!blockHasWords(texts))
    throw cannot(
      `${name} has no text that can be extracted`,
      'Scanned pages need text recognition.',
    );
  return {
    texts,
    characters: countCharacters(texts),
    write(answers) {
      const remaining = answers.values();
      const translated = pages.map((page) => page.map((text) => remaining.next().value ?? text));
      return writeDocx(lossNotice(name), translated);
    },
  };
}

function lossNotice(name: string): string {
  return `[Text of ${name}, as far as this sandbox could extract it. The layout of the PDF, its images and tables are lost.]`;
}

const MAIN = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The smallest valid Word document (ECMA-376 part 1, 11.2). */
function writeDocx(opening: string, pages: readonly (readonly string[])[]): Uint8Array {
  const paragraphs = pages.flatMap((page, index) =>
    page.map((text, line) =>
      paragraph(text, index > 0 && line === 0 ? '<w:pPr><w:pageBreakBefore/></w:pPr>' : ''),
    ),
  );
  const body = [paragraph(opening, ''), ...paragraphs].join('');
  const parts = {
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    '_rels/.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
      '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    'word/document.xml': `<w:document xmlns:w="${MAIN}"><w:body>${body}<w:sectPr/></w:body></w:document>`,
  };
  const contents = Object.entries(parts).map(
    ([name, xml]) => [name, Buffer.from(DECLARATION + xml)] as const,
  );
  return createZip(new Map(contents));
}

function paragraph(text: string, properties: string): string {
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${encodeXml(text)}</w:t></w:r></w:p>`;
}
