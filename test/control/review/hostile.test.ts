/** Files that claim to come from a translator: whatever is in them, a clear word with their name, and nothing is written. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createZip } from '../../../src/files/zip.ts';
import { execFileSync } from '../../in-time.ts';
import { Rig } from '../../rig.ts';

const CONFIG = `lock: dragoman.lock
projects:
  shop: { source: en, targets: [de], routes: [{ from: "locales/{locale}/*.json" }] }
`;
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
const HEAD = `<row r="1">${cell('A1', 'id')}${cell('B1', 'target')}${cell('C1', 'language')}</row>`;
const sheet = (rows: string) => `<worksheet ${MAIN}><sheetData>${rows}</sheetData></worksheet>`;
const link = (target: string, more = '') =>
  `<Relationships><Relationship Id="r1" Type="worksheet" Target="${target}"${more}/></Relationships>`;
const BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>';

/** A workbook of one sheet. @param parts in place of its own, or beside them */
function book(parts: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const all = {
    'xl/workbook.xml': `<workbook ${MAIN}><sheets><sheet name="a" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': link('worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': sheet(HEAD),
    ...parts,
  };
  return createZip(
    new Map(Object.entries(all).map(([name, text]) => [name, Buffer.from(text as string)])),
  );
}

/** The same bytes with each of these names written as another one of its length. */
function renamed(bytes: Uint8Array, from: string, to: string): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll(from, to), 'latin1');
}

const row = (cells: string) => sheet(`${HEAD}<row r="2">${cells}</row>`);

const FILES: readonly { name: string; file: string; content: string | Uint8Array; says: RegExp }[] =
  [
    {
      name: 'a path out of the container',
      file: 'a.xlsx',
      content: renamed(book({ 'xl/aaaaaaa': 'x' }), 'xl/aaaaaaa', '../../evil'),
      says: /leads out of the container/,
    },
    {
      name: 'an absolute path',
      file: 'a.xlsx',
      content: renamed(book({ 'xl/a': 'x' }), 'xl/a', '/etc'),
      says: /leads out of the container/,
    },
    {
      name: 'a part twice',
      file: 'a.xlsx',
      content: renamed(book({ 'xl/workbooK.xml': 'x' }), 'xl/workbooK.xml', 'xl/Workbook.xml'),
      says: /is in it twice/,
    },
    {
      name: 'a bomb of spaces',
      file: 'a.xlsx',
      content: book({ 'xl/worksheets/sheet1.xml': row(cell('A2', 'x')) + ' '.repeat(20_000_000) }),
      says: /sheet1\.xml would unpack to \d+ bytes/,
    },
    {
      name: 'a bomb of cells',
      file: 'a.xlsx',
      content: book({
        'xl/worksheets/sheet1.xml': sheet(
          `${HEAD}<row>${'<c><v>1</v></c>'.repeat(1_000_000)}</row>`,
        ),
      }),
      says: /sheet1\.xml would unpack to \d+ bytes/,
    },
    {
      name: 'a bomb beyond what is unpacked',
      file: 'a.xlsx',
      content: book({ 'xl/sharedStrings.xml': new Uint8Array(20_000_000) }),
      says: /sharedStrings\.xml would unpack to/,
    },
    {
      name: 'entities in the sheet',
      file: 'a.xlsx',
      content: book({ 'xl/worksheets/sheet1.xml': BOMB + sheet(HEAD) }),
      says: /document type/,
    },
    {
      name: 'entities in UTF-16',
      file: 'a.xlsx',
      content: book({
        'xl/worksheets/sheet1.xml': Buffer.from(`\uFEFF${BOMB}${sheet(HEAD)}`, 'utf16le'),
      }),
      says: /is not expected/,
    },
    {
      name: 'entities in the workbook',
      file: 'a.xlsx',
      content: book({ 'xl/workbook.xml': `${BOMB}<workbook/>` }),
      says: /document type/,
    },
    {
      name: 'an external sheet',
      file: 'a.xlsx',
      content: book({
        'xl/_rels/workbook.xml.rels': link('http://127.0.0.1:9/x', ' TargetMode="External"'),
      }),
      says: /no sheet/,
    },
    {
      name: 'an external sheet that hides it',
      file: 'a.xlsx',
      content: book({ 'xl/_rels/workbook.xml.rels': link('file:///etc/passwd') }),
      says: /it is no workbook/,
    },
    {
      name: 'a sheet outside',
      file: 'a.xlsx',
      content: book({ 'xl/_rels/workbook.xml.rels': link('../../../etc/passwd') }),
      says: /it is no workbook/,
    },
    {
      name: 'a formula',
      file: 'a.xlsx',
      content: book({
        'xl/worksheets/sheet1.xml': row(
          `${cell('A2', 'x')}<c r="B2" t="str"><f>cmd|' /C calc'!A0</f><v>Hallo</v></c>${cell('C2', 'de')}`,
        ),
      }),
      says: /a\.xlsx:2: cell B2 holds a formula/,
    },
    {
      name: 'a shared string that is not there',
      file: 'a.xlsx',
      content: book({
        'xl/worksheets/sheet1.xml': row(`${cell('A2', 'x')}<c r="B2" t="s"><v>7</v></c>`),
      }),
      says: /shared string 7, which is not there/,
    },
    {
      name: 'a row that is no number',
      file: 'a.xlsx',
      content: book({
        'xl/worksheets/sheet1.xml': sheet(
          `${HEAD}<row r="abc">${cell('A2', 'x')}<c r="B2"><f>1</f></c>${cell('C2', 'de')}</row>`,
        ),
      }),
      says: /a\.xlsx:2: /,
    },
    {
      name: 'two columns of one name',
      file: 'a.xlsx',
      content: book({
        'xl/worksheets/sheet1.xml': sheet(
          `<row>${['id', 'target', 'target'].map((n, i) => cell(`${'ABC'[i]}1`, n)).join('')}</row>`,
        ),
      }),
      says: /names "target" twice/,
    },
    {
      name: 'elements in elements',
      file: 'a.xlsx',
      content: book({ 'xl/worksheets/sheet1.xml': '<a>'.repeat(200_000) }),
      says: /not closed/,
    },
    { name: 'no zip', file: 'a.xlsx', content: 'PK\u0003\u0004 nothing', says: /ZIP/ },
    { name: 'an empty file', file: 'a.xlsx', content: '', says: /no file of translators/ },
    {
      name: 'an open quote',
      file: 'a.csv',
      content: 'id,target\nx,"open',
      says: /the quoted field has no end/,
    },
    {
      name: 'what is no text',
      file: 'a.csv',
      content: new Uint8Array([105, 100, 0, 255, 254, 0, 1]),
      says: /NUL character/,
    },
    {
      name: 'two columns of one name in CSV',
      file: 'a.csv',
      content: 'id,target,target\nx,y,z\n',
      says: /names "target" twice/,
    },
    {
      name: 'elements in elements in XLIFF',
      file: 'a.xlf',
      content: `<xliff version="1.2">${'<g>'.repeat(200_000)}`,
      says: /not closed/,
    },
    {
      name: 'a PO that ends in a string',
      file: 'a.po',
      content: 'msgid "a\nmsgstr',
      says: /the string has no end/,
    },
  ];

let rig: Rig;
const german = () => rig.read('locales/de/app.json') + rig.read('dragoman.lock/shop/de');
beforeAll(async () => {
  rig = await Rig.start({ config: CONFIG, files: { 'locales/en/app.json': '{"a": "Hello you"}' } });
  await rig.once();
});
afterAll(() => rig?.[Symbol.asyncDispose]());

test.each(FILES)(
  '$name is refused by name, and nothing is written',
  async ({ file, content, says }) => {
    const before = german();
    writeFileSync(join(rig.root, file), content);
    const { code, stdout, stderr } = await rig.run('review', 'import', file, '--language', 'de');
    expect(code).toBe(1);
    expect(stdout + stderr).toContain(file);
    expect(stdout + stderr).toMatch(says);
    expect(stdout + stderr).not.toMatch(/ at .*\.ts:|NaN|undefined/);
    expect(german()).toBe(before);
  },
);

test('a path that is no file is named, and no jobs are mentioned', async () => {
  execFileSync('/usr/bin/mkfifo', [join(rig.root, 'pipe.xlsx')]);
  for (const name of ['pipe.xlsx', 'locales', 'none.csv']) {
    const { code, stdout, stderr } = await rig.run('review', 'import', name, '--language', 'de');
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`${name} cannot be read .*\nNothing was imported`));
    expect(stdout + stderr).not.toContain('retry');
  }
});

test('an undeclared entity is read as the letters of the file, and a formula of CSV stays a text', async () => {
  const exported = await rig.run(
    'review',
    'export',
    '--only',
    'done',
    '--language',
    'de',
    '-o',
    'own.csv',
  );
  expect(exported.code).toBe(0);
  const csv = rig.read('own.csv');
  const own = rig.json('locales/de/app.json')['a'] as string;
  writeFileSync(join(rig.root, 'back.csv'), csv.replace(own, "=cmd|'/C calc'!A0 &evil;"));
  const back = await rig.run('review', 'import', 'back.csv');
  expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining('1 text written') });
  expect(rig.json('locales/de/app.json')['a']).toBe("=cmd|'/C calc'!A0 &evil;");
  await rig.run('review', 'export', '--only', 'done', '--language', 'de', '-o', 'again.csv');
  expect(rig.read('again.csv')).toContain(",'=cmd|'/C calc'!A0 &evil;,");
});
