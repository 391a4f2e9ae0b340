import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { PdfFile } from '../../src/sandbox/documents/pdf-file.ts';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
import { corpusFile, corpusFiles, corpusMissing } from '../corpus.ts';
import { translate } from './document-calls.ts';

const SOFFICE = '/usr/bin/soffice';
/** Each opens one kind of file; a machine may have one of them alone. */
const PROGRAMS = [SOFFICE, '/usr/bin/lowriter', '/usr/bin/localc', '/usr/bin/loimpress'];
const missing = [
  ...PROGRAMS.filter((program) => !existsSync(program)),
  ...(corpusMissing ? ['../shared/corpus'] : []),
];
const where = missing.length > 0 ? `(skipped: not here: ${missing.join(', ')})` : '';

/** Marks what it changed without changing how much room it takes. */
const umlauts: NonNullable<SandboxOptions['engine']> = {
  name: 'umlauts',
  translate: (texts) => texts.map((text) => text.replace(/o(?![^<]*>)/g, 'ö')),
};

describe.skipIf(missing.length > 0)(`LibreOffice ${where}`, () => {
  it('opens every translated office file, with as many pages as its source', {
    timeout: 300_000,
  }, async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'libreoffice-'));
    await using sandbox = await startSandbox({ engine: umlauts, timeScale: 2000 });
    const names = corpusFiles('office', /\.(docx|pptx|xlsx)$/);
    for (const name of names) {
      const content = corpusFile('office', name);
      const translated = await translate(sandbox, { name, content }, { source_lang: 'en' });
      await put(folder.path, 'source', { name, content });
      await put(folder.path, 'target', { name, content: translated });
    }
    const sources = await pages(folder.path, 'source');
    expect(sources.size).toBe(names.length);
    expect(await pages(folder.path, 'target')).toEqual(sources);
  });

  it('opens what became of a PDF file', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'libreoffice-'));
    await using sandbox = await startSandbox({ timeScale: 2000 });
    const pdf = { name: 'fixture.pdf', content: corpusFile('office', 'fixture.pdf') };
    const content = await translate(sandbox, pdf, { output_format: 'docx' });
    await put(folder.path, 'target', { name: 'fixture.docx', content });
    expect([...(await pages(folder.path, 'target')).values()]).toEqual([1]);
  });
});

/** The kind comes first, since LibreOffice drops the extension: a.docx and a.xlsx would meet in one a.pdf. */
async function put(
  folder: string,
  side: string,
  file: { name: string; content: Uint8Array },
): Promise<void> {
  const extension = file.name.slice(file.name.lastIndexOf('.') + 1);
  await mkdir(join(folder, side), { recursive: true });
  await writeFile(join(folder, side, `${extension}-${file.name}`), file.content);
}

/** File name -> pages that LibreOffice prints it on. */
async function pages(folder: string, side: string): Promise<ReadonlyMap<string, number>> {
  const files = (await readdir(join(folder, side))).map((name) => join(folder, side, name));
  const printed = join(folder, `${side}-printed`);
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  await promisify(execFile)(SOFFICE, [
    profile,
    '--headless',
    '--convert-to',
    'pdf',
    '--outdir',
    printed,
    ...files,
  ]);
  const names = (await readdir(printed)).sort();
  const counts = names.map(async (name) => {
    const pdf = new PdfFile(await readFile(join(printed, name)), name);
    return [name, pdf.pages().length] as const;
  });
  return new Map(await Promise.all(counts));
}
