import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ini } from '../../src/formats/ini.ts';
import { compose } from '../../src/formats/text/compose.ts';
import type { SegmentPlacement } from '../../src/formats/text/composition.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { describeFormat } from '../contracts/format.ts';
import { TextJobs } from '../text-jobs.ts';

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
  const once = strings.replace('open = Twice\n', '');
  const source = openFile(Buffer.from(once), ini, { ...options, role: 'source' });
  const target = openFile(Buffer.from('[menu]\nopen=Öffnen\nown=Eigenes'), ini, options);
  const placements = new Map<string, SegmentPlacement>([
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

describe('a value in quotes', () => {
  const route = '{ from: "{locale}.ini", lane: text }';

  it.each([
    ['a line break', 'One\\nTwo', 'Oneä\\nTwoä'],
    ['a path of Windows', 'C:\\temp\\new', 'Cä:\\tempä\\newä'],
    ['outer blanks', ' Text  ', ' Textä  '],
    ['a quote and a backslash that are escaped', 'a \\"b\\" \\\\ c', 'aä \\"bä\\" \\\\ cä'],
    ['a backslash before a letter', 'x \\d y', 'xä \\dä yä'],
    ['quotes that are not escaped', 'a "_QQ_" b', 'aä "_QQä_" bä'],
  ])('keeps %s', async (_, value, wanted) => {
    const jobs = await TextJobs.of(route, { 'en.ini': `a = "${value}"\nb = "Last"\n` });
    await jobs.run('en.ini');
    expect(await jobs.read('de.ini')).toBe(`a = "${wanted}"\nb = "Lastä"\n`);
    expect(await jobs.run('en.ini')).toMatchObject({ bought: [], isWritten: false });
  });
});

it('a line break of a value without quotes stays where it was', async () => {
  const jobs = await TextJobs.of('{ from: "{locale}.ini", lane: text }', {
    'en.ini': 'a = One\\nTwo\n',
  });
  expect((await jobs.run('en.ini')).sent).toEqual(['One<x id="0"/>Two']);
  expect(await jobs.read('de.ini')).toBe('a = Oneä\\nTwoä\n');
});

it('a new entry is quoted as its neighbours are', async () => {
  const jobs = await TextJobs.of('{ from: "{locale}.ini", lane: text }', {
    'en.ini': 'count=5\na="One"\nb="Two"\n[bare]\nc="Three"\nd=Four\n',
    'de.ini': 'count=5\na="Eins"\n[bare]\nd=Vier\n',
    'pl.ini': 'count=5\n',
  });
  await jobs.run('en.ini');
  expect(await jobs.read('de.ini')).toBe('count=5\na="Eins"\nb="Twoä"\n[bare]\nc=Threeä\nd=Vier\n');
  await jobs.run('en.ini', 'pl');
  expect(await jobs.read('pl.ini')).toBe(
    'count=5\na="Oneä"\nb="Twoä"\n[bare]\nc="Threeä"\nd=Fourä\n',
  );
});

it('a text keeps its quotes and their escapes where its neighbours have none or others', async () => {
  const source =
    'a=Title\nb="One\\nTwo"\nc="C:\\temp\\new"\nd=" blank"\ne="Link; more"\nf="<a href=""x"">Link</a>"\ng=Bare\\nbreak\n';
  const jobs = await TextJobs.of('{ from: "{locale}.ini", lane: text }', {
    'en.ini': source,
    'de.ini': 'a=Titel\n',
    'pl.ini': 'a="Tytuł"\n',
  });
  await jobs.run('en.ini');
  expect(await jobs.read('de.ini')).toBe(
    'a=Titel\nb="Oneä\\nTwoä"\nc="Cä:\\tempä\\newä"\nd=" blankä"\ne="Linkä; moreä"\nf="<a href=""x"">Linkä</a>"\ng=Bareä\\nbreakä\n',
  );
  await jobs.run('en.ini', 'pl');
  expect(await jobs.read('pl.ini')).toBe(
    'a="Tytuł"\nb="Oneä\\nTwoä"\nc="Cä:\\tempä\\newä"\nd=" blankä"\ne="Linkä; moreä"\nf="<a href=""x"">Linkä</a>"\ng=Bareä\\nbreakä\n',
  );
  expect(await jobs.run('en.ini')).toMatchObject({ bought: [], isWritten: false });
});

describe('a target without quotes', () => {
  it('gets them with a new text that would be another without them', async () => {
    const source = (words: string) =>
      `a="Title"\nb="Say ""${words}"" now"\nc="100 ${words}; #2"\nd="${words}\\nTwo"\ne=" ${words}"\nf=${words}; bare\n`;
    const jobs = await TextJobs.of('{ from: "{locale}.ini", lane: text }', {
      'en.ini': source('hi'),
      'de.ini': 'a=Titel\nb=Sag hallo\nc=100\nd=Eins Zwei\ne=Leer\nf=Bar; bar\n',
    });
    await jobs.run('en.ini');
    await jobs.write('en.ini', source('hello'));
    await jobs.run('en.ini');
    expect(await jobs.read('de.ini')).toBe(
      'a=Titel\nb="Sayä ""helloä"" nowä"\nc="100 helloä; #2"\nd="helloä\\nTwoä"\ne=" helloä"\nf=helloä; bareä\n',
    );
    expect(await jobs.run('en.ini')).toMatchObject({ bought: [], isWritten: false });
  });

  it('keeps doubled quotes beside its own quotes and a remark', async () => {
    const jobs = await TextJobs.of('{ from: "{locale}.ini", lane: text }', {
      'en.ini': 'a="Say ""hi"""\nb="Say ""hi"""\n',
      'de.ini': 'a="Sag hallo"\nb="Sag hallo" ; remark\n',
    });
    await jobs.run('en.ini');
    await jobs.write('en.ini', 'a="Say ""hello"""\nb="Say ""hello"""\n');
    await jobs.run('en.ini');
    expect(await jobs.read('de.ini')).toBe(
      'a="Sayä ""helloä"""\nb="Sayä \\"\\"helloä\\"\\"" ; remark\n',
    );
  });

  it('takes a line break of a source without quotes', async () => {
    const jobs = await TextJobs.of('{ from: "{locale}.ini", lane: text }', {
      'en.ini': 'a=One\\nTwo\n',
      'de.ini': 'a="Eins Zwei"\n',
    });
    await jobs.run('en.ini');
    await jobs.write('en.ini', 'a=One\\nThree\n');
    await jobs.run('en.ini');
    expect(await jobs.read('de.ini')).toBe('a="Oneä\\nThreeä"\n');
  });
});

/** A reader by the rules that INI readers share: quotes with escapes, and outside of quotes a remark and outer blanks that do not count. */
function readByRules(file: string): Map<string, string> {
  const entries = file.split(/\r\n|\n|\r/).flatMap((line): [string, string][] => {
    const [, key = '', value = ''] = /^(\w+)\s*=[ \t]*(.*)$/s.exec(line) ?? [];
    if (key === '') return [];
    if (!value.startsWith('"')) {
      return [[key, value.replace(/[;#].*$/s, '').replace(/^[ \t]+|[ \t]+$/g, '')]];
    }
    const [, inner, rest = ''] = /^"((?:[^"\\]|\\.)*)"(.*)$/s.exec(value) ?? [];
    expect(inner, line).toBeDefined();
    expect(rest).toMatch(/^[ \t]*(?:[;#].*)?$/s);
    const text = (inner ?? '').replace(/\\([n"\\])/g, (_, c: string) => (c === 'n' ? '\n' : c));
    return [[key, text]];
  });
  return new Map(entries);
}

describe('any text is read from the file as it was written, when it', () => {
  const options = { file: 'de.ini', sourceLanguage: undefined, language: undefined } as const;
  const open = (text: string, role: 'source' | 'target') =>
    openFile(Buffer.from(text), ini, { ...options, role });
  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.stringMatching(/^[ a;#"'\\n=\t\u00a0\u2028\n[\]]{0,8}$/),
  );
  const escaped = (text: string) =>
    text.replace(/\r\n?/g, '\n').replace(/[\\"\n]/g, (c) => (c === '\n' ? '\\n' : `\\${c}`));

  it.each([
    ['replaces a bare text', 'a=Eins\nb=Zwei\n'],
    ['replaces a quoted text', 'a="Eins"\nb="Zwei"\n'],
    ['replaces a text with a remark', 'a="Eins" ; remark\nb=Zwei\n'],
    ['is inserted beside bare texts', 'b=Zwei\n'],
    ['is inserted beside quoted texts', 'b="Zwei"\n'],
    ['is the first one', ''],
  ])('%s', (_, target) => {
    expect.hasAssertions();
    fc.assert(
      fc.property(anyText, (text) => {
        const source = open(`a="${escaped(text)}"\nb="Two"\n`, 'source');
        const placements = new Map<string, SegmentPlacement>([
          ['a', { kind: 'write', parts: text === '' ? [] : [text] }],
        ]);
        const composed = compose({
          ...{ format: ini, options: { ...options, role: 'target' } as const, source },
          ...{ target: open(target, 'target'), placements },
        });
        const read = readByRules(composed.text);
        expect(read.get('a')).toBe(text.replace(/\r\n?/g, '\n'));
        expect(read.get('b')).toBe(target === '' ? undefined : 'Zwei');
      }),
      { numRuns: 300 },
    );
  });
});
