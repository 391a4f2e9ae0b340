/** The Review page: texts a portion at a time, saves that see each other, and a person with a keyboard. */
import { utimesSync } from 'node:fs';
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReviewPortion, ReviewRow } from '../../src/control/review-report.ts';
import { billed } from '../counts.ts';
import type { Rig } from '../rig.ts';
import { chromiumPath, launchBrowser } from './browser.ts';
import { GERMAN, MANY, startReview, visitReview } from './review-page.ts';

function chunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

describe('the answers to the Review page', () => {
  let rig: Rig;
  let original: string;
  let post: (path: string, body: object) => Promise<Response>;
  let saveAddress: string;
  let ownCookie: string;

  beforeAll(async () => {
    const started = await startReview();
    rig = started.rig;
    original = rig.read(GERMAN);
    const { origin, hash } = new URL(started.address);
    const token = new URLSearchParams(hash.slice(1)).get('token');
    const send = (path: string, body: object, cookie = '') =>
      fetch(`${origin}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify(body),
      });
    const opened = await send('/api/session', { token });
    ownCookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
    saveAddress = `${origin}/api/review/save`;
    post = (path, body) => send(path, body, ownCookie);
  });
  afterAll(() => rig?.[Symbol.asyncDispose]());

  const list = async (more: object = {}) => {
    const response = await post('/api/review/list', {
      ...{ language: 'de', states: [], from: 0, count: 100 },
      ...more,
    });
    return (await response.json()) as ReviewPortion;
  };
  const rowOf = async (key: string): Promise<ReviewRow> => {
    const { rows } = await list({ file: 'locales/en/app.json' });
    return rows.find(({ text }) => text.key === key) as ReviewRow;
  };
  const bodyOf = ({ project, file, language, text }: ReviewRow, said: string, more: object) => ({
    ...{ project, file, language, id: text.id, source: text.source_hash, was: text.target_hash },
    ...{ text: said, reviewed: false, ...more },
  });
  const save = (row: ReviewRow, said: string, more: object = {}) =>
    post('/api/review/save', bodyOf(row, said, more));

  test('texts come a portion at a time, filtered by state, file and words', async () => {
    const all = await list();
    expect(all).toMatchObject({ total: MANY + 3, language: 'de' });
    expect(all.rows).toHaveLength(100);
    const later = await list({ from: MANY, count: 100 });
    expect(later.rows).toHaveLength(3);
    expect(await list({ text: 'number 299 OF' })).toMatchObject({ total: 1 });
    expect(await list({ states: ['missing'] })).toMatchObject({ total: 0 });
    const { text, terms } = await rowOf('buy');
    expect(text).toMatchObject({ note: 'a button', max_length: 60, state: 'unreviewed' });
    expect(terms).toEqual([{ source: 'buy', target: 'kaufen' }]);
  });

  test('a save writes the text to file and lock; a second save based on the same old text is refused, with the present text', async () => {
    const seen = await rowOf('bye');
    const saved = await save(seen, 'Auf Wiedersehen', { reviewed: true });
    expect(saved.status).toBe(200);
    expect(((await saved.json()) as { row: ReviewRow }).row.text).toMatchObject({
      ...{ target: 'Auf Wiedersehen', state: 'reviewed' },
    });
    expect(rig.json(GERMAN)['bye']).toBe('Auf Wiedersehen');
    expect(rig.read('dragoman.lock/webshop/de')).toMatch(/ h\+$/m);
    const late = await save(seen, 'Bis bald');
    expect(late.status).toBe(409);
    expect(((await late.json()) as { row: ReviewRow }).row.text.target).toBe('Auf Wiedersehen');
    expect(rig.json(GERMAN)['bye']).toBe('Auf Wiedersehen');
  });

  test('a save whose answer was lost can be repeated without a conflict, and is written once', async () => {
    const seen = await rowOf('bye');
    const sent = new AbortController();
    const lost = fetch(saveAddress, {
      ...{ method: 'POST', signal: sent.signal },
      headers: { 'content-type': 'application/json', cookie: ownCookie },
      body: JSON.stringify(bodyOf(seen, 'Bis später', { reviewed: true })),
    }).catch(() => undefined);
    await expect.poll(() => rig.json(GERMAN)['bye']).toBe('Bis später');
    sent.abort();
    await lost;
    const again = await save(seen, 'Bis später', { reviewed: true });
    expect(again.status).toBe(200);
    expect(((await again.json()) as { row: ReviewRow }).row.text.state).toBe('reviewed');
    expect((await save(seen, 'Bis nachher')).status).toBe(409);
    const edits = rig.read('.dragoman/edits.jsonl').match(/"after":"Bis später"/g);
    expect(edits).toHaveLength(1);
  });

  test('a save that damages a placeholder or empties a text is refused with the reason', async () => {
    const seen = await rowOf('title');
    const damaged = await save(seen, 'Willkommen');
    expect(damaged.status).toBe(422);
    expect(await damaged.json()).toEqual({ error: '{name} is missing' });
    expect((await save(seen, ' ')).status).toBe(422);
    const control = await save(seen, 'Willkommen\u0000 {name}');
    expect(control.status).toBe(422);
    expect(await control.text()).toContain('the control character U+0000');
    const long = await save(seen, `{name} ${'ä'.repeat(20_000)}`);
    expect(long.status).toBe(422);
    expect(await long.json()).toEqual({
      error: expect.stringMatching(/^The text has 20,007 characters, and this page saves 20,000/),
    });
    expect((await save(seen, `{name} ${'😀'.repeat(19_993)}`)).status).toBe(200);
    expect((await save(await rowOf('title'), String(seen.text.target))).status).toBe(200);
    expect((await save({ ...seen, file: '../../etc/passwd' }, 'x')).status).toBe(422);
    expect((await post('/api/review/save', { text: 'x' })).status).toBe(400);
    expect((await post('/api/review/list', { states: ['x'], from: 0, count: 1 })).status).toBe(400);
  });

  test('edits that come one after the other and at once, while jobs run and others write, are all on the disk, and nothing is billed', async () => {
    const before = billed(rig);
    const { rows } = await list({ file: 'locales/en/many.json', from: 100, count: 150 });
    const said = new Map<string, string>();
    for (const [index, batch] of chunks(rows, 15).entries()) {
      const answers = await Promise.all(
        batch.map((row, nth) => {
          said.set(row.text.id, `Text von Hand ${index}.${nth}`);
          const text = said.get(row.text.id) ?? '';
          return save(row, text, { reviewed: nth % 2 === 0 });
        }),
      );
      expect(answers.map(({ status }) => status)).toEqual(batch.map(() => 200));
      const [first] = batch;
      if (first === undefined) continue;
      // Like a lock that another program wrote: known statements of it do not count any more.
      const now = new Date();
      utimesSync(rig.path('dragoman.lock/webshop/de'), now, now);
      const stale = await save(first, 'from an old sight');
      expect(stale.status).toBe(409);
    }
    const texts = rig.json('locales/de/many.json');
    expect(Object.fromEntries([...said.keys()].map((id) => [id, texts[id]]))).toEqual(
      Object.fromEntries(said),
    );
    const after = await list({ file: 'locales/en/many.json', from: 100, count: 150 });
    expect(after.rows.map(({ text }) => text.target)).toEqual([...said.values()]);
    const { counts } = await list({ file: 'locales/en/many.json', states: ['reviewed'] });
    expect(counts.reviewed).toBe(80);
    expect(billed(rig)).toBe(before);
  });

  test('a text that is saved while somebody works through a list stays in it, so that no text of the next portions is left out', async () => {
    const query = { file: 'locales/en/many.json', states: ['unreviewed'] };
    const whole = await list({ ...query, count: 200 });
    const first = await list({ ...query, count: 20 });
    for (const row of first.rows) {
      expect((await save(row, `Gesehen: ${row.text.id}`)).status).toBe(200);
    }
    const next = await list({ ...query, since: first.at, from: 20, count: 20 });
    expect(next.total).toBe(whole.total);
    const ids = (rows: readonly ReviewRow[]) => rows.map(({ text }) => text.id);
    expect(ids(next.rows)).toEqual(ids(whole.rows.slice(20, 40)));
    const again = await list({ ...query, since: first.at, count: 20 });
    expect(ids(again.rows)).toEqual(ids(first.rows));
    expect((await list(query)).total).toBe(whole.total - 20);
    expect(
      (await post('/api/review/list', { ...query, from: 0, count: 1, since: 'x' })).status,
    ).toBe(400);
  });

  test('saves that come at once all arrive, one after the other', async () => {
    const { rows } = await list({ file: 'locales/en/many.json', count: 20 });
    const answers = await Promise.all(rows.map((row, index) => save(row, `Text ${index}`)));
    expect(answers.map(({ status }) => status)).toEqual(rows.map(() => 200));
    const texts = Object.values(rig.json('locales/de/many.json')).slice(0, 20);
    expect(texts).toEqual(rows.map((_, index) => `Text ${index}`));
  });

  test('undo takes back what a person saved at one sitting, and nothing is bought or held for it', async () => {
    const before = billed(rig);
    expect((await save(await rowOf('bye'), 'Tschüss')).status).toBe(200);
    expect(await rig.run('undo', '--yes', 'locales/de/app.json')).toMatchObject({ code: 0 });
    expect(rig.read(GERMAN)).toBe(original);
    expect((await rowOf('bye')).text.target).toBe(JSON.parse(original).bye);
    expect((await save(await rowOf('bye'), 'Servus')).status).toBe(200);
    expect(rig.json(GERMAN)['bye']).toBe('Servus');
    expect(await rig.run('undo', '--yes', 'locales/de/app.json')).toMatchObject({ code: 0 });
    expect(rig.read(GERMAN)).toBe(original);
    const shown = await rowOf('bye');
    expect((await save(shown, shown.text.target ?? '', { reviewed: true })).status).toBe(200);
    expect((await rowOf('bye')).text).toMatchObject({ state: 'reviewed', mark: 'machine' });
    const undone = await rig.run('undo', '--yes', 'locales/de/app.json');
    expect(undone).toMatchObject({ code: 0, stdout: expect.stringContaining('1 file undone') });
    expect(rig.read(GERMAN)).toBe(original);
    const after = await rowOf('bye');
    expect(after.text).toEqual(shown.text);
    expect(after.edited).toBeUndefined();
    expect(billed(rig)).toBe(before);
    expect((await rig.run('status')).stdout).not.toContain('undo');
  });
});

describe.skipIf(chromiumPath === undefined)('the Review page', () => {
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

  test('a person works through texts with the keyboard alone', async () => {
    await using tab = await visit();
    const { page } = tab;
    await page.getByRole('option', { name: /Goodbye/ }).click();
    const field = page.getByLabel('Translation (de)');
    await field.fill('Bis bald');
    await field.press('Control+Enter');
    await expect.poll(() => started.rig.json(GERMAN)['bye']).toBe('Bis bald');
    await expect.poll(() => field.inputValue()).not.toBe('Bis bald');
    await field.press('Alt+ArrowUp');
    await expect.poll(() => field.inputValue()).toBe('Bis bald');
    await field.press('Alt+c');
    expect(await field.inputValue()).toBe('Goodbye');
    await field.press('Alt+z');
    expect(await field.inputValue()).toBe('Bis bald');
    // Caps Lock, and a Cyrillic keyboard.
    for (const [copy, undo] of ['CZ', 'ся']) {
      await field.dispatchEvent('keydown', { key: copy, code: 'KeyC', altKey: true });
      expect(await field.inputValue()).toBe('Goodbye');
      await field.dispatchEvent('keydown', { key: undo, code: 'KeyZ', altKey: true });
      expect(await field.inputValue()).toBe('Bis bald');
    }
    // Option and C on a Mac with a Polish keyboard.
    await field.dispatchEvent('keydown', { key: 'ć', code: 'KeyC', altKey: true });
    expect(await field.inputValue()).toBe('Bis bald');
    await field.fill('Bis später');
    await field.press('Alt+ArrowDown');
    await expect.poll(() => field.inputValue()).not.toBe('Bis später');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('link', { name: 'Review' }).click();
    await page.getByLabel(/^reviewed/).check();
    await page.getByRole('option', { name: /Goodbye.*not saved/ }).click();
    expect(await field.inputValue()).toBe('Bis später');
    expect(tab.complaints).toEqual([]);
  });

  test('a text that is too long to be saved or has a placeholder too many says so while it is typed', async () => {
    await using tab = await visit();
    const { page } = tab;
    await page.getByRole('option', { name: /Welcome/ }).click();
    const field = page.getByLabel('Translation (de)');
    await field.fill('Willkommen {name}, {other}');
    await page.getByRole('status').getByText('{other} is not in the source').waitFor();
    await field.fill('a'.repeat(20_001));
    await page
      .getByRole('status')
      .getByText(/20,001 characters.*20,000 at most/)
      .waitFor();
    await field.press('Alt+Enter');
    await page
      .getByRole('alert')
      .getByText(/^It is not saved\. .*20,001 characters/)
      .waitFor();
    expect(started.rig.read(GERMAN)).not.toContain('aaaa');
    expect(tab.complaints).toEqual([]);
  });

  test.each([1280, 380])(
    'an empty list names the filter that excludes all texts, and offers to remove it, at a width of %i',
    async (width) => {
      await using tab = await visit(width);
      const { page } = tab;
      const words = page.getByLabel('Words');
      await words.fill('no such words');
      await words.press('Enter');
      const said = page.getByRole('status').filter({ hasText: 'has the words “no such words”' });
      await said.waitFor();
      expect(await said.isVisible()).toBe(true);
      expect(await page.getByRole('listbox').count()).toBe(0);
      await page.getByRole('button', { name: 'Without these words' }).click();
      await page.getByRole('option', { name: /Welcome/ }).waitFor();
      expect(tab.complaints).toEqual([]);
    },
  );

  test('words filter while they are typed: the translation that a person goes to next stays', async () => {
    await using tab = await visit();
    const { page } = tab;
    await page.getByLabel('Words').pressSequentially('number 37');
    await page.getByRole('option', { name: /Welcome/ }).waitFor({ state: 'detached' });
    await page.getByRole('option', { name: /Text number 37/ }).waitFor();
    const field = page.getByLabel('Translation (de)');
    await field.click();
    await page.keyboard.type('kept ');
    expect(await field.inputValue()).toContain('kept ');
    expect(await page.locator('#draft:focus').count()).toBe(1);
  });

  test('typed text stays in its field while the list is loaded again', async () => {
    await using tab = await visit();
    const { page } = tab;
    const words = page.getByLabel('Words');
    await words.pressSequentially('number');
    // The list is asked for with another filter, as it is when a save ends, and the field keeps the focus.
    const box = page.getByLabel(/^missing/);
    const answered = page.waitForResponse('**/api/review/list');
    await box.dispatchEvent('click');
    await answered;
    await page.keyboard.type(' 37');
    expect(await words.inputValue()).toBe('number 37');
    await box.dispatchEvent('click');
    await words.press('Enter');
    await page.getByRole('option', { name: /Text number 37/ }).waitFor();
    expect(tab.complaints).toEqual([]);
  });

  test('the arrow keys move within the list until a text is opened', async () => {
    await using tab = await visit();
    const { page } = tab;
    const list = page.getByRole('listbox');
    const focused = () => page.evaluate<string>('document.activeElement.className');
    await list.focus();
    for (const at of [2, 3, 4]) {
      await list.press('ArrowDown');
      await page
        .locator('#text')
        .getByText(new RegExp(`^${at} of`))
        .waitFor();
      expect(await focused()).toBe('texts');
    }
    const chosen = await page.locator('.row.chosen').textContent();
    await list.press('Enter');
    const field = page.getByLabel('Translation (de)');
    await expect.poll(focused).toBe('');
    expect(chosen).toContain(await field.inputValue());
    await list.focus();
    await list.press('Enter');
    await expect.poll(() => field.evaluate((element) => element.matches(':focus'))).toBe(true);
  });

  test('Home and End go to the first and the last text of the list', async () => {
    await using tab = await visit();
    const { page } = tab;
    const list = page.getByRole('listbox');
    // While texts are counted, their number is -1.
    const counted = list.locator('#row-0:not([aria-setsize="-1"])');
    const all = Number(await counted.getAttribute('aria-setsize'));
    for (const [key, at] of [
      ['End', all],
      ['Home', 1],
    ] as const) {
      await list.press(key);
      await page.locator('#text').getByText(`${at} of ${all}`).waitFor();
      const row = page.locator(`#row-${at - 1}[aria-selected=true]`);
      await row.waitFor();
      expect(await list.getAttribute('aria-activedescendant')).toBe(await row.getAttribute('id'));
    }
  });

  test('on a narrow screen, going back from a text by the keyboard sets the focus to the list', async () => {
    await using tab = await visit(380);
    const { page } = tab;
    const list = page.getByRole('listbox');
    await list.press('ArrowDown');
    await list.press('Enter');
    await page.getByLabel('Translation (de)').waitFor();
    await page.getByRole('button', { name: 'All texts' }).press('Enter');
    await expect.poll(() => list.evaluate((element) => element.matches(':focus'))).toBe(true);
    await list.press('ArrowDown');
    await list.press('Enter');
    await page.locator('#text').getByText(/^3 of/).waitFor();
    expect(tab.complaints).toEqual([]);
  });

  test('a slow save does not block the page, and a failed one brings back the typed text', async () => {
    await using tab = await visit();
    const { page } = tab;
    const field = page.getByLabel('Translation (de)');
    const answered = Promise.withResolvers<void>();
    await page.route('**/api/review/save', async (route) => {
      await answered.promise;
      await route.continue();
    });
    await page.getByLabel('Words').fill('number 1');
    await page.getByLabel('Words').press('Enter');
    await page.getByRole('option', { name: /Text number 10 / }).click();
    await field.fill('Langsam gespeichert');
    await field.press('Alt+Enter');
    await page.locator('#text').getByText(/^3 of/).waitFor();
    const row = page.getByRole('option', { name: /Text number 10 / });
    await row.getByText('saving').waitFor();
    await field.press('Alt+ArrowUp');
    await page.locator('#text').getByText(/^2 of/).waitFor();
    await field.press('Alt+c');
    await field.press('Alt+z');
    expect(await field.inputValue()).toBe('Langsam gespeichert');
    await field.press('Alt+ArrowDown');
    await page.locator('#text').getByText(/^3 of/).waitFor();
    await field.fill('Ist zu lang gewesen {x}');
    await field.press('Alt+Enter');
    await page.locator('#text').getByText(/^4 of/).waitFor();
    answered.resolve();
    await row.getByText('Langsam gespeichert').waitFor();
    expect(started.rig.json('locales/de/many.json')['text10']).toBe('Langsam gespeichert');
    const alert = page.getByRole('alert').filter({ hasText: 'is not saved' });
    await alert.waitFor();
    await page.evaluate(axe.source);
    const found = await page.evaluate<Pick<axe.AxeResults, 'violations'>>('axe.run()');
    expect(found.violations.map(({ id }) => id)).toEqual([]);
    await alert.getByRole('button', { name: 'Go to it' }).click();
    await page.locator('#text').getByText(/^3 of/).waitFor();
    expect(await field.inputValue()).toBe('Ist zu lang gewesen {x}');
  });

  test('the last saves are taken back after the page was loaded again', async () => {
    await using tab = await visit();
    const { page } = tab;
    const before = started.rig.json(GERMAN)['title'];
    await page.getByRole('option', { name: /Welcome/ }).click();
    const field = page.getByLabel('Translation (de)');
    await field.fill('Hallo {name}');
    await field.press('Alt+Enter');
    const undo = page.getByRole('button', { name: 'Undo last save' });
    await expect.poll(() => started.rig.json(GERMAN)['title']).toBe('Hallo {name}');
    await expect.poll(() => undo.isEnabled()).toBe(true);
    // A save can be undone after a reload once its answer is here; the button is enabled before.
    const kept = () => page.evaluate(() => sessionStorage.getItem('dragoman-saves'));
    await expect.poll(kept).toContain('Hallo');
    await page.reload();
    await undo.waitFor();
    await undo.click();
    await expect.poll(() => started.rig.json(GERMAN)['title']).toBe(before);
    await expect.poll(() => undo.isDisabled()).toBe(true);
  });

  test('two people at one text see both texts', async () => {
    await using tab = await visit();
    const { page } = tab;
    await page.getByRole('option', { name: /Buy now/ }).click();
    const field = page.getByLabel('Translation (de)');
    await field.fill('Jetzt kaufen');
    started.rig.write(GERMAN, started.rig.read(GERMAN).replace(/"buy": .*/, '"buy": "Bestellen",'));
    await field.press('Alt+Enter');
    await page.getByText('Somebody changed this text since it was shown').first().waitFor();
    // On a busy machine the answer comes when the next text is shown already.
    const back = page.getByRole('button', { name: 'Go to it' });
    if (await back.isVisible()) await back.click();
    expect(await page.locator('.changed').textContent()).toContain('Bestellen');
    expect(started.rig.json(GERMAN)['buy']).toBe('Bestellen');
    await page.getByRole('button', { name: 'Save mine' }).click();
    await expect.poll(() => started.rig.json(GERMAN)['buy']).toBe('Jetzt kaufen');
  });

  test('a text that somebody else saved while a person typed is shown before it is replaced, also after the list was loaded again', async () => {
    await using tab = await visit();
    const { page } = tab;
    const field = page.getByLabel('Translation (de)');
    await page.getByLabel('Words').fill('number 4');
    await page.getByLabel('Words').press('Enter');
    await page.getByRole('option', { name: /Text number 42 / }).click();
    await field.fill('Getippt');
    await field.press('Alt+ArrowDown');
    await expect.poll(() => field.inputValue()).not.toBe('Getippt');
    const path = 'locales/de/many.json';
    const now = started.rig.read(path).replace(/"text42": .*/, '"text42": "Von jemand anderem",');
    started.rig.write(path, now);
    await page.getByLabel(/^done/).check();
    await page.getByLabel('Words').fill('number 42 ');
    await page.getByLabel('Words').press('Enter');
    await page.getByRole('option', { name: /Von jemand anderem/ }).click();
    expect(await field.inputValue()).toBe('Getippt');
    await field.press('Alt+Enter');
    await page.getByText('Somebody changed this text since it was shown').first().waitFor();
    expect(started.rig.json(path)['text42']).toBe('Von jemand anderem');
  });

  test.each([1280, 380])('axe finds no fault at a width of %i', async (width) => {
    await using tab = await visit(width);
    const { page } = tab;
    await page.evaluate(axe.source);
    const found = await page.evaluate<Pick<axe.AxeResults, 'violations'>>('axe.run()');
    expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  });
});
