import { parseXml } from '@rgrove/parse-xml';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { android } from '../../src/formats/android.ts';
import { compose } from '../../src/formats/text/compose.ts';
import type { SegmentPlacement } from '../../src/formats/text/composition.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { parseLanguage } from '../../src/language.ts';
import { describeFormat } from '../contracts/format.ts';
import { TextJobs } from '../text-jobs.ts';
import { lineEnd, xmlContent, xmlName } from './xml-arbitraries.ts';

const app = `<?xml version="1.0" encoding="utf-8"?>
<!-- License -->

<resources xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2">
    <!-- The title of the app -->
    <string name="title">It\\'s &lt;b>mine&lt;/b> &amp; "yours"</string>
    <string name="hello">Hello <xliff:g id="name" example="Bob">%1$s</xliff:g>, <b>welcome</b>!</string>

    <!-- Group -->
    <string name="quoted">"  Two  blanks "</string>
    <string name="cdata"><![CDATA[<b>Bold</b> it\\'s]]></string>
    <string name="wrapped">
        One line
        and another\\nthird \\u0020
    </string>
    <string name="app_name" translatable="false">Dragon</string>
    <string name="alias">@string/title</string>
    <string name="a.b">Dotted</string>
    <string name="toString">Method &app;</string>
    <plurals name="files">
        <item quantity="one">%d file</item>
        <!-- all others -->
        <item quantity="other">%d files</item>
    </plurals>
    <string-array name="days">
        <item>Monday</item>
        <item>@string/title</item>
        <item>Tuesday</item>
    </string-array>
    <color name="red">#f00</color>
    <string name="at">\\@home \\?</string>
</resources>
`;

const regular = app.replace(/ *<(?:string name="(?:app_name|alias)|color|!-- all).*\n/g, '');

describeFormat({
  format: android,
  file: 'res/values/strings.xml',
  fixtures: {
    regular,
    'with CRLF and a byte order mark': `\uFEFF${regular.replaceAll('\n', '\r\n')}`,
    'in one line':
      '<resources><string name="a">A text</string><string name="b">B</string></resources>',
  },
  irregular: { app },
  reordered: [
    '<resources><string name="a">1 x</string><string name="b">2 x</string></resources>',
    '<resources><string name="b">2 x</string><string name="a">1 x</string></resources>',
  ],
  generated: fc
    .tuple(lineEnd, fc.array(fc.tuple(xmlName, xmlContent), { maxLength: 6 }))
    .map(
      ([end, entries]) =>
        `<resources>${end}${entries.map(([name, text], index) => (index % 3 === 2 ? `<plurals name="${name}"><item quantity="other">${text}</item></plurals>` : `<string name="${name}">${text.replace(/["\\\\]/g, '')}</string>`)).join(end)}${end}</resources>`,
    ),
  malformed: [
    ['<resources>\n<string name="a">x</resources>', 2, undefined],
    ['<resources>\n</resources><a/>', 2, undefined],
  ],
  corpus: { folder: 'android' },
});

const en = parseLanguage('en');
const options = (language: string) =>
  ({
    file: 'strings.xml',
    sourceLanguage: en,
    language: parseLanguage(language),
    role: 'target',
  }) as const;
const source = openFile(Buffer.from(app), android, { ...options('en'), role: 'source' });

function write(language: string, target?: string): string {
  const tag = parseLanguage(language);
  const expected = (tag && android.expect?.(source.doc, { language: tag })) ?? [];
  return compose({
    format: android,
    options: options(language),
    source,
    ...(target === undefined
      ? {}
      : { target: openFile(Buffer.from(target), android, options(language)) }),
    placements: new Map(
      expected.map(({ id, parts, state }): [string, SegmentPlacement] => [
        id,
        state === undefined
          ? { kind: 'write', parts: [...parts, ` (${language})`] }
          : { kind: 'source' },
      ]),
    ),
  }).text;
}

it('texts are read as Android shows them', () => {
  const texts = Object.fromEntries(source.doc.segments.map(({ id, parts }) => [id, parts]));
  expect(texts).toMatchObject({
    title: ["It's <b>mine</b> & ", { raw: '"' }, 'yours', { raw: '"' }],
    quoted: ['  Two  blanks '],
    cdata: ["<b>Bold</b> it's"],
    wrapped: ['One line and another\nthird  '],
    'a\\.b': ['Dotted'],
    toString: ['Method ', { raw: '&app;' }],
    'files.one': ['%d file'],
    'days[0]': ['Monday'],
    at: ['@home ?'],
  });
  expect(texts).not.toHaveProperty('app_name');
  expect(source.doc.segments[0]?.context).toBe('The title of the app');
});

it('a new file has the plural forms of its language and no strings that are not for translation', () => {
  const polish = write('pl');
  expect(polish).toContain(`<plurals name="files">
        <item quantity="one">%d file (pl)</item>
        <item quantity="few">%d files (pl)</item>
        <item quantity="many">%d files (pl)</item>
        <!-- all others -->
        <item quantity="other">%d files (pl)</item>
    </plurals>`);
  expect(polish).not.toMatch(/app_name|alias/);
  expect(polish).toContain('<color name="red">#f00</color>');
  expect(polish).toContain(
    'Hello <xliff:g id="name" example="Bob">%1$s</xliff:g>, <b>welcome</b>! (pl)',
  );
  expect(parseXml(polish, { ignoreUndefinedEntities: true }).root?.name).toBe('resources');
  expect(write('ja')).toContain(`<plurals name="files">
        <!-- all others -->
        <item quantity="other">%d files (ja)</item>
    </plurals>`);
  expect(write('ar').match(/quantity=/g)).toHaveLength(6);
});

it('a form for many numbers is made from the wording with a number', () => {
  const text =
    '<resources><plurals name="n"><item quantity="one">One file</item><item quantity="other">%d files</item></plurals></resources>';
  const doc = openFile(Buffer.from(text), android, options('en')).doc;
  const [de, ru] = [parseLanguage('de'), parseLanguage('ru')];
  const forms = (language: typeof de) =>
    language && android.expect?.(doc, { language }).map(({ parts }) => parts);
  expect(forms(de)).toEqual([['One file'], [{ raw: '%d', sample: '2' }, ' files']]);
  expect(forms(ru)?.[0]).toEqual([{ raw: '%d', sample: '21' }, ' files']);
});

it('missing entries, groups and forms are put where the source has them', () => {
  const target = `<resources>
  <string name="title">Titel</string>
  <string name="at">\\@Heim</string>
  <plurals name="files">
    <item quantity="other">%d Dateien</item>
  </plurals>
  <string name="only_here">Bleibt</string>
</resources>
`;
  const written = write('de', target);
  expect(written).toContain(
    '<item quantity="one">%d file (de)</item>\n    <item quantity="other">',
  );
  expect(written).toContain('<string-array name="days">\n      <item>Monday (de)</item>');
  expect(written).toContain('<string name="only_here">Bleibt</string>');
  expect(written.indexOf('name="hello"')).toBeGreaterThan(written.indexOf('name="title"'));
  expect(written).not.toContain('app_name');
});

it.each([
  ['a new entry', '<resources>\n</resources>'],
  ['a text in place', '<resources><string name="hello">Hallo</string></resources>'],
])('a prefix that %s brings along is declared as the source declares it', (_, target) => {
  const text = `<resources xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2" xmlns:tools="http://schemas.android.com/tools" xmlns:other="urn:o">
    <string name="hello" tools:ignore="Typos">Hello <xliff:g id="name">%1$s</xliff:g></string>
</resources>
`;
  const file = openFile(Buffer.from(text), android, { ...options('en'), role: 'source' });
  const [hello] = file.doc.segments;
  const written = compose({
    format: android,
    options: options('de'),
    source: file,
    target: openFile(Buffer.from(target), android, options('de')),
    placements: new Map([['hello', { kind: 'write', parts: hello?.parts ?? [] }]]),
  }).text;
  expect(written).toContain('Hello <xliff:g id="name">%1$s</xliff:g>');
  expect(written).toMatch(/^<resources[^>]* xmlns:xliff="urn:oasis:names:tc:xliff:document:1\.2"/);
  expect(written.includes('xmlns:tools')).toBe(written.includes('tools:ignore'));
  expect(written).not.toContain('xmlns:other');
});

it('strings that are not for translation are left out of a new file at any position, and nothing else is', () => {
  const text = `<resources>
    <string name="app" translatable="false">App</string>
    <string name="one">One</string>
    <integer name="n">3</integer>
    <!-- not for people -->
    <string name="url" translatable="false">https://x.y</string>
    <string name="two">Two</string>
    <string name="ref">@string/app</string>
</resources>
`;
  const file = openFile(Buffer.from(text), android, { ...options('en'), role: 'source' });
  const written = compose({
    format: android,
    options: options('de'),
    source: file,
    placements: new Map([
      ['one', { kind: 'omit' }],
      ['two', { kind: 'write', parts: ['Zwei'] }],
    ]),
  });
  expect(written.text).toBe(`<resources>
    <integer name="n">3</integer>
    <string name="two">Zwei</string>
</resources>
`);
});

it('the first string goes without the resources and comments behind it', () => {
  const text = `<resources>
    <string name="one">One</string>
    <integer name="n">3</integer>

    <!-- Part two -->

    <string name="two">Two</string>
</resources>
`;
  const file = openFile(Buffer.from(text), android, options('de'));
  const written = compose({
    format: android,
    options: options('de'),
    source: file,
    target: file,
    placements: new Map(),
    removed: new Set(['one']),
  });
  expect(written.text).toBe(text.replace('<string name="one">One</string>\n    ', ''));
});

it('a comment behind a string on its line stays with it, and goes with it', () => {
  const entry = (name: string, text: string, note = '') =>
    `  <string name="${name}">${text}</string>${note}\n`;
  const resources = (...entries: string[]) => `<resources>\n${entries.join('')}</resources>\n`;
  const source = resources(entry('a', 'A'), entry('n', 'N'), entry('c', 'C'));
  const target = resources(
    entry('a', 'x', ' <!-- Anna: a -->'),
    entry('b', 'y', ' <!-- b -->'),
    entry('c', 'z', ' <!-- c -->'),
  );
  const { text } = compose({
    format: android,
    options: options('de'),
    source: openFile(Buffer.from(source), android, { ...options('de'), role: 'source' }),
    target: openFile(Buffer.from(target), android, options('de')),
    placements: new Map([['n', { kind: 'write', parts: ['neu'] }]]),
    removed: new Set(['b']),
  });
  expect(text).toBe(
    resources(
      entry('a', 'x', ' <!-- Anna: a -->'),
      entry('n', 'neu'),
      entry('c', 'z', ' <!-- c -->'),
    ),
  );
});

it('an element of an array that names another resource is written as a name', () => {
  const array = (...items: string[]) =>
    `<resources><string-array name="a">${items.map((item) => `<item>${item}</item>`).join('')}</string-array></resources>`;
  const file = (text: string, role: 'source' | 'target') =>
    openFile(Buffer.from(text), android, { ...options('de'), role });
  const { text } = compose({
    format: android,
    options: options('de'),
    source: file(array('@string/x', 'B'), 'source'),
    target: file(array('A', '@string/x'), 'target'),
    placements: new Map([
      ['a[0]', { kind: 'source' }],
      ['a[1]', { kind: 'write', parts: ['B'] }],
    ]),
  });
  expect(text).toBe(array('@string/x', 'B'));
});

it('quotes around a text keep its blanks and apostrophes, and markup in CDATA keeps its own', () => {
  const text =
    '<resources><string name="a">"  It\'s  "</string><string name="b"><![CDATA[<a href="x">y</a>]]></string></resources>';
  const file = openFile(Buffer.from(text), android, options('de'));
  const [quoted, cdata] = file.doc.segments;
  expect(quoted?.encode(["  Es  ist's  "])).toBe("  Es  ist's  ");
  expect(cdata?.encode(['<a href="x">z</a>'])).toBe('<a href="x">z</a>');
});

describe('a text that is bought', () => {
  it.each([
    ['a backslash that escapes nothing', 'Open C:\\Files', 'Openä Cä:\\Filesä'],
    ['the same in CDATA', '<![CDATA[C:\\Files]]>', '<![CDATA[Cä:\\Filesä]]>'],
    ['a backslash that is escaped', 'Open C:\\\\Files', 'Openä Cä:\\\\Filesä'],
    ['two blanks', 'One.  Two', 'Oneä.  Twoä'],
    ['two blanks of which one is escaped', 'One. \\u0020Two', 'Oneä. \\u0020Twoä'],
  ])('keeps %s', async (_, value, wanted) => {
    const file = (text: string) =>
      `<resources>\n    <string name="a">${text}</string>\n</resources>\n`;
    const jobs = await TextJobs.of('{ from: en/strings.xml, to: "{locale}/strings.xml" }', {
      'en/strings.xml': file(value),
    });
    await jobs.run('en/strings.xml');
    expect(await jobs.read('de/strings.xml')).toBe(file(wanted));
  });
});

it('an <item type="string"> is a string, as aapt2 reads it', async () => {
  const file = (...lines: string[]) => `<resources>\n    ${lines.join('\n    ')}\n</resources>\n`;
  const color = '<item type="color" name="main">#fff000</item>';
  const number = '<item type="string" name="n" format="integer">12 pieces</item>';
  const locked = '<item type="string" name="id" translatable="false">Main id</item>';
  const [EN, DE, PL] = ['values/s.xml', 'values-de/s.xml', 'values-pl/s.xml'];
  const jobs = await TextJobs.of('{ from: values/s.xml, to: "values-{locale}/s.xml" }', {
    [EN]: file('<item name="a" type="string">Open</item>', color, number, locked),
    [DE]: file(color, "<item name='a' type='string'>Auf</item> <!-- von Eva -->"),
  });
  expect(await jobs.run(EN)).toMatchObject({ bought: [], isWritten: false });
  expect(await jobs.run(EN, 'pl')).toMatchObject({ bought: ['Open'] });
  expect(await jobs.read(PL)).toBe(
    file('<item name="a" type="string">Openä</item>', color, number),
  );
  const next = [
    '<item name="b" type="string">Open</item>',
    '<item type="string" name="c">Save</item>',
  ];
  await jobs.write(EN, file(...next, color, number, locked));
  expect(await jobs.run(EN)).toMatchObject({ bought: ['Save'] });
  expect(await jobs.read(DE)).toBe(
    file(
      color,
      "<item name='b' type='string'>Auf</item> <!-- von Eva -->",
      '<item type="string" name="c">Saveä</item>',
    ),
  );
  await jobs.write(EN, file(next[1] ?? '', color));
  await jobs.run(EN);
  expect(await jobs.read(DE)).toBe(file(color, '<item type="string" name="c">Saveä</item>'));
});
