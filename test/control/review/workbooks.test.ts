/** Workbooks that come back with other sheets, columns and cells than the export wrote: each text goes in, or its place is named. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createZip, openZip, unpackEntry } from '../../../src/files/zip.ts';
import { type Checkout, Team } from '../../team.ts';

const EN = 'locales/en.json';
const DE = 'locales/de.json';
const PROJECT = `defaults: { settle_ms: 0, review: { want: [machine] } }
projects:
  app: { source: en, targets: [de], routes: [{ from: "locales/{locale}.json" }] }`;
const TEXTS = { hello: 'Hello {name}', bye: 'Goodbye', save: 'Save all files' };

interface Exported {
  readonly first: Checkout;
  readonly head: string;
  /** The row of each key. */
  readonly rows: Readonly<Record<keyof typeof TEXTS, string>>;
  /** Imports the exported workbook with these sheets in place of its own. */
  send(sheets: Readonly<Record<string, string>>): ReturnType<Checkout['run']>;
}

async function exported(): Promise<Exported> {
  const { first } = await Team.start(PROJECT, { [EN]: `${JSON.stringify(TEXTS, null, 2)}\n` });
  await first.run('once');
  await first.run('review', 'export', '-o', 'de.xlsx');
  const zip = openZip(await readFile(join(first.root, 'de.xlsx')), 'de.xlsx');
  const parts = new Map(
    zip.entries.map((entry) => [entry.name, Buffer.from(unpackEntry(zip, entry)).toString()]),
  );
  const sheet = parts.get('xl/worksheets/sheet1.xml') ?? '';
  const [head = '', hello = '', bye = '', save = ''] = sheet.match(/<row .*?<\/row>/g) ?? [];
  const send = async (sheets: Readonly<Record<string, string>>) => {
    const all = Object.entries(sheets);
    const put = (name: string, change: (text: string) => string) =>
      parts.set(name, change(parts.get(name) ?? ''));
    const names = all.map(
      ([name], at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="s${at}"/>`,
    );
    put('xl/workbook.xml', (text) => text.replace(/<sheet .*\/>/, names.join('')));
    const links = all.map((_, at) => `<Relationship Id="s${at}" Target="worksheets/s${at}.xml"/>`);
    put('xl/_rels/workbook.xml.rels', (text) =>
      text.replace('</Relationships>', `${links.join('')}</Relationships>`),
    );
    for (const [at, [, content]] of all.entries())
      put(`xl/worksheets/s${at}.xml`, () =>
        sheet.replace(/<sheetData>.*/s, () => `${content}</worksheet>`),
      );
    const bytes = [...parts].map(([name, text]) => [name, Buffer.from(text)] as const);
    await first.writeBytes('de.xlsx', createZip(new Map(bytes)));
    return await first.run('review', 'import', 'de.xlsx');
  };
  return { first, head, rows: { hello, bye, save }, send };
}

const data = (...rows: readonly string[]) => `<sheetData>${rows.join('')}</sheetData>`;

/** The row with another translation. */
const saying = (row: string, text: string) =>
  row.replace(/(<c r="G\d+".*?<t [^>]*>).*?<\/t>/, `$1${text}</t>`);

const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;

const german = async (first: Checkout) =>
  JSON.parse(await first.read(DE)) as Record<keyof typeof TEXTS, string>;

test('rows that somebody moved to another sheet are imported, also hidden ones, and a refused one names its sheet', async () => {
  const { first, head, rows, send } = await exported();
  const hidden = saying(rows.bye, 'Servus').replace('<row ', '<row hidden="1" ');
  const { hello } = await german(first);
  const back = await send({
    review: data(head, rows.save),
    Rest: data(head, hidden, saying(rows.hello, 'Hallo Name')),
  });
  expect(back.out).toMatch(
    /^refused +de\.xlsx:Rest!2: locales\/de\.json hello: \{name\} is missing/,
  );
  expect(back).toMatchObject({
    code: 1,
    requests: 0,
    out: expect.stringContaining('1 text written, 0 reviewed, 1 unchanged, 1 refused.'),
  });
  expect(await german(first)).toMatchObject({ bye: 'Servus', hello });
});

test('a sheet with rows of the export that lost the names of the columns is refused by its name, and the others are imported', async () => {
  const { first, head, rows, send } = await exported();
  const back = await send({
    review: data(head, saying(rows.save, 'Alles sichern')),
    Rest: data(rows.hello, saying(rows.bye, 'Servus')),
  });
  expect(back.code).toBe(1);
  expect(back.out).toMatch(/refused +de\.xlsx:Rest!2: no row of this sheet names the columns/);
  expect(back.out).toContain('1 text written, 0 reviewed, 0 unchanged, 1 refused.');
  const { bye, save } = await german(first);
  expect([bye === 'Servus', save]).toEqual([false, 'Alles sichern']);
});

test('a sheet of notes before the texts and a column that somebody added are named, and the texts are imported', async () => {
  const { first, head, rows, send } = await exported();
  const added = (row: string, at: string, text: string) =>
    row.replace('</row>', `${cell(at, text)}</row>`);
  const back = await send({
    Notes: data(`<row r="3">${cell('B3', 'Please deliver on Monday')}</row>`),
    review: data(
      added(head, 'M1', 'Übersetzung'),
      added(saying(rows.bye, 'Servus'), 'M3', 'Ade'),
      rows.hello,
      rows.save,
    ),
  });
  expect(back).toMatchObject({ code: 0, requests: 0 });
  expect(back.out).toMatch(/warning +de\.xlsx:Notes!3: no row of this sheet names the columns/);
  expect(back.out).toMatch(
    /warning +de\.xlsx:1: the column "Übersetzung" has texts that are not read/,
  );
  expect(back.out).toContain('1 text written, 0 reviewed, 2 unchanged.');
  expect((await german(first)).bye).toBe('Servus');
});

test('translations that are merged into one cell are refused with its name, and one that is merged with a cell beside it is imported', async () => {
  const { first, head, rows, send } = await exported();
  const before = await german(first);
  const merged = (row: string) => row.replace(/<c r="G\d+".*?<\/c>/, '');
  const ranges =
    '<mergeCells count="2"><mergeCell ref="G2:G3"/><mergeCell ref="G4:H4"/></mergeCells>';
  const all = data(head, saying(rows.hello, 'Hallo {name}, und tschüss'), merged(rows.bye));
  const content = all.replace('</sheetData>', `${saying(rows.save, 'Alles sichern')}</sheetData>`);
  const back = await send({ review: `${content}${ranges}` });
  expect(back.code).toBe(1);
  for (const row of [2, 3])
    expect(back.out).toMatch(new RegExp(`refused +de\\.xlsx:${row}: .*merged cells \\(G2:G3\\)`));
  expect(back.out).toContain('1 text written, 0 reviewed, 0 unchanged, 2 refused.');
  expect(await german(first)).toEqual({ ...before, save: 'Alles sichern' });
});
