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
