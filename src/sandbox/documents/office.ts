/** Word, PowerPoint and Excel files, translated inside their container: text runs change, every other entry keeps its packed bytes. */

import { type Paragraph, readParagraphs, replacePieces } from '../../files/ooxml.ts';
import {
  CONTENT_TYPES,
  type ContentTypes,
  headingParts,
  headings,
  officeKind,
  partsWithWords,
  readContentTypes,
} from '../../files/ooxml-parts.ts';
import { openZip, replaceEntries, unpackEntry, type Zip } from '../../files/zip.ts';
import { countCharacters } from '../billing.ts';
import { answerPieces, blockHasWords, textForEngine } from './blocks.ts';
import { cannot, malformedDocument, type ReadDocument, type SourceDocument } from './document.ts';
import type { DecodedText } from './text-bytes.ts';

export function readOffice({ bytes, name, extension }: SourceDocument): ReadDocument {
  const zip = openZip(bytes, name);
  const types = contentTypes(zip);
  const kind = officeKind(types);
  if (kind !== extension)
    throw malformedDocument(name, `it is no ${extension} inside, but ${kind ?? 'something else'}`);
  const parts = readParts(zip, types);
  const blocks = parts.flatMap(({ paragraphs }) => paragraphs.map(blockOf));
  return {
    texts: blocks.map(textForEngine),
    characters: countCharacters(blocks.flat()),
    write: (answers) => replaceEntries(zip, answeredParts(parts, answers)),
  };
}

interface OfficePart {
  readonly name: string;
  readonly xml: DecodedText;
  /** Only paragraphs with words. */
  readonly paragraphs: readonly Paragraph[];
}

function contentTypes(zip: Zip): ContentTypes {
  const names = zip.entries.map((entry) => entry.name);
  return readContentTypes(unpackXml(zip, CONTENT_TYPES).text, names);
}

function readParts(zip: Zip, types: ContentTypes): readonly OfficePart[] {
  refuseBomb(zip, partsWithWords(types));
  const fixed = new Set(
    headingParts(types).flatMap((name) => headings(unpackXml(zip, name).text, name)),
  );
  return partsWithWords(types).map((name) => {
    const xml = unpackXml(zip, name);
    const paragraphs = readParagraphs(xml.text, name)
      .filter((paragraph) => blockHasWords(blockOf(paragraph)))
      .filter((paragraph) => !fixed.has(blockOf(paragraph).join('')));
    return { name, xml, paragraphs };
  });
}

function blockOf(paragraph: Paragraph): readonly string[] {
  return paragraph.pieces.map((piece) => piece.text);
}

function answeredParts(
  parts: readonly OfficePart[],
  answers: readonly string[],
): ReadonlyMap<string, Uint8Array> {
  const contents = new Map<string, Uint8Array>();
  let next = 0;
  for (const { name, xml, paragraphs } of parts) {
    const edits = paragraphs.flatMap((paragraph) => {
      const pieces = answerPieces(blockOf(paragraph), answers[next++] ?? '');
      return paragraph.pieces
        .map((piece, index) => ({ piece, text: pieces[index] ?? '' }))
        .filter(({ piece, text }) => text !== piece.text);
    });
    if (edits.length > 0) contents.set(name, xml.encode(replacePieces(xml.text, edits)));
  }
  return contents;
}

/** Bytes of all parts together: hundreds of parts just below the limit of one would also use up the memory. */
const MAX_UNPACKED = 256 * 1024 * 1024;

function refuseBomb(zip: Zip, names: readonly string[]): void {
  const wanted = new Set(names);
  const unpacked = zip.entries
    .filter((entry) => wanted.has(entry.name))
    .reduce((bytes, entry) => bytes + entry.size, 0);
  if (unpacked > MAX_UNPACKED) {
    throw cannot(`${zip.file} would unpack to ${unpacked} bytes of text`, 'Split the file.');
  }
}

const BYTE_ORDER_MARK = '\uFEFF';

function unpackXml(zip: Zip, name: string): DecodedText {
  const entry = zip.entries.find((each) => each.name === name);
  if (entry === undefined) throw malformedDocument(zip.file, `${name} is missing in it`);
  const bytes = unpackEntry(zip, entry);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
    return { text: text.slice(mark.length), encode: (edited) => Buffer.from(mark + edited) };
  } catch {
    throw cannot(
      `${zip.file}: ${name} is not written in UTF-8`,
      'Save the file again with its own application.',
    );
  }
}
