import { describe, expect, it } from 'vitest';
import { parseLanguage } from '../../../src/language.ts';
import { readParagraphs } from '../../../src/ooxml.ts';
import { readOffice } from '../../../src/sandbox/documents/office.ts';
import { createZip, openZip, unpackEntry, type Zip } from '../../../src/zip.ts';
import { corpusFile, corpusFiles, corpusMissing, WHERE_CORPUS_IS } from './corpus.ts';

describe.skipIf(corpusMissing)(`real office files ${WHERE_CORPUS_IS}`, () => {
  const files = corpusFiles('office', /\.(docx|pptx|xlsx)$/);

  it.each(files)('%s is translated, and what holds no words stays byte for byte', (name) => {
    const source = openZip(corpusFile('office', name), name);
    const document = readOffice(asUploaded(source.bytes, name));
    const target = openZip(document.write(document.texts.map(shout)), name);
    const changed = source.entries.filter((entry) => !samePackedBytes(source, target, entry.name));
    expect(changed.length > 0).toBe(document.texts.length > 0);
    for (const { name: part } of changed) {
      expect(skeleton(xmlOf(target, part))).toBe(skeleton(xmlOf(source, part)));
      expect(wordsOf(target, part)).toEqual(wordsOf(source, part).map(shout));
    }
  });

  it.each(files)('%s stays the same text when every answer is the text asked', (name) => {
    const source = openZip(corpusFile('office', name), name);
    const document = readOffice(asUploaded(source.bytes, name));
    const target = openZip(document.write(document.texts), name);
    for (const { name: part } of source.entries) {
      if (!part.endsWith('.xml')) continue;
      expect(wordsOf(target, part)).toEqual(wordsOf(source, part));
    }
  });
});

describe('an office file', () => {
  it('that is something else inside is an error that says so', () => {
    const bytes = createZip(
      new Map([['[Content_Types].xml', new TextEncoder().encode('<Types/>')]]),
    );
    expect(() => readOffice(asUploaded(bytes, 'a.docx'))).toThrow(
      /it is no docx inside, but something else/,
    );
  });

  it('without content types is an error that says so', () => {
    const bytes = createZip(new Map([['a.xml', new Uint8Array()]]));
    expect(() => readOffice(asUploaded(bytes, 'a.docx'))).toThrow(
      /\[Content_Types\]\.xml is missing/,
    );
  });

  it('that is no container is an error that says so', () => {
    expect(() => readOffice(asUploaded(new TextEncoder().encode('hello'), 'a.docx'))).toThrow(
      /no complete ZIP/,
    );
  });
});

function asUploaded(bytes: Uint8Array, name: string) {
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const target = parseLanguage('de');
  if (target === undefined) throw new Error('de is a language');
  return { bytes, name, extension, output: extension, target, dialect: 'document' } as const;
}

/** Words in capitals, tags as they were. */
function shout(text: string): string {
  return text.replace(/<[^>]*>|[^<]+/g, (part) =>
    /^<\/?g\b/.test(part) ? part : part.toUpperCase(),
  );
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
