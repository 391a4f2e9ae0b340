/** Saves of the Review page, taken back one by one: over HTTP, by a reviewer's link, and with the keyboard. */
import axe from 'axe-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReviewPortion, ReviewRow } from '../../src/control/review-report.ts';
import { userName } from '../../src/state/edit-log.ts';
import { billed } from '../counts.ts';
import type { Rig } from '../rig.ts';
import { chromiumPath, launchBrowser } from './browser.ts';
import { startPage } from './installation.ts';

const CONFIG = `
lock: dragoman.lock
page:
  listen: "127.0.0.1:0"
  reviewers: [{ name: anna, languages: [de] }, { name: bert, languages: [de] }, { name: ${JSON.stringify(userName())}, languages: [de] }]
defaults: { settle_ms: 50, review: { want: [machine] } }
projects:
  webshop: { source: en, targets: [de, fr], routes: [{ from: "locales/{locale}/*.json" }] }
`;
const GERMAN = 'locales/de/app.json';
const TEXTS = { title: 'Welcome', buy: 'Buy now', bye: 'Goodbye', home: 'Home' };

let rig: Rig;
let address: string;
let owner: string;
let anna: string;
/** Of a reviewer who has the name of this machine's user. */
let namesake: string;

async function send(path: string, body: object, cookie = '') {
  return await fetch(new URL(path, address), {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  });
}
async function sessionOf(link: string): Promise<string> {
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token');
  const opened = await send('/api/session', { token });
  return opened.headers.get('set-cookie')?.split(';')[0] ?? '';
}
async function rowOf(key: string): Promise<ReviewRow> {
  const asked = { language: 'de', states: [], from: 0, count: 100 };
  const { rows } = (await (await send('/api/review/list', asked, owner)).json()) as ReviewPortion;
  return rows.find(({ text }) => text.key === key) as ReviewRow;
}
const seenIn = ({ project, file, language, text }: ReviewRow) => ({
  ...{ project, file, language, id: text.id, source: text.source_hash, was: text.target_hash },
});
async function save(key: string, text: string, reviewed: boolean): Promise<ReviewRow> {
  const body = { ...seenIn(await rowOf(key)), text, reviewed };
  const answer = await send('/api/review/save', body, owner);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { row: ReviewRow }).row;
}
const takeBack = (row: ReviewRow, cookie = owner) =>
  send('/api/review/undo', { ...seenIn(row), at: row.edited?.at ?? '' }, cookie);

beforeAll(async () => {
  const files = { 'locales/en/app.json': `${JSON.stringify(TEXTS, null, 2)}\n` };
  ({ rig, address } = await startPage({ config: CONFIG, files }));
  // None of these tests buys the texts of a changed source.
  expect((await rig.run('pause')).code).toBe(0);
  owner = await sessionOf(address);
  const linkOf = async (name: string) => (await rig.run('review', 'link', name)).stdout.trim();
  anna = await sessionOf(await linkOf('anna'));
  namesake = await sessionOf(await linkOf(userName()));
});
afterAll(() => rig?.[Symbol.asyncDispose]());

test('saves are taken back one by one, with the maker and the state of each text before', async () => {
  const before = { billed: billed(rig), text: rig.read(GERMAN), row: await rowOf('bye') };
  const lock = rig.read('dragoman.lock/webshop/de');
  const first = await save('bye', 'Tschüss', false);
  const second = await save('bye', 'Servus', true);
  expect(second.text).toMatchObject({ mark: 'human', state: 'reviewed' });
  expect((await takeBack(second)).status).toBe(200);
  expect((await rowOf('bye')).text).toMatchObject({ target: 'Tschüss', state: first.text.state });
  expect((await takeBack(first)).status).toBe(200);
  expect(rig.read(GERMAN)).toBe(before.text);
  const after = await rowOf('bye');
  expect(after.text).toEqual(before.row.text);
  expect(after.edited).toBeUndefined();
  expect(rig.read('dragoman.lock/webshop/de')).toBe(lock);
  expect(billed(rig)).toBe(before.billed);
});

test('an approval without a change is taken back, and the text asks for a reviewer again', async () => {
  const { text } = await rowOf('home');
  const lock = rig.read('dragoman.lock/webshop/de');
  const approved = await save('home', text.target ?? '', true);
  expect(approved.text).toMatchObject({ state: 'reviewed', mark: 'machine' });
  expect((await takeBack(approved)).status).toBe(200);
  expect((await rowOf('home')).text).toEqual(text);
  expect(rig.read('dragoman.lock/webshop/de')).toBe(lock);
});

test('a save can be undone once, by the person who made it, if nobody has changed the text since', async () => {
  const saved = await save('title', 'Servus', false);
  expect((await takeBack(saved, anna)).status).toBe(422);
  expect((await takeBack(saved, namesake)).status).toBe(422);
  expect((await takeBack({ ...saved, language: 'fr' }, anna)).status).toBe(403);
  expect((await takeBack(saved, 'none')).status).toBe(401);
  const later = await save('title', 'Willkommen', false);
  expect((await takeBack(saved)).status).toBe(409);
  expect(rig.json(GERMAN)['title']).toBe('Willkommen');
  expect((await takeBack(later)).status).toBe(200);
  expect((await takeBack(later)).status).toBe(409);
  expect(rig.json(GERMAN)['title']).toBe('Servus');
});

test('a stale text is not put back as if it were up to date', async () => {
  const english = { ...TEXTS, buy: 'Buy it now' };
  rig.write('locales/en/app.json', `${JSON.stringify(english, null, 2)}\n`);
  await expect.poll(async () => (await rowOf('buy')).text.state).toBe('stale');
  const saved = await save('buy', 'Jetzt kaufen', true);
  expect((await takeBack(saved)).status).toBe(422);
  expect(rig.json(GERMAN)['buy']).toBe('Jetzt kaufen');
});

test.skipIf(chromiumPath === undefined)(
  'on a narrow screen a chosen text comes into view, the list is one step back, and Alt Z takes the last save back',
  async () => {
    await using browser = await launchBrowser();
    const page = await browser.newPage({ viewport: { width: 380, height: 800 } });
    await page.goto(address);
    await page.getByRole('link', { name: 'Review' }).click();
    const { text } = await rowOf('bye');
    const option = page.getByRole('option', { name: /Goodbye/ });
    expect(await option.textContent()).toContain(text.target);
    await option.click();
    const field = page.getByLabel('Translation (de)');
    expect(await field.isVisible()).toBe(true);
    const box = await field.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(800);
    await page.evaluate(axe.source);
    const found = await page.evaluate<Pick<axe.AxeResults, 'violations'>>('axe.run()');
    expect(found.violations.map(({ id }) => id)).toEqual([]);
    await field.fill('Bis bald');
    await field.press('Alt+Enter');
    await expect.poll(() => rig.json(GERMAN)['bye']).toBe('Bis bald');
    await expect.poll(() => field.inputValue()).not.toBe('Bis bald');
    const undo = page.getByRole('button', { name: 'Undo last save' });
    await expect.poll(() => undo.isEnabled()).toBe(true);
    await field.press('Alt+z');
    await expect.poll(() => rig.json(GERMAN)['bye']).toBe(text.target);
    await expect.poll(() => field.inputValue()).toBe(text.target);
    await page.getByRole('button', { name: 'All texts' }).click();
    expect(await option.isVisible()).toBe(true);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  },
);

test.skipIf(chromiumPath === undefined)(
  'typed text of an ended link is there when another link is opened in the same tab',
  async () => {
    const linkOf = async () => (await rig.run('review', 'link', 'bert')).stdout.trim();
    await using browser = await launchBrowser();
    const page = await browser.newPage();
    await page.goto(await linkOf());
    await page.getByRole('option', { name: /Home/ }).click();
    const field = page.getByLabel('Translation (de)');
    await field.fill('Noch nicht fertig');
    expect((await rig.run('review', 'link', 'bert', '--revoke')).code).toBe(0);
    await page.getByText('What you typed and did not save stays in this tab').waitFor();
    await page.goto(await linkOf());
    await page.getByRole('option', { name: /Home.*not saved/ }).click();
    expect(await field.inputValue()).toBe('Noch nicht fertig');
  },
);
