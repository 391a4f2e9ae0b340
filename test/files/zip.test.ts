import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createZip, openZip, replaceEntries, unpackEntry } from '../../src/files/zip.ts';
import { corpusFile, corpusFiles, corpusMissing, WHERE_CORPUS_IS } from '../corpus.ts';

const text = (content: string) => new TextEncoder().encode(content);

describe('a container that we made', () => {
  it('gives back every entry as it was put in', () => {
    const contents = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,8}$/),
      fc.uint8Array({ maxLength: 300 }),
      {
        minKeys: 1,
      },
    );
    fc.assert(
      fc.property(contents, (entries) => {
        const zip = openZip(createZip(new Map(Object.entries(entries))), 'made.zip');
        for (const entry of zip.entries) {
          expect(Buffer.from(unpackEntry(zip, entry))).toEqual(
            Buffer.from(entries[entry.name] ?? []),
          );
        }
      }),
      { numRuns: 50 },
    );
  });

  it('is the same bytes for the same entries', () => {
    const entries = new Map([['a.txt', text('one')]]);
    expect(createZip(entries)).toEqual(createZip(entries));
  });
});

describe('replacing entries', () => {
  const zip = openZip(
    createZip(
      new Map([
        ['a.txt', text('one')],
        ['b.txt', text('two '.repeat(99))],
        ['c.txt', text('three')],
      ]),
    ),
    'made.zip',
  );

  it('changes nothing when nothing is replaced', () => {
    expect(Buffer.compare(replaceEntries(zip, new Map()), zip.bytes)).toBe(0);
  });

  it('keeps the packed bytes of every other entry', () => {
    const replaced = openZip(
      replaceEntries(zip, new Map([['a.txt', text('something longer')]])),
      'made.zip',
    );
    expect(contentOf(replaced, 'a.txt')).toBe('something longer');
    expect(packedBytes(replaced, 'b.txt')).toEqual(packedBytes(zip, 'b.txt'));
    expect(packedBytes(replaced, 'c.txt')).toEqual(packedBytes(zip, 'c.txt'));
  });
});

describe('a hostile or damaged container', () => {
  const honest = () =>
    Buffer.from(
      createZip(
        new Map([
          ['word/a.xml', text('x'.repeat(5000))],
          ['b.xml', text('b')],
        ]),
      ),
    );

  it('is refused when an entry unpacks to more than it declares', () => {
    const bomb = bombOf({ declared: 1000 });
    const zip = openZip(bomb, 'bomb.docx');
    expect(() => zip.entries.map((entry) => unpackEntry(zip, entry))).toThrow(
      /declared 1000 bytes/,
    );
  });

  it('is refused when an entry honestly declares more than the limit', () => {
    const zip = openZip(bombOf({ declared: 20_000_000 }), 'bomb.docx');
    const limits = { entryBytes: 1_000_000 };
    expect(() => zip.entries.map((entry) => unpackEntry(zip, entry, limits))).toThrow(
      /more than 1000000/,
    );
  });

  it('is refused when entries overlap', () => {
    const inner = Buffer.from(createZip(new Map([['b.xml', text('b')]])));
    const hidden = inner.subarray(0, inner.indexOf('PK\x01\x02'));
    const bytes = Buffer.from(
      createZip(
        new Map([
          ['a.bin', hidden],
          ['b.xml', text('b')],
        ]),
      ),
    );
    bytes.writeUInt32LE(30 + 'a.bin'.length, bytes.lastIndexOf('PK\x01\x02') + 42);
    expect(() => openZip(bytes, 'bomb.docx')).toThrow(/b\.xml overlaps another entry/);
  });

  it('is refused when a name is in it twice', () => {
    const twice = Buffer.from(
      createZip(
        new Map([
          ['a.xml', text('1')],
          ['A.xml', text('2')],
        ]),
      ),
    );
    expect(() => openZip(twice, 'twice.docx')).toThrow(/A\.xml is in it twice/);
  });

  it.each(['../evil', '/etc/passwd', 'a/../../b', 'C:x', 'a\\b'])(
    'is refused when an entry is named %s',
    (name) => {
      const bytes = createZip(new Map([[name, text('1')]]));
      expect(() => openZip(bytes, 'evil.docx')).toThrow(/leads out of the container/);
    },
  );

  it('is refused when it is Zip64', () => {
    const bytes = honest();
    bytes.writeUInt16LE(0xffff, bytes.length - 12);
    bytes.writeUInt16LE(0xffff, bytes.length - 14);
    expect(() => openZip(bytes, 'big.docx')).toThrow(/Zip64/);
  });

  it('is refused when it is encrypted', () => {
    const bytes = honest();
    const central = bytes.indexOf('PK\x01\x02');
    bytes.writeUInt16LE(bytes.readUInt16LE(central + 8) | 1, central + 8);
    expect(() => openZip(bytes, 'secret.docx')).toThrow(/encrypted/);
  });

  it('is refused when its CRC-32 is wrong', () => {
    const bytes = honest();
    const central = bytes.lastIndexOf('PK\x01\x02');
    const local = bytes.readUInt32LE(central + 42);
    bytes.writeUInt32LE(1, central + 16);
    bytes.writeUInt32LE(1, local + 14);
    const zip = openZip(bytes, 'damaged.docx');
    expect(() => zip.entries.map((entry) => unpackEntry(zip, entry))).toThrow(/b\.xml is damaged/);
  });

  it('never makes the reader fail in another way than with a message about the file', () => {
    const bytes = honest();
    const change = fc.record({ at: fc.nat(bytes.length - 1), byte: fc.nat(255) });
    const damage = fc.record({
      changes: fc.array(change, { minLength: 1, maxLength: 8 }),
      length: fc.oneof(fc.constant(bytes.length), fc.nat(bytes.length)),
    });
    fc.assert(
      fc.property(damage, ({ changes, length }) => {
        const damaged = Buffer.from(bytes.subarray(0, length));
        for (const { at, byte } of changes) if (at < length) damaged[at] = byte;
        expect(outcomeOf(damaged)).toMatch(/^(fine|x\.zip)/);
      }),
      { numRuns: 500 },
    );
  });
});

describe.skipIf(corpusMissing)(`real office files ${WHERE_CORPUS_IS}`, () => {
  it.each(corpusFiles('office', /\.(docx|pptx|xlsx)$/))(
    '%s stays the same bytes when nothing is replaced',
    (name) => {
      const zip = openZip(corpusFile('office', name), name);
      expect(Buffer.compare(replaceEntries(zip, new Map()), zip.bytes)).toBe(0);
    },
  );
});

type Zip = ReturnType<typeof openZip>;

function contentOf(zip: Zip, name: string): string {
  const entry = zip.entries.find((each) => each.name === name);
  return entry === undefined ? '' : new TextDecoder().decode(unpackEntry(zip, entry));
}

function packedBytes(zip: Zip, name: string): Buffer {
  const entry = zip.entries.find((each) => each.name === name);
  return Buffer.from(
    zip.bytes.subarray(entry?.dataStart, (entry?.dataStart ?? 0) + (entry?.packedSize ?? 0)),
  );
}

/** 20 MB of spaces in 20 kB, with any size in its headers. */
function bombOf({ declared }: { declared: number }): Buffer {
  const spaces = Buffer.alloc(20_000_000, 0x20);
  const bytes = Buffer.from(createZip(new Map([['word/document.xml', spaces]])));
  expect(bytes.length).toBeLessThan(deflateRawSync(spaces).length + 200);
  const central = bytes.lastIndexOf('PK\x01\x02');
  bytes.writeUInt32LE(declared, central + 24);
  bytes.writeUInt32LE(declared, 22);
  return bytes;
}

function outcomeOf(bytes: Uint8Array): string {
  try {
    const zip = openZip(bytes, 'x.zip');
    for (const entry of zip.entries) unpackEntry(zip, entry);
    return 'fine';
  } catch (error) {
    return String((error as Error).message);
  }
}
