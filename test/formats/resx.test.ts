import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { resx } from '../../src/formats/resx.ts';
import { compose } from '../../src/formats/text/compose.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { parseLanguage } from '../../src/language.ts';
import { describeFormat } from '../contracts/format.ts';
import { lineEnd, xmlContent, xmlName } from './xml-arbitraries.ts';

const forms = `<?xml version="1.0" encoding="utf-8"?>
<root>
  <resheader name="version">
    <value>2.0</value>
  </resheader>
  <data name="Title" xml:space="preserve">
    <value>Hello {0} &lt;b&gt;you&lt;/b&gt;</value>
    <comment>In the title bar</comment>
  </data>
  <data name="Multi" xml:space="preserve">
    <value> Two
lines &amp; more </value>
  </data>
  <data name="Cdata"><value><![CDATA[<p>Text</p>]]></value></data>
  <data name="constructor.a#1" xml:space="preserve">
    <value>Odd name</value>
  </data>
</root>
`;

const designer = forms.replace(
  '  <data name="Multi"',
  `  <data name="button.Size" type="System.Drawing.Size, System.Drawing">
    <value>75, 23</value>
  </data>
  <data name="&gt;&gt;button.Name" xml:space="preserve"><value>button</value></data>
  <data name="$this.Name" xml:space="preserve"><value>Form</value></data>
  <data name="Empty"><value /></data>
  <data name="Multi"`,
);

describeFormat({
  format: resx,
  file: 'Resources.resx',
  fixtures: { forms, 'with CRLF and a byte order mark': `\uFEFF${forms.replaceAll('\n', '\r\n')}` },
  irregular: { designer },
  reordered: [
    '<root><data name="a"><value>1 x</value></data><data name="b"><value>2 x</value></data></root>',
    '<root><data name="b"><value>2 x</value></data><data name="a"><value>1 x</value></data></root>',
  ],
  generated: fc
    .tuple(lineEnd, fc.array(fc.tuple(xmlName, xmlContent), { maxLength: 6 }))
    .map(
      ([end, entries]) =>
        `<root>${end}${entries.map(([name, text]) => `<data name="${name}">${end}<value>${text}</value></data>`).join(end)}</root>`,
    ),
  malformed: [['<root>\n<data></root>', 2, undefined]],
  corpus: { folder: 'resx' },
});

const options = {
  file: 'Resources.de.resx',
  sourceLanguage: parseLanguage('en'),
  language: parseLanguage('de'),
  role: 'target',
} as const;

it('strings are distinguished from what a designer stores, and comments are context', () => {
  const { doc } = openFile(Buffer.from(designer), resx, options);
  const segments = doc.segments.filter(({ gap, isReference }) => !gap && !isReference);
  const stored = doc.segments.filter(({ isReference }) => isReference);
  expect(stored.map(({ id }) => id)).toEqual(['button.Size']);
  expect(segments.map(({ id, context }) => [id, context])).toEqual([
    ['Title', 'In the title bar'],
    ['Multi', undefined],
    ['Cdata', undefined],
    ['constructor.a\\#1', undefined],
  ]);
  expect(segments[0]?.parts).toEqual(['Hello {0} <b>you</b>']);
});

it('a new entry is put behind its neighbour with its comment', () => {
  const source = openFile(Buffer.from(forms), resx, options);
  const target = openFile(
    Buffer.from(
      '<root>\r\n  <data name="Multi">\r\n    <value>Zwei</value>\r\n  </data>\r\n</root>',
    ),
    resx,
    options,
  );
  const placements = new Map([['Title', { kind: 'write', parts: ['Hallo {0} <i>'] } as const]]);
  expect(compose({ format: resx, options, source, target, placements }).text).toBe(
    `<root>\r\n  <data name="Title" xml:space="preserve">\r\n    <value>Hallo {0} &lt;i></value>\r\n    <comment>In the title bar</comment>\r\n  </data>\r\n  <data name="Multi">\r\n    <value>Zwei</value>\r\n  </data>\r\n</root>`,
  );
});

it('a value that says that it is a string is one', () => {
  const text =
    '<root><data name="a" type="System.String, mscorlib"><value>A</value></data><data name="b" type="System.Int32"><value>1</value></data></root>';
  const options = { file: 'a.resx', sourceLanguage: undefined, language: undefined } as const;
  const file = openFile(Buffer.from(text), resx, { ...options, role: 'source' });
  expect(file.doc.segments.map(({ id }) => id)).toEqual(['a']);
});

it('line breaks in a value are written with the line ends of the file', () => {
  const data = (text: string, end: string) =>
    `<root>${end}  <data name="a">${end}    <value>${text}</value>${end}  </data>${end}</root>${end}`;
  const options = { file: 'a.resx', sourceLanguage: undefined, language: undefined } as const;
  const open = (text: string, role: 'source' | 'target') =>
    openFile(Buffer.from(text), resx, { ...options, role });
  const source = open(data('One\ntwo', '\n'), 'source');
  const target = open(data('Alt', '\r\n').replace('"a"', '"b"'), 'target');
  const put = (into: typeof target) =>
    compose({
      format: resx,
      options: { ...options, role: 'target' },
      source,
      target: into,
      placements: new Map([['a', { kind: 'write', parts: ['Eins\nzwei'] }]]),
    }).text;
  expect(put(target)).toContain('<value>Eins\r\nzwei</value>\r\n');
  expect(put(open(data('Ein\r\nzwei', '\r\n'), 'target'))).toContain('<value>Eins\r\nzwei</value>');
});
