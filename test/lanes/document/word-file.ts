/** Word files made for a test. */
import { createZip } from '../../../src/files/zip.ts';

/** The smallest Word file with one paragraph. @param media further entries, such as `word/media/image1.png` */
export function wordFile(
  text: string,
  media: ReadonlyMap<string, Uint8Array> = new Map(),
): Uint8Array {
  const part = (xml: string) => Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${xml}`);
  const types = 'http://schemas.openxmlformats.org/package/2006/content-types';
  const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  return createZip(
    new Map([
      [
        '[Content_Types].xml',
        part(
          `<Types xmlns="${types}"><Default Extension="png" ContentType="image/png"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
        ),
      ],
      [
        '_rels/.rels',
        part(
          `<Relationships xmlns="${relations}"><Relationship Id="r1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
        ),
      ],
      [
        'word/document.xml',
        part(
          `<w:document xmlns:w="${word}"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`,
        ),
      ],
      ...media,
    ]),
  );
}
