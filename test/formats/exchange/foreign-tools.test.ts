/** Files for translators after other programs wrote them anew: LibreOffice, gettext and the Translate Toolkit, where they are installed. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { EXCHANGE_FORMATS, recognise } from '../../../src/formats/exchange/all.ts';
import type {
  ExchangeDocument,
  ExchangeFormatName,
  ExchangeUnit,
} from '../../../src/formats/exchange/exchange.ts';
import type { LanguageTag } from '../../../src/language.ts';
import { execFileSync } from '../../in-time.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** What spreadsheets compute, and what files of translators escape. */
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
