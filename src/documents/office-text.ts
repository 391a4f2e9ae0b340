/** The words of Office files, for the price of their translation. */
import { readParagraphs } from '../ooxml.ts';
import { CONTENT_TYPES, partsWithWords, readContentTypes } from '../ooxml-parts.ts';
import { codePoints } from '../segments/bill.ts';
import { openZip, unpackEntry, type Zip } from '../zip.ts';

/** Bytes of all parts together that are unpacked: what is beyond is no text that a person wrote. */
const MAX_UNPACKED = 256 * 1024 * 1024;

/**
 * Unicode code points of the paragraphs of a docx, pptx or xlsx that hold a letter.
 * @throws JobFailure `malformed`, `unsupported` for what is damaged or no Office file
 */
export function officeCharacters(bytes: Uint8Array, file: string): number {
  const zip = openZip(bytes, file);
  const names = zip.entries.map(({ name }) => name);
  const parts = partsWithWords(readContentTypes(xmlOf(zip, CONTENT_TYPES), names));
  let left = MAX_UNPACKED;
  let characters = 0;
  for (const name of parts) {
    left -= zip.entries.find((entry) => entry.name === name)?.size ?? 0;
    if (left < 0) break;
    characters += partCharacters(xmlOf(zip, name), name);
  }
  return characters;
}

function partCharacters(xml: string, name: string): number {
  let characters = 0;
  for (const { pieces } of readParagraphs(xml, name)) {
    const text = pieces.map((piece) => piece.text).join('');
    if (/\p{L}/u.test(text)) characters += codePoints(text);
  }
  return characters;
}

function xmlOf(zip: Zip, name: string): string {
  const entry = zip.entries.find((each) => each.name === name);
  return entry === undefined ? '' : new TextDecoder().decode(unpackEntry(zip, entry));
}
