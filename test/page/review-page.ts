/** A daemon with texts to review, and its Review page in a browser. */
import type { Browser, Page } from 'playwright-core';
import { Rig } from '../rig.ts';
import { addressOf } from './installation.ts';

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
  const rig = await Rig.start({
    config: CONFIG,
    files: {
      'locales/en/app.json': json({ title: 'Welcome {name}', buy: 'Buy now', bye: 'Goodbye' }),
      'locales/en/many.json': json(many),
      'terms-de.csv': 'buy,kaufen\n',
    },
  });
  await rig.once();
  const daemon = await rig.daemon();
  await daemon.until(() => daemon.lines.some(({ kind }) => kind === 'page-served'));
  return { rig, address: await addressOf(rig) };
}

interface Tab extends AsyncDisposable {
  readonly page: Page;
  /** What the browser logged. */
  readonly complaints: readonly string[];
}

export async function visitReview(browser: Browser, address: string, width = 1280): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(address);
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('option', { name: /Welcome/ }).waitFor();
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}
