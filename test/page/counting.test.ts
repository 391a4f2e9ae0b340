/** The Review page while the daemon still counts the texts of a large project. */
import axe from 'axe-core';
import { expect, test } from 'vitest';
import { Rig } from '../rig.ts';
import { chromiumPath, launchBrowser, openProfile } from './browser.ts';

const CONFIG = `
lock: dragoman.lock
page: { listen: "127.0.0.1:0", reviewers: [{ name: anna, languages: [de] }] }
defaults: { settle_ms: 50, review: { want: [machine] } }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}/*.json" }]
`;
const EACH = 60;
const sources = Object.fromEntries(
  Array.from({ length: 4 }, (_, file) => [
    `locales/en/part${file}.json`,
    `${JSON.stringify(Object.fromEntries(Array.from({ length: EACH }, (_, text) => [`text${text}`, `Part ${file} number ${text}`])))}\n`,
  ]),
);

test.skipIf(chromiumPath === undefined)(
  'a person reads and saves the first texts while all others are still being counted, and the list goes on when they are',
  async () => {
    await using rig = await Rig.start({ config: CONFIG, files: sources });
    await rig.once();
    const daemon = await rig.daemon();
    await daemon.until(() => daemon.lines.some(({ kind }) => kind === 'page-served'));
    await using browser = await launchBrowser();
    await using profile = await openProfile(browser, { viewport: { width: 1280, height: 900 } });
    const page = await profile.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    const counted = Promise.withResolvers<void>();
    await page.route('**/api/review/list', async (route) => {
      const { partial } = route.request().postDataJSON() as { partial: boolean };
      if (!partial) await counted.promise;
      await route.continue();
    });
    await page.goto((await rig.run('review', 'link', 'anna')).stdout.trim());
    const list = page.getByRole('listbox');
    await list.getByRole('option', { name: /Part 0 number 0 / }).waitFor();
    await page.getByRole('status').getByText('Counting…').waitFor();
    expect(await page.locator('#review').textContent()).toMatch(/^Review \d+\+$/);
    expect(await page.locator('.row.chosen').getAttribute('aria-setsize')).toBe('-1');
    await page.evaluate(axe.source);
    const found = await page.evaluate<Pick<axe.AxeResults, 'violations'>>('axe.run()');
    expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    const field = page.getByLabel('Translation (de)');
    await field.fill('Teil 0 Nummer 0');
    await field.press('Control+Enter');
    await list.getByText('Teil 0 Nummer 0').waitFor();
    expect(rig.json('locales/de/part0.json')['text0']).toBe('Teil 0 Nummer 0');
    counted.resolve();
    await expect.poll(() => page.locator('#review').textContent()).toBe(`Review ${4 * EACH}`);
    expect(await page.locator('.counting').textContent()).toBe('');
    // The answer that counted all texts does not show the saved text as it was.
    expect(await list.getByText('Teil 0 Nummer 0').isVisible()).toBe(true);
    await field.press('Alt+ArrowDown');
    await page.locator('#text').getByText('3 of 240').waitFor();
    await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await list.getByRole('option', { name: /Part 3 number 59 / }).waitFor();
    expect(complaints).toEqual([]);
  },
);
