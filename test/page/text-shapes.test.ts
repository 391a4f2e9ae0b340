/** The Review page with very long sources, languages that are written from right to left, and filters that no text passes. */
import axe from 'axe-core';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Rig } from '../rig.ts';
import { chromiumPath, launchBrowser } from './browser.ts';
import { startPage } from './installation.ts';
import { json, visitReview } from './review-page.ts';

const CONFIG = `
lock: dragoman.lock
page: { listen: "127.0.0.1:0" }
defaults: { settle_ms: 50, review: { want: [machine, adopted] } }
projects:
  shop:
    source: en
    targets: [de, he, fr]
    routes: [{ from: "{locale}.json" }]
  hebrew:
    source: he
    targets: [de]
    routes: [{ from: "hebrew/{locale}.json" }]
  guide:
    source: en
    targets: [de]
    routes: [{ from: "guide/{locale}.json" }]
`;
const TERMS = 'These terms apply to everything that is bought in this shop. '.repeat(120).trim();
const HEBREW = '{name}, ברוך הבא';

describe.skipIf(chromiumPath === undefined)('the Review page', () => {
  let rig: Rig;
  let browser: Browser;
  let address: string;

  beforeAll(async () => {
    ({ rig, address } = await startPage({
      config: CONFIG,
      files: {
        'en.json': json({ title: 'Welcome {name}', terms: TERMS }),
        'he.json': json({ title: HEBREW }),
        'hebrew/he.json': json({ title: HEBREW }),
        'guide/en.json': json({ first: 'First steps' }),
      },
    }));
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await rig?.[Symbol.asyncDispose]();
  });

  test.each([1280, 380])(
    'has the translation of a very long source on the same screen, and the source scrolls by itself, at a width of %i',
    async (width) => {
      await using tab = await visitReview(browser, address, width);
      const { page } = tab;
      await page.getByRole('option', { name: /These terms/ }).click();
      const field = page.getByLabel('Translation (de)');
      await expect.poll(() => field.inputValue()).not.toBe('');
      const source = page.getByRole('group', { name: 'Source and facts' });
      await source.and(page.locator('[tabindex="0"]')).waitFor();
      const [above, below] = [await source.boundingBox(), await field.boundingBox()];
      expect((below?.y ?? Number.NaN) - (above?.y ?? Number.NaN)).toBeLessThan(450);
      await source.focus();
      await source.press('End');
      await expect.poll(() => source.evaluate((element) => element.scrollTop)).toBeGreaterThan(100);
      await page.evaluate(axe.source);
      const found = await page.evaluate<Pick<axe.AxeResults, 'violations'>>('axe.run()');
      expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      await field.press('Alt+ArrowUp');
      await source.getByText('Welcome').waitFor();
      // A source that fits is no stop for the keyboard.
      await source.and(page.locator(':not([tabindex])')).waitFor();
      expect(tab.complaints).toEqual([]);
    },
  );

  test('shows a text in the direction of its language, also when it begins with a placeholder or is empty', async () => {
    await using tab = await visitReview(browser, address);
    const { page } = tab;
    const source = page.locator('#source-text');
    await expect.poll(() => directionOf(source)).toEqual(['en', 'ltr']);
    await page.getByRole('option', { name: /ברוך/ }).click();
    await expect.poll(() => directionOf(source)).toEqual(['he', 'rtl']);
    await page.getByLabel('Language').selectOption('he');
    const field = page.getByLabel('Translation (he)');
    await expect.poll(() => field.inputValue()).toBe(HEBREW);
    expect(await directionOf(field)).toEqual(['he', 'rtl']);
    expect(await directionOf(page.locator('.row .target').first())).toEqual(['he', 'rtl']);
    expect(await directionOf(source)).toEqual(['en', 'ltr']);
    await field.fill('');
    expect(await directionOf(field)).toEqual(['he', 'rtl']);
    expect(tab.complaints).toEqual([]);
  });

  test.each([1280, 380])(
    'shows the filters that no text passes, and takes them back one by one, at a width of %i',
    async (width) => {
      await using tab = await visitReview(browser, address, width);
      const { page } = tab;
      await page.getByLabel('Project').selectOption('guide');
      await page.getByLabel('File').selectOption('guide/en.json');
      await page.getByRole('option', { name: /First steps/ }).waitFor();
      // French has neither this file nor this project.
      await page.getByLabel('Language').selectOption('fr');
      await page.getByText('No text is in these states').waitFor();
      expect(await page.getByLabel('File').inputValue()).toBe('guide/en.json');
      await page.getByRole('button', { name: 'In all files' }).click();
      await page.getByRole('button', { name: 'In all files' }).waitFor({ state: 'detached' });
      expect(await page.getByLabel('File').inputValue()).toBe('');
      await page.getByRole('button', { name: 'In all projects' }).click();
      await page.getByRole('option', { name: /Welcome/ }).waitFor();
      expect(await page.getByLabel('Project').inputValue()).toBe('');
      expect(tab.complaints).toEqual([]);
    },
  );
});

async function directionOf(shown: Locator): Promise<[language: string, direction: string]> {
  return await shown.evaluate((element) => [
    element.getAttribute('lang') ?? '',
    element.ownerDocument.defaultView?.getComputedStyle(element).direction ?? '',
  ]);
}
