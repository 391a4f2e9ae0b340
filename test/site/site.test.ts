/** The documentation site is built once and looked at as a reader's browser does. */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildSite } from '../../site/build.ts';
import { CHAPTERS } from '../../site/contents.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { chromiumPath, launchBrowser, openProfile } from '../page/browser.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGES = CHAPTERS.flatMap(({ pages }) => pages);
const folder = mkdtempSync(join(tmpdir(), 'dragoman-site-'));

beforeAll(async () => {
  await buildSite(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const html = (address: string) => readFileSync(join(folder, address), 'utf8');

test('every page of docs/ has its place in the menu, and only once', () => {
  const inMenu = PAGES.flatMap(({ file }) => file ?? []).filter((file) => file.startsWith('docs/'));
  expect(inMenu.toSorted()).toEqual(globSync('docs/**/*.md', { cwd: ROOT }).toSorted());
});

test('no link of the site, and no link between pages of the repository, leads nowhere', () => {
  const broken = PAGES.flatMap(({ address }) =>
    [...html(address).matchAll(/ (?:href|src)="([^"]+)"/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^https?:/.test(link) && !leadsSomewhere(address, link))
      .map((link) => `${address}: ${link}`),
  );
  const lost = globSync('{docs/**/*,README,CHANGELOG,ARCHITECTURE}.md', { cwd: ROOT }).flatMap(
    (file) =>
      [...withoutCode(readFileSync(join(ROOT, file), 'utf8')).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !/^https?:/.test(link))
        .filter((link) => !existsSync(join(ROOT, posix.dirname(file), link)))
        .map((link) => `${file}: ${link}`),
  );
  expect([...broken, ...lost]).toEqual([]);
});

function leadsSomewhere(address: string, link: string): boolean {
  const [path = '', fragment] = link.split('#');
  const target = path === '' ? address : posix.join(posix.dirname(address), path);
  if (!existsSync(join(folder, target))) return false;
  return fragment === undefined || html(target).includes(`id="${fragment}"`);
}

function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
}

test('the page of all commands has each command with its options and examples', () => {
  const page = html('command-reference.html');
  const missing = Object.entries(COMMANDS)
    .filter(([name, { hidden }]) => hidden !== true && !page.includes(`<h2 id="${name}">`))
    .map(([name]) => name);
  expect(missing).toEqual([]);
  expect(page).toContain('<code>--from &lt;file&gt;</code>');
  expect(page).toContain('dragoman init --yes --from crowdin.yml');
});

describe.skipIf(chromiumPath === undefined)('in a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });

  const LOOKS = [
    { colorScheme: 'light', width: 1280, turn: 0 },
    { colorScheme: 'dark', width: 380, turn: 1 },
    { colorScheme: 'light', width: 380, turn: 2 },
    { colorScheme: 'dark', width: 1280, turn: 3 },
  ] as const;

  // Every page is looked at once, since all share one layout. Only the first of each look is checked for its contrast, since all share one
  // set of colours: that takes most of the time.
  const CONTRAST_PAGES = 3;
  test.each(LOOKS)(
    'axe finds no fault in every fourth page, and it fits, at $width pixels in $colorScheme',
    async ({ colorScheme, width, turn }) => {
      const profile = await openProfile(browser, { colorScheme, viewport: { width, height: 800 } });
      const page = await profile.newPage();
      const found: string[] = [];
      const seen = PAGES.filter((_, at) => at % LOOKS.length === turn);
      for (const [nth, { address }] of seen.entries()) {
        await page.goto(pathToFileURL(join(folder, address)).href);
        await page.evaluate(axe.source);
        const enabled = nth < CONTRAST_PAGES;
        const options = JSON.stringify({ rules: { 'color-contrast': { enabled } } });
        const { violations } = await page.evaluate<AxeResult>(`axe.run(${options})`);
        found.push(...violations.map(({ id, nodes }) => `${address}: ${id}: ${nodes[0]?.html}`));
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        if (overflow !== 0) found.push(`${address}: ${overflow} pixels too wide`);
      }
      await profile.close();
      expect(found).toEqual([]);
    },
  );

  test('the search finds a setting by its beginning, from a page in a folder, and Enter opens it', async () => {
    const profile = await openProfile(browser);
    const page = await profile.newPage();
    await page.goto(pathToFileURL(join(folder, 'guides', 'ci.html')).href);
    await page.keyboard.press('/');
    await page.keyboard.type('embedded_sour');
    // The menu has a link of that name too, and the changes have a section of a similar one.
    await page
      .locator('#found')
      .getByRole('link', { name: /^Resource files of platforms/ })
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.pathname.endsWith('/guides/ci.html'));
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.content()).toContain('embedded_source');
    await profile.close();
  });

  test('light and dark can be chosen, and the choice stays on the next page', async () => {
    const profile = await openProfile(browser, { colorScheme: 'light' });
    const page = await profile.newPage();
    await page.goto(pathToFileURL(join(folder, 'index.html')).href);
    await page.getByRole('button', { name: /light and dark/ }).click();
    await page.getByRole('link', { name: 'Rails', exact: true }).click();
    await page.getByRole('heading', { name: 'Rails', level: 1 }).waitFor();
    const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(ground).toBe('rgb(21, 24, 27)');
    await profile.close();
  });
});

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}
