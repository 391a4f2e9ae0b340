import { parse as readCsv } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { partsText } from '../../src/format.ts';
import { csv } from '../../src/formats/csv.ts';
import { compose } from '../../src/formats/text/compose.ts';
import type { SegmentPlacement } from '../../src/formats/text/composition.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { type LanguageTag, parseLanguage } from '../../src/language.ts';
import type { Columns } from '../../src/project.ts';
import { describeFormat } from '../contracts/format.ts';
import { TextJobs } from '../text-jobs.ts';

const [en, de, fr] = ['en', 'de', 'fr'].map((code) => parseLanguage(code) as LanguageTag);
const targets = new Map([
  [de as LanguageTag, 'de'],
  [fr as LanguageTag, 'fr'],
]);
const all: Columns = { key: 'id', source: 'en', delimiter: ',', header: true, targets };
const one: Columns = { ...all, source: 'text', targets: new Map() };

const sheet = `id,en,de,fr,note
title,"Hello, ""world""",Hallo,Bonjour,a
empty,Empty text,,,
quoted,"Quoted","","",b
short,Short
lines,"Two
lines",Zwei,Deux,
,,,,
a#1,Odd key,Seltsam,,
`;

describeFormat({
  format: { ...csv, multiLocale: true },
  file: 'texts.csv',
  options: { columns: all, language: de },
  newFiles: ['de', 'fr'],
  fixtures: {},
  irregular: { sheet, 'with CRLF': sheet.replaceAll('\n', '\r\n') },
  malformed: [
    ['id,en,de\na,"x,y\n', 2, 3],
    ['id,en,de\na,"x\\"y",z\n', 2, 7],
    ['id,fr\na,b\n', 1, 1],
  ],
});

const key = fc.stringMatching(/^[\w.#]{1,6}$/);
const field = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .map((text) => (/[",\r\n\0]/.test(text) ? `"${text.replace(/["\0]/g, '')}"` : text));
describeFormat({
  format: csv,
  file: 'en.csv',
  options: { columns: one },
  fixtures: {
    plain: 'id,text,note\na,A text,x\nb,"B, text",y\n"c",C text,z\n',
    'without a last line end': 'id,text\r\na,x\r\nb,y',
  },
  irregular: { 'with semicolons inside': 'id,text\na,x;y\n' },
  generated: fc
    .array(fc.tuple(key, field), { maxLength: 8 })
    .map((rows) => `id,text\n${rows.map((row) => row.join(',')).join('\n')}\n`),
  reordered: ['id,text\na,1 x\nb,2 x\n', 'id,text\nb,2 x\na,1 x\n'],
});

function write(source: string, texts: Record<string, string>, columns: Columns): string {
  const options = { file: 'x.csv', sourceLanguage: en, columns } as const;
  const format = csv.withColumns?.(columns) ?? csv;
  const open = (role: 'source' | 'target') =>
    openFile(Buffer.from(source), format, {
      ...options,
      role,
      language: role === 'source' ? en : de,
    });
  return compose({
    format,
    options: { ...options, role: 'target', language: de },
    source: open('source'),
    target: open('target'),
    placements: new Map(
      Object.entries(texts).map(([id, text]): [string, SegmentPlacement] => [
        id,
        { kind: 'write', parts: [text] },
      ]),
    ),
  }).text;
}

it('a file with quotes in fields that are not quoted keeps this form', () => {
  const write = (sheet: string) => {
    const options = {
      role: 'target' as const,
      file: 't.tsv',
      sourceLanguage: en,
      language: de as LanguageTag,
      columns: { ...all, delimiter: '\t' },
    };
    const file = openFile(Buffer.from(sheet), csv, options);
    const parts = ['Ein "neues" Wort'];
    const placements = new Map([['a', { kind: 'write', parts } as const]]);
    return compose({ format: csv, options, source: file, target: file, placements }).text;
  };
  const bare = 'id\ten\tde\na\tA "new" word\tEin "altes"\n';
  expect(write(bare)).toBe(bare.replace('"altes"', '"neues" Wort'));
  expect(write('id\ten\tde\na\tA new word\t\n')).toContain('\t"Ein ""neues"" Wort"\n');
});

it('a file with blanks at the edges of fields that are not quoted keeps this form', async () => {
  const route =
    '{ from: "l/{locale}.csv", lane: text, columns: { key: 1, source: 2, delimiter: ";", header: false } }';
  const source = '  Name;English\r\n chapter1; chapter\r\n chapter2; chapters\r\n';
  const target = '  Name;Deutsch\r\n chapter1; Kapitel\r\n chapter2; Kapitel\r\n';
  const jobs = await TextJobs.of(route, { 'l/en.csv': source, 'l/de.csv': target });
  await jobs.run('l/en.csv');
  await jobs.write(
    'l/en.csv',
    source.replace('chapters', 'parts').replace(' chapter1', ' chapter 1') +
      ' more; more parts\r\n',
  );
  await jobs.run('l/en.csv');
  expect(await jobs.read('l/de.csv')).toBe(
    '  Name;Deutsch\r\n chapter 1; Kapitel\r\n chapter2; partsä\r\n more; moreä partsä\r\n',
  );
});

it('only the column of the language is written, short rows grow, quotes come where they are needed', () => {
  const written = write(
    sheet,
    { empty: 'Leer', quoted: 'Zitat', short: 'Kurz, so', lines: 'x\ny' },
    all,
  );
  expect(written).toBe(
    sheet
      .replace('Empty text,', 'Empty text,Leer')
      .replace('"Quoted",""', '"Quoted","Zitat"')
      .replace('Short', 'Short,"Kurz, so"')
      .replace('Zwei', '"x\ny"'),
  );
});

it('without a key the source text is the key, and a file of one language has its rows numbered', () => {
  const { key: _, ...keyless } = all;
  expect(write('en,de\nHello,\n', { Hello: 'Hallo' }, keyless)).toBe('en,de\nHello,Hallo\n');
  const { key: __, ...numbered } = one;
  const file = openFile(Buffer.from('text\nHello\n'), csv, {
    file: 'x.csv',
    sourceLanguage: en,
    language: en,
    role: 'source',
    columns: numbered,
  });
  expect(file.doc.segments).toMatchObject([{ id: '[0]', positional: true }]);
});

it('columns are found by number where there is no header, and .tsv has tabs', () => {
  const columns = {
    ...all,
    key: '1',
    source: '2',
    header: false,
    targets: new Map([[de as LanguageTag, '3']]),
  };
  expect(write('a,Hello,\n', { a: 'Hallo' }, columns)).toBe('a,Hello,Hallo\n');
  const tsv = openFile(Buffer.from('id\ten\tde\na\tx, y\tz\n'), csv, {
    file: 'x.tsv',
    sourceLanguage: en,
    language: de,
    role: 'target',
    columns: all,
  });
  expect(tsv.doc.segments).toMatchObject([{ id: 'a', parts: ['z'] }]);
});

it('a route without columns and a language without a column are named', () => {
  const options = { file: 'x.csv', sourceLanguage: en, language: en, role: 'target' } as const;
  expect(() => openFile(Buffer.from('a,b\n'), csv, options)).toThrow(/which column/);
  expect(() => openFile(Buffer.from(sheet), csv, { ...options, columns: all })).toThrow(
    /no column for en/,
  );
});

it.each([...'.*+?^$()[]{}|\\/-#~'])(
  'the delimiter %s is no pattern: columns are separated by it alone',
  (delimiter) => {
    const lines = [
      ['id', 'en', 'de'],
      ['a', 'One text', 'Ein Text'],
      ['b', 'Two', 'Zwei'],
    ];
    const text = lines.map((cells) => `${cells.join(delimiter)}\n`).join('');
    const columns = { ...all, delimiter };
    const options = { file: 'x.csv', sourceLanguage: en, language: de as LanguageTag } as const;
    const { doc } = openFile(Buffer.from(text), csv, { ...options, role: 'target', columns });
    expect(doc.segments.map(({ parts }) => partsText(parts))).toEqual(['Ein Text', 'Zwei']);
  },
);

it('a table with another delimiter is refused with the setting for it', () => {
  const options = { file: 'x.csv', sourceLanguage: en, language: en, role: 'source' } as const;
  const open = (text: string, columns = all) =>
    openFile(Buffer.from(text), csv, { ...options, columns });
  for (const delimiter of [';', '\t', '|']) {
    const setting = 'set "columns.delimiter" to it';
    const header = ['id', 'en', 'de'];
    expect(() => open(`${header.join(delimiter)}\n`)).toThrow(setting);
    expect(() => open(`${header.map((name) => `"${name}"`).join(delimiter)}\n`)).toThrow(setting);
    expect(() => open('id,en,de\n', { ...all, delimiter })).toThrow(setting);
  }
});

it('another reader of CSV finds what was written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), (text) => {
      const clean = text.replaceAll('\0', '');
      const rows = readCsv(write(sheet, { empty: clean }, all), { relax_column_count: true });
      expect(rows[2]?.[2]).toBe(clean);
    }),
  );
});
