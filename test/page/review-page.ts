/** A daemon with texts to review, and its Review page in a browser. */
import type { Browser } from 'playwright-core';
import type { Rig } from '../rig.ts';
import { openTab, type Tab } from './browser.ts';
import { startPage } from './installation.ts';

const CONFIG = `
lock: dragoman.lock
page: { listen: "127.0.0.1:0" }
defaults: { settle_ms: 50, review: { want: [machine] } }
projects:
  webshop:
    source: en
    targets: [de, ar]
    glossary: { name: shop, csv: "terms-{locale}.csv" }
    routes: [{ from: "locales/{locale}/*.json", keys: { notes: { "buy": "a button" }, max_length: { "buy": 60 } } }]
`;
export const json = (texts: Record<string, string>) => `${JSON.stringify(texts, null, 2)}\n`;
export const MANY = 300;
export const GERMAN = 'locales/de/app.json';

export async function startReview(): Promise<{ rig: Rig; address: string }> {
  const many = Object.fromEntries(
    Array.from({ length: MANY }, (_, index) => [
      `text${index}`,
      `Text number ${index} of the shop`,
    ]),
  );
  return await startPage({
    config: CONFIG,
    files: {
      'locales/en/app.json': json({ title: 'Welcome {name}', buy: 'Buy now', bye: 'Goodbye' }),
      'locales/en/many.json': json(many),
      'terms-de.csv': 'buy,kaufen\n',
    },
  });
}

export async function visitReview(browser: Browser, address: string, width = 1280): Promise<Tab> {
  const tab = await openTab(browser, { width });
  const { page } = tab;
  await page.goto(address);
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('option', { name: /Welcome/ }).waitFor();
  return tab;
}
