/** The filters of the Review page when no text is left: each of them is shown, and can be taken back with one click. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Rig } from '../rig.ts';
import { chromiumPath, launchBrowser } from './browser.ts';
import { addressOf } from './installation.ts';
import { json, visitReview } from './review-page.ts';

const CONFIG = `
lock: dragoman.lock
page: { listen: "127.0.0.1:0" }
defaults: { settle_ms: 50, review: { want: [machine] } }
projects:
  shop:
    source: en
    targets: [de, fr]
    routes: [{ from: "{locale}.json" }]
  guide:
    source: en
    targets: [de]
    routes: [{ from: "guide/{locale}.json" }]
`;

describe.skipIf(chromiumPath === undefined)('filters that no text passes', () => {
  let rig: Rig;
  let browser: Browser;
  let address: string;

  beforeAll(async () => {
    rig = await Rig.start({
      config: CONFIG,
      files: {
        'en.json': json({ title: 'Welcome {name}' }),
        'guide/en.json': json({ first: 'First steps' }),
      },
    });
    await rig.once();
    const daemon = await rig.daemon();
    await daemon.until(() => daemon.lines.some(({ kind }) => kind === 'page-served'));
    [address, browser] = await Promise.all([addressOf(rig), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await rig?.[Symbol.asyncDispose]();
  });

  test.each([1280, 380])('are shown and taken back one by one, at a width of %i', async (width) => {
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
  });
});
