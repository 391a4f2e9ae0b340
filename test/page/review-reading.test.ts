/** What Overview says of texts that wait for a review, and how Review is read: with a screen reader, and with the scroll bar. Nothing is saved here. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, launchBrowser } from './browser.ts';
import { MANY, startReview, visitReview } from './review-page.ts';

describe.skipIf(chromiumPath === undefined)('texts that wait for a review', () => {
  let started: Awaited<ReturnType<typeof startReview>>;
  let browser: Browser;
  beforeAll(async () => {
    [started, browser] = await Promise.all([startReview(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await started?.rig[Symbol.asyncDispose]();
  });

  test('are counted on Overview, which leads to them', async () => {
    await using tab = await visitReview(browser, started.address);
    const { page } = tab;
    await page.getByRole('link', { name: 'Overview' }).click();
    // Three texts beside the many, in two languages.
    const waiting = page.getByRole('link', { name: `${2 * (MANY + 3)} texts` });
    await waiting.waitFor();
    await page.getByText('No task needs you but the review.').waitFor();
    expect(await page.getByText('Nothing needs you').count()).toBe(0);
    await waiting.click();
    await page.getByRole('option', { name: /Welcome/ }).waitFor();
    expect(tab.complaints).toEqual([]);
  });

  test('are read with their source by a screen reader, which hears no count of characters while a person types', async () => {
    await using tab = await visitReview(browser, started.address);
    const { page } = tab;
    await page.getByRole('option', { name: /Goodbye/ }).click();
    const field = page.getByLabel('Translation (de)');
    const described = await field.getAttribute('aria-describedby');
    expect(await page.locator(`#${described}`).textContent()).toBe('Goodbye');
    const typed = await field.inputValue();
    await field.fill(`${typed} und mehr`);
    await page.getByText(`${typed.length + 9} characters`).waitFor();
    expect(await page.locator('.edit').getByRole('status').textContent()).toBe('');
    expect(tab.complaints).toEqual([]);
  });
});
