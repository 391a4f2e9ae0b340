/** The kinds of documents: their minimum bills, and their first bytes (docs/design/api.md, "Limits"). Pure. */

/** The minimum bill of an office document or PDF, in characters. */
export const MINIMUM_CHARACTERS = 50_000;

const WITH_MINIMUM = new Set(['docx', 'doc', 'pptx', 'xlsx', 'pdf']);
const IMAGES = new Set(['jpg', 'jpeg', 'png']);

/**
 * The bill of a document with so many characters.
 * @param extension lower-case, without the dot
 * @param characters Unicode code points of its text
 */
export function billedFor(extension: string, characters: number): number {
  return WITH_MINIMUM.has(extension) ? Math.max(MINIMUM_CHARACTERS, characters) : characters;
}

/** Whether only the service can read the text of the document: then an estimate is a lower bound. */
export function isOpaque(extension: string): boolean {
  return extension === 'pdf' || extension === 'doc' || IMAGES.has(extension);
}

/** Whether a document is an archive of XML parts and media: then its size says nothing about its text. */
export function isOffice(extension: string): boolean {
  return extension === 'docx' || extension === 'pptx' || extension === 'xlsx';
}

const OLE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

/**
 * The fault of the first bytes of a document, in words for people; undefined: there is none.
 * @param head at least the first 1024 bytes, unless the file is shorter
 */
export function wrongBeginning(extension: string, head: Uint8Array): string | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  switch (extension) {
    case 'docx':
    case 'pptx':
    case 'xlsx':
      if (text.startsWith(OLE)) return `it is protected with a password, or no ${extension} at all`;
      return text.startsWith('PK') ? undefined : `it is no ${extension} file`;
    case 'doc':
      return text.startsWith(OLE) ? undefined : 'it is no Word file of the old kind';
    case 'pdf':
      // Readers accept the mark anywhere in the first 1024 bytes (ISO 32000-1, Annex H).
      return text.slice(0, 1024).includes('%PDF-') ? undefined : 'it is no PDF';
    case 'png':
      return text.startsWith('\x89PNG') ? undefined : 'it is no PNG image';
    case 'jpg':
    case 'jpeg':
      return text.startsWith('\xff\xd8') ? undefined : 'it is no JPEG image';
    default:
      return undefined;
  }
}

/** Kinds whose media are at known places, with the same names in source and result. */
export function canBeMinified(extension: string): boolean {
  return extension === 'docx' || extension === 'pptx';
}
