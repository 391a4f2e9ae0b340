/** Typing on the Review page while saves are on the way: each key goes into the text that is shown, and nothing is lost. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Rig } from '../rig.ts';
import { chromiumPath, launchBrowser } from './browser.ts';
import { GERMAN, json, startReview, visitReview } from './review-page.ts';

const MANY_GERMAN = 'locales/de/many.json';

describe.skipIf(chromiumPath === undefined)('a person who types fast', () => {
  let started: { rig: Rig; address: string };
  let browser: Browser;

  beforeAll(async () => {
    [started, browser] = await Promise.all([startReview(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await started?.rig[Symbol.asyncDispose]();
  });

  const visit = (width?: number) => visitReview(browser, started.address, width);
  const german = () => started.rig.json(MANY_GERMAN);
  const draft = (page: Page) => page.getByLabel('Translation (de)');

  /** Shows the texts with these words, and opens one. */
  async function open(page: Page, words: string, name: RegExp): Promise<void> {
    await page.getByLabel('Words').fill(words);
    await page.getByRole('option', { name: /Welcome/ }).waitFor({ state: 'detached' });
    await page.getByRole('option', { name }).click();
    await page.locator('#draft:focus').waitFor();
  }

  /** Saves wait at the door of the daemon until they are released. */
  async function holdSaves(page: Page): Promise<() => void> {
    const released = Promise.withResolvers<void>();
    await page.route('**/api/review/save', async (route) => {
      await released.promise;
      await route.continue();
    });
    return released.resolve;
  }

  test.each(['Control+Enter', 'Alt+Enter'])(
    'keys that follow %s at once go into the next text, and the save has the text before them',
    async (keys) => {
      await using tab = await visit();
      const { page } = tab;
      const number = keys === 'Control+Enter' ? 11 : 21;
      await open(page, `number ${number - 1}`.slice(0, -1), new RegExp(`number ${number} `));
      await draft(page).fill('Fertig');
      const release = await holdSaves(page);
      await page.keyboard.press(keys);
      await page.keyboard.type('weiter ');
      expect(await draft(page).inputValue()).toContain('weiter ');
      await page
        .locator('dd')
        .getByText(`Text number ${number + 1} of the shop`)
        .waitFor();
      release();
      await expect.poll(() => german()[`text${number}`]).toBe('Fertig');
      await page.keyboard.press('Alt+ArrowUp');
      expect(await draft(page).inputValue()).toBe('Fertig');
      await page.keyboard.press('Alt+ArrowDown');
      expect(await draft(page).inputValue()).toContain('weiter ');
    },
  );

  test('keys that are held down save and approve one text only: the next ones were not read', async () => {
    await using tab = await visit();
    const { page } = tab;
    await open(page, 'number 9', /number 91 /);
    let saves = 0;
    await page.route('**/api/review/save', async (route) => {
      saves += 1;
      await route.continue();
    });
    await page.keyboard.down('Control');
    for (let times = 0; times < 4; times += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.keyboard.up('Control');
    await page.locator('dd').getByText('Text number 92 of the shop').waitFor();
    await draft(page).fill('Gelesen');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => german()['text92']).toBe('Gelesen');
    expect(saves).toBe(2);
  });

  test('a text that is saved again before its first save is answered keeps the last text', async () => {
    await using tab = await visit();
    const { page } = tab;
    await open(page, 'number 3', /number 31 /);
    const release = await holdSaves(page);
    await draft(page).fill('Der erste Stand');
    await page.keyboard.press('Alt+Enter');
    await page.keyboard.press('Alt+ArrowUp');
    await draft(page).fill('Der zweite Stand');
    await page.keyboard.press('Alt+Enter');
    release();
    await expect.poll(() => german()['text31']).toBe('Der zweite Stand');
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('the caret stays where a person types when the save of the same text is answered', async () => {
    await using tab = await visit();
    const { page } = tab;
    await open(page, 'number 299', /number 299 /);
    const release = await holdSaves(page);
    await draft(page).fill('Am Ende');
    const answered = page.waitForResponse('**/api/review/save');
    await page.keyboard.press('Alt+Enter');
    await page.keyboard.press('Home');
    await page.keyboard.type('Hier: ');
    release();
    await answered;
    await page.getByRole('option', { name: /not saved/ }).waitFor();
    await page.keyboard.type('und ');
    expect(await draft(page).inputValue()).toBe('Hier: und Am Ende');
    await page.keyboard.press('Alt+Enter');
    await expect.poll(() => german()['text299']).toBe('Hier: und Am Ende');
  });

  test('undo that follows a save at once takes back this save, not one before it', async () => {
    await using tab = await visit();
    const { page } = tab;
    await open(page, 'number 4', /number 41 /);
    const before = german()['text42'];
    await draft(page).fill('Eins');
    await page.keyboard.press('Alt+Enter');
    await expect.poll(() => german()['text41']).toBe('Eins');
    await draft(page).fill('Zwei');
    const release = await holdSaves(page);
    await page.keyboard.press('Alt+Enter');
    await page.keyboard.press('Alt+z');
    release();
    await page.locator('dd').getByText('Text number 42 of the shop').waitFor();
    await expect.poll(() => draft(page).inputValue()).toBe(before);
    expect(german()).toMatchObject({ text41: 'Eins', text42: before });
  });

  test('the own save of a text that the list shows as it was before is no change of somebody else', async () => {
    await using tab = await visit();
    const { page } = tab;
    await open(page, 'number 5', /number 51 /);
    const release = await holdSaves(page);
    await draft(page).fill('Mein Text');
    await page.keyboard.press('Alt+Enter');
    // The list is asked for again before the daemon has the save.
    const listed = page.waitForResponse('**/api/review/list');
    await page.getByLabel('Words').fill('number 51 ');
    await listed;
    await page.locator('#text').getByText('1 of 1').waitFor();
    release();
    await expect.poll(() => german()['text51']).toBe('Mein Text');
    await page.getByRole('option', { name: /Mein Text/ }).click();
    await draft(page).fill('Mein besserer Text');
    await page.keyboard.press('Alt+Enter');
    await expect.poll(() => german()['text51']).toBe('Mein besserer Text');
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('a text that has two places, because new texts moved the later portions, is the saved one at both', async () => {
    await using tab = await visit();
    const { page } = tab;
    const { rig } = started;
    const last = page.locator('#row-96');
    const list = page.getByRole('listbox');
    await list.evaluate((box) => box.scrollTo(0, 86 * 76));
    await last.getByText(/Text number/).waitFor();
    rig.write(
      'locales/en/app.json',
      json({ ...texts('new', 5), title: 'Welcome {name}', buy: 'Buy now', bye: 'Goodbye' }),
    );
    await expect.poll(() => Object.keys(rig.json(GERMAN))).toContain('new4');
    const source = (await last.locator('.source').textContent()) ?? '';
    // The next portion is asked for only now.
    await list.evaluate((box) => box.scrollTo(0, 97 * 76));
    const copy = page.locator('.row:not(#row-96)').filter({ hasText: source });
    await copy.waitFor();
    await last.click();
    await draft(page).fill('Zweimal in der Liste');
    await page.keyboard.press('Alt+Enter');
    await copy.getByText('Zweimal in der Liste').waitFor();
    await copy.click();
    await draft(page).fill('Und noch einmal');
    await page.keyboard.press('Alt+Enter');
    await last.getByText('Und noch einmal').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  /** @returns whether the page took the key for a command */
  const isTaken = (page: Page, key: Readonly<Record<string, string | boolean>>) => {
    const init = JSON.stringify({ bubbles: true, cancelable: true, ...key });
    const event = `new KeyboardEvent('keydown', ${init})`;
    return page.evaluate<boolean>(`!document.querySelector('#draft').dispatchEvent(${event})`);
  };

  test.each([
    ['MacIntel', 'Control', '⌃ C'],
    ['Win32', 'Alt', 'Alt C'],
    ['Linux x86_64', 'Alt', 'Alt C'],
  ])(
    'on %s a person copies the source by %s C, as the page says, and types all letters',
    async (platform, modifier, name) => {
      await using tab = await visit();
      const { page } = tab;
      await page.addInitScript((value) => {
        Object.defineProperty(navigator, 'platform', { get: () => value });
      }, platform);
      await page.reload();
      await open(page, 'number 20', /number 201 /);
      await page.locator('kbd').getByText(name, { exact: true }).waitFor();
      const copy = page.getByRole('button', { name: 'Copy source' });
      expect(await copy.getAttribute('aria-keyshortcuts')).toBe(`${modifier}+C`);
      await page.keyboard.press(`${modifier}+c`);
      expect(await draft(page).inputValue()).toBe('Text number 201 of the shop');
      await page.keyboard.press(`${modifier}+z`);
      expect(await draft(page).inputValue()).not.toBe('Text number 201 of the shop');
      // Option C on a Mac, AltGr C in Poland, and AltGr with Enter right after a `}` on a German keyboard of Windows.
      expect(await isTaken(page, { key: 'ç', code: 'KeyC', altKey: true })).toBe(false);
      const altGr = { ctrlKey: true, altKey: true };
      expect(await isTaken(page, { key: 'ć', code: 'KeyC', ...altGr })).toBe(false);
      expect(await isTaken(page, { key: 'Enter', code: 'Enter', ...altGr })).toBe(false);
      // Firefox says this of Option on a Mac.
      const option = { altKey: true, modifierAltGraph: true };
      const isMac = modifier === 'Control';
      expect(await isTaken(page, { key: 'Enter', code: 'Enter', ...option })).toBe(isMac);
    },
  );

  test('the next text is there when a person comes to the end of a portion', async () => {
    await using tab = await visit();
    const { page } = tab;
    const list = page.getByRole('listbox');
    await list.evaluate((box) => box.scrollTo(0, 70 * 76));
    const second = page.waitForRequest(
      (request) => request.postData()?.includes('"from":100') === true,
    );
    await page
      .locator('#row-76')
      .getByText(/Text number/)
      .click();
    expect((await second).method()).toBe('POST');
  });

  test('a conflict is ended by the keyboard, and the focus goes back to the translation', async () => {
    await using tab = await visit();
    const { page } = tab;
    const { rig } = started;
    await open(page, 'number 7', /number 71 /);
    await draft(page).fill('Meiner');
    rig.write(MANY_GERMAN, rig.read(MANY_GERMAN).replace(/"text71": .*/, '"text71": "Deren",'));
    await page.keyboard.press('Alt+Enter');
    await page.getByRole('button', { name: 'Go to it' }).press('Enter');
    const conflict = page.locator('.changed');
    await conflict.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await conflict.waitFor({ state: 'detached' });
    await page.locator('#draft:focus').waitFor();
    expect(await draft(page).inputValue()).toBe('Meiner');
    await page.keyboard.press('Alt+Enter');
    await page.getByRole('button', { name: 'Go to it' }).press('Enter');
    await conflict.getByRole('button', { name: 'Take the present text' }).press('Enter');
    await page.locator('#draft:focus').waitFor();
    expect(await draft(page).inputValue()).toBe('Deren');
    expect(german()['text71']).toBe('Deren');
  });

  test.each([
    [1280, 61],
    [380, 63],
  ])('a save that failed is said where it is seen, at a width of %i', async (width, number) => {
    await using tab = await visit(width);
    const { page } = tab;
    await open(page, 'number 6', new RegExp(`number ${number} `));
    await draft(page).fill('Mit {zuviel}');
    await page.keyboard.press('Alt+Enter');
    await page.keyboard.type('weiter ');
    const alert = page.getByRole('alert').filter({ hasText: `text${number} is not saved` });
    await alert.waitFor();
    expect(await alert.isVisible()).toBe(true);
    expect(await draft(page).inputValue()).toContain('weiter ');
    await page.keyboard.press('Alt+ArrowUp');
    await page
      .getByRole('alert')
      .filter({ hasText: /^It is not saved: .*\{zuviel\}/ })
      .waitFor();
    expect(await draft(page).inputValue()).toBe('Mit {zuviel}');
    await draft(page).fill(`Ohne ${width}`);
    await page.keyboard.press('Alt+Enter');
    await expect.poll(() => german()[`text${number}`]).toBe(`Ohne ${width}`);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });
});

function texts(name: string, count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${name}${index}`, `A ${name} text ${index}`]),
  );
}
