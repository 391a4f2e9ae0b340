/** Files for translators: they are read back, open in other programs, and survive changes by tools. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JobFailure } from '../../../src/failure.ts';
import { createZip, openZip, unpackEntry } from '../../../src/files/zip.ts';
import { EXCHANGE_FORMATS, recognise } from '../../../src/formats/exchange/all.ts';
import {
  EXCHANGE_NAMES,
  type ExchangeDocument,
  type ExchangeFormatName,
  type ExchangeUnit,
} from '../../../src/formats/exchange/exchange.ts';
import type { LanguageTag } from '../../../src/language.ts';
import { REVIEW_STATES } from '../../../src/segments/review.ts';
import { targetHash } from '../../../src/segments/statements.ts';
import { execFileSync } from '../../in-time.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { xliffFaults } from './xliff-schema.ts';

const NASTY = 'He said: "5 < 6 & 7"\n=SUM(A1)\t{name} <b>bold</b> %s \\n {name} ’–😀 ]]> _x000D_';

function unit(id: string, more: Partial<ExchangeUnit> = {}): ExchangeUnit {
  return {
    ...{ id, key: 'nav.home', source: 'Hello {name}', target: 'Hallo {name}', was: 'abc123' },
    ...{ state: 'unreviewed', notes: ['a button'], codes: ['{name}'], ...more },
  };
}

const UNITS: readonly ExchangeUnit[] = [
  ...REVIEW_STATES.map((state, index) =>
    unit(`aaaaa${index}.bbbbbbbb.1`, { state, target: state === 'missing' ? '' : 'Hallo {name}' }),
  ),
  unit('-_aaaa.--bbbbbb.2', {
    ...{ source: NASTY, target: `=${NASTY}`, key: '@key "<&>', maxLength: 200 },
    ...{ codes: ['{name}', '<b>', '</b>', '%s', '{name}'], previousSource: `old ${NASTY}` },
    notes: ['two\nlines', '+1 "quoted"'],
  }),
  unit('quote_.aaaaaaaa.1', { target: "'=not a formula", source: "''+x" }),
];

const document = (units: readonly ExchangeUnit[] = UNITS): ExchangeDocument => ({
  sourceLanguage: 'en',
  language: 'pt-BR' as LanguageTag,
  files: [
    { project: 'app', path: 'locales/en & co.json', units: units.slice(0, 5) },
    { project: 'docs', path: 'docs/en.md', units: units.slice(5) },
  ],
});

const read = (name: ExchangeFormatName, bytes: Uint8Array) => {
  const format = EXCHANGE_FORMATS[name];
  return format.read(bytes, `back.${format.extension}`);
};

test.each(EXCHANGE_NAMES)(
  '%s gives back the texts that it was given, and is known by its content',
  (name) => {
    const bytes = EXCHANGE_FORMATS[name].write(document());
    const { rows, refused, languages } = read(name, bytes);
    expect(refused).toEqual([]);
    expect(languages).toEqual([name === 'po' ? 'pt_BR' : 'pt-BR']);
    expect(
      rows.map(({ id, source, target, was, path, project }) => ({
        id,
        source,
        target,
        was,
        path,
        project,
      })),
    ).toEqual(
      document().files.flatMap(({ units, path, project }) =>
        units.map(({ id, source, target, was }) => ({ id, source, target, was, path, project })),
      ),
    );
    const finals = rows.filter(({ word }) => word === 'final').map(({ id }) => id);
    expect(finals).toEqual(UNITS.filter(({ state }) => state === 'reviewed').map(({ id }) => id));
    const file = `x.${EXCHANGE_FORMATS[name].extension}`;
    expect(recognise(bytes, file)?.name).toBe(name);
  },
);

test.each(['xliff', 'xliff2'] as const)('%s is found behind a value with a ">"', (name) => {
  const text = Buffer.from(EXCHANGE_FORMATS[name].write(document())).toString('utf8');
  const bytes = Buffer.from(text.replace('<xliff', `<xliff note="a > b, version='9'"`));
  expect(recognise(bytes, 'x.xlf')?.name).toBe(name);
});

test.each(['xliff', 'xliff2'] as const)(
  '%s gives the language that a tool wrote at one translation: a file in two languages is refused',
  (name) => {
    const text = Buffer.from(EXCHANGE_FORMATS[name].write(document())).toString('utf8');
    const other = text.replace('<target', '<target xml:lang="fr"');
    expect(read(name, Buffer.from(other)).languages).toEqual(['pt-BR', 'fr']);
    const same = text.replaceAll('<target', '<target xml:lang="pt-BR"');
    expect(read(name, Buffer.from(same)).languages).toEqual(['pt-BR']);
  },
);

/** Any string of JavaScript: half characters, what XML has no place for, and what the files themselves are made of. */
const TEXT = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['\0', '\x01', '\x1b', '\x7f', '\x85', '\u2028', '\uFEFF', '\uFFFE', '\uFFFF', '\uD800'],
        ...[
          '\uDC00',
          '😀',
          '\r',
          '\n',
          '\t',
          ' ',
          '"',
          "'",
          '=',
          ',',
          ';',
          '\\',
          '_x0041_',
          '_xD800_',
        ],
        ...['{x}', '<b>', ']]>', '&amp;', '#~', '1', 'a', '\u{1FFFE}'],
      ),
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(''));

test.each(EXCHANGE_NAMES)(
  '%s gives back every string that it does not report as impossible, whatever is beside it',
  (name) => {
    const format = EXCHANGE_FORMATS[name];
    fc.assert(
      fc.property(TEXT, TEXT, TEXT, (source, target, told) => {
        const given = unit('aaaaaa.bbbbbbbb.1', {
          source: `a${source}`,
          target,
          codes: ['{x}', '<b>'],
          key: told,
          notes: [told],
          previousSource: told,
        });
        if (format.lacks?.(given) !== undefined) return;
        const { rows, refused } = read(name, format.write(document([given])));
        expect(refused).toEqual([]);
        expect(rows).toHaveLength(1);
        expect(rows[0]?.source).toBe(given.source);
        expect(rows[0]?.target).toBe(given.target);
      }),
      { numRuns: 300 },
    );
  },
);

test.each(['xliff', 'xliff2'] as const)('%s is what the schema of XLIFF allows', (name) => {
  const text = Buffer.from(EXCHANGE_FORMATS[name].write(document())).toString();
  expect(xliffFaults(text)).toEqual([]);
  // The check itself sees faults.
  expect(
    xliffFaults(text.replace('<source', '<x-source').replace('</source', '</x-source')),
  ).not.toEqual([]);
});

test('PO passes the checks of gettext', async ({ skip }) => {
  const folder = await temporaryFolder();
  const file = join(folder, 'de.po');
  // gettext wants equal line ends on both sides: these texts have none.
  await writeFile(file, EXCHANGE_FORMATS.po.write(document(UNITS.slice(0, 7))));
  const made = join(folder, 'de.mo');
  try {
    execFileSync('msgfmt', ['-c', '-o', made, file], { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    skip((error as NodeJS.ErrnoException).code === 'ENOENT', 'gettext is not installed');
    throw error;
  }
  expect(existsSync(made)).toBe(true);
});

test('XLIFF that a tool rewrote, with prefixes, other quotes, marks and another order, is read the same', () => {
  const { rows } = read(
    'xliff',
    Buffer.from(`\uFEFF<?xml version='1.0'?>
<x:xliff xmlns:x='urn:oasis:names:tc:xliff:document:1.2' version='1.2' xmlns:t='urn:tool'>
<x:file target-language='de' source-language='en' datatype='plaintext' original='a.json'><x:header><x:tool tool-id='t' tool-name='T'/></x:header>
<x:body><x:group><x:trans-unit id='u1.bbbbbbbb.1' approved='yes' t:score='9'>
<x:source>Hi <x:ph id='1'>{name}</x:ph>!</x:source><x:seg-source><x:mrk mtype='seg' mid='1'>Hi {name}!</x:mrk></x:seg-source>
<x:target state='translated'><x:mrk mtype='seg' mid='1'>Na, <x:ph id='1'/>!</x:mrk></x:target>
<x:alt-trans><x:target>Nein</x:target></x:alt-trans><x:note from='dragoman-target'>abc123</x:note></x:trans-unit></x:group>
<x:trans-unit id='u2'><x:source>a</x:source><x:target><![CDATA[a & b]]> &#x41;</x:target></x:trans-unit>
<x:trans-unit id='u3'><x:source>a</x:source><x:target>lost <x:ph id='7'/></x:target></x:trans-unit>
<x:trans-unit id='u4'><x:source>a</x:source></x:trans-unit></x:body></x:file></x:xliff>`),
  );
  expect(rows).toMatchObject([
    {
      id: 'u1.bbbbbbbb.1',
      source: 'Hi {name}!',
      target: 'Na, {name}!',
      word: 'final',
      was: 'abc123',
    },
    { id: 'u2', target: 'a & b A', word: 'open' },
    { id: 'u4', target: '' },
  ]);
});

test('letters that gettext wrote as the escapes of their bytes are these letters, and a backslash is one', () => {
  const po = (text: string, charset = 'UTF-8') =>
    Buffer.from(
      `msgid ""\nmsgstr "Content-Type: text/plain; charset=${charset}\\n"\n\nmsgid "a"\nmsgstr "${text}"\n\n`,
    );
  const target = (bytes: Buffer) => read('po', bytes).rows.at(-1)?.target;
  expect(target(po('Gr\\303\\266\\303\\237e \\xf0\\x9f\\x8e\\x89'))).toBe('Größe 🎉');
  expect(target(po('Gr\\366\\337e', 'ISO-8859-1'))).toBe('Größe');
  expect(target(po('a \\\\303\\\\266'))).toBe('a \\303\\266');
});

test.each(['xliff', 'xliff2'] as const)(
  '%s with the line ends of Windows is read the same',
  (name) => {
    const units = ['One\r\ntwo', 'One\ntwo'].map((text, nth) => ({
      ...(UNITS[0] as (typeof UNITS)[number]),
      ...{ id: `u${nth}`, source: text, target: text, codes: [] },
    }));
    const written = Buffer.from(EXCHANGE_FORMATS[name].write(document(units))).toString();
    const { rows } = read(name, Buffer.from(written.replaceAll('\n', '\r\n')));
    expect(rows.map(({ target }) => target)).toEqual(['One\r\ntwo', 'One\ntwo']);
  },
);

test('a code that stands for nothing refuses its row with the line, and the rest goes in', () => {
  const text = Buffer.from(EXCHANGE_FORMATS.xliff.write(document())).toString();
  const broken = text.replace(
    '<target state="translated">Hallo <ph id="1">{name}</ph>',
    '<target state="translated">Hallo <x id="9"/>',
  );
  const { rows, refused } = read('xliff', Buffer.from(broken));
  expect(rows).toHaveLength(UNITS.length - 1);
  expect(refused).toEqual([
    { line: expect.any(Number), message: '<x id="9"/> stands for no placeholder of the source' },
  ]);
});

test('segments that a tool cut are joined again', () => {
  const { rows } = read(
    'xliff2',
    Buffer.from(`<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en" trgLang="de"><file id="f1"><unit id="u">
<originalData><data id="d1">%s</data></originalData>
<segment id="1" state="reviewed"><source>One <ph id="1" dataRef="d1"/>.</source><target>Eins <ph id="1" dataRef="d1"/>.</target></segment>
<ignorable><source> </source></ignorable><segment id="2" state="final"><source>Two.</source><target>Zwei.</target></segment></unit></file></xliff>`),
  );
  expect(rows).toMatchObject([{ source: 'One %s. Two.', target: 'Eins %s. Zwei.', word: 'final' }]);
});

test('segments whose translations have another order are joined in that order, and contradicting orders are refused', () => {
  const file = (...orders: readonly string[]) => {
    const [first, second] = orders;
    return Buffer.from(`<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en" trgLang="de"><file id="f"><unit id="u">
<segment state="translated"><source>One.</source><target${first}>Eins.</target></segment><ignorable><source> </source></ignorable>
<segment state="translated"><source>Two.</source><target${second}>Zwei.</target></segment></unit></file></xliff>`);
  };
  const targets = (...orders: readonly string[]) =>
    read('xliff2', file(...orders)).rows.map(({ target }) => target);
  expect(targets('', '')).toEqual(['Eins. Zwei.']);
  expect(targets(' order="3"', ' order="1"')).toEqual(['Zwei. Eins.']);
  for (const wrong of ['3', '0', 'x', '1.5']) {
    const { rows, refused } = read('xliff2', file(` order="${wrong}"`, ''));
    expect(rows).toEqual([]);
    expect(refused).toMatchObject([{ message: expect.stringContaining('orders of its targets') }]);
  }
});

test.each(['xliff', 'xliff2', 'xlsx'] as const)(
  '%s in ASCII alone, with numbers for all other characters, is read the same',
  (name) => {
    const parts = (text: string) =>
      text.replace(/[^\n -~]/gu, (sign) => `&#x${sign.codePointAt(0)?.toString(16)};`);
    const bytes = EXCHANGE_FORMATS[name].write(document());
    const ascii = name === 'xlsx' ? repacked(bytes, parts) : parts(Buffer.from(bytes).toString());
    expect(read(name, Buffer.from(ascii)).rows).toEqual(read(name, bytes).rows);
  },
);

/** The workbook with other texts of its sheet. */
function repacked(bytes: Uint8Array, change: (xml: string) => string): Uint8Array {
  const zip = openZip(bytes, 'a.xlsx');
  const entries = zip.entries.map((entry) => {
    const content = Buffer.from(unpackEntry(zip, entry));
    const isSheet = entry.name.startsWith('xl/worksheets/');
    return [entry.name, isSheet ? Buffer.from(change(content.toString())) : content] as const;
  });
  return createZip(new Map(entries));
}

test('XLIFF in the encoding that its first line names is read, and what is character data stays as it is written', () => {
  const xliff = `<?xml version='1.0' encoding='windows-1252'?>
<xliff version='1.2' xmlns='urn:oasis:names:tc:xliff:document:1.2'><file target-language='de'><body><trans-unit id='u'>
<source>a</source><target>F\u00fcr 5\u0080 <![CDATA[&#128512;]]></target></trans-unit></body></file></xliff>`;
  const { rows } = read('xliff', Buffer.from(xliff, 'latin1'));
  expect(rows).toMatchObject([{ target: 'Für 5€ &#128512;' }]);
});

test('files with a document type are refused, whatever it names', () => {
  const bomb = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>';
  for (const name of ['xliff', 'xliff2'] as const) {
    const text = Buffer.from(EXCHANGE_FORMATS[name].write(document())).toString();
    expect(() => read(name, Buffer.from(text.replace('?>', `?>${bomb}`)))).toThrow('document type');
  }
});

test('tables are read by the names of their columns, with semicolons, and without the hash', () => {
  const csv = 'target;comment;id;state\r\n"Hallo; du";x;u1;Reviewed\r\n;;u2;\r\n';
  expect(read('csv', Buffer.from(csv)).rows).toEqual([
    { id: 'u1', target: 'Hallo; du', word: 'final', line: 2 },
    { id: 'u2', target: '', word: 'open', line: 3 },
  ]);
  expect(() => read('csv', Buffer.from('a,b\n1,2\n'))).toThrow('names no column "id"');
});

test.each([
  ['sep=;', 'sep=;\r\n'],
  ['a title', 'Job 17, to be sent back on Monday\r\n\r\n'],
  ['an empty row', ';;\r\n'],
])('a table is read behind %s, and an error of a spreadsheet is no translation', (_, before) => {
  const table = 'id;source;target\r\na;One;Eins\r\nb;Two;#NAME?\r\nc;#REF!;#REF!\r\n';
  const { rows, refused } = read('csv', Buffer.from(before + table));
  expect(rows.map(({ target }) => target)).toEqual(['Eins', '#REF!']);
  expect(refused).toMatchObject([{ message: expect.stringContaining('#NAME?') }]);
});

test('a sheet that Excel saved is read: shared strings, runs, gaps and formulas', () => {
  const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>
<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>
<row r="2"><c r="A2" t="s"><v>2</v></c><c r="C2" t="s"><v>3</v></c></row>
<row r="4"><c r="A4" t="inlineStr"><is><t>u2</t></is></c><c r="C4" t="str"><f>A1</f><v>id</v></c></row>
<row r="5"><c r="A5" t="s"><v>2</v></c><c r="C5"><v>7</v></c></row>
<row r="6"><c r="A6" t="s"><v>2</v></c><c r="C6" t="b"><v>1</v></c></row></sheetData></worksheet>`;
  const strings = `<sst xmlns="x"><si><t>id</t></si><si><t>target</t></si><si><t>u1</t></si><si><r><t xml:space="preserve">Hal </t></r><r><rPr><b/></rPr><t>lo_x000D_</t></r><rPh sb="0" eb="1"><t>no</t></rPh></si></sst>`;
  const book =
    '<workbook xmlns:r="r"><sheets><sheet name="a" sheetId="1" r:id="rId9"/></sheets></workbook>';
  const links =
    '<Relationships><Relationship Id="rId9" Type="t" Target="/xl/worksheets/s.xml"/></Relationships>';
  const zip = createZip(
    new Map(
      Object.entries({
        'xl/workbook.xml': book,
        'xl/_rels/workbook.xml.rels': links,
        'xl/sharedStrings.xml': strings,
        'xl/worksheets/s.xml': sheet,
      }).map(([name, text]) => [name, Buffer.from(text)]),
    ),
  );
  const { rows, refused } = read('xlsx', zip);
  expect(rows).toMatchObject([
    { id: 'u1', target: 'Hal lo\r', line: 2 },
    { id: 'u1', target: '7', line: 5 },
  ]);
  expect(refused).toMatchObject([
    { line: 4, message: expect.stringContaining('cell C4 holds a formula') },
    { line: 6, message: expect.stringContaining('cell C6 holds a truth value') },
  ]);
});

test.each([
  ['commas', ','.repeat(4_100_000)],
  ['lines', '\n'.repeat(4_100_000)],
])(
  'a table of nothing but %s is refused before it fills the memory, with what to do',
  (_, nothing) => {
    const bytes = Buffer.from(`id,target\nu1,Hallo\n${nothing}\n`);
    expect(() => read('csv', bytes)).toThrow(/more than 4,000,000 cells: delete empty rows/);
  },
);

test('a sheet whose rows reach far to the right is refused likewise, and cells without a text count for none', () => {
  const row = (nth: number, far: string) => `<row r="${nth}">${far}</row>`;
  const sheetOf = (far: string) =>
    `<worksheet><sheetData>${row(1, '<c r="A1" t="inlineStr"><is><t>id</t></is></c><c r="B1" t="inlineStr"><is><t>target</t></is></c>')}${Array.from({ length: 4500 }, (_, nth) => row(nth + 2, far)).join('')}</sheetData></worksheet>`;
  const bookOf = (sheet: string) =>
    createZip(
      new Map(
        Object.entries({
          'xl/workbook.xml':
            '<workbook xmlns:r="r"><sheets><sheet name="s" sheetId="1" r:id="r1"/></sheets></workbook>',
          'xl/_rels/workbook.xml.rels':
            '<Relationships><Relationship Id="r1" Target="worksheets/s.xml"/></Relationships>',
          'xl/worksheets/s.xml': sheet,
        }).map(([name, text]) => [name, Buffer.from(text)]),
      ),
    );
  expect(() => read('xlsx', bookOf(sheetOf('<c r="ALL2"><v>1</v></c>')))).toThrow(
    /more than 4,000,000 cells/,
  );
  expect(read('xlsx', bookOf(sheetOf('<c r="XFD2" s="1"/><c r="ALK2" s="1"/>')))).toMatchObject({
    rows: [],
    refused: [],
  });
});

/** Each target is long, and on several lines where a format has lines. */
const LONG = Array.from({ length: 5 }, (_, nth) =>
  unit(`aaaaa${nth % 10}.bbbbbbbb.${nth + 1}`, {
    source: 'The quick brown fox jumps over the lazy dog. '.repeat(4 + (nth % 3)).trim(),
    target: nth % 2 ? 'Größe – „Übermut“ 😀, '.repeat(9).concat('Ende.') : NASTY.repeat(2),
  }),
);

function isWhole(name: ExchangeFormatName, bytes: Uint8Array, texts: Set<string>): boolean {
  let back: ReturnType<typeof read>;
  try {
    back = read(name, bytes);
  } catch (error) {
    return error instanceof JobFailure && error.failure.kind === 'malformed';
  }
  return back.rows.every(({ id, target }) => target === '' || texts.has(`${id} ${target}`));
}

/** All ends at which a cut file gives a text that the whole one does not have. */
function tornAt(name: ExchangeFormatName, whole: Uint8Array): number[] {
  const texts = new Set(read(name, whole).rows.map(({ id, target }) => `${id} ${target}`));
  const ends = Array.from({ length: whole.length }, (_, end) => end);
  return ends.filter((end) => !isWhole(name, whole.subarray(0, end), texts));
}

test.each(EXCHANGE_NAMES)(
  '%s that is cut at any byte is refused, or gives whole texts only',
  (name) => {
    const units = name === 'xlsx' ? UNITS : LONG.slice(0, 4);
    expect(tornAt(name, EXCHANGE_FORMATS[name].write(document(units)))).toEqual([]);
  },
);

test('PO whose texts gettext wrapped is refused likewise where it is cut', ({ skip }) => {
  if (!existsSync('/usr/bin/msgcat')) return skip('gettext is not installed');
  const input = EXCHANGE_FORMATS.po.write(document(LONG));
  const whole = execFileSync('msgcat', ['--no-location', '-'], { input });
  expect(tornAt('po', whole)).toEqual([]);
  // The end that the export writes survives gettext.
  expect(read('po', whole).refused).toEqual([]);
  const endless = whole.subarray(0, whole.indexOf('#~'));
  const wrapped = execFileSync('msgcat', ['--no-location', '-'], { input: endless });
  expect(tornAt('po', wrapped)).toEqual([]);
  expect(read('po', wrapped).refused.length).toBeLessThan(2);
  const marked = read('po', Buffer.concat([whole, Buffer.from('\n')]));
  expect(marked.refused).toEqual([]);
  expect(marked.rows).toHaveLength(LONG.length);
});

test('a table in which the translation is the last column ends with a line end, or its last row is refused', () => {
  const table = Buffer.from('id,target\na,Größe eins\nb,"Größe, ""zwei"""\n');
  expect(tornAt('csv', table)).toEqual([]);
  expect(tornAt('csv', Buffer.from('target,id\nEins,aaaaaa.bbbbbbbb.12\n'))).toEqual([]);
  const { rows, refused } = read('csv', table.subarray(0, -1));
  expect(rows).toHaveLength(1);
  expect(refused).toMatchObject([
    { line: 3, message: expect.stringContaining('add an empty line at its end') },
  ]);
});

const MOVED = (cells: readonly string[]) => [...cells.slice(0, 6), ...cells.slice(7), cells[6]];

/** A table as a spreadsheet on the web saves it: without a line end after the last row. */
function fromTheWeb(target: string, order: (cells: readonly string[]) => readonly unknown[]) {
  const sent = [unit('aaaaaa.bbbbbbbb.1', { target: 'Hallo', was: targetHash('Hallo') })];
  const [head = '', row = ''] = Buffer.from(EXCHANGE_FORMATS.csv.write(document(sent)))
    .toString('utf8')
    .slice(1)
    .split('\r\n');
  const cells = row.split(',').map((cell) => (cell === 'Hallo' ? target : cell));
  return Buffer.from([order(head.split(',')), order(cells)].join('\n'));
}

test('a table that a spreadsheet on the web saved without a last line end is whole', () => {
  const same = (cells: readonly string[]) => cells;
  for (const bytes of [fromTheWeb('Servus', same), fromTheWeb('Hallo', MOVED)]) {
    expect(read('csv', bytes)).toMatchObject({ refused: [], rows: [{ id: 'aaaaaa.bbbbbbbb.1' }] });
  }
  // A person may have added words behind "Hallo" that are cut: the row approves nothing.
  expect(read('csv', fromTheWeb('Hallo', MOVED)).rows).toMatchObject([{ mayBeCut: true }]);
  expect(read('csv', fromTheWeb('Hallo', same)).rows[0]).not.toHaveProperty('mayBeCut');
  // Here nobody can tell whether the text is whole: the person can, and moves the column back.
  expect(read('csv', fromTheWeb('Servus', MOVED)).refused).toHaveLength(1);
});

test.each(['xliff', 'po'] as const)(
  'approvals of %s survive the Translate Toolkit: an entry without "fuzzy" is approved only where something was asked',
  (name) => {
    const states = ['done', 'unreviewed', 'reviewed'] as const;
    const units = states.map((state, index) => unit(`aaaaa${index}.bbbbbbbb.1_cccccc`, { state }));
    const text = Buffer.from(EXCHANGE_FORMATS[name].write(document(units))).toString();
    const words = (back: string, from: ExchangeFormatName) =>
      read(from, Buffer.from(back)).rows.map(({ id, word }) => `${id[5]} ${word}`);
    const head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n';
    if (name === 'xliff') {
      // As xliff2po writes it: the id as a reference, notes of developers, and "fuzzy" without an approval.
      const entry = (index: number, approved: string, flag: string) =>
        `\n#. approved: ${approved}\n#: aaaaa${index}.bbbbbbbb.1_cccccc\n${flag}msgid "${index}"\nmsgstr "x"\n`;
      expect(text).toContain('<note from="dragoman-developer">approved: no</note>');
      const back = [entry(0, 'no', '#, fuzzy\n'), entry(1, 'no', ''), entry(2, 'yes', '')];
      expect(words(head + back.join(''), 'po')).toEqual(['0 open', '1 final', '2 final']);
      return;
    }
    // As po2xliff writes it: comments in a group, and an approval where an entry is not fuzzy.
    const made = (index: number, state: string, approved: string) =>
      `<trans-unit id="${index}" approved="${approved}"><source>s</source><target>x</target><context-group><context context-type="x-po-autocomment">state: ${state}</context></context-group><context-group name="po-reference"><context context-type="sourcefile">aaaaa${index}.bbbbbbbb.1_cccccc</context></context-group></trans-unit>`;
    const xliff = (body: string) =>
      `<xliff version="1.1"><file original="x.po" source-language="en-US" datatype="plaintext"><body><trans-unit id="h" restype="x-gettext-domain-header"><source>a</source><target>Language: de</target></trans-unit>${body}<trans-unit id="e"><source>end of this file</source><target>end of this file</target></trans-unit></body></file></xliff>`;
    const back = xliff(
      made(0, 'done', 'yes') + made(1, 'unreviewed', 'yes') + made(2, 'reviewed', 'yes'),
    );
    expect(words(back, 'xliff')).toEqual(['0 open', '1 final', '2 final']);
    expect(read('xliff', Buffer.from(back)).languages).toEqual(['de']);
    expect(words(xliff(made(1, 'unreviewed', 'no')), 'xliff')).toEqual(['1 open']);
  },
);

test('a CSV row in which a text without quotes contains the delimiter is refused, and a column that somebody added is named', () => {
  const csv = (sign: string, target: string) =>
    Buffer.from(`id${sign}target\na${sign}${target}\nb${sign}Zwei${sign}\n`);
  for (const sign of [',', ';', '\t']) {
    const { rows, refused } = read('csv', csv(sign, `Hallo${sign} du`));
    expect(rows.map(({ target }) => target)).toEqual(['Zwei']);
    expect(refused).toMatchObject([{ line: 2, message: expect.stringContaining('write quotes') }]);
    expect(read('csv', csv(sign, `"Hallo${sign} du"`))).toMatchObject({ refused: [], notes: [] });
  }
  const added = read('csv', Buffer.from('id,target,Deutsch,\na,Eins,Zwei,\n'));
  expect(added).toMatchObject({
    rows: [{ target: 'Eins' }],
    notes: [{ line: 1, message: expect.stringContaining('the column "Deutsch" has texts') }],
  });
});

test('a text of which a tool translated only some segments names the first empty one', () => {
  const old = (target: string) =>
    Buffer.from(`<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file target-language="de"><body><trans-unit id="u">
<source>One. Two.</source><seg-source><mrk mtype="seg" mid="0">One.</mrk> <g id="1"><mrk mtype="seg" mid="1">Two.</mrk></g></seg-source>
<target state="translated">${target}</target></trans-unit></body></file></xliff>`);
  const mark = (mid: number, words: string) => `<mrk mtype="seg" mid="${mid}">${words}</mrk>`;
  const emptyIn = (name: 'xliff' | 'xliff2', bytes: Uint8Array) => {
    const { rows, refused } = read(name, bytes);
    expect([rows.length, refused]).toEqual([1, []]);
    return rows[0]?.emptySegment;
  };
  const second = { nth: 2, of: 2 };
  const whole = `${mark(0, 'Eins.')} <g id="1">${mark(1, 'Zwei.')}</g>`;
  expect(read('xliff', old(whole)).rows).toMatchObject([{ target: 'Eins. Zwei.' }]);
  expect(emptyIn('xliff', old(whole))).toBeUndefined();
  for (const half of [mark(0, 'Eins.'), `${mark(0, 'Eins.')} ${mark(1, '')}`])
    expect(emptyIn('xliff', old(half))).toEqual(second);
  for (const none of [`${mark(0, '')} ${mark(1, '')}`, 'Eins. Zwei.', ''])
    expect(emptyIn('xliff', old(none))).toBeUndefined();

  const young = (target: string) =>
    Buffer.from(`<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en" trgLang="de"><file id="f1"><unit id="u">
<segment state="translated"><source>One.</source><target>Eins.</target></segment>
<segment state="translated"><source>Two.</source>${target}</segment></unit></file></xliff>`);
  for (const half of ['', '<target/>', '<target> </target>'])
    expect(emptyIn('xliff2', young(half))).toEqual(second);
  expect(emptyIn('xliff2', young('<target>Zwei.</target>'))).toBeUndefined();
});

test('a segment of XLIFF 2 whose tool left out its state is read by its text, as in XLIFF 1.2', () => {
  const words = ['', ' state="initial"'].map((state) => {
    const file = `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en" trgLang="de"><file id="f"><unit id="u">
<segment${state}><source>One.</source><target>Eins.</target></segment></unit></file></xliff>`;
    return read('xliff2', Buffer.from(file)).rows[0]?.word;
  });
  expect(words).toEqual(['open', 'new']);
});
