import { parse } from 'dot-properties';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { properties } from '../../src/formats/properties.ts';
import { compose } from '../../src/formats/text/compose.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { parseLanguage } from '../../src/language.ts';
import { describeFormat } from '../contracts/format.ts';

const messages = `# License of the file

# Shown in the title bar
title = Hello world
! another sign
greeting:Good morning, {0}
cannot=Can''t open {0}
path C:\\\\temp
multi = first line\\n\\
        second line\\n\\
        third
blank=\\ padded
empty=
__proto__=prototype
toString=method
with\\ space\\:=spaced key
hash#1=a hash in a key
latin=na\\u00EFve

a.b=dotted
emoji=\\uD83D\\uDE00 done
`;

const key = fc.stringMatching(/^[a-zA-Z_.][\w.#-]{0,6}$/);
const value = fc
  .string({ unit: 'grapheme-ascii', maxLength: 20 })
  .map((text) => text.replaceAll('\\', '/'));
const generated = fc
  .array(fc.tuple(key, fc.constantFrom('=', ' = ', ':', ' '), value), { maxLength: 8 })
  .chain((lines) =>
    fc
      .constantFrom('\n', '\r\n', '\n\n')
      .map((end) => lines.map((line) => line.join('')).join(end)),
  );

describeFormat({
  format: properties,
  file: 'messages.properties',
  fixtures: {
    messages,
    'with CRLF and a byte order mark': `\uFEFF${messages.replaceAll('\n', '\r\n')}`,
    'in UTF-8 without a last line end': 'a=Bär text\nb=x\n\n# c\nc=y text',
    'in Latin-1': Buffer.from('a=B\xe4r text\nb=x text\n', 'latin1'),
  },
  irregular: {
    joined: 'a=x\njoined = one \\\n   two\n',
    duplicates: 'a=x text\na=y text\nlonely\n#end\n',
    comments: 'a=x\n# far\n\nb=y\n',
  },
  generated,
  reordered: ['a=1 x\nb.c=2 x\n', 'b.c=2 x\na=1 x\n'],
  malformed: [['a=x\nb=\\u12', 2, 3]],
  corpus: { folder: 'properties' },
});

const [en, de] = [parseLanguage('en'), parseLanguage('de')];
const options = { file: 'm.properties', sourceLanguage: en, language: de, role: 'target' } as const;
const open = (text: string | Uint8Array) => openFile(Buffer.from(text), properties, options);

function write(
  source: string,
  target: string | Uint8Array,
  texts: Record<string, string>,
): Uint8Array {
  const placements = new Map(
    Object.entries(texts).map(([id, text]) => [id, { kind: 'write', parts: [text] } as const]),
  );
  return compose({
    format: properties,
    options,
    source: open(source),
    target: open(target),
    placements,
  }).bytes;
}

it('a comment above is context, and an ICU plural is distinguished from a MessageFormat', () => {
  const { segments } = open('# Shown\\n above\na=x {0}\n\n# far\n\nb={n, plural, other {x}}\n').doc;
  expect(segments.map(({ context, syntax }) => [context, syntax])).toEqual([
    ['Shown\\n above', 'generic'],
    [undefined, 'icu'],
  ]);
});

it('apostrophes are doubled where MessageFormat reads them, and nowhere in a file that shows it does not', () => {
  const source = "a=It''s {0}\nb=It is {1}\nc=Plain\n";
  expect(open(source).doc.segments[0]?.parts).toEqual(["It's {0}"]);
  const texts = { a: "l'un {0}", b: "l'autre {1}", c: "l'or" };
  expect(Buffer.from(write(source, source, texts)).toString()).toBe(
    "a=l''un {0}\nb=l''autre {1}\nc=l'or\n",
  );
  const other = "a=Can't open {0}\n";
  expect(Buffer.from(write(other, other, { a: "l'un {0}" })).toString()).toBe("a=l'un {0}\n");
});

it('a file in ASCII stays ASCII, one in Latin-1 escapes only what it cannot hold, one in UTF-8 nothing', () => {
  const source = 'a=x text\n';
  expect(Buffer.from(write(source, source, { a: 'ä\u0142' })).toString()).toBe(
    'a=\\u00e4\\u0142\n',
  );
  const latin = Buffer.from('a=\xe4\n', 'latin1');
  expect(Buffer.from(write(source, latin, { a: 'ö\u0142' })).toString('latin1')).toBe(
    'a=\xf6\\u0142\n',
  );
  expect(Buffer.from(write(source, 'a=ü\n', { a: '\u0142' })).toString()).toBe('a=\u0142\n');
});

it('a new entry comes with its comment and its blank lines, in the line ends of the target', () => {
  const source = 'a=x\n\n# About b\nb=y\nc=z\n';
  expect(Buffer.from(write(source, 'a=1\r\nc=3', { b: 'neu' })).toString()).toBe(
    'a=1\r\n\r\n# About b\r\nb=neu\r\nc=3',
  );
});

it('another reader of properties finds what was written', () => {
  const hostile = ' lead \\ "q" it\'s # ! = : \n\ttab é \u{1f600}';
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.constant(hostile)),
      (text) => {
        const clean = text.replaceAll('\0', '');
        const bytes = write('a = x\nb : y\n', 'a = x\nb : é\n', { a: clean, b: clean });
        expect(parse(Buffer.from(bytes).toString())).toEqual({ a: clean, b: clean });
      },
    ),
  );
});
