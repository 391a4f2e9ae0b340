import { expect, it } from 'vitest';
import { po } from '../../src/formats/po.ts';
import { compose } from '../../src/formats/text/compose.ts';
import type { SegmentPlacement } from '../../src/formats/text/composition.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { parseLanguage } from '../../src/language.ts';
import { gettext } from './gettext.ts';

const HEADER = `msgid ""
msgstr ""
"Language: de\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
`;

function read(text: string, role: 'source' | 'target') {
  const language = parseLanguage(role === 'source' ? 'en' : 'de');
  const options = { file: 'de.po', sourceLanguage: parseLanguage('en'), language, role } as const;
  return { file: openFile(Buffer.from(text), po, options), options };
}

/** The target after a run for that source: entries that the source lacks are removed, missing entries are written, except `held`. */
function run(source: string, target: string, held: readonly string[] = []): string {
  const { file } = read(HEADER + source, 'source');
  const { file: existing, options } = read(HEADER + target, 'target');
  const before = new Set(existing.doc.segments.map(({ id }) => id));
  const after = new Set(file.doc.segments.map(({ id }) => id));
  const placements = new Map(
    file.doc.segments
      .filter(({ id }) => !before.has(id))
      .map(({ id }): [string, SegmentPlacement] => [
        id,
        held.includes(id) ? { kind: 'omit' } : { kind: 'write', parts: ['Neu'] },
      ]),
  );
  const { text } = compose({
    format: po,
    options,
    source: file,
    target: existing,
    placements,
    removed: before.difference(after),
  });
  expect(text.startsWith(HEADER)).toBe(true);
  return text.slice(HEADER.length);
}

const entry = (id: string, text = '', above = '') => `\n${above}msgid "${id}"\nmsgstr "${text}"\n`;

it("a translator's comment goes to the entry whose msgid was edited, beside those of its source", () => {
  const source = `${entry('A')}${entry('Save the file', '', '#. New hint\n#: a.c:9\n')}${entry('B')}`;
  const above = '# Anna: as in the menu\n#\n#Ben agrees\n#. Old hint\n#: a.c:7\n';
  const target = `${entry('A', 'a')}${entry('Save file', 'Sichern', above)}${entry('B', 'b')}`;
  expect(run(source, target)).toBe(
    `${entry('A', 'a')}${entry('Save the file', 'Neu', '# Anna: as in the menu\n#\n#Ben agrees\n#. New hint\n#: a.c:9\n')}${entry('B', 'b')}`,
  );
});

it('a wholly new wording between the same neighbours takes the comment of the one before it', () => {
  const target = `${entry('A', 'a')}${entry('Open', 'x', '# verb\n')}${entry('B', 'b')}`;
  expect(run(`${entry('A')}${entry('Close')}${entry('B')}`, target)).toContain(
    entry('Close', 'Neu', '# verb\n'),
  );
});

it('several edited entries in one place keep their own comments, in another order too', () => {
  const target = `${entry('Open the file', 'x', '# one\n')}${entry('Print all pages', 'y', '# two\n')}${entry('Z', 'z')}`;
  const source = `${entry('Print all pages now')}${entry('Fresh')}${entry('Open the files')}${entry('Z')}`;
  const written = run(source, target);
  expect(written).toContain(entry('Open the files', 'Neu', '# one\n'));
  expect(written).toContain(entry('Print all pages now', 'Neu', '# two\n'));
  expect(written).toContain(entry('Fresh', 'Neu'));
});

it('the same line of the program, or the same msgid in another context, identifies the successor anywhere', () => {
  const source = `${entry('A')}${entry('Bye', '', '#: x.c:1\n')}\nmsgctxt "menu"\nmsgid "Open"\nmsgstr ""\n`;
  const target = `${entry('Hello', 'x', '# greeting\n#: x.c:1\n')}${entry('Open', 'y', '# verb\n')}${entry('A', 'a')}`;
  const written = run(source, target);
  expect(written).toContain(entry('Bye', 'Neu', '# greeting\n#: x.c:1\n'));
  expect(written).toContain('\n# verb\nmsgctxt "menu"\nmsgid "Open"\nmsgstr "Neu"\n');
  expect(written).not.toContain('#~');
});

it('a text that gets plural forms keeps its comment', () => {
  const source = '\nmsgid "File"\nmsgid_plural "Files"\nmsgstr[0] ""\nmsgstr[1] ""\n';
  expect(run(source, entry('File', 'Datei', '# noun\n'))).toBe(
    '\n# noun\nmsgid "File"\nmsgid_plural "Files"\nmsgstr[0] "Neu"\nmsgstr[1] "Neu"\n',
  );
});

it('a comment without a successor stays with an obsolete entry', () => {
  const old = '# legal: ask Anna\n#. Hint\n#: z.c:1\n#, fuzzy\n';
  const target = `${entry('A', 'a')}${entry('Gone', 'Fort', old)}${entry('Plain', 'x')}`;
  const written = run(entry('A'), target);
  expect(written).toBe(
    `${entry('A', 'a')}\n# legal: ask Anna\n#, fuzzy\n#~ msgid "Gone"\n#~ msgstr "Fort"\n`,
  );
  expect(run(entry('A'), written)).toBe(written);
  expect(gettext.parse(HEADER + written).translations['']).not.toHaveProperty('Gone');
});

it('an entry of another file of the program is no successor, and a held one cannot take the comment', () => {
  const target = entry('Open', 'x', '# verb\n#: a.c:1\n');
  const other = entry('Zoom', '', '#: b.c:1\n');
  const kept = '# verb\n#~ msgid "Open"\n#~ msgstr "x"\n';
  const written = run(other, target);
  expect(written).toContain(kept);
  expect(written).toContain(entry('Zoom', 'Neu', '#: b.c:1\n'));
  expect(run(entry('Open it'), target, ['Open it'])).toBe(`\n${kept}`);
});

it('a comment that a new entry takes from its source is written once', () => {
  const written = run(entry('Save all', '', '# same\n'), entry('Save', 'x', '# same\n# mine\n'));
  expect(written).toBe(entry('Save all', 'Neu', '# mine\n# same\n'));
});

it('plural entries and CRLF files keep comments as well', () => {
  const plural = (id: string, text: string, above = '') =>
    `\n${above}msgid "${id}"\nmsgid_plural "${id}s"\nmsgstr[0] "${text}"\nmsgstr[1] "${text}"\n`;
  expect(run(plural('%d big file', ''), plural('%d file', 'x', '# count\n'))).toBe(
    plural('%d big file', 'Neu', '# count\n'),
  );
  expect(run(entry('A'), plural('%d', 'x', '# count\n#: q.c:1\n') + entry('A', 'a'))).toContain(
    '# count\n#~ msgid "%d"\n#~ msgid_plural "%ds"\n#~ msgstr[0] "x"\n#~ msgstr[1] "x"\n',
  );
  const { file } = read((HEADER + entry('New one')).replaceAll('\n', '\r\n'), 'source');
  const target = (HEADER + entry('New', 'x', '# mine\n')).replaceAll('\n', '\r\n');
  const { file: existing, options } = read(target, 'target');
  const written = compose({
    format: po,
    options,
    source: file,
    target: existing,
    placements: new Map([['New one', { kind: 'write', parts: ['Neu'] }]]),
    removed: new Set(['New']),
  });
  expect(written.text).toBe(
    (HEADER + entry('New one', 'Neu', '# mine\n')).replaceAll('\n', '\r\n'),
  );
});

it('an entry that comes back takes its comment from the obsolete entry, which gettext refuses beside it', () => {
  const gone = '\n# legal\n#, fuzzy\n#~ msgctxt "m"\n#~ msgid ""\n#~ "Gone"\n#~ msgstr "Fort"\n';
  const other = '\n# other\n#~ msgid "Gone"\n#~ msgstr "Weg"\n#~ msgid "Last"\n#~ msgstr "x"\n';
  const back = '\nmsgctxt "m"\nmsgid "Gone"\nmsgstr ""\n';
  const taken = '\n# legal\nmsgctxt "m"\nmsgid "Gone"\nmsgstr "Neu"\n';
  const a = entry('A', 'a');
  expect(run(entry('A') + back, a + gone + other)).toBe(a + taken + other);
  expect(run(back + entry('A'), gone + a)).toBe(taken + a);
  expect(run(entry('A') + back, a + other + gone)).toBe(a + taken + other);
  expect(run(back, gone)).toBe(taken);
  expect(run(entry('A') + entry('Last'), a + other)).toBe(
    `${a}${entry('Last', 'Neu')}\n# other\n#~ msgid "Gone"\n#~ msgstr "Weg"\n`,
  );
});

it('an edit and its way back leave the file as it was', () => {
  const target = `${entry('A', 'a')}${entry('Save', 'Neu', '# mine\n')}${entry('B', 'b')}`;
  const source = (id: string) => `${entry('A')}${entry(id)}${entry('B')}`;
  expect(run(source('Save'), run(source('Save all'), target))).toBe(target);
  expect(run(source('Save'), run(`${entry('A')}${entry('B')}`, target))).toBe(target);
});
