import { parseXml } from '@rgrove/parse-xml';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { compose } from '../../src/formats/text/compose.ts';
import type { SegmentPlacement } from '../../src/formats/text/composition.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { xliff } from '../../src/formats/xliff.ts';
import { parseLanguage } from '../../src/language.ts';
import { describeFormat } from '../contracts/format.ts';
import { TextJobs } from '../text-jobs.ts';
import { lineEnd, xmlContent, xmlName } from './xml-arbitraries.ts';

const old = `<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file original="a.txt" source-language="en" datatype="plaintext">
    <body>
      <trans-unit id="hello">
        <source>Hello <g id="1">big</g> <x id="2"/>world &amp; all</source>
        <note>Shown first</note>
      </trans-unit>
      <group id="g">
        <trans-unit id="done" size-unit="char" maxwidth="20">
          <source>Done</source>
          <target state="translated">Fertig</target>
          <alt-trans><source>Done</source><target>Erledigt</target></alt-trans>
        </trans-unit>
        <trans-unit id="empty"><source>Empty</source><target/></trans-unit>
        <trans-unit id="locked" translate="no"><source>Locked</source></trans-unit>
        <trans-unit id="final" approved="yes"><source>Final</source><target>Endg\u00fcltig</target></trans-unit>
      </group>
    </body>
  </file>
</xliff>
`;

const modern = `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en">
 <file id="f1">
  <unit id="u1">
   <notes><note>About it</note></notes>
   <segment id="s1">
    <source>First <pc id="1">part</pc>. </source>
   </segment>
   <segment state="initial">
    <source>Second <ph id="2"/> part.</source>
    <target>Zweiter <ph id="2"/> Teil.</target>
   </segment>
  </unit>
  <unit id="u2" translate="no">
   <segment><source>Never</source></segment>
  </unit>
 </file>
</xliff>
`;

describeFormat({
  format: xliff,
  file: 'de.xlf',
  fixtures: {
    'version 1.2': old,
    'version 2.0': modern,
    'with CRLF': old.replaceAll('\n', '\r\n'),
    'of several files': `<xliff version="1.2"><file original="a"><body><trans-unit id="x"><source>One x</source></trans-unit></body></file><file original="b"><body><trans-unit id="x"><source>Two x</source></trans-unit></body></file></xliff>`,
  },
  generated: fc
    .tuple(
      lineEnd,
      fc.array(fc.tuple(xmlName, xmlContent, fc.option(xmlContent)), { maxLength: 6 }),
    )
    .map(
      ([end, units]) =>
        `<xliff version="1.2"><file original="x"><body>${end}${units.map(([id, source, target]) => `<trans-unit id="${id}">${end}<source>${source}</source>${target === null ? '' : `<target>${target}</target>`}</trans-unit>`).join(end)}</body></file></xliff>`,
    ),
  malformed: [['<xliff version="1.2">\n<file></xliff>', 2, undefined]],
  corpus: { folder: 'xliff' },
});

const options = (language: string, role: 'source' | 'target' = 'target') =>
  ({
    file: `${language}.xlf`,
    sourceLanguage: parseLanguage('en'),
    language: parseLanguage(language),
    role,
  }) as const;
const open = (text: string, role: 'source' | 'target' = 'target') =>
  openFile(Buffer.from(text), xliff, options(role === 'source' ? 'en' : 'de', role));

function write(source: string, target: string | undefined, texts: Record<string, string>): string {
  const text = compose({
    format: xliff,
    options: options('de'),
    source: open(source, 'source'),
    ...(target === undefined ? {} : { target: open(target) }),
    placements: new Map(
      Object.entries(texts).map(([id, each]): [string, SegmentPlacement] => [
        id,
        { kind: 'write', parts: [each] },
      ]),
    ),
  }).text;
  expect(parseXml(text).root?.name).toBe('xliff');
  return text;
}

it('notes, limits and states are read, and inline codes are kept apart', () => {
  expect(open(old).doc.segments).toMatchObject([
    {
      id: 'hello',
      context: 'Shown first',
      parts: [],
      source: [
        'Hello ',
        { raw: '<g id="1">', pair: { side: 'open' } },
        'big',
        { raw: '</g>', pair: { side: 'close' } },
        ' ',
        { raw: '<x id="2"/>' },
        'world & all',
      ],
    },
    { id: 'done', parts: ['Fertig'], maxLength: 20, state: 'translated' },
    { id: 'empty', parts: [] },
    { id: 'locked', isReference: true },
    { id: 'final', state: 'final' },
  ]);
  expect(open(modern).doc.segments.map(({ id, state }) => [id, state])).toEqual([
    ['u1/s1', undefined],
    ['u1/1', 'new'],
    ['u2', undefined],
  ]);
});

it('targets are put behind their sources with a state, and the file names its language', () => {
  const written = write(old, undefined, { hello: 'Hallo', empty: 'Leer', done: 'Gemacht' });
  expect(written).toContain('target-language="de"');
  expect(written).toContain(
    'all</source>\n        <target state="needs-review-translation">Hallo</target>\n        <note>',
  );
  expect(written).toContain('<target state="needs-review-translation">Leer</target>');
  expect(written).toContain('<target state="needs-review-translation">Gemacht</target>');
  expect(written).toContain('<target>Erledigt</target>');
});

it('2.x says at the segment that it is translated', () => {
  const written = write(modern, undefined, { 'u1/s1': 'Erster', 'u1/1': 'Zweiter' });
  expect(written).toContain('trgLang="de"');
  expect(written).toContain('<segment id="s1" state="translated">');
  expect(written).toContain('</source>\n    <target>Erster</target>\n   </segment>');
  expect(written).toContain('<segment state="translated">');
});

it('a source that changed is changed in the target, too, and a new unit is put behind its neighbour', () => {
  const target = old.replace(/ *<trans-unit id="empty">.*\n/, '');
  const source = old.replace('<source>Done</source>\n', '<source>All done</source>\n');
  const written = write(source, target, { done: 'Alles fertig', empty: 'Leer' });
  expect(written).toContain(
    '<source>All done</source>\n          <target state="needs-review-translation">Alles fertig',
  );
  expect(written).toContain(
    '</trans-unit>\n        <trans-unit id="empty"><source>Empty</source><target state="needs-review-translation">Leer</target></trans-unit>\n        <trans-unit id="locked"',
  );
});

it('a new unit from a source with its own target says nothing of that target', () => {
  const file = (units: string, version = '1.2') =>
    `<xliff version="${version}">\n<file original="a" source-language="en" datatype="plaintext">\n<body>\n${units}</body>\n</file>\n</xliff>\n`;
  const unit = (id: string, more: string, text: string) =>
    `<trans-unit id="${id}"${more}>\n<source>${text}</source>\n<target state="${more === '' ? 'translated' : 'final'}">${text}</target>\n</trans-unit>\n`;
  const source = file(
    unit('a', '', 'One') +
      unit('b', ' approved="no"', 'Two') +
      '<trans-unit id="c"><source>Three</source><target>Three</target></trans-unit>\n',
  );
  const target = file(unit('a', '', 'One').replace('>One</target>', '>Eins</target>'));
  const written = write(source, target, { b: 'Zwei', c: 'Drei' });
  const wanted = 'state="needs-review-translation"';
  expect(written).toContain(
    `<trans-unit id="b" approved="no">\n<source>Two</source>\n<target ${wanted}>Zwei</target>`,
  );
  expect(written).toContain(`<source>Three</source><target ${wanted}>Drei</target>`);
  expect(written).toContain('<target state="translated">Eins</target>');
});

it('a unit whose source is gone goes', () => {
  const { text } = compose({
    format: xliff,
    options: options('de'),
    source: open(old, 'source'),
    target: open(old),
    placements: new Map([
      ['hello', { kind: 'keep' }],
      ['empty', { kind: 'keep' }],
    ]),
    removed: new Set(['done']),
  });
  expect(text).not.toContain('Fertig');
  expect(text).toContain('id="empty"');
});

it('a unit with another id keeps its notes and what a person approved', () => {
  const text = `<xliff version="1.2"><file original="a" source-language="en" target-language="de" datatype="x"><body>
<!-- ours --><trans-unit id="old" approved="yes"><source>One</source><target>Eins</target><note>mine</note></trans-unit>
</body></file></xliff>
`;
  const options = {
    file: 'x.xlf',
    sourceLanguage: undefined,
    language: undefined,
    role: 'target',
  } as const;
  const target = openFile(Buffer.from(text), xliff, options);
  const composed = compose({
    format: xliff,
    options,
    source: target,
    target,
    placements: new Map([['new', { kind: 'keep' }]]),
    removed: new Set(['old']),
    renamed: new Map([['old', 'new']]),
  });
  expect(composed.text).toBe(text.replace('id="old"', 'id="new"'));
});

it('a prefix that the source declares below its root is declared in the target, once', () => {
  const page = (units: string, own = '') =>
    `<?xml version="1.0"?>\n<xliff version="1.2">\n  <file original="a" source-language="en" target-language="de" datatype="plaintext"${own}>\n    <body>\n${units}    </body>\n  </file>\n</xliff>\n`;
  const unit = (id: string, text: string) =>
    `      <trans-unit id="${id}">\n        <source>${text}</source>\n      </trans-unit>\n`;
  const declared = ' xmlns:m="urn:m"';
  const [first, second] = [unit('a', 'One'), unit('b', 'Two <x id="1" m:kind="k"/>')];
  const source = openFile(Buffer.from(page(first + second, declared)), xliff, {
    ...{ file: 'a.xlf', sourceLanguage: undefined, language: undefined, role: 'source' },
  });
  const options = { file: 'b.xlf', sourceLanguage: undefined, language: parseLanguage('de') };
  const written = (target: string) =>
    compose({
      format: xliff,
      options: { ...options, role: 'target' },
      source,
      target: openFile(Buffer.from(target), xliff, { ...options, role: 'target' }),
      placements: new Map([['b', { kind: 'write', parts: source.doc.segments[1]?.source ?? [] }]]),
    }).text;
  expect(written(page(first))).toContain('<xliff version="1.2" xmlns:m="urn:m">');
  expect(written(page(first, declared))).toContain('<xliff version="1.2">');
  parseXml(written(page(first)));
});

it('a new target follows the segments of its source, as the schema has it', async () => {
  const unit = (target: string) =>
    `<xliff version="1.2"><file source-language="en" target-language="de" datatype="plaintext" original="x"><body>\n<trans-unit id="a">\n<source>One</source>\n<seg-source><mrk mtype="seg" mid="1">One</mrk></seg-source>${target}\n</trans-unit>\n</body></file></xliff>\n`;
  const jobs = await TextJobs.of('{ from: "m.en.xlf", to: "m.{locale}.xlf" }', {
    'm.en.xlf': unit(''),
  });
  await jobs.run('m.en.xlf');
  expect(await jobs.read('m.de.xlf')).toBe(
    unit('\n<target state="needs-review-translation">Oneä</target>'),
  );
  expect(await jobs.run('m.en.xlf')).toMatchObject({ bought: [], isWritten: false });
});

const SYMFONY = {
  'version 1.2': (languages: string, units: Readonly<Record<string, string>>) =>
    `<xliff version="1.2">\n  <file ${languages.replace('of=', 'source-language=').replace('to=', 'target-language=')} original="file.ext">\n    <body>\n${Object.entries(
      units,
    )
      .map(
        ([key, text]) =>
          `      <trans-unit id="${key}" resname="${key}">\n        <source>${key}</source>\n        <target>${text}</target>\n      </trans-unit>\n`,
      )
      .join('')}    </body>\n  </file>\n</xliff>\n`,
  'version 2.0': (languages: string, units: Readonly<Record<string, string>>) =>
    `<xliff version="2.0" ${languages.replace('of=', 'srcLang=').replace('to=', 'trgLang=')}>\n  <file id="f">\n${Object.entries(
      units,
    )
      .map(
        ([key, text]) =>
          `    <unit id="${key}">\n      <segment>\n        <source>${key}</source>\n        <target>${text}</target>\n      </segment>\n    </unit>\n`,
      )
      .join('')}  </file>\n</xliff>\n`,
};

const OWN = 'of="en" to="en"';
const ENGLISH = { 'home.title': 'Home title', 'home.text': 'Welcome %name% to us' };
const GERMAN = { 'home.title': 'Startseite', 'home.text': 'Willkommen %name%' };

it.each(Object.entries(SYMFONY))(
  'the texts of a source file are its targets where they are in its own language: %s',
  async (_, file) => {
    const [EN, DE] = ['l/m.en.xlf', 'l/m.de.xlf'];
    const jobs = await TextJobs.of('{ from: "l/m.{locale}.xlf" }', {
      [EN]: file(OWN, ENGLISH),
      [DE]: file('of="en" to="de"', GERMAN),
    });
    expect(await jobs.run(EN)).toMatchObject({ bought: [], isWritten: false });
    const next = { ...ENGLISH, 'home.text': 'Welcome %name% to all', 'home.new': 'New words' };
    await jobs.write(EN, file(OWN, next));
    expect((await jobs.run(EN)).bought).toEqual(['Welcome %name% to all', 'New words']);
    const { segments } = open(await jobs.read(DE)).doc;
    expect(segments).toMatchObject([
      { id: 'home.title', parts: ['Startseite'], source: ['home.title'] },
      { id: 'home.text', parts: ['Welcomeä %name% toä allä'], source: ['home.text'] },
      { id: 'home.new', parts: ['Newä wordsä'], source: ['home.new'] },
    ]);
    expect(await jobs.run(EN)).toMatchObject({ bought: [], isWritten: false });
  },
);

it('the sources are the texts where the targets are in another language, or wait for their text', () => {
  const file = SYMFONY['version 1.2'];
  const sourcesOf = (text: string) =>
    open(text, 'source').doc.segments.map(({ source }) => source?.join(''));
  expect(sourcesOf(file('of="en" to="de"', GERMAN))).toEqual(['home.title', 'home.text']);
  expect(sourcesOf(file('of="en"', ENGLISH))).toEqual(['home.title', 'home.text']);
  expect(sourcesOf(file('of="fr" to="en-GB"', ENGLISH))).toEqual(Object.values(ENGLISH));
  const waiting = file(OWN, ENGLISH).replace('<target>Home', '<target state="new">Home');
  expect(sourcesOf(waiting)).toEqual(['home.title', 'Welcome %name% to us']);
});

it('what an earlier version knew of the keys is known of their texts: nothing is bought and nothing written', async () => {
  const file = SYMFONY['version 1.2'];
  const jobs = await TextJobs.of('{ from: "l/m.{locale}.xlf" }', {
    'l/m.en.xlf': file('of="en"', ENGLISH),
    'l/m.de.xlf': file('of="en" to="de"', GERMAN),
  });
  await jobs.run('l/m.en.xlf');
  // Without the language of its targets, the file is read as an earlier version read it.
  await jobs.write('l/m.en.xlf', file(OWN, ENGLISH));
  const { notes, ...first } = await jobs.run('l/m.en.xlf');
  expect(first).toMatchObject({ bought: [], isWritten: false });
  expect(notes).toEqual([expect.stringContaining('its texts are read in <target> from now on')]);
  await jobs.write('l/m.en.xlf', file(OWN, { ...ENGLISH, 'home.title': 'Front page' }));
  expect(await jobs.run('l/m.en.xlf')).toMatchObject({ bought: ['Front page'], notes: [] });
  // A text that is spelled as its key was, and is not any more.
  await jobs.write('l/m.en.xlf', file(OWN, { ...ENGLISH, 'home.title': 'home.title' }));
  await jobs.run('l/m.en.xlf');
  await jobs.write('l/m.en.xlf', file(OWN, { ...ENGLISH, 'home.title': 'Start page' }));
  expect(await jobs.run('l/m.en.xlf')).toMatchObject({ bought: ['Start page'] });
});
