/** Files for translators after other programs rewrote them: LibreOffice, gettext and the Translate Toolkit, if they are installed. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutAddedEscapes } from '../../../src/formats/exchange/added-escapes.ts';
import { EXCHANGE_FORMATS, recognise } from '../../../src/formats/exchange/all.ts';
import type {
  ExchangeDocument,
  ExchangeFormatName,
  ExchangeUnit,
} from '../../../src/formats/exchange/exchange.ts';
import type { LanguageTag } from '../../../src/language.ts';
import { exchangeId } from '../../../src/segments/exchange-id.ts';
import { decideImport } from '../../../src/segments/review-import.ts';
import {
  shortHash,
  sourceHash,
  targetHash,
  type UnitId,
} from '../../../src/segments/statements.ts';
import { execFileSync } from '../../in-time.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** Texts that spreadsheets would compute, and characters that files of translators escape. */
const TEXTS = [
  ...['007', '1.50', '1e5', '2024-01-02', '3 Mar', '1/2', '10:30', '50%', '$5.00', 'True', "'7"],
  ...['=SUM(A1:A2)', '+49 30', '-5 degrees', '@home', "'quoted", '"quoted", twice'],
  ...['One\nTwo\n\nFour', '  two blanks', 'Name: ', 'a  b', 'a\u00a0b', '_x000D_', '\\n C:\\new'],
  ...[
    'Hello {name}',
    'Read <b>this</b> &amp; ]]>',
    '100%, %s of %d',
    'אבג \u200eabc',
    '😀 ok',
    'a,b;c',
  ],
];

const UNITS = TEXTS.map((text, index): ExchangeUnit => {
  const id = `aaaa${String(index).padStart(2, '0')}.bbbbbbbb.1`;
  const codes = ['{name}', '<b>', '</b>', '%s', '%d'].filter((code) => text.includes(code));
  const known = { id, key: `k${index}`, source: text, target: text, was: '12e345', codes };
  return { ...known, state: 'unreviewed', notes: ['a note'], maxLength: 500 };
});

const DOCUMENT: ExchangeDocument = {
  sourceLanguage: 'en',
  language: 'de' as LanguageTag,
  files: [{ project: 'app', path: 'locales/en.json', units: UNITS }],
};

interface Round {
  readonly name: string;
  readonly program: string;
  readonly format: ExchangeFormatName;
  /** @returns the file that comes back */
  readonly go: (file: string, folder: string) => Promise<string>;
}

const UTF8 = 'CSV:44,34,76,1';

/** With a profile of its own: two at a time do not share one. */
async function office(file: string, folder: string, to: string): Promise<string> {
  const out = join(folder, `${to}-of-${basename(file)}`);
  await mkdir(out);
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  const filter = to === 'csv' ? 'csv:Text - txt - csv (StarCalc):44,34,76,1' : to;
  const read = file.endsWith('.csv') ? [`--infilter=${UTF8}`] : [];
  const convert = ['--headless', ...read, '--convert-to', filter, '--outdir', out, file];
  execFileSync('soffice', [profile, ...convert], { stdio: 'pipe', cwd: folder });
  return join(out, basename(file).replace(/\.\w+$/, `.${to}`));
}

function tool(program: string, args: (file: string, out: string) => readonly string[], to: string) {
  return async (file: string, folder: string) => {
    const out = join(folder, `back.${to}`);
    execFileSync(program, [...args(file, out)], { stdio: 'pipe', cwd: folder });
    return out;
  };
}

const ROUNDS: readonly Round[] = [
  { name: 'CSV', program: 'soffice', format: 'csv', go: (file, at) => office(file, at, 'csv') },
  {
    ...{ name: 'CSV as XLSX', program: 'soffice', format: 'csv' },
    go: (file, folder) => office(file, folder, 'xlsx'),
  },
  {
    ...{ name: 'XLSX as CSV and back', program: 'soffice', format: 'xlsx' },
    go: async (file, folder) => office(await office(file, folder, 'csv'), folder, 'xlsx'),
  },
  {
    ...{ name: 'PO, wrapped and sorted', program: 'msgcat', format: 'po' },
    go: tool('msgcat', (file, out) => ['-s', '-w', '40', '-o', out, file], 'po'),
  },
  {
    ...{ name: 'PO, each entry that fails a check', program: 'pofilter', format: 'po' },
    go: tool('pofilter', (file, out) => ['--progress=none', '-t', 'unchanged', file, out], 'po'),
  },
  {
    ...{ name: 'XLIFF, each unit that fails a check', program: 'pofilter', format: 'xliff' },
    go: tool('pofilter', (file, out) => ['--progress=none', '-t', 'unchanged', file, out], 'xlf'),
  },
  {
    ...{ name: 'XLIFF as PO', program: 'xliff2po', format: 'xliff' },
    go: tool('xliff2po', (file, out) => ['--progress=none', file, out], 'po'),
  },
  {
    ...{ name: 'PO as XLIFF', program: 'po2xliff', format: 'po' },
    go: tool('po2xliff', (file, out) => ['--progress=none', file, out], 'xlf'),
  },
];

for (const { name, program, format, go } of ROUNDS) {
  const isHere = existsSync(`/usr/bin/${program}`);
  test.skipIf(!isHere)(
    `${program}: ${name}: no text is lost or changed${isHere ? '' : ' (skipped: not installed)'}`,
    { timeout: 300_000 },
    async () => {
      const folder = await temporaryFolder();
      const { extension, write } = EXCHANGE_FORMATS[format];
      const file = join(folder, `out.${extension}`);
      await writeFile(file, write(DOCUMENT));
      const back = await go(file, folder);
      const bytes = await readFile(back);
      const { rows, refused } = recognise(bytes, back)?.read(bytes, back) ?? { rows: [] };
      expect(refused).toEqual([]);
      const texts = new Map(rows.map((row) => [row.source, row.target]));
      // A check may leave out what it has nothing to say about.
      const wanted = program === 'pofilter' ? TEXTS.filter((text) => texts.has(text)) : TEXTS;
      expect(wanted.length).toBeGreaterThan(TEXTS.length / 2);
      expect(wanted.map((text) => [text, texts.get(text)])).toEqual(
        wanted.map((text) => [text, text]),
      );
    },
  );
}

const BLANKS = [
  '',
  ' ',
  '\t',
  '\n',
  '\r',
  '\r\n',
  '\u00a0',
  '\u3000',
  '\ufeff',
  '\u200b',
  '\u000b',
];
const SIGNS = ['', '=', '+', '-', '@', "'", "''", '"', '7', 'True'];
/** All white space and all signs of spreadsheets, at the edges of a text and inside. */
const EDGED = new Set(
  BLANKS.flatMap((blank) =>
    SIGNS.flatMap((sign) => [
      ...[`${blank}${sign}abc`, `${sign}${blank}abc`, `abc${sign}${blank}`],
      ...[`ab${blank}c${sign}`, `${blank}${sign}${blank}1`],
    ]),
  ),
);

/** Each text as source and translation, and as the translation of a plain source. */
const UNTOUCHED = [...EDGED, '#N/A', 'Match \\d+']
  .flatMap((text, index) => [
    { source: text, target: text },
    { source: `Text ${index}`, target: text },
  ])
  .map((texts, index) => {
    const unit = shortHash(`${index}`) as UnitId;
    const hashes = { sourceHash: sourceHash(texts.source), targetHash: targetHash(texts.target) };
    const known = { unit, path: 'en.json', key: `k${index}`, nth: 1, isReviewed: false };
    return { ...texts, ...hashes, ...known, isPersons: true };
  });

function exchangeUnit(text: (typeof UNTOUCHED)[number]): ExchangeUnit {
  const { key, source, target, targetHash: was } = text;
  const own = { id: exchangeId(text), key, source, target, was };
  return { ...own, state: 'unreviewed', notes: [], codes: [] };
}

type Way = readonly ((file: string, folder: string) => Promise<string>)[];
const officeTo = (to: string) => (file: string, folder: string) => office(file, folder, to);
const WAYS: readonly (readonly [program: string, format: ExchangeFormatName, way: Way])[] = [
  ...(['xls', 'ods', 'fods'] as const).map(
    (to) => ['soffice', 'xlsx', [officeTo(to), officeTo('xlsx')]] as const,
  ),
  ['soffice', 'xlsx', [officeTo('ods'), officeTo('csv')]],
  ['soffice', 'csv', [officeTo('csv')]],
  ['soffice', 'csv', [officeTo('ods'), officeTo('xlsx')]],
  ['po2csv', 'po', [tool('po2csv', (file, out) => [file, out], 'csv')]],
  ['po2xliff', 'po', [tool('po2xliff', (file, out) => [file, out], 'xlf')]],
  ['xliff2po', 'xliff', [tool('xliff2po', (file, out) => [file, out], 'po')]],
  ['pomerge', 'po', [tool('pomerge', (file, out) => ['-t', file, '-i', file, '-o', out], 'po')]],
];

for (const [at, [program, format, way]] of WAYS.entries()) {
  const isHere = existsSync(`/usr/bin/${program}`);
  test.skipIf(!isHere)(
    `${program}, way ${at + 1} of ${format}: no text that nobody touched is an edit, whatever white space and signs it has${isHere ? '' : ' (skipped: not installed)'}`,
    { timeout: 300_000 },
    async () => {
      const folder = await temporaryFolder();
      const { extension, write, lacks } = EXCHANGE_FORMATS[format];
      const units = UNTOUCHED.map(exchangeUnit).filter((unit) => lacks?.(unit) === undefined);
      const files = [{ project: 'app', path: 'en.json', units }];
      let file = join(folder, `out.${extension}`);
      await writeFile(file, write({ ...DOCUMENT, files }));
      for (const step of way) file = await step(file, folder);
      const bytes = await readFile(file);
      const returned = recognise(bytes, file)?.read(bytes, file);
      const nothing = { languages: [], rows: [], refused: [] };
      const { rows, refused } = withoutAddedEscapes(returned ?? nothing);
      expect(refused).toEqual([]);
      const decisions = decideImport(rows, UNTOUCHED);
      expect(decisions.length).toBe(units.length);
      expect(decisions.filter(({ kind }) => kind !== 'unchanged')).toEqual([]);
    },
  );
}

/** Texts that people type into a spreadsheet, and the form of their cells. */
const TYPED: Readonly<Record<string, string>> = {
  date: '<table:table-cell table:style-name="d" office:value-type="date" office:date-value="2023-10-31"/>',
  time: '<table:table-cell office:value-type="time" office:time-value="PT14H30M00S"/>',
  share:
    '<table:table-cell table:style-name="p" office:value-type="percentage" office:value="0.5"/>',
  fraction: '<table:table-cell office:value-type="float" office:value="0.1"/>',
  truth:
    '<table:table-cell table:formula="of:=TRUE()" office:value-type="boolean" office:boolean-value="true"/>',
  formula: '<table:table-cell table:formula="of:=1+1" office:value-type="float" office:value="2"/>',
  error: '<table:table-cell table:formula="of:=1/0" office:value-type="float" office:value="0"/>',
  number: '<table:table-cell office:value-type="float" office:value="42"/>',
  rich: '<table:table-cell office:value-type="string"><text:p>Ha<text:span text:style-name="b">ll</text:span>o <text:span text:style-name="b">Welt</text:span></text:p></table:table-cell>',
  lines:
    '<table:table-cell office:value-type="string"><text:p>eins</text:p><text:p>zwei</text:p></table:table-cell>',
};

function flatSheet(cells: Readonly<Record<string, string>>): string {
  const names = 'office style text table fo';
  const spaces = `${names
    .split(' ')
    .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
    .join(' ')} xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0"`.replace(
    'xmlns:fo:1.0',
    'xmlns:xsl-fo-compatible:1.0',
  );
  const text = (of: string) =>
    `<table:table-cell office:value-type="string"><text:p>${of}</text:p></table:table-cell>`;
  const rows = Object.entries(cells).map(([id, cell]) => `${text(id)}${cell}`);
  const table = [`${text('id')}${text('target')}`, ...rows]
    .map((row) => `<table:table-row>${row}</table:table-row>`)
    .join('');
  const styles =
    '<number:date-style style:name="N1"><number:day/><number:text>.</number:text><number:month/></number:date-style><number:percentage-style style:name="N2"><number:number number:decimal-places="0"/><number:text>%</number:text></number:percentage-style><style:style style:name="d" style:family="table-cell" style:data-style-name="N1"/><style:style style:name="p" style:family="table-cell" style:data-style-name="N2"/><style:style style:name="b" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>';
  return `<?xml version="1.0" encoding="UTF-8"?><office:document ${spaces} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet><table:table table:name="S">${table}</table:table></office:spreadsheet></office:body></office:document>`;
}

const hasOffice = existsSync('/usr/bin/soffice');
test.skipIf(!hasOffice)(
  `soffice: a cell whose value is not what a person sees is refused by its name${hasOffice ? '' : ' (skipped: not installed)'}`,
  { timeout: 300_000 },
  async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'typed.fods');
    await writeFile(file, flatSheet(TYPED));
    const back = await office(file, folder, 'xlsx');
    const { rows, refused } = EXCHANGE_FORMATS.xlsx.read(await readFile(back), back);
    expect(rows.map(({ id, target }) => [id, target])).toEqual([
      ['number', '42'],
      ['rich', 'Hallo Welt'],
      ['lines', 'eins\nzwei'],
    ]);
    expect(refused.map(({ message }) => /^cell (\w+) holds/.exec(message)?.[1])).toEqual([
      'B2',
      'B3',
      'B4',
      'B5',
      'B6',
      'B7',
      'B8',
    ]);
  },
);
