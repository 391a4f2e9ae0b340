/** Builds the documentation as a static site into site/dist: `npm run docs`. */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { commandReference } from './command-reference.ts';
import { referencePage } from './config-files.ts';
import { CHAPTERS, type PageEntry } from './contents.ts';
import { pageHtml } from './layout.ts';
import { renderMarkdown } from './markdown.ts';
import { type SitePage, searchScript } from './search-index.ts';

const ROOT = join(import.meta.dirname, '..');
const CONFIG_REFERENCE = 'docs/config.md';

/** @returns how many pages were written */
export async function buildSite(folder: string): Promise<number> {
  await rm(folder, { recursive: true, force: true });
  const entries = CHAPTERS.flatMap(({ pages }) => pages);
  const pages = await Promise.all(entries.map(render));
  for (const { entry, rendered } of pages) {
    const file = join(folder, entry.address);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, pageHtml(entry, rendered));
  }
  await writeFile(join(folder, 'search-index.js'), searchScript(pages));
  await copyFile(join(ROOT, 'src', 'page', 'client', 'icon.svg'), join(folder, 'icon.svg'));
  await build({
    entryPoints: ['site.ts', 'site.css'].map((name) => join(import.meta.dirname, 'client', name)),
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2023',
    legalComments: 'inline',
    logLevel: 'warning',
  });
  return pages.length;
}

async function render(entry: PageEntry): Promise<SitePage> {
  const depth = entry.address.split('/').length - 1;
  const rendered = renderMarkdown({
    text: await textOf(entry),
    file: entry.file ?? entry.address,
    addressOf: (file) => {
      const found = addressOf(file);
      return found === undefined ? undefined : '../'.repeat(depth) + found;
    },
  });
  return { entry, rendered };
}

/** References are made from the code, so that the site is never behind it. */
async function textOf({ file }: PageEntry): Promise<string> {
  if (file === undefined) return await commandReference();
  if (file === CONFIG_REFERENCE) return referencePage();
  return await readFile(join(ROOT, file), 'utf8');
}

function addressOf(file: string): string | undefined {
  return CHAPTERS.flatMap(({ pages }) => pages).find((page) => page.file === file)?.address;
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, 'dist');
  console.log(`${await buildSite(folder)} pages in ${folder}`);
}
