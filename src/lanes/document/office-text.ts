/** Reads the text of Office files, paragraph by paragraph. */

import { JobFailure } from '../../failure.ts';
import { readParagraphs } from '../../files/ooxml.ts';
import {
  CONTENT_TYPES,
  officeKind,
  partsWithWords,
  readContentTypes,
} from '../../files/ooxml-parts.ts';
import { openZip, unpackEntry, type Zip } from '../../files/zip.ts';
import { append } from '../../parsing/append.ts';

/** Bytes of all parts together that are unpacked: no person has written more text. */
const MAX_UNPACKED = 256 * 1024 * 1024;

/**
 * The paragraphs with a letter in a docx, pptx or xlsx.
 * @param extension of the file, lower-case
 * @throws JobFailure `malformed`, `unsupported` for a damaged file, or another kind of file
 */
export function officeTexts(
  bytes: Uint8Array,
  { extension, file }: { extension: string; file: string },
): string[] {
  const zip = openZip(bytes, file);
  const parts = partsWithWords(contentTypes(zip, { extension, file }));
  let left = MAX_UNPACKED;
  const texts: string[] = [];
  for (const name of parts) {
    left -= zip.entries.find((entry) => entry.name === name)?.size ?? 0;
    if (left < 0) break;
    append(texts, partTexts(xmlOf(zip, name), name));
  }
  return texts;
}

/** Whether no visible part has a letter, in any element: also outside of paragraphs, such as labels of charts. */
export function isWordless(bytes: Uint8Array, file: string): boolean {
  const zip = openZip(bytes, file);
  const seen = zip.entries.filter(({ name }) => name.endsWith('.xml') && !UNSEEN.test(name));
  return !seen.some(({ name }) => />[^<]*\p{L}/u.test(xmlOf(zip, name)));
}

/** Parts that no reader sees: properties of the file, and prompts of masters and layouts. */
const UNSEEN =
  /^(?:docProps|customXml)\/|\/(?:slideMasters|slideLayouts|notesMasters|handoutMasters|theme)\//;

function contentTypes(zip: Zip, { extension, file }: { extension: string; file: string }) {
  const names = zip.entries.map(({ name }) => name);
  const wrong = (message: string) =>
    new JobFailure({ kind: 'malformed', where: { file }, message });
  if (!names.includes(CONTENT_TYPES)) throw wrong(`it is an archive, but no ${extension}`);
  const types = readContentTypes(xmlOf(zip, CONTENT_TYPES), names);
  const kind = officeKind(types);
  if (kind !== extension) {
    throw wrong(`it is no ${extension} inside, but ${kind ?? 'something else'}`);
  }
  return types;
}

function partTexts(xml: string, name: string): string[] {
  return readParagraphs(xml, name)
    .map(({ pieces }) => pieces.map((piece) => piece.text).join(''))
    .filter((text) => /\p{L}/u.test(text));
}

function xmlOf(zip: Zip, name: string): string {
  const entry = zip.entries.find((each) => each.name === name);
  return entry === undefined ? '' : new TextDecoder().decode(unpackEntry(zip, entry));
}
