import { parseXml } from '@rgrove/parse-xml';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { qt } from '../../src/formats/qt.ts';
import { compose } from '../../src/formats/text/compose.ts';
import type { SegmentPlacement } from '../../src/formats/text/composition.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { type LanguageTag, parseLanguage } from '../../src/language.ts';
import { describeFormat } from '../contracts/format.ts';
import { lineEnd, xmlContent, xmlName } from './xml-arbitraries.ts';

const app = `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>MainWindow</name>
    <message>
        <location filename="main.cpp" line="12"/>
        <source>&amp;File &apos;%1&apos;</source>
        <extracomment>A menu</extracomment>
        <translation>&amp;Datei &apos;%1&apos;</translation>
    </message>
    <message>
        <source>Open</source>
        <comment>verb</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"/>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n Datei</numerusform>
            <numerusform>%n Dateien</numerusform>
        </translation>
    </message>
    <message>
        <source>Gone</source>
        <translation type="vanished">Fort</translation>
    </message>
</context>
</TS>
`;

const ofLines = `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>MainWindow</name>
    <message>
        <source>An error occurred.
Reason: %1</source>
        <comment>the file
is gone</comment>
        <translation>Ein Fehler ist aufgetreten.
Grund: %1</translation>
    </message>
</context>
</TS>
`;

describeFormat({
  format: qt,
  file: 'app_de.ts',
  fixtures: { app, 'of several lines': ofLines, 'with CRLF': app.replaceAll('\n', '\r\n') },
  generated: fc
    .tuple(
      lineEnd,
      fc.array(fc.tuple(xmlName, xmlContent, fc.option(xmlContent)), { maxLength: 6 }),
    )
    .map(
      ([end, messages]) =>
        `<TS><context><name>A</name>${end}${messages.map(([id, source, target]) => `<message id="${id}">${end}<source>${source}</source>${target === null ? '<translation type="unfinished"/>' : `<translation>${target}</translation>`}</message>`).join(end)}</context></TS>`,
    ),
  malformed: [['<TS>\n<context></TS>', 2, undefined]],
});

const options = (language: string, role: 'source' | 'target' = 'target') =>
  ({
    file: `app_${language}.ts`,
    sourceLanguage: parseLanguage('en'),
    language: parseLanguage(language),
    role,
  }) as const;

const template = app
  .replaceAll(/<translation>[^<]*<\/translation>/g, '<translation type="unfinished"></translation>')
  .replace(
    /<numerusform>%n Datei<\/numerusform>\n\s*<numerusform>.*\n/,
    '<numerusform></numerusform>\n',
  )
  .replace(' language="de_DE"', '');

function write(source: string, language: string, target?: string): string {
  const from = openFile(Buffer.from(source), qt, options('en', 'source'));
  const tag = parseLanguage(language) as LanguageTag;
  const text = compose({
    format: qt,
    options: options(language),
    source: from,
    ...(target === undefined
      ? {}
      : { target: openFile(Buffer.from(target), qt, options(language)) }),
    placements: new Map(
      (qt.expect?.(from.doc, { language: tag }) ?? []).map(
        (segment): [string, SegmentPlacement] => [
          segment.id,
          { kind: 'write', parts: [...(segment.source ?? []), ` (${language})`] },
        ],
      ),
    ),
  }).text;
  expect(parseXml(text).root?.name).toBe('TS');
  return text;
}

it('a template becomes a file of the language, with as many numerus forms as Qt counts', () => {
  const polish = write(template, 'pl');
  expect(polish).toContain('<TS version="2.1" language="pl">');
  expect(polish.match(/<numerusform>%n file\(s\) \(pl\)<\/numerusform>/g)).toHaveLength(3);
  expect(polish).toContain(
    '<translation type="unfinished">&amp;File &apos;%1&apos; (pl)</translation>',
  );
  expect(polish).toContain('type="vanished">Fort<');
  expect(write(template, 'ja').match(/<numerusform>/g)).toHaveLength(1);
  const empty = template.replace(
    /<translation>\s*<numerusform><\/numerusform>\s*<\/translation>/,
    '<translation type="unfinished"/>',
  );
  expect(write(empty, 'ar').match(/<numerusform>/g)).toHaveLength(6);
});

it('each form is asked for with a number of its own', () => {
  const from = openFile(Buffer.from(template), qt, options('en', 'source'));
  const forms = qt.expect?.(from.doc, { language: parseLanguage('pl') as LanguageTag });
  expect(forms?.slice(3).map(({ source }) => source?.[0])).toEqual(
    ['1', '2', '5'].map((sample) => ({ raw: '%n', sample })),
  );
});

it('new messages and new contexts are in the order of the source', () => {
  const target = `<TS language="de">
<context>
    <name>MainWindow</name>
    <message>
        <source>Open</source>
        <translation>Auf</translation>
    </message>
</context>
</TS>
`;
  const second = template.replace(
    '</TS>',
    '<context>\n    <name>Other</name>\n    <message>\n        <source>Help</source>\n        <translation type="unfinished"></translation>\n    </message>\n</context>\n</TS>',
  );
  const written = write(second, 'de', target);
  expect(written).toContain('<translation>Open (de)</translation>');
  expect(written).toContain('<comment>verb</comment>');
  expect(written.match(/<numerusform>/g)).toHaveLength(2);
  expect(written).toContain('<name>Other</name>');
  expect(written).toContain('Help (de)');
});

it('ids distinguish contexts, comments and forms', () => {
  const { segments } = openFile(Buffer.from(app), qt, options('de')).doc;
  expect(segments.map(({ id, context }) => [id, context])).toEqual([
    ["MainWindow|&File '%1'", 'A menu'],
    ['MainWindow|Open|verb', 'verb'],
    ['MainWindow|Open', undefined],
    ['MainWindow|%n file(s)[0]', undefined],
    ['MainWindow|%n file(s)[1]', undefined],
  ]);
});

describe('what a translator wrote beside a message', () => {
  const message = (source: string, translation: string, note = '', line = 1) =>
    `    <message>
        <location filename="a.cpp" line="${line}"/>
        <source>${source}</source>${note === '' ? '' : `\n        <translatorcomment>${note}</translatorcomment>`}
        <translation${translation}</translation>
    </message>\n`;
  const file = (...messages: string[]) =>
    `<TS language="de">\n<context>\n    <name>A</name>\n${messages.join('')}</context>\n</TS>\n`;
  const run = (source: string, target: string) => {
    const from = openFile(Buffer.from(source), qt, options('en', 'source'));
    const existing = openFile(Buffer.from(target), qt, options('de'));
    const [now, before] = [from, existing].map(
      ({ doc }) => new Set(doc.segments.map(({ id }) => id)),
    );
    const added = [...(now ?? [])].filter((id) => !before?.has(id));
    return compose({
      format: qt,
      options: options('de'),
      source: from,
      target: existing,
      placements: new Map(added.map((id) => [id, { kind: 'write', parts: ['Neu'] }])),
      removed: new Set(before).difference(new Set(now)),
    }).text;
  };
  const a = message('A', '>a');
  const b = message('B', '>b');
  const empty = ' type="unfinished">';

  it('goes along when the source is edited', () => {
    const source = file(
      message('A', empty),
      message('Save all', empty, '', 9),
      message('B', empty),
    );
    const target = file(a, message('Save', '>Sichern', 'Anna: &lt;ok&gt;'), b);
    expect(run(source, target)).toBe(
      file(a, message('Save all', ' type="unfinished">Neu', 'Anna: &lt;ok&gt;', 9), b),
    );
  });

  it('returns without the mark of an unfinished one, also behind a value with a ">"', () => {
    const noted = message('Save', ' extra-note="a > b" type="unfinished"/>');
    const source = file(message('A', empty), noted, message('B', empty));
    const target = file(a, message('Save', ' type="vanished">Sichern', 'Anna'), b);
    expect(run(source.replaceAll('/></translation>', '/>'), target)).toBe(
      file(a, message('Save', ' extra-note="a > b">Neu', 'Anna'), b),
    );
  });

  it('stays with a vanished message when nothing takes its place', () => {
    const target = file(a, message('Save', '>Sichern', 'Anna'), message('Other', '>x'), b);
    const written = run(file(message('A', empty), message('B', empty)), target);
    expect(written).toBe(file(a, message('Save', ' type="vanished">Sichern', 'Anna'), b));
    expect(run(file(message('A', empty), message('B', empty)), written)).toBe(written);
  });
});
