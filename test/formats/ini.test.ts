import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { ini } from '../../src/formats/ini.ts';
import { compose, type Placement } from '../../src/formats/text/compose.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { describeFormat } from '../contracts/format.ts';

const strings = `; About the file
top = Top text

[menu]
open = Open "a" file
close=Close
# Asked before quitting
quoted = "He said \\"no\\""
[other]
open = Other
open = Twice
`;

const value = fc.oneof(
  fc.stringMatching(/^[ -~]{0,12}$/),
  fc.constantFrom('"quoted" ; remark', '"a \\"b\\""', '"open', '""', 'a = b', 'é 😀', "'single'"),
);
const generatedIni = fc
  .tuple(
    fc.constantFrom('\n', '\r\n'),
    fc.array(
      fc.oneof(
        fc
          .tuple(fc.constantFrom('a', 'b', '__proto__', 'x.y', 'c d'), value)
          .map(([key, text]) => `${key} = ${text}`),
        fc.constantFrom('[s]', '[other.one]', '; remark', '# remark', '', 'no value'),
      ),
      { maxLength: 12 },
    ),
  )
  .map(([end, lines]) => lines.join(end));

describeFormat({
  format: ini,
  file: 'strings.ini',
  fixtures: { regular: 'a = x text\nb = y text\n[s]\nc = z\nd = w\n' },
  generated: generatedIni,
  irregular: { strings, 'with CRLF': strings.replaceAll('\n', '\r\n') },
  reordered: ['[a]\nx = one\ny = two\n[b]\nx = three\n', '[b]\nx = three\n[a]\ny = two\nx = one\n'],
  corpus: { folder: 'ini' },
});

it('new keys go to their section, new sections to the end', () => {
  const options = {
    file: 'de.ini',
    sourceLanguage: undefined,
    language: undefined,
    role: 'target',
  } as const;
  const source = openFile(Buffer.from(strings), ini, { ...options, role: 'source' });
  const target = openFile(Buffer.from('[menu]\nopen=Öffnen\nown=Eigenes'), ini, options);
  const placements = new Map<string, Placement>([
    ['menu.close', { kind: 'write', parts: ['"Zu"'] }],
    ['other.open', { kind: 'write', parts: ['Anderes'] }],
  ]);
  const { text } = compose({ format: ini, options, source, target, placements });
  expect(text).toBe('[menu]\nopen=Öffnen\nclose="\\"Zu\\""\nown=Eigenes\n[other]\nopen=Anderes');
});

it('a remark behind a quoted value stays', () => {
  const options = { file: 'x.ini', sourceLanguage: undefined, language: undefined } as const;
  const file = openFile(Buffer.from('a = "Text" ; remark\n'), ini, { ...options, role: 'target' });
  expect(file.doc.segments[0]?.parts).toEqual(['Text']);
});

it('a key that its file has already is put in beside it, and not written over another one', () => {
  const common = { file: 'x.ini', sourceLanguage: undefined, language: undefined } as const;
  const options = { ...common, role: 'target' } as const;
  const { text } = compose({
    format: ini,
    options,
    source: openFile(Buffer.from('a = One\na = Two\n'), ini, { ...common, role: 'source' }),
    target: openFile(Buffer.from('b = Zwei\na = Eins\n'), ini, options),
    placements: new Map<string, Placement>([
      ['a', { kind: 'keep' }],
      ['a#1', { kind: 'write', parts: ['Zwei'] }],
    ]),
    removed: new Set(['b']),
    renamed: new Map([['b', 'a#1']]),
  });
  expect(text).toBe('a = Eins\na = Zwei\n');
});
