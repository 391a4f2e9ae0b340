import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { po } from '../../src/formats/po.ts';
import { compose } from '../../src/formats/text/compose.ts';
import type { SegmentPlacement } from '../../src/formats/text/composition.ts';
import { type OpenFile, openFile } from '../../src/formats/text/open.ts';
import { parseLanguage } from '../../src/language.ts';
import { describeFormat } from '../contracts/format.ts';
import { TextJobs } from '../text-jobs.ts';
import { gettext } from './gettext.ts';

const HEADER = `# Copyright
msgid ""
msgstr ""
"Project-Id-Version: app 1.0\\n"
"Language: de\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
`;

const german = `${HEADER}
#. Shown in the title bar
#: src/main.c:12
#, c-format
msgid "Hello %s"
msgstr "Hallo %s"

# A person says
msgctxt "menu"
msgid "Open"
msgstr "Öffnen"

msgid "Open"
msgstr "Auf\\tmachen"

#, fuzzy
#| msgid "Old text"
msgid "New text"
msgstr "Alter Text"

msgid "%d file"
msgid_plural "%d files"
msgstr[0] "%d Datei"
msgstr[1] "%d Dateien"

msgid ""
"Two lines\\n"
"of \\"text\\""
msgstr ""
"Zwei Zeilen\\n"
"\\"Text\\""

msgid "Untranslated"
msgstr ""

#~ msgid "Gone"
#~ msgstr "Fort"
`;

const msg = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .map((text) => JSON.stringify(text).replace(/\\u[0-9a-f]{4}/g, '?'));
const generated = fc
  .uniqueArray(fc.tuple(msg, msg, msg), { selector: ([id]) => id, maxLength: 6 })
  .chain((entries) =>
    fc.constantFrom('\n', '\r\n').map((end) =>
      entries
        .filter(([id]) => id !== '""')
        .map(([id, plural, text], index) =>
          index % 3 === 2
            ? `msgid ${id}${end}msgid_plural ${plural}${end}msgstr[0] ${text}${end}msgstr[1] ${text}${end}`
            : `# note${end}msgid ${id}${end}msgstr ${text}${end}`,
        )
        .join(end),
    ),
  );

describeFormat({
  format: po,
  file: 'de.po',
  fixtures: {
    german,
    'with CRLF': german.replaceAll('\n', '\r\n'),
    'without a header': 'msgid "a|b[0]#1"\nmsgstr "x"\n',
  },
  irregular: {
    'with forms in another order':
      'msgid "%d a"\nmsgid_plural "%d b"\nmsgstr[2] "%d z"\nmsgstr[0] "%d x"\nmsgstr[1] "%d y"\n',
  },
  hostile: ` "q" it's <R&D> \\x a#b x: y %d {z} \u00e9 $v`,
  generated,
  reordered: [
    'msgid "a"\nmsgstr "1 x"\n\nmsgctxt "c"\nmsgid "a"\nmsgstr "2 x"\n',
    'msgctxt "c"\nmsgid "a"\nmsgstr "2 x"\n\nmsgid "a"\nmsgstr "1 x"\n',
  ],
  malformed: [
    ['msgid "a"\nmsgstr "x\n', 2, 8],
    ['msgid "a"\n\nmsgid "b"\nmsgstr ""\n', 1, 1],
    ['msgid "a"\nmsgstr "x"\nnonsense\n', 3, 1],
    ['msgid "a"\nmsgstr ""\n\nmsgid "a"\nmsgstr ""\n', 4, 7],
    ['msgid "a"\nmsgstr[0] "x"\nmsgstr[1] "y"\n', 2, 1],
    ['msgid "a"\nmsgid_plural "b"\nmsgstr "x"\n', 3, 1],
    ['msgid "a"\nmsgstr "x"\nmsgstr "y"\n', 3, 1],
    ['msgid "a"\nmsgid_plural "b"\nmsgstr[0] "x"\nmsgstr[0] "y"\n', 4, 1],
    ['msgid "a"\nmsgid_plural "b"\nmsgid_plural "c"\nmsgstr[0] "x"\n', 3, 14],
  ],
  corpus: { folder: 'po' },
});

const en = parseLanguage('en');
const options = (language: string, role: 'source' | 'target' = 'target') =>
  ({
    file: `${language}.po`,
    sourceLanguage: en,
    language: parseLanguage(language),
    role,
  }) as const;

const pot = `msgid ""
msgstr ""
"Content-Type: text/plain; charset=CHARSET\\n"
"Plural-Forms: nplurals=INTEGER; plural=EXPRESSION;\\n"

#, c-format
msgid "%d file"
msgid_plural "%d files"
msgstr[0] ""
msgstr[1] ""

#. About it
msgid "Hello"
msgstr ""
`;

it.each([
  ['[1] ""', 3, 0],
  ['[999999999999] ""', 3, 0],
  ['[0] ""\nmsgstr[2] ""', 3, 1],
])(
  'a source whose plural forms are %s is refused with its line and the form that it lacks',
  (forms, line, lacking) => {
    const text = `msgid "a"\nmsgid_plural "b"\nmsgstr${forms}\n`;
    expect(() => openFile(Buffer.from(text), po, options('en', 'source'))).toThrow(
      `en.po:${line}:1: the plural forms of this msgid lack msgstr[${lacking}]`,
    );
    expect(() => openFile(Buffer.from(text), po, options('de'))).not.toThrow();
  },
);

const source = openFile(Buffer.from(pot), po, options('en', 'source'));

function write(language: string, target?: string, omitted: readonly string[] = []): string {
  const opened = target === undefined ? undefined : open(target, language);
  const expected = po.expect?.(source.doc, {
    language: parseLanguage(language) ?? (source.encoding as never),
    ...(target === undefined ? {} : { text: target }),
  });
  const placements = new Map(
    (expected ?? []).map(({ id, source: parts = [] }): [string, SegmentPlacement] => [
      id,
      omitted.includes(id)
        ? { kind: 'omit' }
        : { kind: 'write', parts: [...parts, ` ${language}`] },
    ]),
  );
  return compose({
    format: po,
    options: options(language),
    source,
    ...(opened === undefined ? {} : { target: opened }),
    placements,
  }).text;
}

function open(text: string, language: string): OpenFile {
  return openFile(Buffer.from(text), po, options(language));
}

it('a template becomes a file of the language, with its plural forms', () => {
  const polish = gettext.parse(write('pl'));
  expect(polish.headers).toMatchObject({
    Language: 'pl',
    'Content-Type': 'text/plain; charset=UTF-8',
    'Plural-Forms': expect.stringContaining('nplurals=3'),
  });
  expect(polish.translations['']?.['%d file']?.msgstr).toEqual([
    '%d file pl',
    '%d files pl',
    '%d files pl',
  ]);
  const japanese = gettext.parse(write('ja'));
  expect(japanese.translations['']?.['%d file']?.msgstr).toEqual(['%d files ja']);
  const arabic = gettext.parse(write('ar'));
  expect(arabic.translations['']?.['%d file']?.msgstr).toHaveLength(6);
});

it("an existing file's own formula counts its forms", () => {
  const own =
    'msgid ""\nmsgstr "Plural-Forms: nplurals=4; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);\\n"\n';
  const { translations } = gettext.parse(write('ru', own));
  expect(translations['']?.['%d file']?.msgstr).toEqual([
    '%d files ru',
    '%d files ru',
    '%d files ru',
    '%d files ru',
  ]);
});

it('a form for 1 alone has the singular to translate, others the plural with a number of theirs', () => {
  const language = parseLanguage('ru');
  const forms = language && po.expect?.(source.doc, { language });
  expect(forms?.slice(0, 3).map((form) => form.source)).toEqual([
    [{ raw: '%d', sample: '21' }, ' files'],
    [{ raw: '%d', sample: '2' }, ' files'],
    [{ raw: '%d', sample: '5' }, ' files'],
  ]);
  const german = parseLanguage('de');
  expect(german && po.expect?.(source.doc, { language: german })[0]?.source).toEqual([
    { raw: '%d', sample: '1' },
    ' file',
  ]);
});

it('a held entry stays empty, a new one comes with its comments, and missing forms are added', () => {
  const target = `${HEADER}\nmsgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] "%d Datei"\n\n#~ msgid "old"\n#~ msgstr "alt"\n`;
  const written = write('de', target);
  expect(written).toBe(
    `${HEADER}\nmsgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] "%d file de"\nmsgstr[1] "%d files de"\n\n#. About it\nmsgid "Hello"\nmsgstr "Hello de"\n\n#~ msgid "old"\n#~ msgstr "alt"\n`,
  );
  expect(
    gettext.parse(write('de', undefined, ['Hello'])).translations['']?.['Hello']?.msgstr,
  ).toEqual(['']);
});

it('a fuzzy text waits for a translation, and writing it takes the mark and the old msgid away', () => {
  const target = `#, fuzzy, c-format\n#| msgid "Hi"\nmsgid "Hello"\nmsgstr "Hallöchen"\n`;
  expect(open(target, 'de').doc.segments[0]).toMatchObject({ parts: [], state: 'needs-review' });
  expect(write('de', target)).toContain('#, c-format\nmsgid "Hello"\nmsgstr "Hello de"\n');
});

it("a source's own PO gives its texts, not its keys", () => {
  const file = openFile(
    Buffer.from('msgid "greeting"\nmsgstr "Hello there"\n'),
    po,
    options('en', 'source'),
  );
  expect(file.doc.segments[0]?.source).toEqual(['Hello there']);
  const { text } = compose({
    format: po,
    options: options('de'),
    source: file,
    placements: new Map([['greeting', { kind: 'omit' }]]),
  });
  expect(text).toContain('msgid "greeting"\nmsgstr ""\n');
});

it('comments for people are context, flags choose the placeholders', () => {
  expect(open(german, 'de').doc.segments.slice(0, 2)).toMatchObject([
    { context: 'Shown in the title bar', syntax: 'printf' },
    { context: 'menu: A person says', syntax: 'generic', id: 'menu|Open' },
  ]);
  const flagged = (flags: string) =>
    open(`#, ${flags}\nmsgid "a"\nmsgstr ""\n`, 'de').doc.segments[0]?.syntax;
  expect(flagged('fuzzy, sh-format')).toBe('shell');
  expect(flagged('no-c-format')).toBe('markup');
  expect(flagged('no-python-format')).toBe('generic');
});

it('a file in Latin-1 keeps its encoding', () => {
  const bytes = Buffer.from(
    'msgid ""\nmsgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"\n\nmsgid "x"\nmsgstr "B\xe4r"\n',
    'latin1',
  );
  const file = openFile(bytes, po, options('de'));
  expect(file.doc.segments[0]?.parts).toEqual(['Bär']);
  expect(file.encode(file.text)).toEqual(bytes);
});

it('another charset than the bytes were read in is named', () => {
  const bytes = Buffer.from(
    'msgid ""\nmsgstr "Content-Type: text/plain; charset=KOI8-R\\n"\n\nmsgid "x"\nmsgstr "\xc1"\n',
    'latin1',
  );
  expect(() => openFile(bytes, po, options('ru'))).toThrow(/encoding: koi8-r/);
});

it('the only entry gives way to another one without leaving blank lines behind', () => {
  const { text } = compose({
    format: po,
    options: options('de'),
    source: openFile(Buffer.from('msgid "New"\nmsgstr ""\n'), po, options('en', 'source')),
    target: open(`${HEADER}\nmsgid "Old"\nmsgstr "Alt"\n`, 'de'),
    placements: new Map([['New', { kind: 'write', parts: ['Neu'] }]]),
    removed: new Set(['Old']),
  });
  expect(text).toBe(`${HEADER}\nmsgid "New"\nmsgstr "Neu"\n`);
});

it('says when it was changed, with the texts that changed it', () => {
  const at = '2026-03-04T05:06:07.000Z';
  const header = `msgid ""\nmsgstr "Language: de\\n"\n"PO-Revision-Date: YEAR-MO-DA HO:MI+ZONE\\n"\n`;
  const target = open(`${header}\nmsgid "New"\nmsgstr "Alt"\n`, 'de');
  const common = { format: po, options: options('de'), source: target, target, at };
  const written = (placement: SegmentPlacement) =>
    compose({ ...common, placements: new Map([['New', placement]]) }).text;
  expect(written({ kind: 'write', parts: ['Neu'] })).toBe(
    `${header.replace('YEAR-MO-DA HO:MI+ZONE', '2026-03-04 05:06+0000')}\nmsgid "New"\nmsgstr "Neu"\n`,
  );
  expect(written({ kind: 'keep' })).toBe(target.text);
  const first = compose({
    format: po,
    options: options('de'),
    at,
    source: openFile(Buffer.from(target.text), po, options('en', 'source')),
    placements: new Map([['New', { kind: 'write', parts: ['Neu'] }]]),
  });
  expect(first.text).toContain('"PO-Revision-Date: 2026-03-04 05:06+0000\\n"\n');
});

it('a changed msgid_plural comes into the target with the texts that are made from it', async () => {
  const entry = (plural: string, ...texts: string[]) =>
    `msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: nplurals=2; plural=n != 1;\\n"\n\nmsgid "One file"\nmsgid_plural "${plural}"\nmsgstr[0] "${texts[0] ?? ''}"\nmsgstr[1] "${texts[1] ?? ''}"\n`;
  const jobs = await TextJobs.of('{ from: app.pot, to: "{locale}.po" }', {
    'app.pot': entry('%d files'),
    'de.po': entry('%d files', 'Eine Datei', '%d Dateien'),
  });
  await jobs.run('app.pot');
  await jobs.write('app.pot', entry('%d big files'));
  expect(await jobs.run('app.pot')).toMatchObject({ bought: ['%d big files'] });
  expect(await jobs.read('de.po')).toBe(entry('%d big files', 'Eine Datei', '%d bigä filesä'));
  expect(await jobs.run('app.pot')).toMatchObject({ bought: [], isWritten: false });
});

it('reads escaped bytes as the characters of UTF-8 that they are, and writes new texts in the same spelling', () => {
  const bytes = Buffer.from('msgid "caf\\303\\251"\nmsgstr "\\xc3\\xa4 2 \\344"\n');
  const { doc } = openFile(bytes, po, options('de'));
  expect(doc.segments).toMatchObject([{ id: 'café', parts: ['ä 2 \udce4'] }]);
});
